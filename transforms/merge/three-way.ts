/**
 * Writes over a record that somebody may have edited since logferry wrote it. It compares three versions field by field: the body that
 * logferry sent then (base), the record now (theirs), and the body that logferry would write (ours).
 */
import { WIRE_NOISE } from "../assumptions.ts";

/** A record to send, and the fields that keep somebody's edits. */
export interface ThreeWay<T> {
  readonly body: T;
  readonly kept: readonly string[];
}

/**
 * Writes ours over theirs. The result is the whole record, because it is unknown whether a PUT merges or replaces. A field that differs
 * from the sent body was edited in the log, and its owner's edit stays. Without a base (the log made the record from a device file) ours
 * wins in every field that it has.
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
 * Whether two JSON values are the same, apart from float noise on numbers (4.1299999 is 4.13). Absent and `undefined` are the same, but an
 * empty object or list is different from both.
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
