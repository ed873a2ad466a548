/** Statements of SQL with their values in place. A value becomes a parameter, so it is never read as SQL. */

/**
 * A value of a statement or a row: text, a number, bytes or nothing. Any string comes back unchanged, even with NUL and half a surrogate
 * pair, and so does any finite number. Text compares by code point. True is 1, as in SQLite.
 */
export type Value = string | number | Uint8Array | null;

/** A statement, or a part of one: the text with a `?` for each value. */
export class Sql {
  readonly text: string;
  readonly values: readonly Value[];
  /** See `kept`. */
  readonly isKept: boolean;

  constructor(text: string, values: readonly Value[] = [], isKept = false) {
    this.text = text;
    this.values = values;
    this.isKept = isKept;
  }
}

/** A value to store. Undefined is stored as NULL, true as 1 and false as 0. */
type Given = Value | boolean | undefined;

/** Makes a statement: sql`SELECT * FROM users WHERE id = ${id}`. A part that is SQL itself becomes part of the text. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Given | Sql)[]): Sql {
  const all = parts.map((part) => (part instanceof Sql ? part : new Sql("?", [toValue(part)])));
  const text = texts.map((before, index) => `${before}${all[index]?.text ?? ""}`).join("");
  return new Sql(
    text,
    all.flatMap(({ values }) => values),
  );
}

/** Marks a read that a database may keep ready, because one plan is good for all its values. Its text must be one of a few. */
export function kept({ text, values }: Sql): Sql {
  return new Sql(text, values, true);
}

/** A part of a statement without values: columns, or a condition. It must be text of ours. */
export const part = (text: string): Sql => new Sql(text);

/** The text and the values of a statement, which may also be given apart. */
export function statementOf(given: string | Sql, values: readonly Value[]): Pick<Sql, "text" | "values"> {
  return typeof given === "string" ? { text: given, values } : given;
}

/** The columns and values for `INSERT INTO table`. */
export function row(columns: Readonly<Record<string, Given>>): Sql {
  const [names, values] = [Object.keys(columns), Object.values(columns)];
  return new Sql(`(${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`, values.map(toValue));
}

/** The columns and values for `UPDATE table SET`. */
export function assigned(columns: Readonly<Record<string, Given>>): Sql {
  const names = Object.keys(columns).map((name) => `${name} = ?`);
  return new Sql(names.join(", "), Object.values(columns).map(toValue));
}

function toValue(value: Given): Value {
  return typeof value === "boolean" ? Number(value) : (value ?? null);
}
