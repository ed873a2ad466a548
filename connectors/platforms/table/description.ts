/** The words of a description: how a platform's table is described. README.md of this folder shows an example. */
import type { Activity } from "../../../transforms/activities.ts";
import type { Position } from "../../../transforms/geo.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { TimeSpan } from "../../../transforms/model/workout.ts";
import type { Dimension, UnitOf } from "../../../transforms/units.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { JsonPlace } from "../../formats/json/each.ts";
import type { Point } from "../../formats/recording.ts";
import type { ReadSession } from "../session.ts";
import type { NewColumn } from "./cells/new-columns.ts";
import type { ReportAt, SheetRow } from "./cells/sheet-row.ts";
import type { SmallLists } from "./lists/small-lists.ts";
import type { ColumnSpec } from "./mapping/fields.ts";
import type { Conventions } from "./mapping/mapping.ts";
import type { GivenName } from "./mapping/mapping-tests.ts";
import type { OwnRules } from "./mapping/own-rules.ts";
import type { CellOf, System } from "./mapping/shown-units.ts";

/** The details of a column, besides its field. */
export type ColumnWords = Omit<ColumnSpec, "field"> & {
  /** For an ignored column: the reason. */
  readonly why?: string;
};

/**
 * A column: its name on the platform (all spellings and languages), its field here, and the form of its values. If a header has several spellings,
 * the first one counts.
 */
export type ColumnRow = AnyRow<ColumnSpec["field"], ColumnWords>;

/**
 * A column of any kind of list. Where the field is a distance, a weight or a temperature, the unit must be one that logferry knows, so that a
 * typing mistake doesn't pass for a fault of the export. An unsupported value may have any unit.
 */
type AnyRow<Field extends string, Words extends Pick<ColumnWords, "unit">> =
  | readonly [theirs: string | readonly string[], ours: Exclude<Field, Dimension>, how?: Words]
  | {
      readonly [D in Dimension & Field]: readonly [
        theirs: string | readonly string[],
        ours: D,
        how?: Words & { readonly unit?: UnitOf<D> },
      ];
    }[Dimension & Field];

/** A column of a list of gear: its name on the platform, its meaning for a shoe or a bike, and the form of its values. */
export type GearColumn = AnyRow<
  | "id"
  | "kind"
  | "status"
  | "brandName"
  | "modelName"
  | "serial"
  | "purchaseDate"
  | "price"
  | "notes"
  | "distance"
  | "distanceUnit"
  | "ignore"
  /** In a list of uses: the id of the workout. In a list of gear: the ids of all workouts that used the piece. */
  | "workout",
  Pick<ColumnWords, "label" | "unit" | "per" | "zero" | "decimal" | "read" | "why">
>;

/** A list of shoes and bikes. */
export interface GearTable {
  readonly from: RowSource;
  readonly columns: readonly GearColumn[];
  /**
   * The platform's words for the kinds of gear, with the activity of each. For a kind that is not listed here, the workouts that name the
   * piece show its activity.
   */
  readonly kinds: Readonly<Record<string, Activity>>;
  /** The platform's word for a retired piece. */
  readonly retired?: string;
  /** A list of uses: the columns with the id of a piece, and with the id of the workout that used it. */
  readonly uses?: { readonly from: RowSource; readonly gear: string; readonly workout: string };
}

/**
 * A column of a list of days: its name on the platform, its meaning, and the form of its values. A value that is `left` is counted by the name that its
 * `label` gives; without a label, the cell is the name.
 */
export type DayColumn = AnyRow<
  "day" | "restHR" | "weight" | "left",
  Pick<ColumnWords, "unit" | "per" | "zero" | "read" | "label">
>;

/** A list of weights or resting heart rates, by day. Its other columns are left out. */
export interface DayTable {
  readonly from: RowSource;
  /** The day is a local date, `2024-05-04`. If several columns have the same field, the first one with a value counts. */
  readonly columns: readonly DayColumn[];
  /** Columns of the file from whose cells the source makes the numbers of `columns`. They may have decimal commas. */
  readonly numbers?: readonly string[];
  /** The workouts are in the same file, and their table reports its faults. */
  readonly besideWorkouts?: true;
}

/** A column of a list of routes: its name on the platform, its meaning, and the form of its values. */
export type RouteColumn = readonly [
  theirs: string | readonly string[],
  ours: "name" | "distance" | "distanceUnit" | "surface" | "notes" | "line" | "ignore",
  how?: Pick<ColumnWords, "label" | "read" | "zero" | "why">,
];

