/**
 * Finds columns that are written differently from the mapping, because most of their cells can't be read. If such a table were loaded,
 * every row would silently lack the value. So the rows wait, and logferry tells a person what to change.
 */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Doubt } from "../../../../transforms/model/workout.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import { parseNumber } from "../cells/cells.ts";
import { parseDuration } from "../cells/durations.ts";
import type { Column, Columns } from "../columns/columns.ts";
import { AS_IT_WAS } from "../columns/date-order.ts";
import { type Decimal, DURATION_FORMATS } from "../mapping/fields.ts";
import type { Conventions } from "../mapping/mapping.ts";
import { UNCERTAIN_NUMBER } from "../mapping/rule-names.ts";
import { ROUNDED_ID } from "./rounded-ids.ts";

/** Fewer unreadable cells count as typing mistakes. */
const LEAST_CELLS = 3;

/** Remarks about cells that cost no value. */
const HARMLESS: ReadonlySet<string> = new Set([UNCERTAIN_NUMBER, ROUNDED_ID]);

/** The median workout of a log lasts this many seconds. This distinguishes `mm:ss` from `h:mm`. */
const USUAL_SECONDS = { least: 5 * 60, most: 8 * 3600 } as const;

/** Another way to read a cell. */
interface Way {
  /** The text for the mapping file: `format: mm:ss for columns.Time`. */
  readonly change: string;
  readonly reads: (text: string) => boolean;
  cells: number;
}

interface Tally {
  readonly column: Column;
  readonly ways: readonly Way[];
  cells: number;
  unreadable: number;
  example: Issue | undefined;
}

/** Counts the cells of each column of a table. Memory does not grow with the rows. */
export class UnreadableColumns {
  readonly #tallies: readonly Tally[];
  readonly #nulls: readonly string[];

  constructor({ columns }: Columns, { file }: Conventions) {
    this.#nulls = file.nulls;
    this.#tallies = columns.map((column) => ({
      column,
      ways: waysOf(column, file.decimal),
      cells: 0,
      unreadable: 0,
      example: undefined,
    }));
  }

  /** Counts a row. @param remarks issues about its cells */
  add(fields: readonly string[], remarks: readonly Issue[]): void {
    for (const tally of this.#tallies) {
      if (!isFilled(fields, tally.column, this.#nulls)) continue;
      tally.cells++;
      const bad = remarks.find(({ field, rule }) => field === tally.column.name && !HARMLESS.has(rule));
      if (bad?.found === undefined || !/\d/.test(bad.found)) continue;
      tally.unreadable++;
      tally.example ??= bad;
      for (const way of tally.ways) if (way.reads(bad.found)) way.cells++;
    }
  }

  /**
   * Finds the doubts about a row: the columns with mostly unreadable cells, if the row has a value in them.
   *
   * @param path of the mapping file, for people; undefined for a platform's own table
   */
  doubts(path: string | undefined): (fields: readonly string[]) => readonly Doubt[] {
    const found = this.#tallies
      .filter(({ cells, unreadable }) => unreadable >= LEAST_CELLS && unreadable * 2 >= cells)
      .map((tally) => ({ column: tally.column, doubt: doubtOf(tally, path) }));
    return (fields) => found.filter(({ column }) => isFilled(fields, column, this.#nulls)).map(({ doubt }) => doubt);
  }
}

/** Whether a cell holds a value. It must have a digit. A dash or a word means "none". */
function isFilled(fields: readonly string[], { index }: Column, nulls: readonly string[]): boolean {
  const text = (fields[index] ?? "").trim();
  return /\d/.test(text) && !nulls.includes(text);
}

function doubtOf(tally: Tally, path: string | undefined): Doubt {
  return { issue: issueOf(tally, path), about: aboutOf(tally), isUnread: true };
}

function issueOf({ column, cells, unreadable, example, ways }: Tally, path: string | undefined): Issue {
  const name = printable(column.name, 40);
  const fitting = ways.filter((way) => way.cells * 2 > unreadable).map(({ change }) => change);
  const say = `say ${fitting.length === 0 ? `how columns.${name} is written` : fitting.join(" or ")}`;
  const hasCommas = fitting.includes(decimalMark(","));
  const again = hasCommas ? `${AS_IT_WAS}. Or write each of its numbers with a decimal point` : AS_IT_WAS;
  const change = path === undefined ? again : `${say} in ${printable(path, 80)}, and plan again`;
  return {
    severity: "error",
    rule: path === undefined ? "table/unreadable-column" : "csv/unreadable-column",
    found: `${unreadable} of ${cells} cells of the column ${JSON.stringify(name)} can't be read, such as ${JSON.stringify(printable(example?.found ?? "", 40))}`,
    expected: `${example?.expected ?? "a value"}: ${change}`,
  };
}

function aboutOf({ column: { spec } }: Tally): Doubt["about"] {
  if (spec.field === "distance") return ["distance"];
  return spec.field.startsWith("duration") ? ["duration"] : [];
}

const decimalMark = (mark: "." | ",") => `file.decimal: "${mark}"`;

function waysOf({ name, spec }: Column, decimal: Decimal): Way[] {
  if (spec.split !== undefined) return [];
  const other = decimal === "." ? "," : ".";
  const mark = decimalMark(other);
  const { format = [] } = spec;
  if (spec.field !== "duration")
    return [way(mark, (text) => text.includes(other) && parseNumber(numberOf(text), other) !== undefined)];
  const usual = (text: string, formats: typeof format, as: Decimal) => {
    const seconds = parseDuration(text, formats, as);
    return seconds !== undefined && seconds >= USUAL_SECONDS.least && seconds <= USUAL_SECONDS.most;
  };
  const formats = DURATION_FORMATS.filter((each) => !format.includes(each)).map((each) =>
    way(`format: ${each} for columns.${printable(name, 40)}`, (text) => usual(text, [each], decimal)),
  );
  return [way(mark, (text) => text.includes(other) && usual(text, format, other)), ...formats];
}

function way(change: string, reads: Way["reads"]): Way {
  return { change, reads, cells: 0 };
}

/** The number in a cell that may also have a unit: `12,4 km`. */
function numberOf(text: string): string {
  return /^[-+\d.,]+/.exec(text.trim())?.[0] ?? "";
}
