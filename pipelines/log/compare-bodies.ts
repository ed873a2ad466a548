/** Compares the planned body of a record with its body in the log, field by field. Differences within the log's rounding don't count. */

import type { SaveBody } from "../../connectors/sink.ts";
import { WIRE_NOISE } from "../../transforms/assumptions.ts";
import { convert, type Dimension, type Measure, roundingOf, UNITS } from "../../transforms/units.ts";
import type { Difference } from "../journal/run.ts";

/**
 * Finds every field of `expected` that `found` lacks or has with another value. Additional fields of `found` come from the log, and are no
 * differences. Measures may be in another unit, and may differ by half the last written decimal of either unit. Numbers may differ by float
 * noise. A flag that is false equals a missing flag, because a log may keep the one or the other.
 */
export function compareBodies(expected: SaveBody, found: SaveBody): readonly Difference[] {
  const differences: Difference[] = [];
  compare(expected, found, "", differences);
  return differences;
}

function compare(expected: unknown, found: unknown, path: string, differences: Difference[]): void {
  if (expected === undefined || (expected === false && found === undefined)) return;
  const measure = measureOf(expected);
  if (measure !== undefined) {
    if (!isSameMeasure(measure, measureOf(found))) differences.push({ field: path, expected, found });
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
    compare(value, theirs[name], path === "" ? name : `${path}.${name}`, differences);
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

function isSameMeasure(expected: AnyMeasure, found: AnyMeasure | undefined): boolean {
  if (found === undefined || found.dimension !== expected.dimension) return false;
  const { dimension } = expected;
  const inTheirUnit = convert(dimension, expected as Measure<typeof dimension>, found.unit as never).value;
  const half = expected.unit === found.unit ? 0 : roundingOf(dimension, found.unit as never);
  return Math.abs(inTheirUnit - found.value) <= half + WIRE_NOISE * Math.max(1, Math.abs(found.value));
}