/** A list of routes. Workouts name a route by its name. */
export interface RouteTable {
  /** If routes have lines, the source gives complete records. */
  readonly from: RowSource;
  readonly columns: readonly RouteColumn[];
  /** The places of a route in order, by the value of its column `line`. */
  readonly line?: (value: unknown) => readonly Position[];
}

/** A column of any list. */
export type AnyColumn = ColumnRow | GearColumn | DayColumn | RouteColumn;

/** Rows found in an archive. */
export interface FoundRows {
  /** The evidence, for people: `cardioActivities.csv with 12 columns`. */
  readonly saw: string;
  readonly byContent?: true;
  /** The files of the table. Each is read completely before the next. The first one stands for all in messages about columns. */
  readonly entries: readonly [Entry, ...Entry[]];
  /** The names of the columns that the rows have. */
  readonly header: readonly string[];
  /** Gives the rows of one file, from the start at each call. */
  readonly rows: (
    session: ReadSession,
    entry: Entry,
    mapping: Conventions,
    report?: ReportAt,
  ) => AsyncIterable<SheetRow>;
  /** Whether a file of the archive belongs to the table. */
  readonly holds: (path: string) => boolean;
  /** The positions of columns that are found by place: for each row of the description, the index in the table's rows. */
  readonly places?: (row: number) => number | undefined;
  /** Columns of such a table that no row of the description has. */
  readonly unplaced?: readonly { readonly index: number; readonly name: string }[];
  /** Known columns in another unit, where the header has the names of the description. Default: those of the header. */
  readonly otherUnits?: readonly OtherUnit<AnyColumn>[];
  /** Problems in the header. */
  readonly remarks?: readonly Issue[];
  /** Why its columns can't be recognised. The whole table is rejected, under this key. */
  readonly refused?: { readonly key: string; readonly issue: Issue };
  /** There is too little evidence that the table is the platform's. logferry reads it only if a person says so. */
  readonly unsure?: true;
  /** Columns of the rows that the header lacks, each with the first file that has it. They are known only after the rows were read. */
  readonly strangers?: () => readonly NewColumn[];
}

/** A known column in another unit, the row of the description that it belongs to, and its unit if logferry knows the word. */
export interface OtherUnit<Row> {
  readonly index: number;
  readonly name: string;
  readonly row: Row;
  readonly dimension: Dimension;
  readonly unit: UnitOf<Dimension> | undefined;
}

/** A record of a file. */
export interface RecordFound {
  /** Undefined if the record can't be read. */
  readonly value: unknown;
  /** Why it can't be read, where the format's reader says so. */
  readonly issue?: Issue;
  /** `record 12`; undefined for a file that is one row. */
  readonly place: string | undefined;
}

/** The source of rows: a CSV table, or the elements of JSON files. */
export interface RowSource {
  /** Finds the rows by file names and the beginning of a file. Never throws. */
  find(archive: Archive, columns: readonly AnyColumn[]): Promise<FoundRows | undefined>;
  /** If the rows lie in CSV tables: how people call them, and the columns that logferry makes of several cells. */
  readonly table?: { readonly called: string; readonly made?: readonly string[] };
  /** Whether a file has such rows at its beginning, whatever it is called. Missing for rows without a form of their own. */
  readonly claims?: (archive: Archive, entry: Entry) => Promise<boolean>;
  /** Gives the complete records of one file, with their recorded series, up to the first fault. Rows of CSV have no series. */
  readonly records?: (archive: Archive, entry: Entry) => AsyncIterable<RecordFound>;
}

/** The recorded series of one record. */
export interface RecordedTrack {
  /** The points in the order of their times. A point without an instant is left out. */
  readonly points: readonly Point[];
  /** The platform's names of series that a point can't hold. They stay counted. */
  readonly left?: readonly string[];
  /** The record says that positions were recorded, and has none. The row counts as one that lost its track. */
  readonly lacksPositions?: boolean;
}

/** The track of a row with points in separate files. */
export interface TrackFiles {
  /** Columns with the names of these files, without folders. */
  readonly columns: readonly string[];
  /** The columns have whole paths: the files of all rows have one name, in a folder or zip each. */
  readonly byPath?: true;
  /** Paths of such files. */
  readonly files: RegExp;
  /** The platform writes a name into a row only where it has the file. So a file that a row names and the export lacks is a lost one. */
  readonly areNamed?: true;
  /** The files may be large: the elements of one list are read one at a time. `keep` gives the part of an element that memory holds, if any. */
  readonly list?: { readonly at: JsonPlace; readonly keep: (element: unknown) => unknown };
  /** Joins the files of a row, each read as JSON, or what was kept of their lists. */
  readonly track: (documents: readonly unknown[]) => RecordedTrack;
}

