/** Several workouts in one row: repeated groups of columns, or a week with a column for each day. */
import { addDays, type LocalDate, weekdayOf } from "../../../../transforms/calendar.ts";
import type { Issue } from "../../../../transforms/model/issue.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import { weekdaysNamed } from "../../../formats/weekday-names.ts";
import { saysRest } from "../cells/rest-words.ts";
import { namesOf } from "../columns/columns.ts";
import { alreadyThere, noColumn } from "../mapping/header-problem.ts";
import { SHARED_VALUE } from "../mapping/rule-names.ts";
import { eachRow, type FilledRow, indexesOf, type Shape } from "./shape.ts";

/** For each new column: the columns of the workouts of a row, in their order. Null for a workout that lacks it. */
export type RowGroups = Readonly<Record<string, readonly (string | null)[]>>;

/** For each new column: the text that it has in the rows of each workout. Null for a workout without one. */
export type GroupTexts = Readonly<Record<string, readonly (string | null)[]>>;

/** What is known of the cells of new columns. */
export interface GroupCells {
  readonly texts: GroupTexts;
  readonly isNothing: IsNothing;
  /** The columns with one value for all workouts of a row. Only a row with a single workout keeps it. */
  readonly shared?: readonly string[];
}

/** A way to read and write the days of a column. */
export interface DayColumn {
  /** The names that the column may have. */
  readonly names: readonly string[];
  readonly read: (text: string) => LocalDate | undefined;
  readonly write: (date: LocalDate) => string;
}

/** Whether a cell of a new column means "nothing". */
export type IsNothing = (column: string, cell: string) => boolean;

/** Each group of columns becomes a row. The other columns belong to all of them. A group without any value is no workout. */
export function repeated(groups: RowGroups, cells: GroupCells): Shape {
  const words = { where: "layout.repeat", word: "workout", ...cells };
  const { shared = [] } = cells;
  return (header) => {
    const indexOf = indexesOf(header);
    const lacking = shared.filter((name) => indexOf(name) === undefined);
    if (lacking.length > 0) return { errors: lacking.map((name) => noColumn(["layout", "shared"], name, header)) };
    return grouped(header, groups, words, ({ row, cellsOf, filled, moved }) => {
      if (filled.length === 1)
        return filled.map((group) => ({ ...row, fields: [...row.kept, ...cellsOf(group)], group }));
      const own = [...row.kept];
      const remarks = shared.flatMap((name) => {
        const at = moved(indexOf(name) ?? -1);
        if (at === undefined) return [];
        const cell = own[at] ?? "";
        if (cells.isNothing(name, cell)) return [];
        own[at] = "";
        return [ofAll(name, cell.trim())];
      });
      return filled.map((group, at) => {
        const fields = [...own, ...cellsOf(group)];
        // The row has one such value, so it is reported once.
        return { ...row, fields, group, ...(at === 0 && remarks.length > 0 && withRemarks(row, remarks)) };
      });
    });
  };
}

/** The remark on a value that is of all workouts of its row together. */
function ofAll(field: string, found: string): Issue {
  const expected = "a value of each workout: this one is of all workouts of the row together, so none of them has it";
  return { severity: "warning", rule: SHARED_VALUE, field, found, expected };
}

function withRemarks({ remarks = [] }: FilledRow, more: readonly Issue[]): Pick<FilledRow, "remarks"> {
  return { remarks: [...remarks, ...more] };
}

/** The day of a week that its date is. */
export type WeekDate = "first" | "last";

/** Each day of a week becomes a row. The column of the date holds the first or the last day of the week. */
export function weekly(groups: RowGroups, date: DayColumn & { readonly isOf: WeekDate }, cells: GroupCells): Shape {
  const words = { where: "layout.week", word: "day", ...cells };
  const dayNames = Object.values(groups)[0] ?? [];
  return (header) => {
    const index = date.names.map(indexesOf(header)).find((each) => each !== undefined);
    return grouped(header, groups, words, ({ row, cellsOf, valuesOf, filled, moved }) => {
      const at = index === undefined ? undefined : moved(index);
      const written = index === undefined ? "" : (row.fields[index] ?? "").trim();
      const read = date.read(written);
      const first = read && addDays(read, date.isOf === "last" ? 1 - DAYS_OF_WEEK : 0);
      return filled.map((day) => {
        const fields = [...row.kept, ...cellsOf(day)];
        const own = first && addDays(first, day);
        if (at !== undefined && own !== undefined) fields[at] = date.write(own);
        const isRest = valuesOf(day).every((cell) => cell.trim() === "" || saysRest(cell));
        const cut =
          own && wrongWeekday(own, dayNames[day] ?? "", { field: date.names[0] ?? "", written, isOf: date.isOf });
        // A rule of the mapping may give another reason.
        return { ...row, fields, group: day, ...(isRest && { skipElse: REST_DAY }), ...(cut && !isRest && { cut }) };
      });
    });
  };
}

const DAYS_OF_WEEK = 7;

