/**
 * Writing over a record somebody may have edited since we wrote it: what we sent then (base), what stands there now
 * (theirs), and what we would write (ours), field by field.
 */
import { WIRE_NOISE } from "../assumptions.ts";

/** A record to send, and the fields that stay as somebody edited them. */
export interface ThreeWay<T> {
  readonly body: T;
  readonly kept: readonly string[];
}

/**
 * Ours over theirs: the whole record, since nobody knows whether a PUT merges or replaces. A field that no longer is what we
 * sent was edited in the log, and its owner's edit stays. Without a base (the log made the record from a device file)
 * ours wins everywhere it has a value.
 */
export function mergeThreeWay<T extends object>(base: Partial<T> | undefined, theirs: T, ours: T): ThreeWay<T> {
  const body = { ...theirs } as Record<string, unknown>;
  const kept: string[] = [];
  for (const [field, value] of Object.entries(ours)) {
    const before = (base as Record<string, unknown> | undefined)?.[field];
    const now = (theirs as Record<string, unknown>)[field];
    const isEdited = base !== undefined && !sameValue(before, now) && !sameValue(now, value);
    if (isEdited) kept.push(field);
    else body[field] = value;
  }
  return { body: body as T, kept };
}

/**
 * Whether two JSON values are the same but for float noise on numbers (4.1299999 is 4.13). Absent and `undefined` are the
 * same; an empty object or list is not.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") {
    return Math.abs(a - b) <= WIRE_NOISE * Math.max(1, Math.abs(a), Math.abs(b));
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) {
    if (!sameValue((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name])) return false;
  }
  return true;
}
