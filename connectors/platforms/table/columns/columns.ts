/** Matches a header with a mapping: the meaning of each column, or the columns that are missing. */
import type { UnitColumns } from "../../../../transforms/plausibility/columns.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import { namesInBraces } from "../mapping/braces.ts";
import type { ColumnSpec } from "../mapping/fields.ts";
import { fold } from "../mapping/fold.ts";
import { type HeaderProblem, noColumn } from "../mapping/header-problem.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { SecondColumns } from "./second-columns.ts";

export { fold } from "../mapping/fold.ts";

/** A column of the table that its description names. */
export interface Column {
  readonly index: number;
  /** The name in the description: `Miles`, `Miles#2`. */
  readonly name: string;
  readonly spec: ColumnSpec;
  /** A column that the description doesn't name. Its values are counted, and don't say which row is which: a person may add it later. */
  readonly isUnknown?: true;
}

/** The columns of one table. */
export interface Columns {
  readonly columns: readonly Column[];
  /** The index of a column by its name, even if the mapping gives it no field. */
  indexOf(name: string): number | undefined;
  /** Columns that the mapping doesn't name. */
  readonly unknown: readonly string[];
  readonly width: number;
  /**
   * Columns are found by place. So a row with another number of cells can't be read, and a row is identified by its cells, under any column
   * names.
   */
  readonly byPlace?: true;
  /** Some columns have one name, and give one field: what the rows show of them. */
  readonly seconds?: SecondColumns;
}

/**
 * Finds the columns of a mapping in a header. Case and surrounding blanks don't count. The second column of a name is `name#2`.
 *
 * @returns the columns; or, as `errors`, every name that the header lacks
 */
export function findColumns(
  header: readonly string[],
  mapping: Mapping,
): Columns | { errors: readonly HeaderProblem[] } {
  const names = namesOf(header);
  const indexes = new Map(names.map((name, index) => [fold(name), index]));
  const indexOf = (name: string) => indexes.get(fold(name));
  const named = Object.entries(mapping.columns).map(([name, spec]) => ({
    name,
    spec,
    found: spellingsIn(name, spec, indexOf, names),
  }));
  const wanted = [
    ...named.flatMap(({ name, spec: { optional }, found }) =>
      (found.length > 0 || optional || mapping.missingColumns === "ignore" ? found : [name]).map((each) => ({
        name: each,
        path: ["columns", each],
        where: "columns",
      })),
    ),
    // The unit of a column that the table need not have is not missed either.
    ...named.flatMap(({ name, spec: { unitColumn, optional }, found }) =>
      unitColumn === undefined || (found.length === 0 && (optional || mapping.missingColumns === "ignore"))
        ? []
        : [{ name: unitColumn, path: ["columns", name, "unitColumn"], where: `columns.${name}.unitColumn` }],
    ),
    ...mapping.rows.flatMap(({ when }, index) =>
      when.map(({ column }, at) => {
        const path = ["rows", String(index), "when", ...(at > 0 ? ["and", String(at - 1)] : []), "column"];
        return { name: column, path, where: path.join(".") };
      }),
    ),
  ];
  const missing = wanted.filter(({ name }) => indexOf(name) === undefined);
  if (missing.length > 0)
    return {
      errors: missing.map(({ name, path, where }) => ({ path, message: noColumn([where], name, names).message })),
    };
  const inJoins = Object.values(mapping.join).flatMap(namesInBraces);
  const used = new Set([...wanted.map(({ name }) => indexOf(name)), ...inJoins.map(indexOf)]);
  return {
    columns: named.flatMap(({ spec, found }) => found.map((name) => ({ name, spec, index: indexOf(name) ?? -1 }))),
    indexOf,
    // A delimiter at the end of the lines makes a column without a name.
    unknown: names.filter((_, index) => !used.has(index) && (header[index] ?? "").trim() !== ""),
    width: header.length,
  };
}

/** The names of a column that a header has. */
function spellingsIn(
  name: string,
  { also = [] }: ColumnSpec,
  indexOf: Columns["indexOf"],
  names: readonly string[],
): readonly string[] {
  const found = [name, ...also].flatMap((spelling) =>
    indexOf(spelling) === undefined ? numbered(spelling, names) : [spelling],
  );
  return found.filter((spelling, at) => found.findIndex((other) => fold(other) === fold(spelling)) === at);
}

/** The columns that a name with a star stands for, in the order of their numbers: `Split *` is Split 1, Split 2 and so on. */
function numbered(name: string, names: readonly string[]): readonly string[] {
  const [before, after, ...more] = fold(name).split("*");
  if (before === undefined || after === undefined || more.length > 0) return [];
  const numberIn = (header: string) => {
    const text = fold(header);
    const number = text.slice(before.length, text.length - after.length);
    return text.startsWith(before) && text.endsWith(after) && /^\d{1,4}$/.test(number) ? Number(number) : undefined;
  };
  return names
    .map((header) => ({ header, number: numberIn(header) }))
    .filter(({ number }) => number !== undefined)
    .sort((a, b) => (a.number ?? 0) - (b.number ?? 0))
    .map(({ header }) => header);
}

/**
 * The columns with units from the description, and the word to change in the description.
 *
 * @param path of the mapping file, for people; undefined for a platform's own table, which people don't change
 */
export function unitColumnsOf({ columns }: Columns, path: string | undefined): UnitColumns {
  const refOf = (field: "distance" | "duration", word: "unit" | "format"): UnitColumns => {
    const column = columns.find(({ spec }) => spec.field === field);
    const said = word === "unit" ? [column?.spec.unit] : (column?.spec.format ?? []);
    const [readAs] = said;
    if (column === undefined || readAs === undefined || said.length > 1) return {};
    const name = printable(column.name, 40);
    const change = path === undefined ? undefined : `${word} of columns.${name} in ${printable(path, 80)}`;
    return { [field]: { name, readAs, ...(change !== undefined && { change }) } };
  };
  const others = columns.map(({ spec }) => SYSTEMS[spec.unit ?? ""]).filter((each) => each !== undefined);
  const [system] = others;
  return {
    ...refOf("distance", "unit"),
    ...refOf("duration", "format"),
    ...(system !== undefined && others.every((each) => each === system) && { system }),
  };
}

/** The system of the person who wrote the table, by its units of weight and temperature. */
const SYSTEMS: Readonly<Record<string, "metric" | "imperial">> = {
  kg: "metric",
  C: "metric",
  lb: "imperial",
  F: "imperial",
};

/** A header as wide as the row directly above it: in two rows of headers, the upper one alone may name the last columns. */
export function asWideAs(header: readonly string[], above: readonly string[] | undefined): readonly string[] {
  const width = (above ?? []).findLastIndex((cell) => cell.trim() !== "") + 1;
  return width <= header.length ? header : [...header, ...Array<string>(width - header.length).fill("")];
}

/** Turns header cells into names. Repeated names get a number. */
export function namesOf(header: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return header.map((cell) => {
    const name = cell.trim();
    const count = (counts.get(fold(name)) ?? 0) + 1;
    counts.set(fold(name), count);
    return count === 1 ? name : `${name}#${count}`;
  });
}
