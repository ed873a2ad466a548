/**
 * Finds out which clock the JSON files have. In the archives that people measured it is UTC, and in older ones it may be the athlete's own. The tables
 * of the same export show which: they have the same workouts in UTC, each with the distance of the athlete's clock from it.
 */
import { utcText } from "../../../transforms/calendar.ts";
import type { ReadSession } from "../session.ts";
import type { FoundRows, OtherClock, WorkoutTable } from "../table/description.ts";
import { cellsOf, tablesBeside } from "./beside-tables.ts";

/** So many workouts must have the athlete's clock. A chance neighbour at the right distance from UTC is no evidence. */
const LEAST = 3;

/** For each workout that shows UTC, so many must show the athlete's clock. */
const TIMES_AS_MANY = 5;

/**
 * Compares the starts of the JSON files with those of the tables.
 *
 * @returns that the JSON files have the athlete's clock; undefined if they have UTC, or if nothing shows their clock
 */
export async function clockOfJson(
  session: ReadSession,
  logged: WorkoutTable,
  rows: FoundRows,
): Promise<OtherClock | undefined> {
  const matchesOf = await tablesBeside(session);
  if (matchesOf === undefined) return undefined;
  const shown = { utc: 0, local: 0, example: 0 };
  for await (const cellOf of cellsOf(session, logged, rows)) {
    const { utc = [], local = [] } = matchesOf(cellOf) ?? {};
    // Where the athlete's clock is UTC, both readings are the same.
    const onClock = local.find(({ offsetMs }) => offsetMs !== 0);
    if (utc.some(({ offsetMs }) => offsetMs !== 0)) shown.utc++;
    else if (onClock !== undefined) {
      shown.local++;
      shown.example = onClock.offsetMs / 60_000;
    }
  }
  if (shown.local < LEAST || shown.local < TIMES_AS_MANY * shown.utc) return undefined;
  const all = shown.local + shown.utc;
  return {
    zone: "local",
    issue: {
      severity: "warning",
      rule: "fitbit/local-times",
      field: "startTime",
      found: `${shown.local} of ${all} workouts that the tables have, too, begin at the time of the athlete's own clock (such as ${utcText(shown.example)}), and not of UTC`,
      expected: "times in UTC; all times of these files were read as local",
    },
  };
}
