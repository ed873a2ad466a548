/** Statements of SQL with their values in place. A value becomes a parameter, so it is never read as SQL. */
import type { SQLInputValue } from "node:sqlite";

/** A statement, or a part of one: the text with a `?` for each value. */
export class Sql {
  readonly text: string;
  readonly values: readonly SQLInputValue[];

  constructor(text: string, values: readonly SQLInputValue[] = []) {
    this.text = text;
    this.values = values;
  }
}

/** A value to store. Undefined is stored as NULL, true as 1 and false as 0. */
type Value = SQLInputValue | boolean | undefined;

/** Makes a statement: sql`SELECT * FROM line WHERE run = ${run}`. A part that is SQL itself becomes part of the text. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Value | Sql)[]): Sql {
  const all = parts.map((part) => (part instanceof Sql ? part : new Sql("?", [toStored(part)])));
  const text = texts.map((before, index) => `${before}${all[index]?.text ?? ""}`).join("");
  return new Sql(
    text,
    all.flatMap(({ values }) => values),
  );
}

/** The values for `IN (...)`. */
export function listed(values: readonly Value[]): Sql {
  return new Sql(values.map(() => "?").join(", "), values.map(toStored));
}

/** The columns and values for `INSERT INTO table`. */
export function row(columns: Readonly<Record<string, Value>>): Sql {
  const values = listed(Object.values(columns));
  return new Sql(`(${Object.keys(columns).join(", ")}) VALUES (${values.text})`, values.values);
}

/** The columns and values for `UPDATE table SET`. */
export function assigned(columns: Readonly<Record<string, Value>>): Sql {
  const names = Object.keys(columns).map((name) => `${name} = ?`);
  return new Sql(names.join(", "), Object.values(columns).map(toStored));
}

function toStored(value: Value): SQLInputValue {
  return typeof value === "boolean" ? Number(value) : (value ?? null);
}
