/** The values of a row that a rule of its platform leaves out. No record has them, so they are counted by name. */
import type { LocalDate } from "../../../transforms/calendar.ts";
import type { Rejected } from "../../../transforms/model/item.ts";
import { OF_SKIPPED } from "../../../transforms/model/loss-cause.ts";
import type { UnsupportedValue, Workout } from "../../../transforms/model/workout.ts";
import { measureText } from "../../../transforms/units.ts";
import { mapRow, type RowReader } from "./row.ts";
import type { RuledRow } from "./ruled-rows.ts";

/** A table that counts the values of some skipped rows. */
export interface SkippingReader extends RowReader {
  /** The reasons for which a row is skipped though it holds values of the athlete. */
  readonly countsSkipped?: readonly string[];
  /** Whether a list of days gives workouts the resting heart rate and the weight of their day. */
  readonly listsDays?: boolean;
}

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
  if (reader.countsSkipped?.includes(skip) !== true) return {};
  const mapped = mapRow(fields, set, reader, () => {});
  if ("rule" in mapped) return {};
  const { date } = mapped.workout.start;
  const left = leftOfRow(mapped.workout, reader.listsDays === true && date !== undefined && workoutDays.has(date));
  return left.length === 0 ? {} : { left };
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
