/**
 * Matches the records of an import with the workouts of the plan. The answer to an import is a list of ids, in no promised order.
 */
import { readIfThere, type SaveBody } from "../../connectors/sink.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { inMetres, type Measure } from "../../transforms/units.ts";
import type { WorkoutLine } from "../journal/line.ts";

/**
 * The result: lines with their ids (and their record, if it was read), lines that the import did not make, and ids without a planned line.
 */
export interface ImportMatch {
  readonly pairs: readonly { readonly line: WorkoutLine; readonly id: string; readonly record?: SaveBody }[];
  readonly missing: readonly WorkoutLine[];
  readonly extraIds: readonly string[];
}

/**
 * Matches ids to lines. A single id and a single line need no reading. Otherwise this function reads every record, and pairs those with the
 * nearest duration and distance first. It ignores the time of day, because an import shifts it.
 *
 * @param read gives the record of an id in its save form
 */
export async function matchImported(
  lines: readonly WorkoutLine[],
  ids: readonly string[],
  read: (id: string) => Promise<SaveBody>,
): Promise<ImportMatch> {
  const unique = [...new Set(ids)];
  const [onlyLine] = lines;
  const [onlyId] = unique;
  if (lines.length === 1 && unique.length === 1 && onlyLine !== undefined && onlyId !== undefined) {
    return { pairs: [{ line: onlyLine, id: onlyId }], missing: [], extraIds: [] };
  }
  const left = { lines: new Set(lines), ids: new Set(unique) };
  const candidates = [];
  for (const id of unique) {
    const record = await readIfThere(() => read(id));
    if (record === undefined) {
      left.ids.delete(id);
      continue;
    }
    const made = sizeOfBody(record);
    for (const line of lines) candidates.push({ line, id, record, apart: apart(sizeOf(line.value), made) });
  }
  candidates.sort((a, b) => a.apart - b.apart);
  const pairs: { line: WorkoutLine; id: string; record: SaveBody }[] = [];
  for (const { line, id, record } of candidates) {
    if (!left.lines.has(line) || !left.ids.has(id)) continue;
    left.lines.delete(line);
    left.ids.delete(id);
    pairs.push({ line, id, record });
  }
  return { pairs, missing: [...left.lines], extraIds: [...left.ids] };
}

interface Size {
  readonly metres: number;
  readonly seconds: number;
}

function sizeOf(workout: Workout): Size {
  return { metres: workout.distance === undefined ? 0 : inMetres(workout.distance), seconds: workout.duration ?? 0 };
}

function sizeOfBody(body: SaveBody): Size {
  const details = (body.details ?? {}) as { distance?: Measure<"distance">; duration?: number };
  return {
    metres: details.distance === undefined ? 0 : inMetres(details.distance),
    seconds: details.duration ?? 0,
  };
}

function apart(a: Size, b: Size): number {
  const relative = (x: number, y: number) => Math.abs(x - y) / Math.max(1, x, y);
  return relative(a.metres, b.metres) + relative(a.seconds, b.seconds);
}
