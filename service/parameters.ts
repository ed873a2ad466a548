/**
 * Query parameters, read by hand: they are always text, and coercing libraries turn `limit=` into 0. Every refusal names
 * the parameter.
 */
import { quoted, Refusal } from "./refusals.ts";

/** A parsed query: a repeated parameter is an array. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/**
 * A whole number, or the default when the parameter is absent.
 *
 * @throws Refusal `bad-parameter` for anything but digits, or outside the range
 */
export function integerParameter<D extends number | undefined>(
  query: Query,
  name: string,
  range: { readonly minimum: number; readonly maximum: number; readonly default: D },
): number | D {
  const text = query[name];
  if (text === undefined) return range.default;
  const { minimum, maximum } = range;
  const value = typeof text === "string" && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= minimum && value <= maximum)) {
    throw new Refusal("bad-parameter", `${name}: must be a whole number from ${minimum} to ${maximum}`);
  }
  return value;
}

/**
 * `true` or `false`; absent is false.
 *
 * @throws Refusal `bad-parameter` for anything else
 */
export function booleanParameter(query: Query, name: string): boolean {
  const text = query[name];
  if (text !== undefined && text !== "true" && text !== "false") {
    throw new Refusal("bad-parameter", `${name}: must be true or false`);
  }
  return text === "true";
}

/**
 * Holds that no parameter is given twice: which of the two would count is a guess (RFC 6749 section 3.1 forbids it too).
 *
 * @throws Refusal `bad-parameter`
 */
export function refuseRepeated(query: Query): void {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) throw new Refusal("bad-parameter", `${quoted(name)}: given more than once`);
  }
}
