import type { UnsupportedValue } from "../model/workout.ts";
import type { Transform } from "./transform.ts";

/** What a second piece of equipment is counted as. */
export const SECOND_EQUIPMENT = "second equipment";

/**
 * Keeps one piece of equipment for a workout, because the log takes no more ("A workout holds at most 1 piece of equipment per save"). It
 * keeps the source's first piece, and counts the others as unsupported.
 */
export const keepOneEquipment: Transform = (item) => {
  if (item.kind !== "workout" || item.value.equipment === undefined || item.value.equipment.length <= 1) return item;
  const [first, ...others] = item.value.equipment;
  if (first === undefined) return item;
  const unsupported: UnsupportedValue[] = others.map((key) => ({ field: SECOND_EQUIPMENT, value: key }));
  return {
    ...item,
    value: { ...item.value, equipment: [first], unsupported: [...(item.value.unsupported ?? []), ...unsupported] },
  };
};
