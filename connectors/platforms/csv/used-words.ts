/**
 * Watches which rules, patterns, values, scales and layouts of a mapping ever do something in its table. One that never does is a slip of the pen, or the table has
 * changed. It costs no row, so nothing else would say it.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { WatchedWords } from "../../../transforms/text/watched-words.ts";
import type { SheetRow } from "../table/cells/sheet-row.ts";
import type { Columns } from "../table/columns/columns.ts";
import type { Words } from "../table/lists/things.ts";
import type { Mapping } from "../table/mapping/mapping.ts";
import type { MatchRule } from "../table/rows/rules.ts";
import type { LineOfKey } from "./mapping.ts";

/** The rule of the issue that names such a word. */
export const UNUSED = "csv/unused-word";

/** Where a word stands in the mapping file. */
type Path = readonly string[];

/** The words of one mapping that should do something, over all sheets that it reads. */
export class UsedWords {
  readonly #rules: ReadonlyMap<unknown, number>;
  /** The words that did nothing yet. */
  readonly #unused: Map<string, Path>;
  /** The column that titles make; undefined without one. */
  readonly #titled: string | undefined;
  #hasRows = false;

  constructor({ rows, columns, layout, values }: Mapping) {
    this.#titled = layout.sports;
    this.#rules = new Map(rows.map((rule, index) => [rule, index]));
    const layouts = (["totals", "sections", "sports"] as const).filter((word) => layout[word] !== undefined);
    this.#unused = new Map([
      ...rows.map((_, index) => [ruleKey(index), ["rows", String(index)]] as const),
      ...Object.entries(columns).flatMap(([name, { split = [] }]) =>
        split.map((_, index) => [splitKey(name, index), splitPath(name, index, split.length)] as const),
      ),
      ...Object.entries(columns)
        .filter(([, { scale }]) => scale !== undefined)
        .map(([name]) => [scaleKey(name), ["columns", name, "scale"]] as const),
      // A list may say more words than a table has: a preset lists all of its program.
      ...Object.entries(values)
        .filter(([, words]) => Object.keys(words).length > 0)
        .map(([field]) => [valueKey(field), ["values", field]] as const),
      ...layouts.map((word) => [word, ["layout", word]] as const),
    ]);
  }

  /** Watches the lists of values. */
  watchValues(words: Words): Words {
    const watched = <T>(field: keyof Words, map: ReadonlyMap<string, T>) =>
      new WatchedWords(map, () => this.#unused.delete(valueKey(field)));
    return {
      activity: watched("activity", words.activity),
      type: watched("type", words.type),
      conditions: watched("conditions", words.conditions),
      course: watched("course", words.course),
      equipment: watched("equipment", words.equipment),
    };
  }

  /** Watches the rules for rows. */
  watchRules(match: MatchRule): MatchRule {
    return (cellOf) => {
      const found = match(cellOf);
      const index = this.#rules.get(found);
      if (index !== undefined) this.#unused.delete(ruleKey(index));
      return found;
    };
  }

  /** Watches rows for what the layout found out of them, and for values in columns with a scale. */
  async *watchRows(rows: AsyncIterable<SheetRow>, { columns, indexOf }: Columns): AsyncGenerator<SheetRow> {
    const titled = this.#titled === undefined ? undefined : indexOf(this.#titled);
    const scaled = columns.filter(({ spec }) => spec.scale !== undefined);
    for await (const row of rows) {
      this.#hasRows = true;
      if ("fields" in row)
        for (const { index, name } of scaled)
          if ((row.fields[index] ?? "").trim() !== "") this.#unused.delete(scaleKey(name));
      if ("fields" in row && titled !== undefined && row.fields[titled] !== "") this.#unused.delete("sports");
      if ("fields" in row && row.skip !== undefined) this.#unused.delete("totals");
      if ("fields" in row && Object.values(row.section ?? {}).some((said) => said !== undefined))
        this.#unused.delete("sections");
      yield row;
    }
  }

  /** Notes that a pattern took a cell apart. */
  readonly splitUsed = (column: string, index: number): void => {
    this.#unused.delete(splitKey(column, index));
  };

  /** Forgets the patterns and the scale of a column that this table need not have. */
  lacks(column: string): void {
    for (const key of this.#unused.keys())
      if (key.startsWith(`split ${column}\n`) || key === scaleKey(column)) this.#unused.delete(key);
  }

  /** The remark that names the words that did nothing; none for a table without rows, which shows nothing. */
  issue(lineOf: LineOfKey, mappingPath: string): Issue | undefined {
    if (!this.#hasRows || this.#unused.size === 0) return undefined;
    const paths = [...this.#unused.values()];
    const names = paths.map((path) => `${printable(path.join("."), 80)} (line ${lineOf(path)})`);
    const found = `${names.join(BETWEEN)} ${paths.length === 1 ? "fits" : "fit"} nothing in the table`;
    const expected = `rules, patterns and values that fit something: mend or remove ${paths.length === 1 ? "it" : "them"} in ${printable(mappingPath, 80)}`;
    return { severity: "warning", rule: UNUSED, found, expected };
  }
}

/** The names in such a remark. */
export function namesInRemark(found: string): readonly string[] {
  return found.replace(/ fits? nothing in the table$/, "").split(BETWEEN);
}

const BETWEEN = "; ";

const ruleKey = (index: number) => `rule ${index}`;
const scaleKey = (name: string) => `scale ${name}`;
const valueKey = (field: string) => `values ${field}`;
const splitKey = (column: string, index: number) => `split ${column}\n${index}`;

/** `columns.Workout.split`, or `columns.Workout.split.1` for one of several patterns. */
function splitPath(column: string, index: number, count: number): Path {
  return ["columns", column, "split", ...(count > 1 ? [String(index)] : [])];
}
