/** Finds a column that has a distance in some rows and a duration in others: `12,7 km`, and `65 min` for a ride on rollers. */
import { compileWhole } from "../../table/mapping/pattern.ts";
import type { AssignedColumn } from "../columns/roles.ts";

const DISTANCE = "(?P<distance>[0-9]+(?:[.,][0-9]+)? *(?:km|kms|mi|miles?|m|yd|yds))";
const DURATION = "(?P<duration>[0-9]{1,3} *(?:min|mins|minutes|minuten|minuti|minutos|h|std)[.]?)";

/** This share of the cells must be one of both. The others are reported. */
const SHARE = 0.9;

/** Fewer durations are slips. */
const LEAST_TIMES = 2;

const TIMED: ReadonlySet<string | undefined> = new Set(["duration", "hours", "minutes", "seconds"]);

/** The columns, where a distance is taken apart into what its cells are. Where another column is the duration, they stay. */
export function withDistancesOrTimes(columns: readonly AssignedColumn[]): readonly AssignedColumn[] {
  if (columns.some(({ role, filled }) => TIMED.has(role) && filled.length > 0)) return columns;
  const [distance, duration] = [compileWhole(DISTANCE), compileWhole(DURATION)];
  return columns.map((column) => {
    const { role, filled, addends } = column;
    if (role !== "distance" || addends !== undefined) return column;
    const lengths = filled.filter((cell) => distance.matches(cell)).length;
    const times = filled.filter((cell) => duration.matches(cell)).length;
    if (times < LEAST_TIMES || lengths === 0 || lengths + times < filled.length * SHARE) return column;
    const why = `${lengths} of ${filled.length} cells are a distance with its unit, and ${times} are a duration`;
    const split = {
      patterns: [DISTANCE, DURATION],
      parts: { distance: { unit: "km" }, duration: { format: ["text"] } },
      why,
    };
    return { ...column, isGuess: false, split };
  });
}
