/** Two workouts that are one may name two pieces of equipment. The log has room for one. */
import { equipmentName, isSameEquipment } from "../../../transforms/model/identity.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import { SECOND_EQUIPMENT } from "../../../transforms/steps/keep-one-equipment.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Line } from "../../journal/line.ts";

/** Counts the equipment of the other workout as unsupported if it is another piece than the one that the workout keeps. */
export async function withSecondEquipment(
  workout: Workout,
  other: Workout,
  { run, journal }: { readonly run: number; readonly journal: Journal },
): Promise<Workout> {
  const [kept, second] = [workout.equipment?.[0], other.equipment?.[0]];
  if (kept === undefined || second === undefined || kept === second) return workout;
  const [one, two] = [await journal.lineWithKey(run, kept), await journal.lineWithKey(run, second)];
  if ((one?.duplicateOf ?? kept) === (two?.duplicateOf ?? second) || maybeOnePiece(one, two)) return workout;
  return { ...workout, unsupported: [...(workout.unsupported ?? []), { field: SECOND_EQUIPMENT, value: second }] };
}

/** Whether two lines may turn out to be one piece of equipment, once all lines are there (`mergeSameEquipment`). */
function maybeOnePiece(one: Line | undefined, two: Line | undefined): boolean {
  if (one?.kind !== "equipment" || two?.kind !== "equipment") return false;
  // Both belong to one workout, so any number stands for their activity.
  return equipmentName(one.value, 0) === equipmentName(two.value, 0) && isSameEquipment(one.value, two.value);
}
