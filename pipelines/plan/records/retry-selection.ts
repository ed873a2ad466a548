/**
 * Retries the rejected, refused and failed records of a run. logferry reads them again from their sources, with today's settings, into a
 * run of their own. No other record of the sources becomes part of that run.
 */
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import type { Item, Reading } from "../../../transforms/model/item.ts";
import type { JournalReader } from "../../journal/journal.ts";
import type { Line, LineState } from "../../journal/line.ts";
import type { Run } from "../../journal/run.ts";

/** The newest version of a line: from the last run that retried it, with the number it has in the first run. */
export interface CurrentLine {
  readonly line: Line;
  /** The line's number in the run that read it first. */
  readonly seq: number;
}

/**
 * The run that first read the lines. It is the last run that read whole sources, or the run with this number. For a run that retried lines,
 * it is the run that those lines came from.
 *
 * @returns undefined when there is no such run
 */
export async function baseRun(journal: JournalReader, id: number | undefined): Promise<Run | undefined> {
  const run = await journal.run(id);
  return run?.options.retryOf === undefined ? run : journal.run(run.options.retryOf);
}

/** The runs that retried lines of another run, oldest first. A run that began is resumed before the next one starts. */
export async function retriesOf(journal: JournalReader, base: Run): Promise<readonly Run[]> {
  return (await journal.runs()).filter(
    // A run that was only planned (a rehearsal) retried nothing. Neither did a run that was replaced before it began.
    ({ options, state }) => options.retryOf === base.id && state !== "planned" && state !== "superseded",
  );
}

/** The lines of a run that are in one of these states now, after all retries. They come in the order of reading. */
export async function findCurrentLines(
  journal: JournalReader,
  base: Run,
  states: readonly LineState[],
): Promise<readonly CurrentLine[]> {
  const later = new Map<number, readonly Line[]>();
  for (const run of await retriesOf(journal, base)) {
    for (const [seq, lines] of await journal.auditTrail.retriedLines(run.id)) later.set(seq, lines);
  }
  const current: CurrentLine[] = [];
  for await (const line of journal.lines(base.id, { state: states })) {
    if (!later.has(line.seq)) current.push({ line, seq: line.seq });
  }
  for (const [seq, lines] of later) {
    for (const line of lines) if (states.includes(line.state)) current.push({ line, seq });
  }
  return current.sort((a, b) => a.seq - b.seq);
}

/** Selects the records to retry, while sources are read again. */
export interface RetrySelection {
  /** The run that is retried. */
  readonly run: number;
  /** Whether a place in a source may hold a wanted record. `source` is the index of the source. */
  wants(source: number, origin: Origin): boolean;
  /**
   * The readings that become part of the run, in order, each with the line it retries. There may be none. The equipment and the course of a
   * workout come before it.
   */
  take(
    source: number,
    reading: Reading,
  ): Promise<readonly { readonly reading: Reading; readonly seq: number | undefined }[]>;
  /** The wanted lines without a reading: their file or row is no longer at its place. */
  missing(): readonly CurrentLine[];
}

/**
 * Selects the lines of a run to retry.
 *
 * @param wanted the lines, each with the index of its source among the sources being read now
 */
export function selectForRetry(
  journal: JournalReader,
  base: Run,
  wanted: readonly (CurrentLine & { readonly source: number })[],
): RetrySelection {
  const byKey = new Map<string, CurrentLine>();
  const byPlace = new Map<string, CurrentLine>();
  const entries = new Set<string>();
  const found = new Set<number>();
  const things = new Map<string, Item>();
  const named = new Set<string>();
  for (const { line, seq, source } of wanted) {
    byKey.set(`${source}\u0000${line.key}`, { line, seq });
    byPlace.set(placeOf(source, line.origin), { line, seq });
    entries.add(`${source}\u0000${line.origin.entry}`);
  }

  return {
    run: base.id,
    wants: (source, origin) =>
      byPlace.has(placeOf(source, origin)) ||
      byPlace.has(placeOf(source, { ...origin, locator: undefined })) ||
      (origin.locator === undefined && entries.has(`${source}\u0000${origin.entry}`)),
    async take(source, reading) {
      if (reading.kind === "equipment" || reading.kind === "course")
        things.set(`${source}\u0000${reading.key}`, reading);
      const current = byKey.get(`${source}\u0000${reading.key}`) ?? (await atPlace(source, reading));
      if (current === undefined) return [];
      found.add(current.seq);
      // A retried shoe is sent by itself, so the workouts that name it don't add it again.
      named.add(`${source}\u0000${reading.key}`);
      return [...referencesOf(source, reading), { reading, seq: current.seq }];
    },
    missing: () => wanted.filter(({ seq }) => !found.has(seq)).map(({ line, seq }) => ({ line, seq })),
  };

  /**
   * A record under another key at the place of a wanted line: somebody corrected the file or the row. If the run knows the key, the record
   * has only moved there.
   */
  async function atPlace(source: number, reading: Reading): Promise<CurrentLine | undefined> {
    const current =
      byPlace.get(placeOf(source, reading.origin)) ??
      byPlace.get(placeOf(source, { ...reading.origin, locator: undefined }));
    if (current === undefined) return undefined;
    // A shoe or a course has the place of the row that names it, and comes along with that row. It matches by place only if it is a whole
    // file.
    const isThing = reading.kind === "equipment" || reading.kind === "course";
    if (isThing && current.line.origin.locator !== undefined) return undefined;
    return (await journal.lineWithKey(base.id, reading.key)) === undefined ? current : undefined;
  }

  function referencesOf(source: number, reading: Reading) {
    if (reading.kind !== "workout") return [];
    const { course, equipment = [] } = reading.value;
    return [...(course === undefined ? [] : [course]), ...equipment].flatMap((key) => {
      const thing = things.get(`${source}\u0000${key}`);
      if (thing === undefined || named.has(`${source}\u0000${key}`)) return [];
      named.add(`${source}\u0000${key}`);
      return [{ reading: thing, seq: undefined }];
    });
  }
}

/** Whether an issue is about a wanted place. The other issues were reported when the first run was planned. */
export function isOfWanted(retry: RetrySelection, source: number, { origin }: Issue): boolean {
  return origin !== undefined && retry.wants(source, origin) && origin.locator !== undefined;
}

function placeOf(
  source: number,
  { entry, locator }: { readonly entry: string; readonly locator?: string | undefined },
): string {
  return `${source}\u0000${entry}\u0000${locator ?? ""}`;
}
