/** Keeps the values of a newer export in the log, when an older export of the same platform is imported after it. */
import { TRACK } from "../../../transforms/merge/not-added.ts";
import { defined } from "../../../transforms/model/defined.ts";
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import type { Kind } from "../../../transforms/model/item.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Line, RecordLine } from "../../journal/line.ts";
import { placeOfSource, type Run, type RunSource } from "../../journal/run.ts";
import { type ExportAge, newerFirst } from "../../sources/export-age.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { notAddedTo } from "../compare/not-added.ts";
import { CHANGED_AT_SOURCE, keptNewer } from "./settled-lines.ts";

/** A source of a run. For a retry of single records it is that of the whole run. */
interface Export {
  readonly run: Run;
  readonly index: number;
  readonly source: RunSource;
}

/** An older export, and the newer one that was loaded before it. */
interface Older {
  readonly own: RunSource;
  readonly newer: RunSource;
  /** The run that loaded the newer one. */
  readonly loadedBy: number;
  /** The evidence, in words. */
  readonly why: string;
}

/** The records that one older export has with other values. The newest run that loaded some of them counts. */
interface Changes {
  /** The kind of each. */
  readonly kinds: Kind[];
  readonly first: Origin;
  older: Older;
}

/**
 * Leaves records as they are that an older export would change back. With `allowOlder` they are changed back. In both cases a remark says how many
 * there are, and how the export is known to be older.
 */
export async function keepNewerValues(run: number, context: ComparisonContext): Promise<void> {
  const { journal, settings, report } = context;
  const known = new Map<string, Older | undefined>();
  const changes = new Map<number, Changes>();
  for await (const line of journal.lines(run, { state: ["planned", "unchanged"] })) {
    if (line.kind === "set-aside") continue;
    const isChanged = line.action === "update" && line.reason?.startsWith(CHANGED_AT_SOURCE) === true;
    // The log takes neither version of a track with an update.
    if (!isChanged && (settings.allowOlder === true || !notesTrack(line))) continue;
    const remoteRecord = await journal.remoteRecord(line.key);
    const loaded = remoteRecord && (await journal.lineWithKey(remoteRecord.run, remoteRecord.key));
    if (loaded === undefined || !(isChanged || hasWholeTrack(loaded))) continue;
    const pair = `${line.source} ${loaded.run} ${loaded.source}`;
    if (!known.has(pair)) known.set(pair, await findOlder(journal, line, loaded));
    const older = known.get(pair);
    if (older === undefined) continue;
    const own = changes.get(line.source) ?? { kinds: [], first: line.origin, older };
    changes.set(line.source, own);
    own.kinds.push(line.kind);
    if (older.loadedBy > own.older.loadedBy) own.older = older;
    if (settings.allowOlder !== true) await keep(line, loaded, older, context);
  }
  for (const each of changes.values()) await report(remarkOn(each, settings.allowOlder === true));
}

/** What becomes of the records, and what a person may do to have it otherwise. */
const OUTCOMES = {
  kept: {
    verbs: ["keeps", "keep"],
    values: "the newer values",
    expected: "the newer export; to load the older values all the same, add --allow older-values",
  },
  changed: {
    verbs: ["gets", "get"],
    values: "the older values back",
    expected: "the values of the newer export: leave out --allow older-values to keep them",
  },
} as const;

function remarkOn({ kinds, first, older }: Changes, isAllowed: boolean): Issue {
  const { own, newer, loadedBy, why } = older;
  const { verbs, values, expected } = isAllowed ? OUTCOMES.changed : OUTCOMES.kept;
  const noun = kinds.every((kind) => kind === "workout") ? "workout" : "record";
  const who = kinds.length === 1 ? `1 ${noun} ${verbs[0]}` : `${kinds.length} ${noun}s ${verbs[1]}`;
  const found = `${own.name} is older than ${newer.name}, which run ${loadedBy} loaded (${why}): ${who} ${values}`;
  return { severity: "warning", rule: "plan/older-export", origin: first, found, expected };
}