/** Files with courses in the platform's own form. */
export interface CourseRecords {
  readonly files: RegExp;
  readonly from: RowSource;
  /** Turns a record into a course; undefined if it is none. */
  readonly course: (record: Readonly<Record<string, unknown>>) => RecordedCourse | undefined;
}

/** The course of one record. */
export interface RecordedCourse {
  readonly id?: string;
  readonly name: string;
  readonly notes?: string;
  /** The length as the platform says it. */
  readonly metres?: number;
  /** The line, with positions and elevations. */
  readonly points: readonly Point[];
}

/** The track of a row with its points among those of whole days. */
export interface TrackDays {
  /** Paths of files with a day of UTC in their names, `2024-05-04`. */
  readonly files: RegExp;
  /** Reads the points of a span of time. */
  readonly track: (archive: Archive, entries: readonly Entry[], between: TimeSpan) => Promise<RecordedTrack>;
}

/** The track of a row with its points in one list, among those of all rows of the file. */
export interface TrackList {
  /** Gives the rows and the points of a file, in any order. @throws an ArchiveError, or an error that `isDamage` knows */
  readonly listed: (archive: Archive, entry: Entry) => AsyncIterable<Listed>;
  /** Whether an error means that the file is damaged. */
  readonly isDamage: (error: unknown) => boolean;
}

/** A row, a point, or the end of the points. `between` is the time of the row's workout. `of` is the id of the point's row. */
export type Listed = { readonly row: string; readonly between?: TimeSpan } | ListedPoint | { readonly isEnd: true };

/** A point of a list, and what can't be used of it. */
export interface ListedPoint {
  readonly of: string;
  readonly point: Point;
  readonly faults?: readonly Issue[];
}

/** Words for a layout, and how the beginning of the table's first file shows it: `$1` stands for the first group of the mark. */
export type LayoutMark = readonly [mark: RegExp, words: string];

/** A table of workouts, with one workout in each row. */
export interface WorkoutTable {
  readonly from: RowSource;
  /** The words for its layout or generation, for people: of the table, or of the first mark that its first file has. */
  readonly layout?: string | readonly LayoutMark[];
  readonly dates: Pick<Conventions["dates"], "order" | "zone">;
  readonly columns: readonly ColumnRow[];
  /** Rows with the values that come of them: `logferry map show` prints them into its mapping file, and `logferry map test` reads them. */
  readonly golden?: readonly GoldenRow[];
  readonly decimal?: Conventions["file"]["decimal"];
  /** The program may write the decimal commas of its owner's country, in quotes where commas separate the columns. */
  readonly quotesCommas?: true;
  /** Texts of cells without a value. */
  readonly nulls?: readonly string[];
  /** The platform's names for sports, if the activity table lacks them or gives them another meaning. */
  readonly sports?: Readonly<Record<string, Activity>>;
  /** What a name that is no sport most likely means. What a person says of it counts before. */
  readonly presumes?: Readonly<Record<string, Activity>>;
  /** The sport of rows without a sport. */
  readonly sport?: Activity;
  /** The unit system that a row shows for the whole table, for columns with `unitBy`. */
  readonly shows?: (cellOf: CellOf) => System | undefined;
  /** Another table has the same workouts. This one is read only if the other is missing. */
  readonly onlyAlone?: true;
  /** The platform's words for workout types. */
  readonly types?: Conventions["values"]["type"];
  /** The platform's words for the weather, with the log's flags for each. */
  readonly conditions?: Readonly<Record<string, readonly string[]>>;
  /** A row is complete as it is. If it has no distance, duration or heart rate, its file does not add them. */
  readonly filesFill?: false;
  /** For rows without a device file: how logferry makes a file from the recorded series of the row. */
  readonly track?: (record: Readonly<Record<string, unknown>>) => RecordedTrack;
  /** The same, for rows that name the files with their points. */
  readonly trackFiles?: TrackFiles;
  /** The same, for platforms that keep the points of each day in a file. */
  readonly trackDays?: TrackDays;
  /** The same, for platforms that keep the points of all rows in one list beside the rows. */
  readonly trackList?: TrackList;
  /** A device file belongs to a row if the row's id is its name. */
  readonly filesById?: true;
  /** A device file belongs to a row if it has the name of the row's own file with another ending. Its folder doesn't matter. */
  readonly filesByName?: true;
  /** The values that identify a row in a later export. It is for rows without an id whose other cells change from export to export. */
  readonly sameBy?: (cellOf: (column: string) => string) => string;
  /** Why a row is not a workout; undefined if it is one. */
  readonly skips?: (cellOf: (column: string) => string, sports: ReadSession["context"]["sports"]) => string | undefined;
  /** The reasons of `skips` whose rows hold values of the athlete: a note about a day. They are counted by name. */
  readonly countsSkipped?: readonly string[];
  /** What another table of the archive says against `dates.zone`; undefined if it says nothing. */
  readonly clock?: (session: ReadSession, rows: FoundRows) => Promise<OtherClock | undefined>;
}

