/** Reads the durations of a platform's table that a spreadsheet program saved again: it takes `45:00` for 45 hours, and writes `45:00:00`. */
import type { Activity } from "../../../../transforms/activities.ts";
import { farthest, findLimits } from "../../../../transforms/plausibility/limits.ts";
import type { DurationFormat } from "../mapping/fields.ts";

/** Hours from 24 to 59, and no seconds. A day has 24 hours, so below that the program writes a time of day, `23:38`. */
const RESAVED = /^(2[4-9]|[3-5]\d):([0-5]\d):00$/;

/**
 * The seconds of such a cell. The platform must write minutes and seconds alone below an hour. Where the distance can't be covered in so few minutes,
 * the hours are true: a race of 100 miles in 27:30:00.
 *
 * @param metres the distance of the row; undefined without one
 * @returns undefined if the cell is what it seems to be
 */
export function resavedSeconds(
  text: string,
  formats: readonly DurationFormat[],
  activity: Activity | undefined,
  metres: number | undefined,
): number | undefined {
  const [, minutes, seconds] = RESAVED.exec(text.trim()) ?? [];
  if (minutes === undefined || !formats.includes("mm:ss") || !formats.includes("h:mm:ss")) return undefined;
  const duration = Number(minutes) * 60 + Number(seconds);
  return metres !== undefined && metres > farthest(findLimits(activity), duration) ? undefined : duration;
}
