/**
 * How a save body is described; `check.ts` checks by it. Every member that isn't described is refused by name
 * (`UNKNOWN_MEMBERS_ARE_REFUSED`); those a get returns
 * for display are described as "anything" and dropped by the model that owns them.
 */
import Type, { type Static, type TObject, type TOptional, type TProperties, type TSchema } from "typebox";
import { FLAG_NAME, MOST_FLAGS, RANGES } from "../gaps.ts";
import { isDate, TIME } from "./calendar.ts";

/** What is said of a day that isn't one. */
export const NOT_A_DAY = "must be a day that exists, as YYYY-MM-DD";

/** A day, `YYYY-MM-DD`. */
export const Day = Type.Refine(
  Type.String({ format: "date", description: "A day, YYYY-MM-DD" }),
  isDate,
  () => NOT_A_DAY,
);

/** A time of day, `HH:MM:SS`. */
export const TimeOfDay = Type.String({ pattern: TIME.source, description: "A time of day, HH:MM:SS" });

/** An object of boolean flags, the names an open set. */
export const Flags = Type.Record(Type.String({ pattern: FLAG_NAME }), Type.Boolean(), {
  additionalProperties: false,
  maxProperties: MOST_FLAGS,
});

/** Beats a minute. */
export const HeartRate = Type.Integer(RANGES.heartRate);

/** A placement, a field size, an age. */
export const Count = Type.Integer(RANGES.count);

/** What a get returns for display and a save ignores, whatever it is. */
export const ForDisplay = Type.Unknown({ description: "Returned for display; ignored in a save" });

/** The same where no list of required members is kept. */
export const Ignored = Type.Optional(ForDisplay);

/** An object of optional members, no others. */
export function group<P extends TProperties>(members: P): TObject<{ [K in keyof P]: TOptional<P[K]> }> {
  return saveBody(members, []) as unknown as TObject<{ [K in keyof P]: TOptional<P[K]> }>;
}

/** The members of a save body: the named ones required, the rest optional, no others. */
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
