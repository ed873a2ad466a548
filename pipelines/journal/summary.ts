/** The ledger of a run: the number of records read, and the outcome of each. If the two don't balance, the command fails. */

import { defined } from "../../transforms/model/defined.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import {
  addLost,
  type LostByKind,
  type LostFiles,
  NO_LOST_FILES,
  sumOfLost,
} from "../../transforms/model/lost-file.ts";
import {
  type LeftColumn,
  newColumns,
  SHEETS_LEFT,
  sumOfUnread,
  type Unread,
  unconfirmedColumns,
  unreadFiles,
} from "../../transforms/model/unread.ts";
import { grouped } from "../../transforms/text/grouped.ts";
import type { FilledCounts, NotAddedCounts, TallyRow, UnreadValues } from "./counts.ts";
import type { JournalReader } from "./journal.ts";
import { isCurrent, type Run, type RunOptions, type RunSource } from "./run.ts";

/** The columns of the ledger's right side, in the order they are printed. */
export const LEDGER_COLUMNS = [
  "created",
  "updated",
  "unchanged",
  "merged",
  "gone",
  "skipped",
  "quarantined",
  "refused",
  "failed",
  "inDoubt",
  "left",
] as const;

/** One of the outcomes of a record. */
export type LedgerColumn = (typeof LEDGER_COLUMNS)[number];

/** The columns in words, the same in all outputs. */
export const COLUMN_WORDS: Readonly<Record<LedgerColumn, { readonly word: string; readonly means: string }>> = {
  created: { word: "created", means: "new in the log" },
  updated: { word: "updated", means: "in the log, and changed" },
  unchanged: { word: "unchanged", means: "in the log already" },
  merged: { word: "merged", means: "duplicates of other records here" },
  gone: { word: "gone", means: "loaded before, no longer in the log" },
  skipped: { word: "skipped", means: "left out by a rule" },
  quarantined: { word: "quarantined", means: "rejected: for you to look at" },
  refused: { word: "refused", means: "the log refused it" },
  failed: { word: "failed", means: "could not be sent" },
  inDoubt: { word: "in doubt", means: "the answer was lost" },
  left: { word: "left", means: "planned, not done yet" },
};

/** A row of a table of a ledger. */
export interface LedgerRow {
  readonly column: LedgerColumn;
  readonly word: string;
  readonly means: string;
  readonly value: (ledger: Ledger) => number;
}

/** The rows of a table of a ledger, the same in all outputs: its columns, and apart from them what a person decided or changed. */
export const LEDGER_ROWS: readonly LedgerRow[] = LEDGER_COLUMNS.flatMap((column): readonly LedgerRow[] => {
  const own = { column, ...COLUMN_WORDS[column] };
  if (column === "skipped")
    return [
      { ...own, value: ({ skipped, dropped = 0 }) => skipped - dropped },
      { column, word: "dropped", means: "left out by you", value: ({ dropped = 0 }) => dropped },
    ];
  if (column === "failed")
    return [
      { ...own, value: ({ failed, logChanged = 0 }) => failed - logChanged },
      { column, word: "stopped", means: "your log changed since the plan", value: ({ logChanged = 0 }) => logChanged },
    ];
  return [{ ...own, value: (ledger) => ledger[column] }];
});

/**
 * The ledger of a run. `read` equals the sum of the columns. Some numbers describe a part of a column:
 *
 * - `toUpdate`: the part of `left` that updates a record of the log. The rest creates one.
 * - `leftThere`: the part of `left` that is in the log without its values, because its file was imported before the run was cut off.
 * - `refusedThere`: the part of `refused` that is in the log without its values, because its file was imported.
 * - `mergedAbsent`: the part of `merged` whose record is not in the log.
 * - `dropped`: the part of `skipped` that a person left out.
 * - `logChanged`: the part of `failed` that was stopped before it was sent, because the log changed after the plan was made.
 * - `lostFiles`: records in the log or on their way that lost their file. They are not counted if the run sends no tracks.
 *
 * All but the first are absent when they are 0.
 */
export type Ledger = {
  readonly read: number;
  readonly toUpdate: number;
  readonly leftThere?: number | undefined;
  readonly refusedThere?: number | undefined;
  readonly mergedAbsent?: number | undefined;
  readonly dropped?: number | undefined;
  readonly logChanged?: number | undefined;
  readonly lostFiles?: LostFiles | undefined;
} & Readonly<Record<LedgerColumn, number>>;

/** Values of a run's sources that the log lacks, because earlier runs loaded the workouts from the sources `loadedFrom`. */
export interface NotAddedSummary extends Omit<NotAddedCounts, "loadedFrom"> {
  readonly loadedFrom: readonly RunSource[];
  /** The options of these runs. */
  readonly loadedWith: readonly RunOptions[];
}