/** The cells of a row as mapping files read them, and the values that must come out. */
export interface GoldenRow {
  readonly cells: Readonly<Record<string, string>>;
  readonly gives: Readonly<Partial<Record<GivenName, string>>>;
}

/** The clock that the times of a table have in one archive, and what shows it. */
export interface OtherClock {
  readonly zone: Conventions["dates"]["zone"];
  readonly issue: Issue;
}

/** A platform. */
export interface Description extends SmallLists {
  /** Folder name, fixture folder and CLI word. */
  readonly name: string;
  /** For people: `Runkeeper export`. */
  readonly title: string;
  /** How a person gets such an archive, in one sentence. */
  readonly howToGet: string;
  /** The tables that an archive may have. All that exist are read. */
  readonly workouts: readonly WorkoutTable[];
  /** Shoes and bikes, if the platform lists them in a table. */
  readonly gear?: GearTable;
  /** Weights and resting heart rates by day. They join the workouts of that day that have none. */
  readonly days?: readonly DayTable[];
  /** Courses, if the platform keeps them as records of its own. */
  readonly routes?: RouteTable;
  /** Files with courses, if the platform has no list of them with a file each. */
  readonly courseRecords?: CourseRecords;
  /** Names and words of the platform's issues, by the engine's rule. People knew them before the platform became a table. */
  readonly rules?: OwnRules;
  /** Device files. Files that rows name are read with their rows, and the others on their own. */
  readonly recordings?: RegExp;
  /** If no row names a device file, it belongs to the row with the same start and duration. */
  readonly filesByStart?: true;
  /** Its files lie in a folder for each day. These folders are no exports of their own. */
  readonly inDays?: true;
  /** Its tables add nothing beside a recording of the same name. There they are no exports of their own. */
  readonly inRecordings?: true;
  /**
   * Files that are not read, and the reasons. A key is a file name, a name ending after a `*`, a beginning before one, a middle between two, or a
   * folder with its slash. A middle with a slash is of the name of a folder or a zip.
   */
  readonly leaves: Readonly<Record<string, string>>;
  /** Those keys of `leaves` that hold workouts which nobody did, such as plans. The content of all others is looked at: it may be workouts after all. */
  readonly leavesWorkouts?: readonly string[];
  /** Files that are not read, whatever they are called: known by their beginnings, and opened only where no name says what they are. */
  readonly leavesByHead?: readonly LeftByHead[];
  /** Files that the platform numbers. A number that is missing below the highest one is a missing file. */
  readonly numbered?: readonly NumberedFiles[];
  /** How the platform's pages say that there are more. Missing pages become a rejected record. */
  readonly toldTotal?: ToldTotal & ({ readonly total: JsonPlace } | { readonly next: JsonPlace });
}

/** A list in JSON files, and the place that says how long the whole of it is: `total`, or `next`, which the last page lacks. */
export interface ToldTotal {
  readonly files: RegExp;
  readonly list: JsonPlace;
  /** The files with the total, if it isn't in the pages themselves. */
  readonly totalIn?: RegExp;
}

/** Files with numbers in their names, or zips in the zip. */
export interface NumberedFiles {
  /** The paths. The group `number` has the number, and the name is the path up to the end of the match. */
  readonly files: RegExp;
  /** The number of a file by its place among all, from 0. */
  readonly numberAt: (place: number) => number;
}

/** Files that a platform leaves, and the mark at their beginning. */
export interface LeftByHead {
  readonly files: RegExp;
  readonly head: RegExp;
  readonly why: string;
}
