/**
 * Describes save bodies. `check.ts` checks by the description. Every member without a description is refused by name
 * (`UNKNOWN_MEMBERS_ARE_REFUSED`). Members that a get returns for display are described as "anything". The model that owns them drops
 * them.
 */
import Type, { type Static, type TObject, type TOptional, type TProperties, type TSchema } from "typebox";
import { FLAG_NAME, MOST_FLAGS, RANGES } from "../gaps.ts";
import { isDate, TIME } from "./calendar.ts";

/** The message for text that isn't a day. */
export const NOT_A_DAY = "must be a day that exists, as YYYY-MM-DD";

/** A day, `YYYY-MM-DD`. */
export const Day = Type.Refine(
  Type.String({ format: "date", description: "A day, YYYY-MM-DD" }),
  isDate,
  () => NOT_A_DAY,
);

/** A time of day, `HH:MM:SS`. */
export const TimeOfDay = Type.String({ pattern: TIME.source, description: "A time of day, HH:MM:SS" });

/** An object of boolean flags with any names. */
export const Flags = Type.Record(Type.String({ pattern: FLAG_NAME }), Type.Boolean(), {
  additionalProperties: false,
  maxProperties: MOST_FLAGS,
});

/** Beats a minute. */
export const HeartRate = Type.Integer(RANGES.heartRate);

/** A placement, a field size, an age. */
export const Count = Type.Integer(RANGES.count);

/** A member that a get returns for display. A save ignores its value. */
export const ForDisplay = Type.Unknown({ description: "Returned for display; ignored in a save" });

/** The same as an optional member, for objects without a list of required members. */
export const Ignored = Type.Optional(ForDisplay);

/** An object of optional members, without any others. */
export function group<P extends TProperties>(members: P): TObject<{ [K in keyof P]: TOptional<P[K]> }> {
  return saveBody(members, []) as unknown as TObject<{ [K in keyof P]: TOptional<P[K]> }>;
}

/** The members of a save body: the named ones required, the rest optional, without any others. */
export function saveBody<P extends TProperties, R extends keyof P & string>(
  members: P,
  required: readonly R[],
): TObject<{ [K in keyof P]: K extends R ? P[K] : TOptional<P[K]> }> {
  const needed: readonly string[] = required;
  const properties = Object.entries(members).map(([name, schema]) => [
    name,
    needed.includes(name) ? schema : Type.Optional(schema),
  ]);
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false }) as never;
}

/** The type a schema describes. */
export type Body<S extends TSchema> = Static<S>;
