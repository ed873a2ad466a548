/** Finds the columns of a platform's table that hold numbers alone. */

import type { NumberColumns } from "../mapping/decimal-commas.ts";
import type { ColumnSpec } from "../mapping/fields.ts";
import type { Conventions } from "../mapping/mapping.ts";
import type { Columns } from "./columns.ts";

const NUMBERS: ReadonlySet<ColumnSpec["field"]> = new Set([
  ...(["distance", "weight", "temperature", "avgHR", "maxHR", "restHR", "effort", "quality"] as const),
]);

/** Fields whose numbers never reach a thousand. */
const SMALL: ReadonlySet<ColumnSpec["field"]> = new Set(["temperature", "avgHR", "maxHR", "restHR", "weight"]);

const DURATIONS: ReadonlySet<ColumnSpec["field"]> = new Set(["duration", "moving", "elapsed"]);

/** The units of distances that no workout has a thousand of. */
const LONG: ReadonlySet<ColumnSpec["unit"]> = new Set(["km", "mi"]);

/** Formats of a duration that are one number. */
const COUNTS: ReadonlySet<string> = new Set(["minutes", "hours", "seconds", "milliseconds"]);

/** The words for columns whose numbers have a point: those of the table, or as programs write them. */
const OF_PROGRAMS: ReadonlySet<ColumnSpec["decimal"]> = new Set([undefined, ".", "float"]);

/**
 * The columns of numbers; undefined if the platform writes commas itself. The platform's own functions read the cells with
 * points in them.
 */
export function numberColumnsOf({ byPlace, columns }: Columns, { file }: Conventions): NumberColumns | undefined {
  if (file.decimal !== "." && file.decimal !== "float") return undefined;
  const own = columns.filter(({ spec }) => OF_PROGRAMS.has(spec.decimal));
  const namesOf = (test: (spec: ColumnSpec) => boolean) =>
    own.filter(({ spec }) => test(spec)).map(({ index, name }) => (byPlace === true ? index : name));
  return {
    read: namesOf(isNumber),
    small: namesOf((spec) => SMALL.has(spec.field) || isInHours(spec)),
    lengths: namesOf(({ field, unit }) => field === "distance" && LONG.has(unit)),
    beside: namesOf(({ decimal, field }) => field === "ignore" && decimal === undefined),
  };
}

/** No workout lasts a thousand hours. */
function isInHours({ field, format = [] }: ColumnSpec): boolean {
  return DURATIONS.has(field) && format.length > 0 && format.every((each) => each === "hours");
}

function isNumber({ decimal, field, format = [], unit, separator }: ColumnSpec): boolean {
  if (NUMBERS.has(field)) return true;
  if (DURATIONS.has(field)) return format.every((each) => COUNTS.has(each));
  // The cells of such a column are read as a part of another one: a set's weight, in the words of the set.
  if (field === "ignore") return decimal === "float";
  return field === "unsupported" && unit !== undefined && separator === undefined;
}