async function keep(line: RecordLine, loaded: Line, { newer }: Older, context: ComparisonContext): Promise<void> {
  const { journal } = context;
  await journal.patchLine(line.run, line.seq, keptNewer(line, loaded, newer.name));
  if (line.kind !== "workout" || loaded.kind !== "workout") return;
  // The sums of the run count what the log keeps.
  const { distance, duration } = loaded.value;
  const others = await journal.mergedInto(line.run, line.key);
  let isNew = false;
  for (const { key } of others) isNew ||= (await journal.remoteRecord(key)) === undefined;
  // What another platform's workout would add stays out as well, and is counted.
  const { value = line.value } = isNew ? await notAddedTo(line, { claimedBy: line.key }, context) : {};
  const kept = hasWholeTrack(loaded) ? withoutTrackNoted(value) : value;
  await journal.patchLine(line.run, line.seq, { value: { ...kept, ...defined({ distance, duration }) } });
}

/** Whether a line notes a track that the log's workout doesn't get. */
function notesTrack(line: RecordLine): boolean {
  return line.kind === "workout" && line.value.notAdded?.values.some(({ field }) => field === TRACK) === true;
}

function hasWholeTrack(line: Line): boolean {
  return line.kind === "workout" && line.value.track !== undefined && line.value.lostFile === undefined;
}

/** The log has the newer version of the track. */
function withoutTrackNoted({ notAdded, ...value }: Workout): Workout {
  const values = notAdded?.values.filter(({ field }) => field !== TRACK) ?? [];
  return values.length === 0 ? value : { ...value, notAdded: { ...notAdded, values } };
}

/** Compares the exports of two lines. Undefined if the first one is not older, or nothing shows that it is. */
async function findOlder(journal: Journal, line: Line, loaded: Line): Promise<Older | undefined> {
  const [own, newer] = [await exportOf(journal, line), await exportOf(journal, loaded)];
  if (own === undefined || newer === undefined || own.source.connector !== newer.source.connector) return undefined;
  // A file at the same place is the same file later on, whatever its owner took out of it. A run of some days shows no newest workout either.
  const isComparable =
    placeOfSource(own.source) !== placeOfSource(newer.source) &&
    own.run.options.until === undefined &&
    newer.run.options.until === undefined;
  const [a, b] = [await ageOf(journal, own, isComparable), await ageOf(journal, newer, isComparable)];
  if (newerFirst(a, b) <= 0) return undefined;
  return { own: own.source, newer: newer.source, loadedBy: loaded.run, why: whyOlder(a, b) };
}

async function exportOf(journal: Journal, line: Line): Promise<Export | undefined> {
  const run = await journal.run(line.run);
  const source = run?.sources[line.source];
  if (run === undefined || source === undefined) return undefined;
  const base = run.options.retryOf === undefined ? undefined : await journal.run(run.options.retryOf);
  const index = base?.sources.findIndex((other) => placeOfSource(other) === placeOfSource(source)) ?? -1;
  return base === undefined || index < 0 ? { run, index: line.source, source } : { run: base, index, source };
}

/** The age of an export, by the lines that a run has of it. */
async function ageOf(journal: Journal, { run, index, source }: Export, isComparable: boolean): Promise<ExportAge> {
  let newest: string | undefined;
  if (isComparable) {
    for await (const line of journal.lines(run.id, { kind: "workout" })) {
      const { date } = line.value.start;
      if (line.source === index && date !== undefined && (newest === undefined || date > newest)) newest = date;
    }
  }
  return { newest, changedAt: source.changedAt };
}

function whyOlder(own: ExportAge, newer: ExportAge): string {
  if (own.newest !== newer.newest)
    return `its newest workout is of ${own.newest ?? "no known day"}, that of the newer export of ${newer.newest}`;
  // Two archives unpacked one after the other differ by seconds alone.
  const digits = [16, 19, 23].find((length) => timeOf(own, length) !== timeOf(newer, length)) ?? 23;
  return `its files are of ${timeOf(own, digits)}, those of the newer export of ${timeOf(newer, digits)}`;
}

function timeOf({ changedAt }: ExportAge, digits: number): string {
  return changedAt === undefined
    ? "no known time"
    : `${new Date(changedAt).toISOString().slice(0, digits).replace("T", " ")} UTC`;
}