/** Why a day of a week waits: its column says another weekday than its date has, so all dates of the table may be wrong. Undefined if they agree. */
function wrongWeekday(
  day: LocalDate,
  column: string,
  { field, written, isOf }: { readonly field: string; readonly written: string; readonly isOf: WeekDate },
): Issue | undefined {
  const named = weekdaysNamed(column.trim());
  if (named.size === 0 || named.has(weekdayOf(day))) return undefined;
  const other = isOf === "first" ? "last" : "first";
  return {
    ...{ severity: "error", rule: "csv/wrong-weekday", field, found: written },
    expected: `the ${isOf} day of the week: counted from it, ${JSON.stringify(printable(column, 20))} is ${day}, another weekday. If it is the ${other} day, write weekDate: ${other} below layout in the mapping file`,
  };
}

/** A row with its groups. */
interface GroupedRow {
  readonly row: FilledRow & { readonly kept: readonly string[] };
  /** The cells of one workout, in the order of the new columns. */
  readonly cellsOf: (group: number) => string[];
  /** The same without the texts that the mapping gives. */
  readonly valuesOf: (group: number) => readonly string[];
  /** The workouts that have a value. */
  readonly filled: readonly number[];
  /** The place of a kept column among the kept ones. */
  readonly moved: (index: number) => number | undefined;
}

/** A workout of a row, and its place among those of the row. */
type Grouped = FilledRow & { readonly group?: number };

/** The words for messages: where the mapping says it, and what a group is. */
interface GroupWords extends GroupCells {
  readonly where: string;
  readonly word: string;
}

/** Why a day of a week is skipped whose cells say "off" or "rest". */
const REST_DAY = "rest day";

/** Why a row is skipped whose groups are all empty. A rule may give a better reason, such as a rest day. */
const WITHOUT_WORKOUT = "no workout in this row";

function grouped(
  header: readonly string[],
  groups: RowGroups,
  { where, word, texts, isNothing }: GroupWords,
  split: (row: GroupedRow) => readonly Grouped[],
): ReturnType<Shape> {
  const indexOf = indexesOf(header);
  const lists = Object.entries(groups);
  const missing = lists.flatMap(([name, columns]) =>
    columns
      .filter((column) => column !== null && indexOf(column) === undefined)
      .map((column) => noColumn([...where.split("."), name], column ?? "", header)),
  );
  const errors = [
    ...missing,
    ...Object.keys(texts).flatMap((name) => alreadyThere(["layout", "texts"], name, indexOf)),
  ];
  if (errors.length > 0) return { errors };
  const used = new Set(
    lists.flatMap(([, columns]) => columns.flatMap((column) => (column === null ? [] : (indexOf(column) ?? [])))),
  );
  const kept = [...header.keys()].filter((index) => !used.has(index));
  // `km#3` keeps its name when `km` and `km#2` are gone. A column without a name stays one.
  const names = namesOf(header);
  const nameOf = (index: number) => ((header[index] ?? "").trim() === "" ? "" : (names[index] ?? ""));
  /** `day 3 ("Wed")`: the place of a workout in its row, with its columns. */
  const placeOf = (group: number) => {
    const names = lists
      .flatMap(([, columns]) => columns[group] ?? [])
      .map((name) => JSON.stringify(printable(name, 40)));
    return `${word} ${group + 1} (${names.join(", ")})`;
  };
  const places = lists.map(([, columns]) => columns.map((column) => (column === null ? -1 : (indexOf(column) ?? -1))));
  const count = Math.max(0, ...places.map(({ length }) => length));
  return {
    header: [...kept.map((index) => nameOf(index)), ...lists.map(([name]) => name), ...Object.keys(texts)],
    rows: eachRow((row) => {
      const own = kept.map((index) => row.fields[index] ?? "");
      const extra = row.fields.slice(header.length);
      const valuesOf = (group: number) => places.map((columns) => row.fields[columns[group] ?? -1] ?? "");
      const textsOf = (group: number) => Object.values(texts).map((list) => list[group] ?? "");
      const ofNone = [...own, ...valuesOf(0), ...Object.keys(texts).map(() => ""), ...extra];
      if (row.skip !== undefined) return [{ ...row, fields: ofNone }];
      const filled = [...Array(count).keys()].filter((group) =>
        valuesOf(group).some((cell, index) => !isNothing(lists[index]?.[0] ?? "", cell)),
      );
      if (filled.length === 0) return [{ ...row, fields: ofNone, skipElse: WITHOUT_WORKOUT }];
      const made = split({
        row: { ...row, kept: own },
        cellsOf: (group) => [...valuesOf(group), ...textsOf(group)],
        valuesOf,
        filled,
        moved: (index) => (kept.includes(index) ? kept.indexOf(index) : undefined),
      });
      return made.map(({ fields, group, ...rest }, index) => ({
        ...rest,
        origin:
          group === undefined ? rest.origin : { ...rest.origin, locator: `${rest.origin.locator}, ${placeOf(group)}` },
        fields: [...fields, ...(index === 0 ? extra : [])],
      }));
    }),
  };
}
