/** Finds the columns of a platform's table that hold numbers alone. */
import type { Columns } from "./columns.ts";
import type { NumberColumns } from "./decimal-commas.ts";
import type { ColumnSpec } from "./fields.ts";
import type { Conventions } from "./mapping.ts";

const NUMBERS: ReadonlySet<ColumnSpec["field"]> = new Set([
  ...(["distance", "weight", "temperature", "avgHR", "maxHR", "restHR", "effort", "quality"] as const),
]);

const DURATIONS: ReadonlySet<ColumnSpec["field"]> = new Set(["duration", "moving", "elapsed"]);

/** Formats of a duration that are one number. */
const COUNTS: ReadonlySet<string> = new Set(["minutes", "hours", "seconds", "milliseconds"]);

/**
 * The columns of numbers; undefined if the platform writes commas itself. A column whose cells the platform's own function reads is left alone: only
 * that function knows how they are written.
 */
export function numberColumnsOf({ columns }: Columns, { file }: Conventions): NumberColumns | undefined {
  if (file.decimal !== "." && file.decimal !== "float") return undefined;
  const own = columns.filter(({ spec }) => spec.read === undefined && spec.decimal === undefined);
  const namesOf = (test: (spec: ColumnSpec) => boolean) => own.filter(({ spec }) => test(spec)).map(({ name }) => name);
  return { read: namesOf(isNumber), beside: namesOf(({ field }) => field === "ignore") };
}

function isNumber({ field, format = [], unit, separator }: ColumnSpec): boolean {
  if (NUMBERS.has(field)) return true;
  if (DURATIONS.has(field)) return format.every((each) => COUNTS.has(each));
  return field === "unsupported" && unit !== undefined && separator === undefined;
}
