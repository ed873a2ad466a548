/** Tells where a record of the log came from, as far as the journal knows: from the same table as a line, from another row, or from the line itself. */

import type { Journal } from "../../journal/journal.ts";
import type { Line } from "../../journal/line.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import { placeOfSource, type RunSource } from "../../journal/run.ts";
import { isPartOrWhole } from "../pairs/describe-split.ts";
import type { ComparisonContext } from "./comparison.ts";

/** A line, as far as its place goes. */
export type Placed = Pick<Line, "run" | "kind" | "key" | "source" | "origin">;

/** The log's id of a record that came from an export of a log: the key contains it. Undefined where the key has another form. */
export function idInKey({ key, origin, kind }: Placed): string | undefined {
  const start = `${origin.connector}:${kind}:`;
  return key.startsWith(start) ? key.slice(start.length) : undefined;
}

/**
 * Whether a log record stands for another row of the line's own file. A run that retries single rows has no lines for the other rows. Two
 * rows of one file are two workouts, however similar. For recordings this is always false, because nobody runs twice at once.
 */
export async function isOfAnotherRow(line: Placed, entry: ClaimedEntry, context: ComparisonContext): Promise<boolean> {
  const { journal, options, sources } = context;
  const own = sources[line.source];
  if (options.retryOf === undefined || own === undefined || own.recordings === true) return false;
  for (const other of await journal.auditTrail.find({ remoteId: entry.id })) {
    if (other.kind !== line.kind || other.key === line.key || other.run === line.run) continue;
    const theirs = (await journal.run(other.run))?.sources ?? [];
    const rows = [other, ...(await allMergedInto(other, journal))];
    const isOwn = (source: RunSource | undefined) =>
      source !== undefined && placeOfSource(source) === placeOfSource(own);
    if (rows.some(({ source, key }) => isOwn(theirs[source]) && key !== line.key)) return true;
  }
  return false;
}

/** Whether a log record came from a row of the same table as the line. */
export async function isOfSameTable(line: Placed, { claimedBy }: ClaimedEntry, journal: Journal): Promise<boolean> {
  const { origin } = line;
  const remoteRecord = claimedBy === undefined ? undefined : await journal.remoteRecord(claimedBy);
  const old = remoteRecord === undefined ? undefined : await journal.lineWithKey(remoteRecord.run, remoteRecord.key);
  if (old === undefined) return false;
  const oldSource = (await journal.run(old.run))?.sources[old.source];
  const { connector, archive, entry } = old.origin;
  const isSame = connector === origin.connector && archive === origin.archive && entry === origin.entry;
  return isSame && oldSource?.recordings !== true && (await isOneSource(line, old, journal));
}

/** The records of one source in a run. */
export type SourceOfRun = Pick<Line, "run" | "source">;

/** The answers so far: a plan asks for many rows of the same two sources. */
const answers = new WeakMap<Journal, Map<string, Promise<boolean>>>();

/**
 * Whether two sources of one name, in two runs, are one source. In two places they are one if they share half of the records of the smaller one: somebody moved
 * or copied it. Otherwise they only have the same name, such as the `log.csv` of two folders.
 */
export function isOneSource(own: SourceOfRun, earlier: SourceOfRun, journal: Journal): Promise<boolean> {
  const known = answers.get(journal) ?? new Map<string, Promise<boolean>>();
  answers.set(journal, known);
  const name = [own.run, own.source, earlier.run, earlier.source].join(" ");
  const answer = known.get(name) ?? compareSources(own, earlier, journal);
  known.set(name, answer);
  return answer;
}

async function compareSources(own: SourceOfRun, earlier: SourceOfRun, journal: Journal): Promise<boolean> {
  const [here, there] = await Promise.all(
    [own, earlier].map(async ({ run, source }) => (await journal.run(run))?.sources[source]),
  );
  if (here !== undefined && there !== undefined && placeOfSource(here) === placeOfSource(there)) return true;
  const { both, fewest } = await journal.recordsInCommon(own, earlier);
  return both > 0 && both * 2 >= fewest;
}

/** All copies of a workout that were merged into its line, directly or through other lines. A part of it is no copy. */
export async function allMergedInto(
  { run, key }: Pick<Line, "run" | "key">,
  journal: Journal,
): Promise<readonly Line[]> {
  const all: Line[] = [];
  const keys = [key];
  for (const into of keys) {
    for (const merged of await journal.mergedInto(run, into)) {
      if (keys.includes(merged.key) || isPartOrWhole(merged)) continue;
      all.push(merged);
      keys.push(merged.key);
    }
  }
  return all;
}
