/**
 * Compares the mileage of shoes and bikes at the source with that in the log, and finds what makes the difference. The log adds its mileage up
 * by itself, so nobody can set it right by hand.
 */
import type { Kind } from "../../transforms/model/item.ts";
import { SECOND_EQUIPMENT } from "../../transforms/steps/keep-one-equipment.ts";
import { inMetres } from "../../transforms/units.ts";
import type { Journal } from "../journal/journal.ts";
import type { LineOf, LineState, WorkoutLine } from "../journal/line.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import type { Run } from "../journal/run.ts";
import { findRemoteId, RemoteIds } from "../plan/compare/references.ts";
import { baseRun, retriesOf } from "../plan/records/retry-selection.ts";

/** Workouts, and their distances together in metres. */
export interface Mileage {
  readonly count: number;
  readonly metres: number;
}

/** A piece of equipment whose mileage in the log is another one than at the source. */
export interface GearDifference {
  readonly id: string;
  /** As the log calls it. */
  readonly name: string;
  /** Metres that the source says it has; where the source says none, those of its workouts. Of several sources, the one that says most. */
  readonly source: number;
  /** The sources that say how many metres it has, if several do. Two sources count the same workouts, so their figures are no sum. */
  readonly sources?: readonly { readonly name: string; readonly metres: number }[];
  /** Metres that the log says it has. */
  readonly log: number;
  /** Its workouts in the source. */
  readonly workouts: Mileage;
  /** Of these, the workouts that are not in the log. */
  readonly left: Mileage;
  /** Of these, the workouts that are in the log with another piece: a log takes one piece a workout. */
  readonly second: Mileage;
  /** The pieces that these workouts have in the log instead, as the log calls them; absent without any. */
  readonly instead?: readonly string[];
}

/** The journal, and the listings of a log. */
export interface GearContext {
  readonly journal: Journal;
  readonly list: (kind: Kind) => Promise<AsyncIterable<LogEntry> | undefined>;
}

/** Mileages that are as close as this are the same: a log rounds each workout to 0.001 miles or kilometres. */
const SAME = { metres: 100, share: 0.001 } as const;

/** Whether two distances in metres are the same but for rounding. */
export function isSameMileage(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(SAME.metres, SAME.share * Math.max(a, b));
}

const IN_LOG: readonly LineState[] = ["done", "unchanged"];

/**
 * Finds the pieces of a run with another mileage in the log than at the source.
 *
 * @returns none if the log doesn't list equipment with its distance
 */
export async function gearDifferences(run: Run, { journal, list }: GearContext): Promise<readonly GearDifference[]> {
  const whole = await wholeOf(run, journal);
  const pieces = await piecesOf(whole, journal);
  if (pieces.size === 0) return [];
  const ids = new RemoteIds(journal);
  for (const { run: one, retried } of whole)
    for await (const line of journal.lines(one.id, { kind: "workout" }))
      if (line.kind === "workout" && !retried.has(line.seq)) await addWorkout(line, one, ids, pieces);
  const differences: GearDifference[] = [];
  const listed: LogEntry[] = [];
  for await (const entry of (await list("equipment")) ?? []) listed.push(entry);
  const names = new Map(listed.map(({ id, name = "" }) => [id, name]));
  for (const { id, name = "", metres: log } of listed) {
    const piece = pieces.get(id);
    if (piece === undefined || log === undefined) continue;
    const sources = [...piece.said]
      .map(([index, metres]) => ({ name: whole[0]?.run.sources[index]?.name ?? "", metres }))
      .toSorted((a, b) => b.metres - a.metres);
    const source = sources[0]?.metres ?? piece.workouts.metres;
    if (sources.length < 2 ? isSameMileage(source, log) : sources.every(({ metres }) => isSameMileage(metres, log)))
      continue;
    const { workouts, left, second } = piece;
    const instead = [...piece.instead].flatMap((other) => names.get(other) ?? []).toSorted();
    differences.push({
      ...{ id, name, source, log, workouts, left, second },
      ...(sources.length > 1 && { sources }),
      ...(instead.length > 0 && { instead }),
    });
  }
  return differences;
}

