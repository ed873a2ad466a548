/**
 * Finds triathlons whose legs another source has, where the sport of a leg is unknown. Such a leg is rejected, so the day and its other legs would all
 * be loaded before anybody heard of it.
 */
import { asIfUtc } from "../../../transforms/calendar.ts";
import type { Clocked, LinkedWorkout } from "../pairs/linked-workout.ts";
import { asTheyAre } from "./clock-offsets.ts";
import { type Split, splitsBetween } from "./split-recordings.ts";

/**
 * Finds them, with the starts as their sources have them.
 *
 * @param known the workouts with a sport
 * @param unknown the workouts without one
 */
export function findUnknownLegs(known: readonly LinkedWorkout[], unknown: readonly LinkedWorkout[]): readonly Split[] {
  const days = new Set(unknown.map(({ facts }) => facts.date));
  const ofDays = known.filter(({ facts }) => days.has(facts.date));
  const wholes = ofDays.filter(({ facts }) => facts.activity === "other");
  const bySource = Map.groupBy([...ofDays, ...unknown], ({ source }) => source);
  return [...Map.groupBy(wholes, ({ source }) => source)].flatMap(([source, some]) =>
    [...bySource].flatMap(([other, parts]) =>
      other === source
        ? []
        : splitsBetween(some.map(asClocked), parts.map(asClocked), () => asTheyAre).filter(
            (split) => split.parts.some(({ facts }) => facts.activity === undefined) && some.includes(split.whole),
          ),
    ),
  );
}

function asClocked(workout: LinkedWorkout, at: number): Clocked {
  return { at, workout, wall: workout.facts.time === undefined ? undefined : asIfUtc(workout.facts) };
}
