/** What identifies a row without an id, and a row that is rejected. */
import { contentHash } from "../../../../transforms/text/canonical.ts";
import type { Columns } from "../columns/columns.ts";
import type { CellOf } from "../mapping/shown-units.ts";
import { cellsOf } from "./ruled-rows.ts";
import { computed } from "./uncomputed.ts";

/** The key of a rejected row. */
export function rejectedKey({ prefix }: { readonly prefix: string }, content: string): string {
  return `${prefix}:row:${content}`;
}

/**
 * A hash that tells a row without an id from others.
 *
 * @param sameBy the values that make it the same row in a later export; without it, its content does
 */
export function contentHashOf(
  fields: readonly string[],
  { columns, sameBy }: { readonly columns: Columns; readonly sameBy?: (cellOf: CellOf) => string },
): string {
  return sameBy === undefined
    ? contentOf(fields, columns)
    : contentHash([sameBy(cellsOf(fields, columns))]).slice(0, 32);
}

/** A hash that identifies a row: of its cells with a meaning, in any order of the columns. */
function contentOf(fields: readonly string[], { columns, byPlace }: Columns): string {
  if (byPlace) return contentHash(fields.map(computed)).slice(0, 32);
  const cells = columns
    .filter(({ isUnknown }) => isUnknown !== true)
    .filter(({ spec }) => spec.split !== undefined || (spec.field !== "ignore" && spec.part === undefined))
    .filter(({ spec }) => spec.notInKey !== true)
    .map(({ name, index }) => [name, computed((fields[index] ?? "").trim())]);
  return contentHash(Object.fromEntries(cells)).slice(0, 32);
}
