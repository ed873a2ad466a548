/**
 * Finds columns whose names differ from known ones only by the unit in parentheses: `Distance (miles)` where the platform usually writes
 * `Distance (meters)`. An app writes the units of its owner, and a known column in another unit is no new column.
 */
import { type Dimension, unitSpelt } from "../../../../transforms/units.ts";
import { fold } from "../columns/columns.ts";
import type { AnyColumn, OtherUnit } from "../description.ts";
import { givenForRoads } from "../mapping/shown-units.ts";

const DIMENSIONS: readonly Dimension[] = ["distance", "weight", "temperature"];

/** A name, and the word in the parentheses at its end. */
function partsOf(name: string): readonly [base: string, word: string | undefined] {
  const folded = fold(name);
  const open = folded.lastIndexOf("(");
  if (open < 1 || !folded.endsWith(")")) return [folded, undefined];
  return [folded.slice(0, open).trim(), folded.slice(open + 1, -1)];
}

const baseOf = (name: string) => partsOf(name)[0];

/** The columns of a header in another unit. A column beside the known one of its name is something else. */
export function inOtherUnits<Row extends AnyColumn>(
  header: readonly string[],
  rows: readonly Row[],
): readonly OtherUnit<Row>[] {
  const known = rows.flatMap((row) => [row[0]].flat().map((name) => ({ name: fold(name), row })));
  const names = new Set(known.map(({ name }) => name));
  const present = new Set(header.filter((name) => names.has(fold(name))).map(baseOf));
  return header.flatMap((name, index) => {
    const [base, word] = partsOf(name);
    if (word === undefined || present.has(base)) return [];
    for (const { name: like, row } of known) {
      const dimension = baseOf(like) === base ? dimensionOf(like, row[1]) : undefined;
      if (dimension === undefined) continue;
      const unit = unitSpelt(dimension, word);
      return unit === undefined && dimension !== "distance" ? [] : [{ index, name, row, dimension, unit }];
    }
    return [];
  });
}

/** What a known column measures: by its field, or by its unit if it is read as a part of another column. */
function dimensionOf(name: string, field: string): Dimension | undefined {
  const [, word] = partsOf(name);
  if (field === "ignore")
    return word === undefined ? undefined : DIMENSIONS.find((each) => unitSpelt(each, word) !== undefined);
  return DIMENSIONS.find((each) => each === field);
}

/** The words that read such a column. A distance in a word that logferry doesn't know needs the unit that a person gives. */
export function unitWords({ dimension, unit }: Pick<OtherUnit<unknown>, "dimension" | "unit">) {
  if (unit !== undefined) return { unit };
  return dimension === "distance"
    ? {
        unit: undefined,
        unitBy: (_: unknown, __: unknown, ___: unknown, given: Parameters<typeof givenForRoads>[0]) =>
          givenForRoads(given),
        expected:
          "a unit that logferry knows in the column's name. Say it for all rows: --distance-unit km, or --distance-unit mi",
      }
    : {};
}