/** The ledger of a run, and its parts by source and by kind. */
export interface RunSummary {
  readonly run: Run;
  readonly all: Ledger;
  readonly bySource: readonly (Ledger & { readonly name: string; readonly connector: string })[];
  readonly byKind: Readonly<Record<TallyRow["kind"], Ledger>>;
  readonly balanced: boolean;
  /** Absent if the log has every value of the sources that it has a field for. */
  readonly notAdded?: NotAddedSummary;
  /** Distances and times of workouts that logferry can't read. Absent if there are none. */
  readonly unreadValues?: UnreadValues;
  /** Blank fields of workouts in the log that the run fills. Absent if there are none. */
  readonly filled?: FilledCounts;
  /** Files of the sources that were not read and may hold workouts. Absent if there are none. */
  readonly unreadFiles?: Unread;
  /** Columns of the sources that logferry doesn't know. Absent if there are none. */
  readonly newColumns?: Unread;
  /** Columns with values that only a proposed mapping leaves out. Absent if there are none. */
  readonly unconfirmed?: readonly LeftColumn[];
  /** Files that had other bytes when the plan was carried out, in words. Absent if there are none. */
  readonly changedSources?: string;
  /** How many workouts of earlier runs the sources no longer have, in words, and behind a colon the first of them. Absent if there are none. */
  readonly rowsAway?: string;
  /** The records that a person left out, and that the log has from an earlier run, in words. */
  readonly droppedInLog?: string;
  /** How many records the log has by a decision that was taken back before the rehearsal of this run. Absent if there are none. */
  readonly staysInLog?: number;
  /** Workouts that the log has twice by a person's own answer, with the answers in words. Absent if there are none. */
  readonly saidTwice?: { readonly count: number; readonly found: string };
  /** Pairs of records that are one workout by their values, and that the log has both. Absent without any. */
  readonly foundTwice?: { readonly count: number; readonly found: string };
  /** New workouts that the log perhaps has already, by a clock that may be off. Absent if there are none. */
  readonly perhapsInLog?: number;
}

/** Sums up a run. `balanced` compares the number of readings, counted while reading, with the lines in the journal. */
export async function summarise(journal: JournalReader, run: Run): Promise<RunSummary> {
  const tally = await journal.tally(run.id);
  const rows = run.options.tracks === false ? tally.map((row) => ({ ...row, lost: NO_LOST_FILES })) : tally;
  const all = ledgerOf(rows, run.read);
  const kinds = ["workout", "equipment", "course", "set-aside"] as const;
  return {
    run,
    all,
    bySource: run.sources.map((source, index) => ({
      ...ledgerOf(rows.filter((row) => row.source === index)),
      name: source.name,
      connector: source.connector,
    })),
    byKind: Object.fromEntries(
      kinds.map((kind) => [kind, ledgerOf(rows.filter((row) => row.kind === kind))]),
    ) as RunSummary["byKind"],
    balanced: isBalanced(all),
    ...(await notAddedOf(journal, run)),
    ...(await unreadValuesOf(journal, run)),
    ...(await filledOf(journal, run)),
    ...(await unreadOf(journal, run)),
    ...(await perhapsInLogOf(journal, run)),
  };
}

async function perhapsInLogOf(journal: JournalReader, run: Run): Promise<Pick<RunSummary, "perhapsInLog">> {
  const pairs = await journal.links.doubtfulClocks(run.id);
  return pairs === 0 ? {} : { perhapsInLog: pairs };
}

/** The rule of the remark that a file had other bytes when its plan was carried out. A certificate of the run says no. */
export const CHANGED_SINCE_PLAN = "load/source-changed";

/** The rule of the remark about workouts of the log that the sources of a run no longer have, although an earlier run loaded them from there. */
export const ROWS_AWAY = "plan/rows-away";

/** The rule of the remark about records that a person left out, and that the log has from an earlier run. */
export const DROPPED_IN_LOG = "plan/dropped-in-log";

/** The rule of the remark about a record that the log has otherwise than the rehearsal, since a decision was taken back: left out there, or two there. */
export const STAYS_IN_LOG = "promote/stays-in-log";

/** Such records, in words. */
export function describeStaying(n: number): string {
  return n === 1
    ? "1 record is in your log as you once decided, and not as in the rehearsal"
    : `${grouped(n)} records are in your log as you once decided, and not as in the rehearsal`;
}

/** Begins the reason of a record that your log has as one with another one, since an earlier plan merged them. */
export const ONE_IN_LOG = "the same workout (your log has both as one)";

/** The rule of the remark about answers that two records are one workout, where the log has both. */
export const TWICE_BY_ANSWER = "plan/twice-by-answer";

/** The rule of the remark about records that are one workout by their values, where the log has both. */
export const TWICE_IN_LOG = "plan/twice-in-log";

