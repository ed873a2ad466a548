/** Describes the difference between a record and its plan for people, with readable numbers and without technical terms. */
import { grouped } from "../../transforms/text/grouped.ts";
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
 * Goes behind `every field as planned`: the records that a check found otherwise and that count as good.
 *
 * @param edited records that somebody edited in the log, and that the run left so
 * @param putBack records that an undo put back as they were before the run
 * @returns `, but for 3 that somebody edited in the log, and for 20 that logferry undo put back`; empty without any
 */
export function otherwiseThanPlanned(edited: number, putBack: number): string {
  const both = [
    ...(edited === 0 ? [] : [`for ${grouped(edited)} that somebody edited in the log`]),
    ...(putBack === 0 ? [] : [`for ${grouped(putBack)} that logferry undo put back`]),
  ];
  return both.length === 0 ? "" : `, but ${both.join(", and ")}`;
}

/** Entries of a list that are named, such as laps. */
const MOST_NAMED = 3;

/**
 * Both sides of a difference: `6.644 km` and `5 km`, `nothing` for a missing value. Numbers have at most three decimals. They have more if
 * both sides would look the same otherwise. Of two lists, each side has its number and the entries that the other one lacks: `8 intervals, with duration
 * 300, distance 1 km` and `7 intervals`.
 */
export function sidesOf({ field, expected, found }: Shown): {
  readonly expected: string;
  readonly found: string;
} {
  if (Array.isArray(expected) && Array.isArray(found))
    return { expected: listText(field, expected, found), found: listText(field, found, expected) };
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
  if (Array.isArray(value)) return value.map((one) => textOf(one, number)).join("; ");
  const members = Object.entries(value);
  if (members.length === 0) return "nothing";
  return members
    .map(([name, one]) => `${inWords(name)} ${typeof one === "string" ? one : textOf(one, number)}`)
    .join(", ");
}

/** A list beside the other side's. */
function listText(field: string, list: readonly unknown[], other: readonly unknown[]): string {
  const theirs = other.map((one) => textOf(one, String));
  const own: string[] = [];
  for (const one of list) {
    const at = theirs.indexOf(textOf(one, String));
    // Two equal laps are two.
    if (at >= 0) theirs.splice(at, 1);
    else own.push(textOf(one, shortNumber));
  }
  const named = own.slice(0, MOST_NAMED).join("; ");
  const rest = own.length > MOST_NAMED ? ` and ${own.length - MOST_NAMED} more` : "";
  const noun = inWords(field.split(".").at(-1) ?? "");
  const count = list.length === 1 && noun.endsWith("s") ? `1 ${noun.slice(0, -1)}` : `${list.length} ${noun}`;
  return own.length === 0 ? count : `${count}, with ${named}${rest}`;
}

/** `fieldPlacement` is `field placement`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function shortNumber(value: number): string {
  return String(roundTo(value, 3));
}
