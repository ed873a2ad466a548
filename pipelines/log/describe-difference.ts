/** Describes the difference between a record and its plan for people, with readable numbers and without technical terms. */
import { measureText, roundTo } from "../../transforms/units.ts";

/** A difference. A run remembers it in this form too, and may leave out a missing side. */
interface Shown {
  readonly field: string;
  readonly expected?: unknown;
  readonly found?: unknown;
}

/** Whether the difference says that the record itself is missing. */
export function isGone({ field, found }: Shown): boolean {
  return field === "id" && found === undefined;
}

/**
 * Both sides of a difference: `6.644 km` and `5 km`, `nothing` for a missing value. Numbers have at most three decimals. They have more if
 * both sides would look the same otherwise.
 */
export function sidesOf({ expected, found }: Shown): {
  readonly expected: string;
  readonly found: string;
} {
  const short = { expected: textOf(expected, shortNumber), found: textOf(found, shortNumber) };
  return short.expected === short.found ? { expected: textOf(expected, String), found: textOf(found, String) } : short;
}

function textOf(value: unknown, number: (value: number) => string): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number") return number(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const { unit, value: amount, ...others } = value as { readonly unit?: unknown; readonly value?: unknown };
  if (typeof unit === "string" && typeof amount === "number" && Object.keys(others).length === 0)
    return number === shortNumber ? measureText({ unit, value: amount }) : `${amount} ${unit}`;
  return JSON.stringify(value, (_, one: unknown) => (typeof one === "number" ? Number(number(one)) : one));
}

function shortNumber(value: number): string {
  return String(roundTo(value, 3));
}
