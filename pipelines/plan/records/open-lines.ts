/**
 * Finds records that are not in the log, over all runs of a journal. The newest line of a record decides: a later run may have loaded a
 * record that an earlier one rejected. If no later run read the record, it is still missing.
 */
import { join } from "node:path";
import type { Origin } from "../../../transforms/model/issue.ts";
import { addLost, type LostByKind, NO_LOST_FILES, sumOfLost } from "../../../transforms/model/lost-file.ts";
import { sumOfUnread, type Unread, unreadFiles } from "../../../transforms/model/unread.ts";
import type { JournalReader } from "../../journal/journal.ts";
import { keptLine } from "../../journal/kept-line.ts";
import type { LineState, OpenLine } from "../../journal/line.ts";
import { importAgain } from "../../journal/options-again.ts";
import { placeOfSource, type Run, type RunSource } from "../../journal/run.ts";
import {
  begunRuns,
  LEDGER_COLUMNS,
  type Ledger,
  type LedgerColumn,
  lostByKind,
  type RunSummary,
  sourcesOf,
  summarise,
  withoutSheets,
} from "../../journal/summary.ts";
import { baseRun, type CurrentLine, findCurrentLines } from "./retry-selection.ts";

/** The ledger column that counts an open line. */
const COLUMN_OF: Readonly<Partial<Record<LineState, LedgerColumn>>> = {
  planned: "left",
  "in-flight": "left",
  "in-doubt": "inDoubt",
  quarantined: "quarantined",
  refused: "refused",
  failed: "failed",
  gone: "gone",
};

const OPEN_COLUMNS = [...new Set(Object.values(COLUMN_OF))];

/** Records that another run left out of the log. */
export interface LeftByRun {
  readonly run: number;
  readonly count: number;
  /** The number of rejected records among them. A person decides about these. The others will be sent again. */
  readonly quarantined: number;
  /** The command that sends them again. A retry is for the newest run alone. */
  readonly again: string;
}

/**
 * The records that other runs left out of the log, and that no later run resolved. The run's own family is not included: the run it
 * retried, and the runs that retried it.
 */
export async function leftByOthers(journal: JournalReader, run: Run): Promise<readonly LeftByRun[]> {
  const base = (await baseRun(journal, run.id)) ?? run;
  const begun = await begunRuns(journal);
  const left: LeftByRun[] = [];
  for (const other of begun) {
    const family = other.options.retryOf ?? other.id;
    if (family === base.id || other.options.restores !== undefined) continue;
    const open = await openLines(journal, other, begun);
    if (open.length === 0) continue;
    const quarantined = open.filter(({ state }) => state === "quarantined").length;
    const same = left.find((one) => one.run === family);
    const sum = {
      run: family,
      count: open.length + (same?.count ?? 0),
      quarantined: quarantined + (same?.quarantined ?? 0),
      again: importAgain(other),
    };
    left.splice(same === undefined ? left.length : left.indexOf(same), 1, sum);
  }
  return left;
}

/**
 * Adds up the lost files of other runs. For each source, only the last run that read it counts. The sources of `run` are left out, because
 * `run` counts them itself.
 */
export async function lostByOthers(journal: JournalReader, run: Run): Promise<LostByKind> {
  const told = new SeenSources(placeOfSource, run);
  let lost: Required<LostByKind> = { workout: NO_LOST_FILES, course: NO_LOST_FILES };
  for (const other of (await begunRuns(journal)).toReversed()) {
    const { retryOf, restores } = other.options;
    if (other.id === run.id || retryOf !== undefined || restores !== undefined) continue;
    const summary = await summarise(journal, other);
    const isTold = other.sources.every(
      (source, index) => sumOfLost(summary.bySource[index]?.lostFiles ?? NO_LOST_FILES) === 0 || told.has(source),
    );
    told.add(other);
    if (isTold) continue;
    const { workout = NO_LOST_FILES, course = NO_LOST_FILES } = lostByKind(summary);
    lost = {
      workout: addLost(lost.workout ?? NO_LOST_FILES, workout),
      course: addLost(lost.course ?? NO_LOST_FILES, course),
    };
  }
  return lost;
}

/**
 * The other runs with sources of their own, newest first. For each source, only the last run that read it counts. The sources of `run` are left out, because
 * `run` speaks of them itself. Retries and restores are no such runs.
 */
export async function runsOfOtherSources(journal: JournalReader, run: Run): Promise<readonly Run[]> {
  const told = new SeenSources(placeOfSource, run);
  const others: Run[] = [];
  for (const other of (await begunRuns(journal)).toReversed()) {
    const { retryOf, restores } = other.options;
    if (other.id === run.id || retryOf !== undefined || restores !== undefined) continue;
    const isTold = other.sources.every((source) => told.has(source));
    told.add(other);
    if (!isTold) others.push(other);
  }
  return others;
}

