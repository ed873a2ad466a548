/** Reads the workouts of a plan as they are to be linked: by source, with what is known of their clocks, and with those that are one already. */
import { toFacts } from "../../../transforms/duplicates.ts";
import { isAssumed } from "../../../transforms/matching/assumed-starts.ts";
import type { UnlinkedWorkout } from "../../journal/links.ts";
import { isRecording } from "../compare/choose-line.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import type { Groups } from "../compare/groups.ts";
import { type LinkedWorkout, withSteps } from "../pairs/linked-workout.ts";
import { agreedPairs, type KnownClocks, type OnePair } from "./known-clocks.ts";
import { withRowOrder } from "./row-order.ts";

/** The workouts with a known sport. */
export interface ReadWorkouts {
  readonly bySource: Map<number, LinkedWorkout[]>;
  readonly byKey: Map<string, LinkedWorkout>;
  /** Pairs that were one at once, at the same time of day. */
  readonly agreed: readonly OnePair[];
  /**
   * The same where a file beside a row knew the zone of its instant: the row as it is alone, with an assumed local time. They show how far such times of its
   * source are off.
   */
  readonly assumed: readonly OnePair[];
}

/**
 * Reads them. All lines go into the groups, and their starts into the clocks.
 *
 * @param groups empty, and so is what is known of clocks
 */
export async function readWorkouts(
  run: number,
  { journal, sources, isOfLog }: ComparisonContext,
  { groups, clocks }: { readonly groups: Groups; readonly clocks: KnownClocks },
): Promise<ReadWorkouts> {
  const bySource = new Map<number, LinkedWorkout[]>();
  const into = new Map<LinkedWorkout, string>();
  // Equal rows of two sources have one key.
  const kept = new Map<string, LinkedWorkout>();
  const places = new Map<LinkedWorkout, number>();
  for await (const { key, source, seq, origin, value, facts, before } of journal.links.workouts(run)) {
    // A log itself keeps its workouts apart.
    if ((before.state !== "planned" && before.state !== "merged") || isOfLog?.(source) === true) continue;
    const { recorder, start } = value;
    clocks.noteStart(key, start, isRecording({ source, origin, value }, sources));
    groups.add(key, { source, recorder }, before.duplicateOf, facts?.time !== undefined);
    if (facts?.activity === undefined) continue;
    const workout = { key, source, recorder, origin, facts, ...marksOf(value) };
    if (before.duplicateOf === undefined) kept.set(key, workout);
    else into.set(workout, before.duplicateOf);
    places.set(workout, seq);
    const known = bySource.get(source);
    if (known === undefined) bySource.set(source, [workout]);
    else known.push(workout);
  }
  const agreed = agreedPairs(into, kept, clocks);
  const own = await assumedBefore(run, { into, kept, places }, journal);
  // In the order of loading.
  const byKey = new Map([...into.keys(), ...kept.values()].map((workout) => [workout.key, workout]));
  for (const [source, workouts] of bySource) {
    const ordered = clocks.withSureStarts(withSteps(withRowOrder(workouts)));
    bySource.set(source, ordered);
    for (const workout of ordered) byKey.set(workout.key, workout);
  }
  return { bySource, byKey, agreed, assumed: agreedPairs(into, own, clocks) };
}

function marksOf({ start }: UnlinkedWorkout["value"]): Pick<LinkedWorkout, "isTyped" | "isAssumed"> {
  return { ...(start.isTyped && { isTyped: true }), ...(isAssumed(start) && { isAssumed: true }) };
}

/** Workouts as they were before others were merged into them, if their local times were assumed then and aren't now. None where no time is assumed any more. */
async function assumedBefore(
  run: number,
  read: {
    readonly into: ReadonlyMap<LinkedWorkout, string>;
    readonly kept: ReadonlyMap<string, LinkedWorkout>;
    readonly places: ReadonlyMap<LinkedWorkout, number>;
  },
  { links }: ComparisonContext["journal"],
): Promise<ReadonlyMap<string, LinkedWorkout>> {
  const found = new Map<string, LinkedWorkout>();
  const lacking = new Set([...read.kept.values()].flatMap(({ source, isAssumed }) => (isAssumed ? [source] : [])));
  if (lacking.size === 0) return found;
  for (const key of new Set(read.into.values())) {
    const workout = read.kept.get(key);
    const seq = workout && read.places.get(workout);
    if (workout === undefined || seq === undefined || workout.isAssumed || !lacking.has(workout.source)) continue;
    const value = await links.ownValue(run, seq);
    const facts = value && isAssumed(value.start) ? toFacts(value) : undefined;
    if (facts !== undefined) found.set(key, { ...workout, facts, isAssumed: true });
  }
  return found;
}
