/** The values of a row that a rule of its platform leaves out. No record has them, so they are counted by name. */
import type { LocalDate } from "../../../../transforms/calendar.ts";
import type { Rejected } from "../../../../transforms/model/item.ts";
import { OF_SKIPPED } from "../../../../transforms/model/loss-cause.ts";
import type { UnsupportedValue, Workout } from "../../../../transforms/model/workout.ts";
import { measureText } from "../../../../transforms/units.ts";
import { mapRow, type RowReader } from "./row.ts";
import type { RuledRow } from "./ruled-rows.ts";

/** A table that counts the values of some skipped rows. */
export interface SkippingReader extends RowReader {
  /** The reasons for which a row is skipped though it holds values of the athlete. `days`: any but a sum, a header or a row of units. */
  readonly countsSkipped?: readonly string[] | "days";
  /** Whether a list of days gives workouts the resting heart rate and the weight of their day. */
  readonly listsDays?: boolean;
}

/** The reasons for which a row is skipped that is no day of anybody. */
const NO_DAYS: readonly string[] = ["total", "header", "units"];

/** What a skipped row adds to its record. */
type Left = Pick<Rejected, "left">;

/**
 * The values of a skipped row that are counted; nothing for a row whose values nobody misses.
 *
 * @param workoutDays the days with a workout, which gets the values of its day
 */
export function leftInRow(
  { fields, set, skip = "" }: Extract<RuledRow, { readonly fields: unknown }>,
  reader: SkippingReader,
  workoutDays: ReadonlySet<LocalDate>,
): Left {
  const { countsSkipped = [] } = reader;
  if (countsSkipped === "days" ? NO_DAYS.includes(skip) : !countsSkipped.includes(skip)) return {};
  const mapped = mapRow(fields, set, reader, () => {});
  if ("rule" in mapped) return {};
  const { date } = mapped.workout.start;
  // A person's own rule may be about a plan or a sum, whose distance and duration nobody did.
  const { distance: _distance, duration: _duration, ...rest } = mapped.workout;
  const workout = countsSkipped === "days" ? rest : mapped.workout;
  const left = leftOfRow(workout, reader.listsDays === true && date !== undefined && workoutDays.has(date));
  // The reason says already that it was a day of `rest`.
  const more = countsSkipped === "days" ? left.filter(({ value }) => !isSaidBy(skip, value)) : left;
  return more.length === 0 ? {} : { left: more };
}

function isSaidBy(reason: string, value: string): boolean {
  return reason.toLowerCase().includes(value.toLowerCase());
}

/** The title of a row that is skipped because an earlier one with another title has its id. */
export function otherTitle({ name }: Workout): Left {
  return name === undefined ? {} : { left: [{ field: `title${OF_SKIPPED}`, value: name }] };
}

/** The values of a row that the row which counts in its place has otherwise, or hasn't. */
export function leftBeside(row: Workout, counts: Workout): readonly UnsupportedValue[] {
  const known = new Set(leftOfRow(counts, false).map(({ field, value }) => `${field}\n${value}`));
  return leftOfRow(row, false).filter(({ field, value }) => !known.has(`${field}\n${value}`));
}

/**
 * The values that a skipped row has.
 *
 * @param listsDays whether the platform's list of days has the resting heart rate and the weight, and a workout of the day gets them
 */
function leftOfRow(
  { name, notes, distance, duration, health = {}, ratings = {}, unsupported = [] }: Workout,
  listsDays: boolean,
): readonly UnsupportedValue[] {
  const measure = (value: Parameters<typeof measureText>[0] | undefined) =>
    value === undefined ? undefined : measureText(value);
  const values: readonly (readonly [field: string, value: string | number | undefined])[] = [
    ["title", name],
    ["notes", notes],
    ["distance", measure(distance)],
    ["duration", duration === undefined ? undefined : measureText({ unit: "s", value: duration })],
    ["average heart rate", health.avgHR],
    ["max heart rate", health.maxHR],
    ["resting heart rate", listsDays ? undefined : health.restHR],
    ["weight", listsDays ? undefined : measure(health.weight)],
    ["effort", ratings.effort],
    ["quality", ratings.quality],
    ...unsupported.map(({ field, value }) => [field, value] as const),
  ];
  return values.flatMap(([field, value]) =>
    value === undefined ? [] : [{ field: `${field}${OF_SKIPPED}`, value: String(value) }],
  );
}