/** The runs of other sources whose workouts lack values of these in the log. */
export async function notAddedByOthers(journal: JournalReader, run: Run): Promise<readonly RunSummary[]> {
  const lacking: RunSummary[] = [];
  for (const other of await runsOfOtherSources(journal, run)) {
    const summary = await summarise(journal, other);
    if ((summary.notAdded?.workouts ?? 0) > 0) lacking.push(summary);
  }
  return lacking;
}

/**
 * Adds up the files that other runs could not read, and that may hold workouts. They no longer count once a later run, or `run` itself, read their
 * source again, also under another name or in another place, or read the file as a source of its own. A run keeps these files by platform, so all its sources of one platform are read again together.
 */
export async function unreadByOthers(journal: JournalReader, run: Run): Promise<Unread | undefined> {
  const read = new SeenSources(({ path }) => path, run);
  const all: Unread[] = [];
  for (const other of (await begunRuns(journal)).toReversed()) {
    const { retryOf, restores } = other.options;
    if (other.id === run.id || retryOf !== undefined || restores !== undefined) continue;
    for (const { example } of await journal.issues(other.id)) {
      const told = unreadFiles(example);
      const sources = sourcesOf(other, example);
      if (told === undefined || sources.every((source) => read.has(source))) continue;
      const unread = await withoutSheets(journal, other, example, told);
      if (unread === undefined) continue;
      const isRead = (name: string) => sources.some(({ path }) => read.hasPlace(join(path, name)));
      const names = unread.names.filter((name) => !isRead(name));
      const count = unread.count - (unread.names.length - names.length);
      if (count > 0) all.push({ count, names, sources: sources.map(({ path }) => path) });
    }
    read.add(other);
  }
  return sumOfUnread(all);
}

/** Sources that later runs read. A source that was renamed or moved since is known by its platform and its size to the byte. */
class SeenSources {
  readonly #marks = new Set<string>();
  readonly #placeOf: (source: RunSource) => string;

  /** @param run the first run with such sources. A retry reads only single records of its sources */
  constructor(placeOf: (source: RunSource) => string, run: Run) {
    this.#placeOf = placeOf;
    if (run.options.retryOf === undefined) this.add(run);
  }

