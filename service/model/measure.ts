/** Measures as the service keeps them: the unit and the number exactly as saved. */
import Type, { type Static } from "typebox";
import { ACCUMULATED_DISTANCE_UNIT, BOUNDS, UNITS } from "../gaps.ts";

/** `{unit, value}` of a distance. A negative one is refused. 0 is a distance. */
export const Distance = Type.Object(
  { unit: Type.Enum([...UNITS.distance]), value: Type.Number(BOUNDS.distance) },
  { additionalProperties: false },
);
export type Distance = Static<typeof Distance>;

/** The sum of distances: like a distance, but without a maximum. */
export const AccumulatedDistance = Type.Object(
  { unit: Type.Enum([...UNITS.distance]), value: Type.Number({ minimum: 0 }) },
  { additionalProperties: false },
);

/** `{unit, value}` of a body weight. */
export const Weight = Type.Object(
  { unit: Type.Enum([...UNITS.weight]), value: Type.Number(BOUNDS.weight) },
  { additionalProperties: false },
);

/** `{unit, value}` of a temperature. It may be below zero. */
export const Temperature = Type.Object(
  { unit: Type.Enum([...UNITS.temperature]), value: Type.Number(BOUNDS.temperature) },
  { additionalProperties: false },
);

/** Metres in each unit: the international mile of 1959 is 1,609.344 m. */
const METRES: Record<Distance["unit"], number> = { mi: 1609.344, km: 1000, m: 1 };

/** A sum of metres, as shown: whole millimetres. Smaller digits are noise from adding miles to kilometres. */
export function accumulated(metres: number): Distance {
  return { unit: ACCUMULATED_DISTANCE_UNIT, value: Math.round(metres * 1000) / 1000 };
}

/** A distance in metres, for adding up and sorting. Distances are always shown as saved. */
export function metresOf(distance: Distance): number {
  return distance.value * METRES[distance.unit];
}
