/** Finds the column with the unit of each row's distance: `km` in some rows and `mi` in others. */

import type { AssignedColumn } from "../columns/roles.ts";
import { foldHeader, lengthUnit } from "../words/header-words.ts";

/** This share of the cells must be units. The others are slips. */
const SHARE = 0.9;

/** Fewer cells show nothing. */
const LEAST_CELLS = 2;

/** The columns, where one says the unit of the distance beside it in each row. A unit in the header of the distance counts more. */
export function withUnitColumn(columns: readonly AssignedColumn[]): readonly AssignedColumn[] {
  const distance = columns.find(({ role }) => role === "distance");
  if (distance === undefined || lengthUnit(distance.meaning.unit) !== undefined) return columns;
  const units = columns.find((column) => column !== distance && column.left === undefined && areUnits(column));
  if (units === undefined) return withPools(columns, distance);
  return columns.map((column) => {
    if (column === distance) return { ...column, unitColumn: units.name };
    if (column !== units) return column;
    const left = `the unit of ${JSON.stringify(distance.name)}`;
    return { ...column, role: undefined, isGuess: false, left };
  });
}

/** Headers of the pool that somebody swam in. */
const POOL =
  /^(?:pool|pool (?:length|size)|becken|beckenlange|bahnlange|bassin|piscina|longueur du bassin|vasca|zwembad|badlengte|bassang|basen)$/;

/** `25 yd` and `50 m`: swims in such a pool are measured in its unit. */
const POOL_LENGTH = /^\d{2,3}(?:[.,]\d{1,2})?\s*(?=\p{L})/u;

/** The columns, where the length of the pool says the unit of the swim beside it. The pool itself is counted as left, as without it. */
function withPools(columns: readonly AssignedColumn[], distance: AssignedColumn): readonly AssignedColumn[] {
  const pool = columns.find(
    ({ name, filled }) =>
      POOL.test(foldHeader(name)) &&
      filled.length >= LEAST_CELLS &&
      filled.filter(isPoolLength).length >= filled.length * SHARE,
  );
  if (pool === undefined) return columns;
  return columns.map((column) => {
    if (column === distance) return { ...column, unitColumn: pool.name };
    return column === pool ? { ...column, role: undefined, isGuess: false } : column;
  });
}

function isPoolLength(cell: string): boolean {
  return POOL_LENGTH.test(cell) && lengthUnit(cell.toLowerCase().replace(POOL_LENGTH, "")) !== undefined;
}

function areUnits({ filled }: AssignedColumn): boolean {
  const units = filled.filter((cell) => lengthUnit(cell.toLowerCase()) !== undefined);
  return filled.length >= LEAST_CELLS && units.length >= filled.length * SHARE;
}