/** The same of a workout and its parts. */
export const PARTS_TWICE_IN_LOG = "plan/parts-twice-in-log";

/** `1 workout of your log that an earlier run loaded is no longer in these sources`: without the names. */
export function countedAway(rowsAway: string): string {
  return rowsAway.slice(0, rowsAway.indexOf(":"));
}

/** The remarks of a workbook about sheets: those that may hold workouts, and all. */
const UNREAD_SHEETS: readonly string[] = ["csv/other-files", SHEETS_LEFT];

/** The files or sheets of a remark without the sheets that another run read. Only workbooks have any, so the code is loaded for these. */
export async function withoutSheets(journal: JournalReader, run: Run, remark: Issue, unread: Unread) {
  if (!UNREAD_SHEETS.includes(remark.rule)) return unread;
  const { withoutSheetsRead } = await import("./sheets-read.ts");
  return withoutSheetsRead(journal, [run, await begunRuns(journal)], remark, unread);
}

/** The runs that were carried out, at least in part, oldest first. A mere plan resolves nothing and leaves nothing out. */
export async function begunRuns(journal: Pick<JournalReader, "runs" | "sentBetween">): Promise<readonly Run[]> {
  const begun: Run[] = [];
  for (const run of await journal.runs()) {
    const isReplaced = run.state === "superseded" && (await journal.sentBetween(run.id)) === undefined;
    if (run.state !== "planned" && run.state !== "planning" && !isReplaced) begun.push(run);
  }
  return begun.toSorted((a, b) => a.id - b.id);
}

async function unreadOf(
  journal: JournalReader,
  run: Run,
): Promise<
  Pick<
    RunSummary,
    | "unreadFiles"
    | "newColumns"
    | "unconfirmed"
    | "changedSources"
    | "rowsAway"
    | "droppedInLog"
    | "staysInLog"
    | "saidTwice"
    | "foundTwice"
  >
> {
  const rows = await journal.issues(run.id);
  const remarks = rows.map(({ example }) => example);
  const staying = rows.filter(({ example: { rule } }) => rule === STAYS_IN_LOG);
  const stays = staying.reduce((sum, { count }) => sum + count, 0);
  const unconfirmed = remarks.flatMap((remark) => unconfirmedColumns(remark) ?? []);
  const twice = (...named: readonly string[]) => {
    const told = remarks.filter(({ rule }) => named.includes(rule));
    const count = told.reduce((sum, one) => sum + (one.count ?? 1), 0);
    return count === 0 ? undefined : { count, found: told.map(({ found = "" }) => found).join("; ") };
  };
  const unread: (Unread | undefined)[] = [];
  for (const remark of remarks) {
    const told = unreadFiles(remark);
    if (told === undefined) continue;
    const left = { ...told, sources: sourcesOf(run, remark).map(({ path }) => path) };
    unread.push(await withoutSheets(journal, run, remark, left));
  }
  return defined({
    unconfirmed: unconfirmed.length === 0 ? undefined : unconfirmed,
    rowsAway: remarks.find(({ rule }) => rule === ROWS_AWAY)?.found,
    droppedInLog: remarks.find(({ rule }) => rule === DROPPED_IN_LOG)?.found,
    staysInLog: stays === 0 ? undefined : stays,
    saidTwice: twice(TWICE_BY_ANSWER),
    foundTwice: twice(TWICE_IN_LOG, PARTS_TWICE_IN_LOG),
    changedSources: remarks.find(({ rule }) => rule === CHANGED_SINCE_PLAN)?.found,
    unreadFiles: sumOfUnread(unread),
    newColumns: sumOfUnread(remarks.map(newColumns)),
  });
}

async function filledOf(journal: JournalReader, run: Run): Promise<Pick<RunSummary, "filled">> {
  const filled = await journal.filled(run.id);
  return filled.workouts === 0 ? {} : { filled };
}

/** The sources that a remark about unread files may mean: those of its platform. Files beside exports belong to no platform. */
export function sourcesOf({ sources }: Run, { rule }: Issue): readonly RunSource[] {
  const own = sources.filter(({ connector }) => rule === `${connector}/other-files`);
  return own.length === 0 ? sources : own;
}

async function unreadValuesOf(journal: JournalReader, run: Run): Promise<Pick<RunSummary, "unreadValues">> {
  const unreadValues = await journal.unreadValues(run.id);
  return unreadValues.count === 0 ? {} : { unreadValues };
}

