/** The shapes of a table, by the words of its mapping. */
import type { LocalDate } from "../../../../transforms/calendar.ts";
import { UNCOMPUTED } from "../../../formats/sheets/sheet.ts";
import { parseDate, parseNumber } from "../cells/cells.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { completedDates, parseTitle } from "./complete-dates.ts";
import { type IsNothing, repeated, weekly } from "./row-groups.ts";
import { continued, dittosFromAbove, filledFromAbove, joined } from "./row-joins.ts";
import { type HeaderNames, sectioned } from "./sections.ts";
import type { Shape } from "./shape.ts";
import { titledSports } from "./titled-sports.ts";
import { withoutTotals } from "./totals.ts";

/** The words that give a table its shapes. */
export type LayoutWords = Pick<Mapping, "columns" | "dates" | "join" | "layout"> & {
  readonly values?: Pick<Mapping["values"], "activity">;
  readonly file: Pick<Mapping["file"], "decimal" | "nulls">;
};

/** The columns that are taken apart, with their patterns. */
export function splitsOf({ columns }: Pick<Mapping, "columns">): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, { split }]) => (split === undefined ? [] : [[name, split]])),
  );
}

/** The names by which the headers of sections are known. Columns that the layout makes are in no header. */
export function headerNames({ columns, join, layout }: Pick<LayoutWords, "columns" | "join" | "layout">): HeaderNames {
  const made = new Set([...Object.keys({ ...layout.repeat, ...layout.week, ...layout.texts, ...join }), layout.sports]);
  const own = Object.entries(columns).filter(([name, { part }]) => part === undefined && !made.has(name));
  const namesOf = (entries: typeof own) => entries.flatMap(([name, { also = [] }]) => [name, ...also]);
  return { all: namesOf(own), dates: namesOf(own.filter(([, { field }]) => DATES.includes(field))) };
}

const DATES: readonly string[] = ["date", "datetime", "instant"];

/** The shapes of a mapping, in the order in which they apply. @param sheet the name of the sheet; undefined for a text */
export function shapesOf(words: LayoutWords, sheet?: string): readonly Shape[] {
  const { columns, dates, file, join, layout } = words;
  const isNothing = nothingIn(words);
  // Formulas that were never computed may stand in all rows of a table, so a group of them alone is no workout.
  const isEmpty: IsNothing = (name, cell) => cell === UNCOMPUTED || isNothing(name, cell);
  const cells = { texts: layout.texts ?? {}, isNothing: isEmpty };
  const named = (...fields: readonly string[]) =>
    Object.entries(columns).flatMap(([name, spec]) =>
      fields.includes(spec.field) ? [name, ...(spec.also ?? [])] : [],
    );
  const dated = named("date", "datetime");
  const day = {
    names: dated,
    read: (text: string) => parseDate(text, dates, file.decimal),
    write: (date: LocalDate) => dateIn(dates.order, date),
  };
  return [
    ...(layout.sections ? [sectioned(headerNames({ columns, join, layout }))] : []),
    ...(layout.sports === undefined ? [] : [titledSports(layout.sports, Object.keys(words.values?.activity ?? {}))]),
    ...(layout.totals === undefined ? [] : [withoutTotals({ columns, dates, decimal: file.decimal })]),
    ...(layout.continued
      ? [continued([...dated, ...named("instant")], [...named("notes", "name"), ...Object.keys(splitsOf({ columns }))])]
      : []),
    ...(layout.ditto === undefined ? [] : [dittosFromAbove(layout.ditto)]),
    ...(layout.asAbove === undefined ? [] : [filledFromAbove(layout.asAbove, isNothing)]),
    ...(Object.keys(join).length === 0 ? [] : [joined(join)]),
    ...(dates.month === undefined ? [] : [withMonthIn(sheet)]),
    ...(layout.sections || dates.year !== undefined || dates.month !== undefined
      ? [completedDates(dated, dates, dates.month && parseTitle(sheet ?? ""))]
      : []),
    ...(layout.repeat === undefined ? [] : [repeated(layout.repeat, { ...cells, shared: layout.shared ?? [] })]),
    ...(layout.week === undefined ? [] : [weekly(layout.week, { ...day, isOf: layout.weekDate ?? "first" }, cells)]),
  ];
}

/** Refuses a sheet whose name says no month, where the mapping takes it from there. */
function withMonthIn(sheet: string | undefined): Shape {
  const where =
    sheet === undefined ? "a text has no sheets" : `the name of the sheet ${JSON.stringify(sheet)} says none`;
  const message = `dates.month: the name of each sheet must say its month, as January or March 2014 does, but ${where}`;
  const hasMonth = parseTitle(sheet ?? "")?.month !== undefined;
  return (header) =>
    hasMonth ? { header, rows: (rows) => rows } : { errors: [{ path: ["dates", "month"], message }] };
}

/** A cell means "nothing" if it is empty, one of the mapping's nulls, or a 0 in a column with `zero: none`. */
function nothingIn({ columns, file }: Pick<LayoutWords, "columns" | "file">): IsNothing {
  return (name, cell) => {
    const text = cell.trim();
    if (text === "" || file.nulls.includes(text)) return true;
    const { zero, decimal = file.decimal } = columns[name] ?? {};
    return zero === "none" && (parseNumber(text, decimal) === 0 || ZERO_TIME.test(text));
  };
}

/** A duration of nothing: 0:00:00. */
const ZERO_TIME = /^0+(?::0+)+$/;

const EXCEL_EPOCH = { excel: "1899-12-30", "excel-1904": "1904-01-01" } as const;

/** Writes a day as the dates of the table are written. */
function dateIn(order: Mapping["dates"]["order"], date: LocalDate): string {
  const [year, month, day] = date.split("-").map(Number);
  if (order === "dmy") return `${day}.${month}.${year}`;
  if (order === "mdy") return `${month}/${day}/${year}`;
  if (order === "excel" || order === "excel-1904") return String(daysBetween(EXCEL_EPOCH[order], date));
  return date;
}

function daysBetween(from: LocalDate, to: LocalDate): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000;
}
