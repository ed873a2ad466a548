/**
 * What a connector is: the one thing to implement for a new platform. See CONTRIBUTING.md for the six steps.
 */
import type { Activity } from "../transforms/activities.ts";
import type { Fix } from "../transforms/model/fix.ts";
import type { Issue, Origin } from "../transforms/model/issue.ts";
import type { Reading } from "../transforms/model/item.ts";
import type { FileEvidence } from "../transforms/model/owner-evidence.ts";
import type { TimeSpan } from "../transforms/model/workout.ts";
import type { UnitColumns } from "../transforms/plausibility/columns.ts";
import type { UnitOf } from "../transforms/units.ts";
import type { Archive } from "./containers/archive.ts";

/** Why a connector believes an archive is its own: shown to the person, and compared when two claim one archive. */
export interface SourceMatch {
  /** What was seen, in one line: `activities.csv with the 103 columns of 2026`. */
  readonly saw: string;
  /**
   * `exact`: the archive says whose it is (a platform's own file names or header). `general`: files anyone could have
   * (a folder of FIT files). An exact claim beats general ones; two exact claims are an error that names both.
   */
  readonly strength: "exact" | "general";
  /** True where its content says it under a name of its owner's: a mapping file that is named for it says better what it is. */
  readonly byContent?: true;
  /** The language of its headers, by its English name, where it isn't English. */
  readonly language?: string;
}

/** A sheet of a workbook, and how many filled rows it has. */
export interface SheetCount {
  readonly name: string;
  readonly rows: number;
  readonly isHidden: boolean;
  /** Whether its rows are read. */
  readonly isRead: boolean;
}

/** A word with which a person completes a list: the unit of its distances, or the order of its dates. */
export type GivenWord = UnitOf<"distance"> | "dmy" | "mdy";

/** What a connector may know besides the archive. Values, not a command line. */
export interface ReadContext {
  readonly signal: AbortSignal;
  /** Remarks that belong to no record, or come before it. May be called at any time during `read`. */
  readonly report: (issue: Issue) => void;
  /** The owner's own sport names, folded by `foldSport`; asked before the activity table. */
  readonly sports: ReadonlyMap<string, Activity>;
  /** The units of distances that a person gave, for a list that doesn't say its own: at most one of km and mi, and one of m and yd. */
  readonly distanceUnits?: readonly UnitOf<"distance">[] | undefined;
  /** Whether the day or the month stands first, as a person said, for a table that a spreadsheet program saved again and that doesn't show it. */
  readonly dateOrder?: "dmy" | "mdy" | undefined;
  /** Whether notes that only their writer could read on the platform are left out. */
  readonly withoutPrivateNotes?: true | undefined;
  /** Told when a distance has one of these units, or a date this order, only because a person gave it. */
  readonly usesGiven?: ((given: GivenWord) => void) | undefined;
  /** What a person said in the place of what can't be read, by the key under which its record was rejected. */
  readonly fixes?: ReadonlyMap<string, Fix>;
  /**
   * Where only a few records are wanted: false for a place whose record is not. A connector may then spare itself the work
   * of reading it, and may yield it all the same.
   */
  readonly wants?: (origin: Origin) => boolean;
  /** Called with what each file says of its owner, as it is read. Left out where nobody compares owners. */
  readonly reportOwner?: (evidence: FileEvidence) => void;
  /** Told of each file that a platform leaves on purpose, and why. */
  readonly leftFile?: (path: string, why: string) => void;
  /** Told, before the rows of a table, in which units its columns are read: a wrong one is found by its rows. */
  readonly readsTable?: (table: Origin, columns: UnitColumns) => void;
  /** Told, before its rows, of the sheets of a workbook. Left out where nobody counts them, because it takes another reading. */
  readonly readsWorkbook?: (path: string, sheets: readonly SheetCount[]) => void;
}

/** Which files of an archive belong to a platform's export, by their paths and beginnings. */
export interface OwnFiles {
  /** A table of workouts, gear or routes that is recognised. */
  readonly reads: (path: string) => boolean;
  /** A file with the name of a table, which the connector would open. Other platforms may have files of that name. */
  readonly mayRead: (path: string) => boolean;
  /** Any other file that such exports have: recordings, small lists, files that are left on purpose. */
  readonly knows: (path: string) => boolean;
}

