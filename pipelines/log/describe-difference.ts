/** What differs between a record and what was planned of it, for people: numbers as they are read, and no programmer's words. */
import { measureText, roundTo } from "../../transforms/units.ts";

/** A difference, as a run remembers it too: a side that isn't there may be left out. */
interface Shown {
  readonly field: string;
  readonly expected?: unknown;
  readonly found?: unknown;
}

/** Whether it says that the record isn't there at all. */
export function isGone({ field, found }: Shown): boolean {
  return field === "id" && found === undefined;
}

/**
 * Both sides of a difference: `6.644 km` and `5 km`, `nothing` for a missing value. Numbers have three decimals at most, unless both
 * sides would read the same then.
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
