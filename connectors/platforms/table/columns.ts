/** A header and a mapping put together: which column is what, or what doesn't fit. */
import type { UnitColumns } from "../../../transforms/plausibility/columns.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { ColumnSpec } from "./fields.ts";
import type { Mapping } from "./mapping.ts";

/** A column of the table that its description names. */
export interface Column {
  readonly index: number;
  /** As the description calls it: `Miles`, `Miles#2`. */
  readonly name: string;
  readonly spec: ColumnSpec;
}

/** The columns of one table. */
export interface Columns {
  readonly columns: readonly Column[];
  /** The index of a column by its name, whether the mapping gives it a field or not. */
  indexOf(name: string): number | undefined;
  /** Columns the mapping doesn't name. */
  readonly unknown: readonly string[];
  readonly width: number;
  /** They are known by their places: a row of another width can't be read, and a row is known by its cells, whatever its columns are called. */
  readonly byPlace?: true;
}

/**
 * Finds the columns a mapping names in a header. Case and blanks around don't count; the second column of a name is `name#2`.
 *
 * @returns the columns; or, as `errors`, every name the header hasn't got
 */
export function findColumns(header: readonly string[], mapping: Mapping): Columns | { errors: readonly string[] } {
  const names = namesOf(header);
  const indexes = new Map(names.map((name, index) => [fold(name), index]));
  const indexOf = (name: string) => indexes.get(fold(name));
  const wanted = [
    ...Object.entries(mapping.columns).map(([name]) => ({ name, where: "columns" })),
    ...Object.entries(mapping.columns).flatMap(([name, { unitColumn }]) =>
      unitColumn === undefined ? [] : [{ name: unitColumn, where: `columns.${name}.unitColumn` }],
    ),
    ...mapping.rows.map(({ when }, index) => ({ name: when.column, where: `rows.${index}.when.column` })),
  ];
  const missing = wanted.filter(({ name }) => indexOf(name) === undefined);
  if (missing.length > 0)
    return { errors: missing.map(({ name, where }) => `${where}: there is no column ${JSON.stringify(name)}`) };
  const used = new Set(wanted.map(({ name }) => indexOf(name)));
  return {
    columns: Object.entries(mapping.columns).map(([name, spec]) => ({ name, spec, index: indexOf(name) ?? -1 })),
    indexOf,
    // A column without a name is what a delimiter at the end of the lines makes.
    unknown: names.filter((_, index) => !used.has(index) && (header[index] ?? "").trim() !== ""),
    width: header.length,
  };
}

/**
 * The columns whose units the description says, with what to change in it.
 *
 * @param path of the mapping file, for people; undefined for a platform's own table, in which nobody changes anything
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

/** What the units of a weight and a temperature say of who wrote them. */
const SYSTEMS: Readonly<Record<string, "metric" | "imperial">> = {
  kg: "metric",
  C: "metric",
  lb: "imperial",
  F: "imperial",
};

/** Header cells as names: what is there twice gets a number. */
export function namesOf(header: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return header.map((cell) => {
    const name = cell.trim();
    const count = (counts.get(fold(name)) ?? 0) + 1;
    counts.set(fold(name), count);
    return count === 1 ? name : `${name}#${count}`;
  });
}

/** A name, or a word of the values, as it is compared. */
export function fold(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}
