/** Columns whose values the log has no field for, and that have no better name than the platform's. */
import type { ColumnRow, ColumnWords } from "../description.ts";

/**
 * Counts each of these columns under its own name. A value of 0 means "none". They are no part of the key of a row: a platform works many of these
 * values out anew, and early versions of logferry read none of them.
 *
 * @param names the names of the columns, without `at`
 * @param at the beginning of the path to each of them
 * @param how words for them all
 */
export function leftByName(names: readonly string[], at = "", how: ColumnWords = {}): readonly ColumnRow[] {
  return names.map((name) => [at + name, "unsupported", { label: name, zero: "none", notInKey: true, ...how }]);
}

/** A number of parts, such as segments. A workout without a pause is a single one, which is no news: undefined. */
export function severalOf(text: string): string | undefined {
  return text === "1" ? undefined : text;
}
