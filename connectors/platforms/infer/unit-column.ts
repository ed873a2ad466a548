/** Finds the column with the unit of each row's distance: `km` in some rows and `mi` in others. */
import { lengthUnit } from "./header-words.ts";
import type { AssignedColumn } from "./roles.ts";

/** This share of the cells must be units. The others are slips. */
const SHARE = 0.9;

/** Fewer cells show nothing. */
const LEAST_CELLS = 2;

/** The columns, where one says the unit of the distance beside it in each row. A unit in the header of the distance counts more. */
export function withUnitColumn(columns: readonly AssignedColumn[]): readonly AssignedColumn[] {
  const distance = columns.find(({ role }) => role === "distance");
  if (distance === undefined || lengthUnit(distance.meaning.unit) !== undefined) return columns;
  const units = columns.find((column) => column !== distance && column.left === undefined && areUnits(column));
  if (units === undefined) return columns;
  return columns.map((column) => {
    if (column === distance) return { ...column, unitColumn: units.name };
    if (column !== units) return column;
    const left = `the unit of ${JSON.stringify(distance.name)}`;
    return { ...column, role: undefined, isGuess: false, left };
  });
}

function areUnits({ filled }: AssignedColumn): boolean {
  const units = filled.filter((cell) => lengthUnit(cell.toLowerCase()) !== undefined);
  return filled.length >= LEAST_CELLS && units.length >= filled.length * SHARE;
}