async function notAddedOf(journal: JournalReader, run: Run): Promise<Pick<RunSummary, "notAdded">> {
  const { loadedFrom, undone, ...planned } = await journal.notAdded(run.id);
  const verified = await journal.verified(run.id);
  // A plan compares with the log's listing, and a verification with the workouts themselves.
  const counts = verified !== undefined && isCurrent(run, verified) ? (verified.notAdded ?? planned) : planned;
  if (counts.fields.length === 0) return {};
  const sources: RunSource[] = [];
  const loadedWith = new Map<number, RunOptions>();
  for (const { run: id, source } of loadedFrom) {
    const earlier = await journal.run(id);
    if (earlier !== undefined) loadedWith.set(id, earlier.options);
    const loaded = earlier?.sources[source];
    if (loaded !== undefined && !sources.some(({ path }) => path === loaded.path)) sources.push(loaded);
  }
  return { notAdded: { ...counts, loadedFrom: sources, loadedWith: [...loadedWith.values()], undone } };
}

/** Whether every record is in exactly one column. */
export function isBalanced(ledger: Ledger): boolean {
  return ledger.read === LEDGER_COLUMNS.reduce((sum, column) => sum + ledger[column], 0);
}

/** The number of records that a person should look at: rejected, refused, failed, in doubt, or gone from the log. */
export function needsAttention(ledger: Ledger): number {
  return ledger.quarantined + ledger.refused + ledger.failed + ledger.inDoubt + ledger.gone;
}

/** The lost files of records that are in the log or on their way, by kind. */
export function lostByKind({ byKind }: Pick<RunSummary, "byKind">): LostByKind {
  return { workout: byKind.workout.lostFiles, course: byKind.course.lostFiles };
}

/** The number of records in the log. */
export function inLog(ledger: Ledger): number {
  const { created, updated, unchanged, merged, mergedAbsent = 0, refusedThere = 0, leftThere = 0 } = ledger;
  return created + updated + unchanged + merged - mergedAbsent + refusedThere + leftThere;
}

/** The number of records of which nothing is in the log yet. */
export function leftOutside({ left, leftThere = 0 }: Ledger): number {
  return left - leftThere;
}

/** Says of records in the log that their values are still to come. Empty where there are none. @param isUnderWay true while somebody loads them */
export function halfThere({ leftThere = 0 }: Ledger, isUnderWay = false): readonly string[] {
  if (leftThere === 0) return [];
  const are = leftThere === 1 ? "1 record is" : `${leftThere} records are`;
  const why = isUnderWay ? "the rest is under way" : "the file was taken, and then it was cut off";
  return [`${are} in the log without your values yet: ${why}`];
}

/** Below this share, gone records may be the wish of the log's owner. From this share on, they count as lost. */
const SHARE_LOST = 0.05;

/** Whether so many loaded records are gone that the log must have lost them. A single gone record may be its owner's wish. */
export function isShareLost(ledger: Ledger): boolean {
  return ledger.gone > 1 && ledger.gone >= SHARE_LOST * (ledger.gone + inLog(ledger));
}

function ledgerOf(rows: readonly TallyRow[], read = rows.reduce((sum, row) => sum + row.count, 0)): Ledger {
  const ledger: Record<string, number> = Object.fromEntries(LEDGER_COLUMNS.map((column) => [column, 0]));
  for (const row of rows) {
    const column = columnOf(row);
    ledger[column] = (ledger[column] ?? 0) + row.count;
  }
  const toUpdate = rows
    .filter((row) => columnOf(row) === "left" && row.action === "update")
    .reduce((sum, row) => sum + row.count, 0);
  const sumIn = (state: TallyRow["state"], of: (row: TallyRow) => number) =>
    rows.filter((row) => row.state === state).reduce((sum, row) => sum + of(row), 0);
  const refusedThere = sumIn("refused", ({ there }) => there);
  const leftThere = sumIn("planned", ({ there }) => there) + sumIn("in-flight", ({ there }) => there);
  const mergedAbsent = sumIn("merged", ({ count, there }) => count - there);
  const dropped = sumIn("skipped", ({ apart }) => apart);
  const logChanged = sumIn("failed", ({ apart }) => apart);
  const lostFiles = rows.reduce((sum, { lost }) => addLost(sum, lost), NO_LOST_FILES);
  return {
    ...ledger,
    read,
    toUpdate,
    ...(leftThere > 0 && { leftThere }),
    ...(refusedThere > 0 && { refusedThere }),
    ...(mergedAbsent > 0 && { mergedAbsent }),
    ...(dropped > 0 && { dropped }),
    ...(logChanged > 0 && { logChanged }),
    ...(sumOfLost(lostFiles) > 0 && { lostFiles }),
  } as Ledger;
}

function columnOf({ state, action }: TallyRow): LedgerColumn {
  switch (state) {
    case "done":
      return action === "update" ? "updated" : "created";
    case "planned":
    case "in-flight":
      return "left";
    case "in-doubt":
      return "inDoubt";
    default:
      return state;
  }
}
