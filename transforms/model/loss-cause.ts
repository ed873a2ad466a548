/** Why a value of a source is not put in the log. */
import type { UnsupportedValue } from "./workout.ts";

/** The causes, in the order in which they are told. */
export const LOSS_CAUSES = ["no field", "no workout", "not true", "unknown unit", "unread"] as const;

/** A cause. */
export type LossCause = (typeof LOSS_CAUSES)[number];

/** A cause in words, of one value and of several. */
export const LOSS_WORDS: Readonly<Record<LossCause, { readonly one: string; readonly several: string }>> = {
  "no field": { one: "the log has no field for it", several: "the log has no field for them" },
  "no workout": { one: "its row is left out by a rule", several: "their rows are left out by a rule" },
  "not true": { one: "it can't be true", several: "they can't be true" },
  "unknown unit": { one: "logferry doesn't know its unit", several: "logferry doesn't know their units" },
  unread: { one: "logferry can't read it", several: "logferry can't read them" },
};

/** Fields that the log has. A value of them is left out only where it can't be true, or where it has a unit that nobody knows. */
export const HELD_FIELDS: readonly string[] =
  "avgHR maxHR restHR weight temperature distance duration effort quality intervals".split(" ");

const KNOWN_UNITS = / (?:km|mi|m|yd|kg|lb|C|F|s|a minute)$/;

/** Ends the field of each value of a row that is left out by a rule. */
export const OF_SKIPPED = " of a row left out";

/** Why the log doesn't get a value. */
export function lossCauseOf({ field, value, isUnread }: UnsupportedValue): LossCause {
  if (isUnread) return "unread";
  if (field.endsWith(OF_SKIPPED)) return "no workout";
  if (!HELD_FIELDS.includes(field)) return "no field";
  return /^\S+ [^\d\s]/.test(value) && !KNOWN_UNITS.test(value) ? "unknown unit" : "not true";
}
