/** A user's units and offset. */
import Type from "typebox";
import { REQUIRED, UNITS, UTC_OFFSET_HOURS } from "../gaps.ts";
import { checkOf } from "./check.ts";
import { type Body, saveBody } from "./save-body.ts";

/** The Preference of the document, the same in a save and a get. `utcOffset` is in hours, and may have a fraction. */
export const Preference = saveBody(
  {
    utcOffset: Type.Number(UTC_OFFSET_HOURS),
    distanceUnit: Type.Enum([...UNITS.distance]),
    weightUnit: Type.Enum([...UNITS.weight]),
    temperatureUnit: Type.Enum([...UNITS.temperature]),
  },
  REQUIRED.preference,
);
export type Preference = Body<typeof Preference>;

/** Checks a save body. */
export const checkPreference = checkOf(Preference);
