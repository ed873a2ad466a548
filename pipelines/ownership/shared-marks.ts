/**
 * Finds the fingerprints that several samples share, among tens of millions. Most fingerprints are in one sample alone. Those are never kept, so that
 * the result is as small as what is shared.
 */
import type { Turns } from "./turns.ts";

/** The sorted fingerprints of somebody. */
export interface MarksAt {
  readonly position: number;
  readonly marks: readonly string[];
}

/** For each fingerprint at two positions or more: the positions, ascending. */
export type SharedMarks = ReadonlyMap<string, readonly number[]>;

/** The fingerprints are looked at in parts, by their first two hexadecimal digits. A `Map` of all would be too large for JavaScript. */
const MOST_PARTS = 256;

/** Fingerprints of a part, about. */
const PART = 65_536;

/** @param all in the order of their positions; a position may come several times in a row */
export async function findSharedMarks(all: readonly MarksAt[], turns: Turns): Promise<SharedMarks> {
  const shared = new Map<string, number[]>();
  const cursors = new Uint32Array(all.length);
  const parts = Math.min(MOST_PARTS, 1 + Math.floor(all.reduce((sum, { marks }) => sum + marks.length, 0) / PART));
  for (let part = 1; part <= parts; part++) {
    const bound =
      part === parts
        ? undefined
        : Math.floor((MOST_PARTS * part) / parts)
            .toString(16)
            .padStart(2, "0");
    const first = new Map<string, number>();
    for (const [index, { position, marks }] of all.entries()) {
      cursors[index] = addPart({ marks, from: cursors[index] ?? 0, bound, position }, first, shared);
      if (turns.isDue()) await turns.give();
    }
  }
  return shared;
}

/** Adds the fingerprints of one sample below a bound. @returns where the next part begins */
function addPart(
  {
    marks,
    from,
    bound,
    position,
  }: { readonly marks: readonly string[]; from: number; bound: string | undefined; position: number },
  first: Map<string, number>,
  shared: Map<string, number[]>,
): number {
  let at = from;
  for (; at < marks.length; at++) {
    const mark = marks[at] ?? "";
    if (bound !== undefined && mark >= bound) break;
    const before = first.get(mark);
    if (before === undefined) {
      first.set(mark, position);
      continue;
    }
    const positions = shared.get(mark);
    if (positions !== undefined && positions.at(-1) !== position) positions.push(position);
    if (positions === undefined && before !== position) shared.set(mark, [before, position]);
  }
  return at;
}

/** Positions that are counted at once. It bounds the work for somebody who asks for the first few alone. */
const WINDOW = 2_048;

/**
 * The positions that share at least this many of some fingerprints, ascending, each with the number. They are found while they are asked for.
 *
 * @param marks without repetitions
 */
export function* sharing(
  shared: SharedMarks,
  marks: readonly string[],
  least: number,
): Generator<{ readonly position: number; readonly both: number }> {
  const lists = marks.flatMap((mark) => {
    const positions = shared.get(mark);
    return positions === undefined ? [] : [{ positions, next: 0 }];
  });
  if (lists.length < Math.max(least, 1)) return;
  const counts = new Uint16Array(WINDOW);
  for (;;) {
    const start = Math.min(...lists.map(({ positions, next }) => positions[next] ?? Number.POSITIVE_INFINITY));
    if (!Number.isFinite(start)) return;
    counts.fill(0);
    for (const list of lists) {
      for (;;) {
        const position = list.positions[list.next];
        if (position === undefined || position >= start + WINDOW) break;
        counts[position - start] = (counts[position - start] ?? 0) + 1;
        list.next++;
      }
    }
    for (const [offset, both] of counts.entries())
      if (both >= least && both > 0) yield { position: start + offset, both };
  }
}