  add({ sources }: Run): void {
    for (const source of sources) for (const mark of this.#marksOf(source)) this.#marks.add(mark);
  }

  has(source: RunSource): boolean {
    return this.#marksOf(source).some((mark) => this.#marks.has(mark));
  }

  hasPlace(place: string): boolean {
    return this.#marks.has(place);
  }

  #marksOf(source: RunSource): readonly string[] {
    const { connector, sizeBytes } = source;
    // Two sheets of equal rows, such as those of two years, may be equally long.
    const isKnownBySize = sizeBytes !== undefined && sizeBytes > 0 && connector !== "csv";
    return [this.#placeOf(source), ...(isKnownBySize ? [`${connector} ${sizeBytes}`] : [])];
  }
}

/**
 * The ledger of a run, as its records stand now. A problem column no longer counts a record that a later run loaded, or that a person
 * dropped.
 */
export async function ledgerNow(journal: JournalReader, run: Run, all: Ledger): Promise<Ledger> {
  if (OPEN_COLUMNS.every((column) => all[column] === 0) || run.state === "superseded") return all;
  const begun = await begunRuns(journal);
  const isAlone = begun.every(({ id }) => id <= run.id) && (await journal.auditTrail.manualDecisions()).length === 0;
  if (isAlone) return all;
  const family = begun.filter(({ id, options }) => id === run.id || options.retryOf === run.id);
  const counts: Record<string, number> = Object.fromEntries(OPEN_COLUMNS.map((column) => [column, 0]));
  for (const one of family) {
    for (const { state } of await openLines(journal, one, begun)) {
      const column = COLUMN_OF[state];
      if (column !== undefined) counts[column] = (counts[column] ?? 0) + 1;
    }
  }
  const mergedAbsent = (all.mergedAbsent ?? 0) === 0 ? 0 : await countMergedAbsent(journal, run, begun);
  // If a record is gone, so are the lines merged into it. They have no open lines of their own.
  if ((counts.gone ?? 0) > 0) counts.gone = Math.max(all.gone, counts.gone ?? 0);
  return { ...all, ...counts, mergedAbsent };
}

/** The number of duplicates whose record is still out, and that no later run brought in by themselves. */
async function countMergedAbsent(journal: JournalReader, run: Run, begun: readonly Run[]): Promise<number> {
  const open = new Set((await openLines(journal, run, begun)).map(({ seq }) => seq));
  const dropped = await droppedKeys(journal);
  let count = 0;
  for await (const line of journal.lines(run.id, { state: ["merged"] })) {
    const kept = await keptLine(journal, line);
    if (kept === undefined || !(open.has(kept.seq) || dropped.has(kept.key))) continue;
    const later = (await journal.auditTrail.linesWithKey(line.key)).filter(({ run: id }) => id > run.id);
    if (!later.some(({ state }) => state === "done" || state === "unchanged")) count++;
  }
  return count;
}

/** The keys of the records that a person dropped. */
async function droppedKeys({ auditTrail }: JournalReader): Promise<ReadonlySet<string>> {
  const decisions = await auditTrail.manualDecisions();
  return new Set(decisions.flatMap(({ key, decision }) => (decision === "dropped" ? [key] : [])));
}

/**
 * The numbers of the lines whose record should be in the log, and is not there according to the journal. Rejected lines don't count: nobody
 * sends them.
 */
export async function missingLines(journal: JournalReader, run: Run): Promise<ReadonlySet<number>> {
  const open = await openLines(journal, run, await begunRuns(journal));
  return new Set(open.flatMap(({ seq, state }) => (state === "quarantined" ? [] : [seq])));
}

/** The numbers of a run's lines that are still out: rejected, refused, failed, in doubt, gone or to be sent, and no later run or decision settled them. */
export async function openSeqs(journal: JournalReader, run: Run): Promise<ReadonlySet<number>> {
  return new Set((await openLines(journal, run, await begunRuns(journal))).map(({ seq }) => seq));
}

/** The lines of a run in these states, after all retries, as far as no later run or decision settled them. They come in the order of reading. */
export async function findOpenLines(
  journal: JournalReader,
  base: Run,
  states: readonly LineState[],
): Promise<readonly CurrentLine[]> {
  const current = await findCurrentLines(journal, base, states);
  const openOf = new Map<number, ReadonlySet<number>>();
  for (const id of new Set(current.map(({ line }) => line.run))) {
    const run = id === base.id ? base : await journal.run(id);
    if (run !== undefined) openOf.set(id, await openSeqs(journal, run));
  }
  return current.filter(({ line }) => openOf.get(line.run)?.has(line.seq) === true);
}

/** The number of records of a run that are resolved since: a later run loaded them, or a person dropped them. */
export function resolvedSince(all: Ledger, now: Ledger): number {
  const open = (ledger: Ledger) =>
    LEDGER_COLUMNS.filter((column) => OPEN_COLUMNS.includes(column)).reduce((sum, column) => sum + ledger[column], 0);
  return Math.max(0, open(all) - open(now));
}

async function openLines(journal: JournalReader, run: Run, begun: readonly Run[]): Promise<readonly OpenLine[]> {
  const later = begun.filter(({ id }) => id > run.id);
  const open = await journal.openLines(
    run.id,
    later.map(({ id }) => id),
  );
  if (open.length === 0) return open;
  const base = run.options.retryOf ?? run.id;
  const retriedLines = new Set<number>();
  for (const { id, options } of later) {
    if (options.retryOf === base)
      for (const seq of (await journal.auditTrail.retriedLines(id)).keys()) retriedLines.add(seq);
  }
  const dropped = await droppedKeys(journal);
  const isAtBase = (line: OpenLine) => (run.options.retryOf === undefined ? line.seq : line.retryOf);
  const rest = open.filter((line) => !dropped.has(line.key) && !retriedLines.has(isAtBase(line) ?? -1));
  return withoutMended(journal, run, rest, later);
}

/**
 * Leaves out rows and files that were corrected since. A corrected record has another key. So if a later run found a record at the same place that the
 * run itself had nowhere, that record is the corrected one, unless the file has become another one: its other records are gone as well. A file or a table that was rejected as a whole has its records in other places. So it is corrected once a
 * later run read records of it.
 */
async function withoutMended(
  journal: JournalReader,
  run: Run,
  open: readonly OpenLine[],
  later: readonly Run[],
): Promise<readonly OpenLine[]> {
  const mended = new Set<OpenLine>();
  const rejected = open.filter(({ state }) => state === "quarantined").map(({ seq }) => seq);
  const whole = rejected.length === 0 ? new Map<number, string>() : await journal.wholeEntries(run.id, rejected);
  for (const [source, own] of run.sources.entries()) {
    const lines = open.filter((line) => line.source === source);
    for (const { id, sources } of lines.length === 0 ? [] : later) {
      const index = sources.findIndex((other) => placeOfSource(other) === placeOfSource(own));
      if (index === -1) continue;
      const origins = lines.map(({ origin }) => origin);
      const found = await journal.originsAmong({ run: id, source: index, before: run.id }, origins);
      const entries = lines.flatMap(({ seq }) => whole.get(seq) ?? []);
      const read = entries.length === 0 ? undefined : await journal.entriesRead(id, index, entries);
      const settled = lines.filter(({ origin, seq }) => found.has(origin) || read?.has(whole.get(seq) ?? "") === true);
      if (settled.length === 0) continue;
      const others = await journal.exchanged([run.id, source], [id, index]);
      for (const line of settled) if (!others.has(entryOf(line))) mended.add(line);
    }
  }
  return open.filter((line) => !mended.has(line));
}

/** The path of the file that a line came from. */
function entryOf({ origin }: OpenLine): string {
  return (JSON.parse(origin) as Origin).entry;
}
