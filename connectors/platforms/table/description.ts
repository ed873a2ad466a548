/** What a platform's table says, in words: README.md of this folder shows one. */
import type { Activity } from "../../../transforms/activities.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { ReadSession } from "../session.ts";
import type { ColumnSpec } from "./fields.ts";
import type { Conventions } from "./mapping.ts";
import type { OwnRules } from "./own-rules.ts";
import type { ReportAt, SheetRow } from "./sheet-row.ts";
import type { CellOf, System } from "./shown-units.ts";
import type { SmallLists } from "./small-lists.ts";

/** What is said of a column besides its field. */
export type ColumnWords = Omit<ColumnSpec, "field"> & {
  /** Of a column that is left: why. */
  readonly why?: string;
};

/** A column: what they call it (all spellings and languages, the first that a header has), what it is to us, how it is written. */
export type ColumnRow = readonly [theirs: string | readonly string[], ours: ColumnSpec["field"], how?: ColumnWords];

/** A column of a list of gear: what they call it, what it is of a shoe or a bike, how it is written. */
export type GearColumn = readonly [
  theirs: string | readonly string[],
  ours:
    | ("id" | "kind" | "status" | "brandName" | "modelName" | "serial" | "purchaseDate" | "notes" | "ignore")
    /** Of a list of uses: the id of the workout. */
    | "workout",
  how?: Pick<ColumnWords, "label" | "unit" | "per" | "zero" | "read" | "why">,
];

/** A list of shoes and bikes. */
export interface GearTable {
  readonly from: RowSource;
  readonly columns: readonly GearColumn[];
  /** Their words for what a piece is used in. Of a kind that isn't here the workouts tell that name it. */
  readonly kinds: Readonly<Record<string, Activity>>;
  /** Their word for a piece that is used no more. */
  readonly retired?: string;
  /** A list of uses: which columns hold the id of a piece, and that of the workout it was used in. */
  readonly uses?: { readonly from: RowSource; readonly gear: string; readonly workout: string };
}

/** Rows found in an archive. */
export interface FoundRows {
  /** What was seen, for people: `cardioActivities.csv with 12 columns`. */
  readonly saw: string;
  readonly byContent?: true;
  /** The files of the table, each gone through before the next: the first stands for all where something is said of its columns. */
  readonly entries: readonly [Entry, ...Entry[]];
  /** The names its rows have columns for. */
  readonly header: readonly string[];
  /** The rows of one of them, again at each call. */
  readonly rows: (
    session: ReadSession,
    entry: Entry,
    mapping: Conventions,
    report?: ReportAt,
  ) => AsyncIterable<SheetRow>;
  /** Whether a file of the archive is part of it. */
  readonly holds: (path: string) => boolean;
  /** Where columns stand that are known by their places: the index in the row of each row of the description. */
  readonly places?: (row: number) => number | undefined;
  /** What is odd in the header. */
  readonly remarks?: readonly Issue[];
  /** Why nothing in it can be told apart: it is rejected as a whole, under this key. */
  readonly refused?: { readonly key: string; readonly issue: Issue };
  /** Too little says that it is the platform's: it is read where a person says so. */
  readonly unsure?: true;
  /** Names that rows were found to have besides the header's: known once the rows were gone through. */
  readonly strangers?: () => Iterable<string>;
}

/** Where rows come from: a CSV table, the elements of JSON files. */
export interface RowSource {
  /** Finds them by names and the head of a file; never throws. */
  find(archive: Archive, columns: readonly (ColumnRow | GearColumn)[]): Promise<FoundRows | undefined>;
}

/** A table of workouts: one a row. */
export interface WorkoutTable {
  readonly from: RowSource;
  readonly dates: Pick<Conventions["dates"], "order" | "zone">;
  readonly columns: readonly ColumnRow[];
  readonly decimal?: Conventions["file"]["decimal"];
  /** What stands in a cell that says nothing. */
  readonly nulls?: readonly string[];
  /** Their sports that the activity table hasn't got, or means otherwise. */
  readonly sports?: Readonly<Record<string, Activity>>;
  /** The sport of rows that name none. */
  readonly sport?: Activity;
  /** What a row shows of the units its table is written in, for columns with `unitBy`. */
  readonly shows?: (cellOf: CellOf) => System | undefined;
  /** It has what another table has, too: read only where there is no other. */
  readonly onlyAlone?: true;
  /** Their words for kinds of training. */
  readonly types?: Conventions["values"]["type"];
  /** Their words for the weather, as the log's flags. */
  readonly conditions?: Readonly<Record<string, readonly string[]>>;
  /** A row is right as it is: its file gives no distance, duration or heart rate where the row has none. */
  readonly filesFill?: false;
  /** A device file that is named by a row's id is the row's. */
  readonly filesById?: true;
  /** What of a row makes it the same row in a later export, where rows have no id and other cells change from export to export. */
  readonly sameBy?: (cellOf: (column: string) => string) => string;
  /** Why a row is no workout; undefined for one that is. */
  readonly skips?: (cellOf: (column: string) => string) => string | undefined;
}

/** A platform. */
export interface Description extends SmallLists {
  /** Folder name, fixture folder and CLI word. */
  readonly name: string;
  /** For people: `Runkeeper export`. */
  readonly title: string;
  /** How a person gets such an archive, in one sentence. */
  readonly howToGet: string;
  /** The tables an archive may have; those it has are read. */
  readonly workouts: readonly WorkoutTable[];
  /** Shoes and bikes, where they have a list of their own. */
  readonly gear?: GearTable;
  /** Names and words of its issues, where people knew them before it was a table: by the engine's rule. */
  readonly rules?: OwnRules;
  /** Device files: those that rows name are read with them, the others by themselves. */
  readonly recordings?: RegExp;
  /** A device file that no row names is the row's that began with it and lasted as long. */
  readonly filesByStart?: true;
  /** What of the archive is left, and why: names of files, their ends behind a `*`, and folders with their slash. */
  readonly leaves: Readonly<Record<string, string>>;
}
