/** Finds the columns of a platform's table in a header: by their names, or by their places. */
import { printable } from "../../../../transforms/text/printable.ts";
import { type Columns, fold, namesOf } from "../columns/columns.ts";
import { firstName, isSecond, SecondColumns } from "../columns/second-columns.ts";
import type { ColumnRow, FoundRows, GearColumn, OtherUnit } from "../description.ts";
import type { ColumnSpec } from "../mapping/fields.ts";
import { inOtherUnits, unitWords } from "./other-units.ts";

/** The columns of a header, by the rows of the description. If a header has several spellings, the first one that a row fills counts. */
export function columnsIn(
  { header, places, unplaced = [], otherUnits }: FoundRows,
  rows: readonly ColumnRow[],
): Columns {
  if (places !== undefined) {
    const placed = columnsByPlace(header, places, rows);
    const firstOf = (name: string) => header.findIndex((other) => fold(other) === fold(name));
    return {
      ...placed,
      columns: [...placed.columns, ...counted(unplaced.filter(({ index, name }) => firstOf(name) >= index))],
    };
  }
  const indexes = new Map(header.map((name, index) => [fold(name), index]));
  const indexOf = (name: string) => indexes.get(fold(name));
  const described = new Set(rows.flatMap(([theirs]) => [theirs].flat().map(fold)));
  const columns = rows.flatMap(([theirs, field, { why: _, ...words } = {}]) =>
    [theirs].flat().flatMap((spelling) =>
      [spelling, ...repeatsOf(spelling, field)].flatMap((name) => {
        const index = name === spelling || !described.has(fold(name)) ? indexOf(name) : undefined;
        return index === undefined ? [] : [{ name: header[index] ?? "", index, spec: { field, ...words } }];
      }),
    ),
  );
  const others = (otherUnits as readonly OtherUnit<ColumnRow>[] | undefined) ?? inOtherUnits(header, rows);
  const converted = others.map(({ index, name, row: [, field, how = {}], ...other }) => {
    const { why: _, ...words } = how;
    return { name, index, spec: { field, ...words, ...(field !== "ignore" && unitWords(other)) } as ColumnSpec };
  });
  columns.push(...converted);
  const read = new Set(columns.map(({ index }) => index));
  const unknown = unknownIn(header, rows).filter((name) => !read.has(indexOf(name) ?? -1));
  // A second column of one that is left on purpose is left, too.
  const left = new Set(rows.flatMap(([theirs, field]) => (field === "ignore" ? [theirs].flat().map(fold) : [])));
  const added = unknown.filter((name) => !left.has(fold(firstName(name))));
  return {
    columns: [...columns, ...counted(added.map((name) => ({ index: indexOf(name) ?? -1, name })))],
    indexOf,
    unknown,
    width: header.length,
    ...(columns.some(({ name }) => isSecond(name)) && { seconds: new SecondColumns() }),
  };
}

/** Most columns whose values are counted: a person may have added a few, and a table that isn't the platform's may have thousands. */
const MOST_COUNTED = 100;

/** Columns that nobody here knows. Their values are counted as ones that the log has no field for, under the names of the columns. */
function counted(unknown: readonly { readonly index: number; readonly name: string }[]): Columns["columns"] {
  return unknown.slice(0, MOST_COUNTED).map(({ index, name }) => ({
    index,
    name,
    spec: { field: "unsupported", label: printable(name, 80) },
    isUnknown: true,
  }));
}

/**
 * The names of a second and a third column of one name: where the first is empty, they count, unless rows show that they are something else. A second length may be in another unit, so its name must
 * say the unit.
 */
function repeatsOf(spelling: string, field: ColumnRow[1]): readonly string[] {
  if (field === "ignore" || (field === "distance" && !spelling.endsWith(")"))) return [];
  return [2, 3].map((number) => `${spelling}#${number}`);
}

/** The columns of a header with known places. They keep the header's names, and are found by their first spelling. */
function columnsByPlace(
  header: readonly string[],
  places: (row: number) => number | undefined,
  rows: readonly ColumnRow[],
): Columns {
  const names = namesOf(rows.map(([theirs]) => [theirs].flat()[0] ?? ""));
  const indexes = new Map(names.map((name, row) => [fold(name), places(row)]));
  const columns = rows.flatMap(([, field, { why: _, ...words } = {}], row) => {
    const index = places(row);
    return index === undefined ? [] : [{ name: header[index] ?? "", index, spec: { field, ...words } }];
  });
  return { columns, indexOf: (name) => indexes.get(fold(name)), unknown: [], width: header.length, byPlace: true };
}

/** Names in a header that no row of the description has. */
export function unknownIn(header: readonly string[], rows: readonly (ColumnRow | GearColumn)[]): readonly string[] {
  const known = new Set(rows.flatMap(([theirs]) => [theirs].flat().map(fold)));
  return header.filter((name) => name !== "" && !known.has(fold(name)));
}