/** What is summed up of a piece. */
interface Piece {
  /** The metres that each source says, by the index of the source. */
  readonly said: Map<number, number>;
  readonly workouts: Sum;
  readonly left: Sum;
  readonly second: Sum;
  /** The log's ids of the pieces that its workouts have instead. */
  readonly instead: Set<string>;
}

function newPiece(): Piece {
  return { said: new Map(), workouts: new Sum(), left: new Sum(), second: new Sum(), instead: new Set() };
}

/** A run of some records of the sources, and its lines that a later retry read again. */
interface PartOfWhole {
  readonly run: Run;
  readonly retried: ReadonlySet<number>;
}

/** A run with all retries of its records. A retry alone would take the workouts of the others for none of the sources. */
async function wholeOf(run: Run, journal: Journal): Promise<readonly PartOfWhole[]> {
  const base = (await baseRun(journal, run.id)) ?? run;
  const retries = await retriesOf(journal, base);
  const retried = new Set<number>();
  for (const { id } of retries) for (const seq of (await journal.auditTrail.retriedLines(id)).keys()) retried.add(seq);
  return [{ run: base, retried }, ...retries.map((one) => ({ run: one, retried: new Set<number>() }))];
}

/** The pieces of a run that are in the log, by their ids there. Two of the source may be one in the log. */
async function piecesOf(whole: readonly PartOfWhole[], journal: Journal): Promise<ReadonlyMap<string, Piece>> {
  const pieces = new Map<string, Piece>();
  const sources = whole[0]?.run.sources ?? [];
  const earlier = new Set<string>();
  for (const { run } of whole) {
    const keys: string[] = [];
    for await (const line of journal.lines(run.id, { kind: "equipment" })) {
      const id = earlier.has(line.key) ? undefined : await findRemoteId(journal, run.id, line.key);
      if (id === undefined) continue;
      keys.push(line.key);
      const piece = pieces.get(id) ?? newPiece();
      const { distance } = (line as LineOf<"equipment">).value;
      const source = sources.findIndex(({ path }) => path === run.sources[line.source]?.path);
      // Two pieces of one source have each their own distance. The pieces of two sources were worn in the same workouts.
      if (distance !== undefined) piece.said.set(source, (piece.said.get(source) ?? 0) + inMetres(distance));
      pieces.set(id, piece);
    }
    for (const key of keys) earlier.add(key);
  }
  return pieces;
}

async function addWorkout(
  { state, value }: WorkoutLine,
  run: Run,
  ids: RemoteIds,
  pieces: ReadonlyMap<string, Piece>,
): Promise<void> {
  // A copy of another workout of the source adds no distance of its own.
  if (state === "merged") return;
  const [first] = value.equipment ?? [];
  const others = (value.unsupported ?? []).flatMap(({ field, value: key }) => (field === SECOND_EQUIPMENT ? key : []));
  const metres = value.distance === undefined ? 0 : inMetres(value.distance);
  const kept = first === undefined ? undefined : await ids.find(run.id, first);
  const counted = new Set<string>();
  for (const key of [...(first === undefined ? [] : [first]), ...others]) {
    const id = key === first ? kept : await ids.find(run.id, key);
    const piece = id === undefined ? undefined : pieces.get(id);
    // Two names may be one piece in the log. It has the workout once.
    if (id === undefined || piece === undefined || counted.has(id)) continue;
    counted.add(id);
    piece.workouts.add(metres);
    if (!IN_LOG.includes(state)) piece.left.add(metres);
    else if (key !== first) {
      piece.second.add(metres);
      if (kept !== undefined) piece.instead.add(kept);
    }
  }
}

class Sum implements Mileage {
  count = 0;
  metres = 0;

  add(metres: number): void {
    this.count++;
    this.metres += metres;
  }
}