/** What a platform's export gives to a log, in words. */
export interface PlatformSummary {
  /** Columns without a count in the list of lost values, and why none of them loses anything. A test checks the reasons. */
  readonly ignored: readonly { readonly column: string; readonly why: string }[];
  /** Kinds of values that are loaded: `distance`, `weather`. */
  readonly reads: readonly string[];
  /** Values that the log has no field for. They are counted. */
  readonly unsupported: readonly string[];
  /** Why files of the export are left. */
  readonly leaves: readonly string[];
  /** The names and folders of such files, as a description writes them, without those of workouts that nobody did. */
  readonly leftNames: readonly string[];
}

/** A platform's table of workouts, written as a mapping file. */
export interface ShownMapping {
  /** The table, for people: `cardioActivities.csv`. */
  readonly called: string;
  /** The mapping file. */
  readonly text: string;
}

/**
 * Reads one platform's archive.
 *
 * - `identify` is asked once for every archive a person names, of every connector. It is cheap (names, and the head of a
 *   file or two), never throws, and answers undefined when the archive is not its own. Absence of evidence is undefined.
 * - `read` is called at most once at a time. It yields every record the archive holds in an order that needs no
 *   memory of earlier ones: equipment and courses before the workouts that name them. A record it can't use is yielded as
 *   `set-aside`, never dropped; a column or file it leaves on purpose is listed in its map. The first item comes before
 *   the last entry was opened. It stops at the next item after `signal` is aborted, and closes what it opened when the
 *   reader leaves early.
 * - It may throw a FatalError with reason `source` when the archive as a whole can't be read. Bad data never throws.
 */
export interface Connector {
  /** Folder name, fixture folder and CLI word: `strava`. */
  readonly name: string;
  /** For people: `Strava bulk export`. */
  readonly title: string;
  /** How a person gets such an archive, in one sentence. */
  readonly howToGet: string;
  /**
   * True when its workouts are bare recordings of devices. Where such a workout meets its duplicate from another source, the
   * words of the duplicate win (name, notes, gear), and two recordings of one archive may be one workout (a watch's and a phone's).
   */
  readonly recordings?: true;
  /**
   * True when its records are those of a log, as the log had them: their values and units stand as they are, two that are alike are two,
   * and what they are called is looked up among the names of the log they go to.
   */
  readonly ofLog?: true;
  /** Its tables of workouts, as mapping files to start from. A platform that is a table has them. */
  readonly mappings?: () => Promise<readonly ShownMapping[]>;
  /** For documents. A platform that is a table has one. */
  readonly summary?: PlatformSummary;
  /** Its archives may say who their owner is. */
  readonly namesOwner?: true;
  /**
   * Makes a TCX file of the points in a record of the platform's own. A connector has it if its workouts have tracks with `made`.
   *
   * @param entries paths: the file with the record, or those that hold its points
   * @param recording the number of the record in the file, from 0
   * @param between the time of the workout, if the files hold the points of whole days
   * @returns undefined if the record has no point with a time
   */
  readonly trackIn?: (
    archive: Archive,
    entries: readonly string[],
    recording: number,
    between?: TimeSpan,
  ) => Promise<Uint8Array | undefined>;
  /**
   * Makes a GPX file of the line of a record of the platform's own. A connector has it if its courses have maps with `made`.
   *
   * @param record its number in the file, from 0
   * @returns undefined if the record has no line
   */
  readonly lineIn?: (archive: Archive, entry: string, record: number) => Promise<Uint8Array | undefined>;
  /** Its files lie in a folder for each day. These folders are no exports of their own. */
  readonly inDays?: true;
  /** Its tables add nothing beside a recording of the same name. There they are no exports of their own. */
  readonly inRecordings?: true;
  /** Which kind of the platform's own files beside its workouts a path is: `bikes.csv`. A platform that is a table has it. */
  readonly traceOf?: (path: string) => string | undefined;
  identify(archive: Archive): Promise<SourceMatch | undefined>;
  /** The platform's own files in an archive that another platform claims too. A platform that is a table has it. */
  filesIn?(archive: Archive): Promise<OwnFiles>;
  /**
   * The files of an archive that it reads or names, of which it is the only claimant. Recordings that are none of them are a source beside it. A connector
   * for a person's own files has it, where a platform has `filesIn`.
   */
  keepsIn?(archive: Archive): Promise<(path: string) => boolean>;
  read(archive: Archive, context: ReadContext): AsyncIterable<Reading>;
}
