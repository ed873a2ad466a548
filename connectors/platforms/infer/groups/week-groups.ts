/** Finds columns that are the days of a week: `Mon, Tue, Wed ...`, or `Mon km, Mon time, Tue km ...`. A row is a week then. */
import { isWeekday, weekdaysNamed } from "../../../formats/weekday-names.ts";
import { saysRest } from "../../table/cells/rest-words.ts";
import type { Choice } from "../choices/choice.ts";
import { isSum, type RepeatedColumns } from "../columns/group-tags.ts";
import { MEASURED } from "../columns/guess-evidence.ts";
import { areDurations, type ColumnSample, columnsOf, fits } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { foldHeader, lengthUnit, type Role } from "../words/header-words.ts";
import { isDateText, isNumber, isSerial } from "../words/values.ts";
import { REST_WORDS } from "../words/words.ts";
import { withFreeNames } from "./free-names.ts";
import { type Regrouped, regrouped } from "./groups.ts";
import { rowSum } from "./row-sums.ts";
import { OF_ONE } from "./shared-values.ts";

/** The days of a week as columns. */
export interface WeekGroups extends Regrouped {
  readonly week: WeekColumns;
}

/** The columns of the days, and the column with the date of the week. */
export interface WeekColumns {
  /** The weekdays of the columns in the order of the table, Monday 0. */
  readonly weekdays: readonly number[];
  readonly columns: RepeatedColumns;
  readonly date: string;
  /** The dates, one a row of the table. */
  readonly cells: readonly string[];
}

/** A header with so many names of weekdays has a column for each day. */
const LEAST_WEEKDAYS = 5;

/** A column of a day: its weekday in words, and what is left of its header. */
interface DayColumn {
  readonly column: ColumnSample;
  readonly word: string;
  readonly base: string;
}

/** Makes a day a row of a table whose rows are weeks; undefined if no columns are the days of a week, or no column has dates. */
export function weekGroups(sample: SheetSample): WeekGroups | undefined {
  const all = columnsOf(sample);
  const found = daysIn(sample, all);
  if (found === undefined) return undefined;
  const { days, groups, largest, weekdays } = found;
  const used = new Set(days.map(({ column }) => column.name));
  const beside = all.filter(({ name, filled }) => !used.has(name) && filled.length > 0);
  const date = beside
    .filter(({ filled }) => filled.filter((cell) => isDateText(cell) || isSerial(cell)).length >= filled.length / 2)
    .toSorted((a, b) => Number(b.meaning.roles.includes("date")) - Number(a.meaning.roles.includes("date")))[0];
  if (date === undefined) return undefined;
  const words = new Map(largest.map(({ word }, at) => [foldHeader(word), at]));
  const sums = sumsBeside(
    beside.filter((column) => column !== date),
    groups,
  );
  const total = beside.find(({ name, meaning }) => sums.has(name) && lengthUnit(meaning.unit) !== undefined);
  const named: RepeatedColumns = new Map(
    groups.map((some) => {
      const names: (string | null)[] = weekdays.map(() => null);
      for (const { word, column } of some) names[words.get(foldHeader(word)) ?? -1] = column.name;
      return [nameOf(some, total && lengthUnit(total.meaning.unit)), names.slice(0, weekdays.length)];
    }),
  );
  const columns = withFreeNames(named, sample.header);
  const rows = sample.rows.map((row) => ({
    ...row,
    fields: row.fields.map((cell, index) => (used.has(all[index]?.name ?? "") && isMark(cell) ? "" : cell)),
  }));
  const names = largest.map(({ word }) => word).join(", ");
  const choice: Choice = {
    ...{ place: "layout.week", value: "a week a row", contradicting: 0, rows: sample.rows.length },
    why: `a column for each day of a week: ${names}${total && named.has(NAMES[lengthUnit(total.meaning.unit) ?? "km"]) ? `. The total beside them is called ${JSON.stringify(total.name)}` : ""}`,
  };
  return {
    sample: regrouped({ ...sample, rows, sums, provenSums: new Map() }, columns, undefined),
    ...{ repeat: columns, sports: undefined, shared: [], zeros: new Set(), choices: [choice] },
    week: { weekdays, columns, date: date.name, cells: date.cells },
  };
}

/** Whether a cell marks a day of rest. A word for it stays, so that a rule of the mapping file names it. */
function isMark(cell: string): boolean {
  return saysRest(cell) && !REST_WORDS.has(foldHeader(cell));
}

/** The weekdays on which a week of a table can begin or end; undefined if its columns are no days of a week. */
export function endsOfWeek(sample: SheetSample): readonly number[] | undefined {
  const weekdays = daysIn(sample, columnsOf(sample))?.weekdays;
  return weekdays && [weekdays[0] ?? 0, weekdays.at(-1) ?? 0];
}

/** The columns of days, by what else their headers say. */
function daysIn(sample: SheetSample, columns: readonly ColumnSample[]) {
  if (!sample.hasHeader) return undefined;
  const all = columns.flatMap((column) => dayColumn(column, sample.above[column.index]));
  // A header alone with a word of a weekday is none: `Tot mi` is no Mittwoch.
  const groups = [...Map.groupBy(all, ({ base }) => foldHeader(base)).values()].filter((some) => some.length > 1);
  const days = groups.flat();
  const largest = groups.toSorted((a, b) => b.length - a.length)[0] ?? [];
  const weekdays = weekdaysOf(largest.map(({ word }) => word));
  return weekdays && { days, groups, largest, weekdays };
}

