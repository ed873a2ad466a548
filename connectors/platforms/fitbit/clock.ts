/**
 * Finds out which clock the JSON files have. In the archives that people measured it is UTC, and in older ones it may be the athlete's own. The tables
 * of the same export show which: they have the same workouts in UTC, each with the distance of the athlete's clock from it.
 */
import { utcText } from "../../../transforms/calendar.ts";
import { DUPLICATE_TOLERANCE } from "../../../transforms/duplicates.ts";
import type { ReadSession } from "../session.ts";
import { conventionsOf } from "../table/conventions.ts";
import type { FoundRows, OtherClock, WorkoutTable } from "../table/description.ts";
import { exercises } from "./exercises.ts";

/** So many workouts must have the athlete's clock. A chance neighbour at the right distance from UTC is no evidence. */
const LEAST = 3;

/** For each workout that shows UTC, so many must show the athlete's clock. */
const TIMES_AS_MANY = 5;

interface Timed {
  readonly start: number;
  readonly seconds: number;
}

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
  const tables = await exercises.from.find(session.archive, exercises.columns);
  if (tables === undefined) return undefined;
  const known = new Map<number, (Timed & { readonly offsetMs: number })[]>();
  for await (const cells of cellsOf(session, exercises, tables)) {
    const [start, end] = [Date.parse(cells("exercise_start")), Date.parse(cells("exercise_end"))];
    const offsetMs = offsetOf(cells("utc_offset"));
    // Where the athlete's clock is UTC, both readings are the same.
    if (!(end > start) || offsetMs === undefined || offsetMs === 0) continue;
    for (const wall of [start, start + offsetMs]) {
      const one = { start, seconds: (end - start) / 1000, offsetMs };
      known.set(minuteOf(wall), [...(known.get(minuteOf(wall)) ?? []), one]);
    }
  }
  const shown = { utc: 0, local: 0, example: 0 };
  for await (const cells of cellsOf(session, logged, rows)) {
    const wall = wallOf(cells("startTime"));
    const seconds = Number(cells("duration")) / 1000;
    if (wall === undefined || !(seconds > 0)) continue;
    const near = [-2, -1, 0, 1, 2].flatMap((minutes) => known.get(minuteOf(wall) + minutes) ?? []);
    const isOne = (one: Timed, start: number) =>
      Math.abs(start - wall) <= DUPLICATE_TOLERANCE.seconds * 1000 &&
      Math.abs(one.seconds - seconds) <= Math.max(60, DUPLICATE_TOLERANCE.duration * seconds);
    const local = near.find((one) => isOne(one, one.start + one.offsetMs));
    if (near.some((one) => isOne(one, one.start))) shown.utc++;
    else if (local !== undefined) {
      shown.local++;
      shown.example = local.offsetMs / 60_000;
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

/** Gives for each row that can be read a function from the name of a column to its cell. */
async function* cellsOf(session: ReadSession, table: WorkoutTable, { entries, header, rows }: FoundRows) {
  const indexes = new Map(header.map((name, index) => [name.toLowerCase(), index]));
  for (const entry of entries)
    for await (const row of rows(session, entry, conventionsOf(table))) {
      if ("error" in row) continue;
      yield (name: string) => row.fields[indexes.get(name.toLowerCase()) ?? -1]?.trim() ?? "";
    }
}

function minuteOf(instant: number): number {
  return Math.floor(instant / 60_000);
}

/** Reads `01/31/18 14:25:33` as if it were UTC. */
function wallOf(text: string): number | undefined {
  const [, month, day, year, time] = /^(\d\d)\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d)$/.exec(text) ?? [];
  const wall = Date.parse(`20${year}-${month}-${day}T${time}Z`);
  return Number.isNaN(wall) ? undefined : wall;
}

/** Reads `+05:30` in milliseconds. */
function offsetOf(text: string): number | undefined {
  const [, sign, hours, minutes] = /^([-+])(\d\d):(\d\d)$/.exec(text) ?? [];
  return sign === undefined ? undefined : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
