/**
 * A retry of what a run left: the records that were rejected, refused or failed are read again where they lie, with today's
 * settings, and make a run of their own. Nothing else of the sources becomes part of it.
 */
import type { Issue, Origin } from "../../transforms/model/issue.ts";
import type { Item, Reading } from "../../transforms/model/item.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Line, LineState } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";

/** A line as it stands after every run that retried it: the last one's, with the number it has in the first. */
export interface CurrentLine {
  readonly line: Line;
  /** The line's number in the run that read it first. */
  readonly seq: number;
}

/**
 * The run whose lines are asked about: the last one that read sources as a whole, or the one of a number. A run that retried
 * lines belongs to the one it took them from.
 *
 * @returns undefined when there is none
 */
export async function baseRun(journal: JournalReader, id: number | undefined): Promise<Run | undefined> {
  const run = await journal.run(id);
  return run?.options.retryOf === undefined ? run : journal.run(run.options.retryOf);
}

/** The runs that retried lines of another, oldest first. A run that was begun is resumed before the next one starts. */
export async function retriesOf(journal: JournalReader, base: Run): Promise<readonly Run[]> {
  return (await journal.runs()).filter(
    // One that was only planned (a rehearsal) took nothing up, nor did one that was replaced before it began.
    ({ options, state }) => options.retryOf === base.id && state !== "planned" && state !== "superseded",
  );
}

/** Lines of a run that stand in one of these states now, after the retries since; in the order of reading. */
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

/** Chooses, while sources are read again, what is retried. */
export interface RetrySelection {
  /** The run that is retried. */
  readonly run: number;
  /** Whether a place of a source, by its index, may hold a record that is wanted. */
  wants(source: number, origin: Origin): boolean;
  /**
   * What of a reading becomes part of the run, in order, each with the line it retries: nothing, the reading itself, or the
   * equipment and the course it names before it.
   */
  take(
    source: number,
    reading: Reading,
  ): Promise<readonly { readonly reading: Reading; readonly seq: number | undefined }[]>;
  /** Lines that nothing was found for: their file or row is no longer where it was. */
  missing(): readonly CurrentLine[];
}

/**
 * Selects the lines of a run that are retried.
 *
 * @param wanted each with the index its source has among those that are read now
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
      // A shoe that is retried itself doesn't come once more with the workouts that name it.
      named.add(`${source}\u0000${reading.key}`);
      return [...referencesOf(source, reading), { reading, seq: current.seq }];
    },
    missing: () => wanted.filter(({ seq }) => !found.has(seq)).map(({ line, seq }) => ({ line, seq })),
  };

  /** A record under another key where a wanted one lay: the file or the row was mended. One the run knows has only moved there. */
  async function atPlace(source: number, reading: Reading): Promise<CurrentLine | undefined> {
    const current =
      byPlace.get(placeOf(source, reading.origin)) ??
      byPlace.get(placeOf(source, { ...reading.origin, locator: undefined }));
    if (current === undefined) return undefined;
    // A shoe or a course stands at the row that names it: it comes with that row, and by itself only where it is a whole file.
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

/** Whether a remark is about a place that is wanted: the others were made when the run was planned. */
export function isOfWanted(retry: RetrySelection, source: number, { origin }: Issue): boolean {
  return origin !== undefined && retry.wants(source, origin) && origin.locator !== undefined;
}

function placeOf(
  source: number,
  { entry, locator }: { readonly entry: string; readonly locator?: string | undefined },
): string {
  return `${source}\u0000${entry}\u0000${locator ?? ""}`;
}
