/** Reads the intervals of a piece in its description: `10x0:30/1:00r row`, `8x500m/2:00r`. */
import type { TableLap } from "../table/mapping/fields.ts";
import type { CellOf } from "../table/mapping/shown-units.ts";

/** A number of times, a stretch of time or of metres, and the rest after each. */
const ALIKE =
  /^(\d{1,3})x(?:(\d{1,5})m|((?:\d{1,2}:)?\d{1,2}:\d{2}(?:\.\d)?))\/((?:\d{1,2}:)?\d{1,2}:\d{2}(?:\.\d)?)r\b/i;

/**
 * The intervals of a row as JSON; "" for a piece without any. They must add up to the work of the row, because a person may change a description, and
 * may stop early.
 */
export function intervalsOf(cellOf: CellOf): string {
  const [, times, metres, work, rest = ""] = ALIKE.exec(cellOf("Description").trim()) ?? [];
  if (times === undefined) return "";
  const count = Number(times);
  const seconds = work === undefined ? undefined : secondsOf(work);
  const [all, each] = seconds === undefined ? ["Work Distance", Number(metres)] : ["Work Time (Seconds)", seconds];
  const total = Number(cellOf(all).replaceAll(",", ""));
  if (count < 1 || Math.abs(total - count * each) > count) return "";
  const interval: TableLap = {
    intensity: "interval",
    ...(seconds === undefined ? { distance: { unit: "m", value: each } } : { timer: seconds }),
  };
  const pause: TableLap = { intensity: "rest", timer: secondsOf(rest) };
  return JSON.stringify(Array.from({ length: count }, () => [interval, pause]).flat());
}

/** `1:00.5` or `1:02:03`, in seconds. */
function secondsOf(text: string): number {
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
