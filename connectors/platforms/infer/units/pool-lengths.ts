/** Finds the lengths of a pool that somebody counted, in a table without a distance: `Bahnen (25 m)`. */
import type { Choice } from "../choices/choice.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import { foldHeader } from "../words/header-words.ts";

/** Words for lengths with the length of the pool, folded. */
const COUNTED =
  /^(?:bahnen|bahn|lengths?|laps|longueurs?|largos|piscinas|vasche|banen|langder|baner|dlugosci|baseny)[\s(a/]*(25|33[.,]33|50)\s?(m|meter|metres|metros|metri|yd|yds|yards)\)?$/;

/** The columns, where such a one is the distance. A person's answer stands. */
export function withPoolLengths(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  if (columns.some(({ role, filled, isGuess }) => role === "distance" && isGuess !== true && filled.length > 0))
    return columns;
  const counted = columns.find(
    (column) =>
      COUNTED.test(foldHeader(column.name)) &&
      !isAnswered(fieldPlace(column)) &&
      column.filled.length > 0 &&
      column.filled.every((cell) => /^\d{1,3}$/.test(cell)),
  );
  const [, length = "", unit = ""] = COUNTED.exec(foldHeader(counted?.name ?? "")) ?? [];
  if (counted === undefined) return columns;
  const poolLength = Number(length.replace(",", "."));
  const times = (cell: string) => (cell === "" ? cell : String(Math.round(Number(cell) * poolLength)));
  return columns.map((column): AssignedColumn => {
    if (column !== counted) return column.role === "distance" ? { ...column, role: undefined, isGuess: false } : column;
    return {
      ...{ ...column, role: "distance", isGuess: false, poolLength },
      ...{ cells: column.cells.map(times), filled: column.filled.map(times) },
      meaning: { ...column.meaning, roles: ["distance"], unit: unit.startsWith("y") ? "yd" : "m" },
    };
  });
}

/** The evidence for such a column. */
export function poolChoice({ poolLength, filled, ...column }: AssignedColumn): Choice | undefined {
  if (poolLength === undefined) return undefined;
  const why = `the header says that each length has ${poolLength} of its unit`;
  return { place: fieldPlace(column), value: "distance", why, contradicting: 0, rows: filled.length };
}
