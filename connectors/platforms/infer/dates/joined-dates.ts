/** Puts dates together that stand in several columns: the month and the day, and mostly the year. */
import { monthNamed } from "../../../formats/month-names.ts";
import type { Choice } from "../choices/choice.ts";
import type { ColumnSample } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { foldHeader } from "../words/header-words.ts";

const YEARS = new Set(["year", "jahr", "annee", "ano", "anno", "jaar", "ar", "aar", "rok", "vuosi", "年"]);
const MONTHS = new Set("month monat mois mes mese maand manad maned miesiac kuukausi 月".split(" "));

/** Words of headers for the day of a month. */
export const DAYS: ReadonlySet<string> = new Set("day tag jour dia giorno dag dzien paiva date datum 日".split(" "));

/** Whether a header is a word for the day of a month. */
export const isDayHeader = (header: string) => DAYS.has(foldHeader(header));

/** The columns of a date's parts, as far as a table has them. */
export function dateParts(columns: readonly ColumnSample[]) {
  const named = (words: ReadonlySet<string>) => columns.find(({ name }) => words.has(foldHeader(name)));
  return { year: named(YEARS), month: named(MONTHS), day: named(DAYS) };
}

/** The name of the new column. */
const WHOLE = "Whole date";

/** A table with one column for its dates. */
export interface JoinedDates {
  readonly sample: SheetSample;
  readonly join: ReadonlyMap<string, string>;
  readonly choice: Choice;
}

/** This share of the rows must have a part that can be one. */
const SHARE = 0.9;

/** Puts the dates together; undefined if a part is missing, or its cells are something else. */
export function withJoinedDates(sample: SheetSample, columns: readonly ColumnSample[]): JoinedDates | undefined {
  const { year, month, day } = dateParts(columns);
  if (month === undefined || day === undefined || sample.header.includes(WHOLE)) return undefined;
  const isMost = ({ filled }: ColumnSample, is: (cell: string) => boolean) =>
    filled.filter(is).length >= Math.max(1, sample.rows.length * SHARE);
  const isMonth = (cell: string) => isUpTo(12, cell) || monthNamed(cell) !== undefined;
  const areYears = year === undefined || isMost(year, (cell) => /^(?:19|20)\d{2}$/.test(cell));
  if (!areYears || !isMost(month, isMonth)) return undefined;
  if (!isMost(day, (cell) => isUpTo(31, cell))) return undefined;
  // Without a year, the day stands in front, as in dates whose year a title says.
  const parts = year === undefined ? [day, month] : [year, month, day];
  const [first = day] = parts;
  const write = (texts: readonly string[]) => {
    if (year !== undefined) return texts.join("-");
    return month.filled.every((cell) => isUpTo(12, cell)) ? texts.map((text) => `${text}.`).join("") : texts.join(" ");
  };
  // The new column takes the place of the first part, so that the places of the others stay.
  const whole = (fields: readonly string[]) => {
    const cells = parts.map(({ index }) => (fields[index] ?? "").trim());
    return cells.every((cell) => cell === "") ? "" : write(cells);
  };
  const others = new Set(parts.filter((part) => part !== first).map(({ index }) => index));
  const places = [...sample.header.keys()].filter((index) => !others.has(index));
  const kept = <T>(some: readonly T[], none: T) => places.map((index) => some[index] ?? none);
  const names = parts.map(({ name }) => name);
  return {
    sample: {
      ...sample,
      header: kept(sample.header.with(first.index, WHOLE), ""),
      above: kept(sample.above, ""),
      upper: kept(sample.upper, ""),
      units: sample.units && kept(sample.units, ""),
      rows: sample.rows.map(({ line, fields, dates = [] }) => ({
        line,
        fields: kept(padded(fields, sample.header.length).with(first.index, whole(fields)), ""),
        dates: dates.map((index) => places.indexOf(index)).filter((index) => index !== -1),
      })),
    },
    join: new Map([[WHOLE, write(names.map((name) => `{${name}}`))]]),
    choice: {
      ...{ place: "join", value: WHOLE, contradicting: 0, rows: sample.rows.length },
      why: `the date stands in the columns ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`,
    },
  };
}

const isUpTo = (most: number, cell: string) => /^\d{1,2}$/.test(cell) && Number(cell) >= 1 && Number(cell) <= most;

function padded(fields: readonly string[], width: number): readonly string[] {
  return Array.from({ length: Math.max(width, fields.length) }, (_, index) => fields[index] ?? "");
}