/** Names of columns that are some days of a week, such as `Tue km, Thu km`; undefined if they are none, or as many as a week mostly has. */
export function fewDays(sample: SheetSample): readonly string[] | undefined {
  if (!sample.hasHeader) return undefined;
  const all = columnsOf(sample).flatMap((column) => dayColumn(column, sample.above[column.index]));
  const days = all.filter(({ word, column }) => word.length > 1 && column.filled.some((cell) => /\d/.test(cell)));
  for (const some of Map.groupBy(days, ({ base }) => foldHeader(base)).values()) {
    const words = new Set(some.map(({ word }) => foldHeader(word)));
    if (words.size > 1 && words.size === some.length && words.size < LEAST_WEEKDAYS)
      return some.map(({ column }) => column.name);
  }
  return undefined;
}

/** A weekday in a header, alone or before or behind other words, or in the row above. */
function dayColumn(column: ColumnSample, above = ""): readonly DayColumn[] {
  const name = column.name.replace(/#\d+$/, "").trim();
  if (isWeekday(above)) return [{ column, word: above, base: name }];
  if (isWeekday(name)) return [{ column, word: name, base: "" }];
  const tokens = name.split(/[\s_()/-]+/).filter((token) => token !== "");
  const [first = "", last = ""] = [tokens[0], tokens.at(-1)];
  const word = [first, last].find((token) => token.length > 1 && isWeekday(token));
  if (word === undefined) return [];
  const base = (word === first ? tokens.slice(1) : tokens.slice(0, -1)).join(" ");
  return [{ column, word, base }];
}

/** The weekdays that words mean as days of one week in their order; undefined if they are none. `so` is Sunday or Saturday. */
function weekdaysOf(words: readonly string[]): readonly number[] | undefined {
  if (words.length < LEAST_WEEKDAYS || words.length > 7) return undefined;
  const named = words.map(weekdaysNamed);
  for (const first of named[0] ?? []) {
    const found = [first];
    for (const days of named.slice(1)) {
      const past = ((found.at(-1) ?? first) - first + 7) % 7;
      const next = [...days].map((day) => (day - first + 7) % 7).filter((step) => step > past);
      if (next.length === 0) break;
      found.push((first + Math.min(...next)) % 7);
    }
    if (found.length === words.length) return found;
  }
  return undefined;
}

/** The columns that are of the whole week: sums by their values or by their headers, and what only a single workout could have. */
function sumsBeside(beside: readonly ColumnSample[], groups: readonly (readonly DayColumn[])[]): SheetSample["sums"] {
  const isSum = (column: ColumnSample) =>
    isTotalOfWeek(column) ||
    groups.some(
      (some) =>
        rowSum(
          column,
          some.map((one) => one.column),
        ) !== undefined,
    );
  return new Map(
    beside.flatMap((column): [string, "sure" | "whole"][] => {
      const has = (role: Role) => column.meaning.roles.includes(role) && fits(role, column);
      // A length beside those of the days is theirs together, perhaps with a slip.
      if (isSum(column) || has("distance")) return [[column.name, "sure"]];
      const isOfWeek = OF_WEEK.some(has);
      return isOfWeek ? [[column.name, "whole"]] : [];
    }),
  );
}

/** What is of the whole week in a week's row, and of none of its days. */
const OF_WEEK: readonly Role[] = [...OF_ONE, "effort", "quality"];

/** Whether a column is a total by its header. `Week of` is a date, and `Week notes` are words. */
function isTotalOfWeek({ name, filled }: ColumnSample): boolean {
  const isMeasure = filled.every((cell) => isNumber(cell)) || filled.every((cell) => /^\d+:\d/.test(cell));
  return (
    isMeasure &&
    isSum(name) &&
    !/^(?:week|wk|woche|semaine|semana|settimana|vecka|uge|tydzien)(?: ?(?:no|nr|number|#))?\.?$/.test(foldHeader(name))
  );
}

/** The name of the new column: what is left of the headers, the unit that the total has, or a name that says nothing. */
function nameOf(some: readonly DayColumn[], unit: keyof typeof NAMES | undefined): string {
  const [first] = some;
  if (first !== undefined && first.base !== "") return first.base;
  const filled = some.flatMap(({ column }) => column.filled.filter((cell) => !saysRest(cell)));
  const all = { ...(first?.column as ColumnSample), filled };
  if (areDurations(all)) return "Duration";
  const isNumbers = filled.filter(isNumber).length >= filled.length * NUMBERS;
  if (!isNumbers) return "Workout";
  return unit === undefined ? MEASURED : NAMES[unit];
}

/** This share of the cells must be numbers. The others are words and slips. */
const NUMBERS = 0.5;

/** The name of the new column by its unit. */
const NAMES = { mi: "Miles", km: "km", m: "Meters", yd: "Yards" } as const;
