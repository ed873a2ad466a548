/** Compares the planned body of a record with its body in the log, field by field. Differences within the log's rounding don't count. */

import { hash } from "node:crypto";
import type { SaveBody } from "../../connectors/sink.ts";
import { WIRE_NOISE } from "../../transforms/assumptions.ts";
import { convert, type Dimension, type Measure, roundingOf, UNITS } from "../../transforms/units.ts";
import type { Difference } from "../journal/run.ts";

/**
 * Finds every field of `expected` that `found` lacks or has with another value. Additional fields of `found` come from the log, and are no
 * differences. Measures may be in another unit, and may differ by half the last written decimal of that unit. Numbers may differ by float
 * noise. A flag that is false equals a missing flag, because a log may keep the one or the other.
 *
 * @param rounded which values of two units were rounded: `found` where the log converted the expected value, `both` where each was converted from a source's
 */
export function compareBodies(
  expected: SaveBody,
  found: SaveBody,
  rounded: "found" | "both" = "found",
): readonly Difference[] {
  const differences: Difference[] = [];
  compare({ expected, found, path: "" }, rounded, differences);
  return differences;
}

/**
 * The differences between two whole records, in both directions. The log's own number for a set of intervals is never somebody's edit, so
 * it doesn't count.
 */
export function differencesBetween(one: SaveBody, other: SaveBody): readonly Difference[] {
  const there = compareBodies(one, other);
  const back = compareBodies(other, one)
    .filter(({ field }) => !there.some((known) => field.startsWith(known.field) || known.field.startsWith(field)))
    .map(({ field, expected, found }) => ({ field, expected: found, found: expected }));
  return [...there, ...back].filter(({ field }) => field !== "intervalSet.id");
}

/** A hash of all values of a body, in any order. The log's own number for a set of intervals doesn't count. */
export function hashOfBody(body: SaveBody): string {
  const text = JSON.stringify(body, (name, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const { id, ...own } = value as Record<string, unknown>;
    const kept = name === "intervalSet" ? own : value;
    return Object.fromEntries(Object.entries(kept).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
  return hash("sha256", text).slice(0, 32);
}

/** Two values of one field. */
interface Compared {
  readonly expected: unknown;
  readonly found: unknown;
  readonly path: string;
}

function compare({ expected, found, path }: Compared, rounded: "found" | "both", differences: Difference[]): void {
  if (expected === undefined || (expected === false && found === undefined)) return;
  const measure = measureOf(expected);
  if (measure !== undefined) {
    if (!isSameMeasure(measure, measureOf(found), rounded)) differences.push({ field: path, expected, found });
    return;
  }
  if (typeof expected === "number" && typeof found === "number") {
    const noise = WIRE_NOISE * Math.max(1, Math.abs(expected), Math.abs(found));
    if (Math.abs(expected - found) > noise) differences.push({ field: path, expected, found });
    return;
  }
  if (typeof expected !== "object" || expected === null) {
    if (expected !== found) differences.push({ field: path, expected, found });
    return;
  }
  if (Array.isArray(expected) && (!Array.isArray(found) || found.length !== expected.length)) {
    differences.push({ field: path, expected, found });
    return;
  }
  const theirs = (typeof found === "object" && found !== null ? found : {}) as Record<string, unknown>;
  for (const [name, value] of Object.entries(expected)) {
    const field = { expected: value, found: theirs[name], path: path === "" ? name : `${path}.${name}` };
    compare(field, rounded, differences);
  }
}

interface AnyMeasure {
  readonly dimension: Dimension;
  readonly unit: string;
  readonly value: number;
}

function measureOf(value: unknown): AnyMeasure | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { unit, value: number } = value as { unit?: unknown; value?: unknown };
  if (typeof unit !== "string" || typeof number !== "number") return undefined;
  for (const dimension of Object.keys(UNITS) as Dimension[]) {
    const units: readonly { unit: string }[] = UNITS[dimension];
    if (units.some((row) => row.unit === unit)) return { dimension, unit, value: number };
  }
  return undefined;
}

function isSameMeasure(expected: AnyMeasure, found: AnyMeasure | undefined, rounded: "found" | "both"): boolean {
  if (found === undefined || found.dimension !== expected.dimension) return false;
  const { dimension } = expected;
  const toTheirs = (value: number) =>
    convert(dimension, { unit: expected.unit, value } as Measure<typeof dimension>, found.unit as never).value;
  const inTheirUnit = toTheirs(expected.value);
  const ourHalf = roundingOf(dimension, expected.unit as never);
  const ours = rounded === "both" ? Math.abs(toTheirs(expected.value + ourHalf) - inTheirUnit) : 0;
  const half = expected.unit === found.unit ? 0 : roundingOf(dimension, found.unit as never) + ours;
  return Math.abs(inTheirUnit - found.value) <= half + WIRE_NOISE * Math.max(1, Math.abs(found.value));
}
