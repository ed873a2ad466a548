/**
 * Taking up what a run left: the records that were set aside, refused or failed are read again where they lie, with today's
 * settings, and make a run of their own. Nothing else of the sources becomes part of it.
 */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Item, Origin, Reading } from "../../transforms/model/item.ts";
import type { JournalReader, Line, LineState, Run } from "../journal/journal.ts";

/** A line as it stands after every run that took it up: the last one's, with the number it has in the first. */
export interface Standing {
  readonly line: Line;
  /** The line's number in the run that read it first. */
  readonly seq: number;
}

/**
 * The run whose lines are asked about: the last one that read sources as a whole, or the one of a number. A run that took
 * lines up belongs to the one it took them from.
 *
 * @returns undefined when there is none
 */
export async function baseRun(journal: JournalReader, id: number | undefined): Promise<Run | undefined> {
  const run = await journal.run(id);
  return run?.options.takesUp === undefined ? run : journal.run(run.options.takesUp);
}

/** The runs that took up lines of another, oldest first. One that was begun is gone on with before there is a next. */
export async function runsTakingUp(journal: JournalReader, base: Run): Promise<readonly Run[]> {
  return (await journal.runs()).filter(
    // One that was only planned (a rehearsal) took nothing up, nor did one that was replaced before it began.
    ({ options, state }) => options.takesUp === base.id && state !== "planned" && state !== "superseded",
  );
}

/** Lines of a run that stand in one of these states now, after whatever took them up since; in the order of reading. */
export async function standingIn(
  journal: JournalReader,
  base: Run,
  states: readonly LineState[],
): Promise<readonly Standing[]> {
  const later = new Map<number, readonly Line[]>();
  for (const run of await runsTakingUp(journal, base)) {
    for (const [seq, lines] of await journal.custody.takenUp(run.id)) later.set(seq, lines);
  }
  const standing: Standing[] = [];
  for await (const line of journal.lines(base.id, { state: states })) {
    if (!later.has(line.seq)) standing.push({ line, seq: line.seq });
  }
  for (const [seq, lines] of later) {
    for (const line of lines) if (states.includes(line.state)) standing.push({ line, seq });
  }
  return standing.sort((a, b) => a.seq - b.seq);
}

/** Chooses, while sources are read again, what is taken up. */
export interface TakeUp {
  /** The run that is taken up. */
  readonly run: number;
  /** Whether a place of a source, by its index, may hold a record that is wanted. */
  wants(source: number, origin: Origin): boolean;
  /**
   * What of a reading becomes part of the run, in order, each with the line it takes up: nothing, the reading itself, or the
   * equipment and the course it names before it.
   */
  take(
    source: number,
    reading: Reading,
  ): Promise<readonly { readonly reading: Reading; readonly seq: number | undefined }[]>;
  /** Lines that nothing was found for: their file or row is no longer where it was. */
  missing(): readonly Standing[];
}

/**
 * Takes up lines of a run.
 *
 * @param wanted each with the index its source has among those that are read now
 */
export function takeUp(
  journal: JournalReader,
  base: Run,
  wanted: readonly (Standing & { readonly source: number })[],
): TakeUp {
  const byKey = new Map<string, Standing>();
  const byPlace = new Map<string, Standing>();
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
      const standing = byKey.get(`${source}\u0000${reading.key}`) ?? (await atPlace(source, reading));
      if (standing === undefined) return [];
      found.add(standing.seq);
      return [...referencesOf(source, reading), { reading, seq: standing.seq }];
    },
    missing: () => wanted.filter(({ seq }) => !found.has(seq)).map(({ line, seq }) => ({ line, seq })),
  };

  /** A record under another key where a wanted one lay: the file or the row was mended. One the run knows has only moved there. */
  async function atPlace(source: number, reading: Reading): Promise<Standing | undefined> {
    const standing =
      byPlace.get(placeOf(source, reading.origin)) ??
      byPlace.get(placeOf(source, { ...reading.origin, locator: undefined }));
    if (standing === undefined) return undefined;
    // A shoe or a course stands at the row that names it: it comes with that row, and by itself only where it is a whole file.
    const isThing = reading.kind === "equipment" || reading.kind === "course";
    if (isThing && standing.line.origin.locator !== undefined) return undefined;
    return (await journal.lineWithKey(base.id, reading.key)) === undefined ? standing : undefined;
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
export function isOfWanted(takeUp: TakeUp, source: number, { origin }: Issue): boolean {
  return origin !== undefined && takeUp.wants(source, origin) && origin.locator !== undefined;
}

function placeOf(
  source: number,
  { entry, locator }: { readonly entry: string; readonly locator?: string | undefined },
): string {
  return `${source}\u0000${entry}\u0000${locator ?? ""}`;
}
