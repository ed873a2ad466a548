/** Completes the days of a workbook with a sheet for each month: `3` in the sheet `Januar`. The year stands in the names of the sheets or of the file, or a person says it. */
import { areOfOneYear, parseTitle } from "../../table/shapes/complete-dates.ts";
import type { Choice } from "../choices/choice.ts";
import type { ColumnSample } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { hasDaysOfMonth, isDayOfMonth } from "./only-days.ts";
import { type CompletedSheet, isYear, YEAR, type YearEvidence } from "./without-year.ts";

/** The place of the word that the names of the sheets say the month. */
export const MONTH = "dates.month";

/** Years among the answers to a question. A person may name any other one. */
const MOST_YEARS = 10;

/**
 * Completes the dates.
 *
 * @param days headers of a column with the day of a month, folded
 * @returns undefined for any other table, and where the months of the sheets cross New Year without a year in their names
 */
export function withSheetMonths(
  sample: SheetSample,
  columns: readonly ColumnSample[],
  isDays: (header: string) => boolean,
  known: YearEvidence,
): CompletedSheet | undefined {
  const { sheetNames = [], rows } = sample;
  const column = columns.find((one) => isDays(one.name) && hasDaysOfMonth(one));
  const titles = new Map(sheetNames.map((name) => [name, parseTitle(name.trim()) ?? {}]));
  const months = [...titles.values()].map(({ month }) => month);
  if (column === undefined || sheetNames.length === 0 || months.includes(undefined)) return undefined;
  const hasYears = [...titles.values()].every(({ year }) => year !== undefined);
  if (!hasYears && !areOfOneYear(months.flatMap((month) => month ?? []))) return undefined;
  const choice = hasYears ? undefined : yearOf(sample, known);
  const [first = ""] = sheetNames;
  const base = { contradicting: 0, rows: column.filled.length };
  const whole = rows.map((row) => {
    const { month, year = choice?.value } = titles.get(row.sheet ?? first) ?? {};
    const day = (row.fields[column.index] ?? "").trim().replace(/\.$/, "");
    if (!isDayOfMonth(day)) return row;
    return { ...row, fields: row.fields.with(column.index, `${day}.${month}.${year}`) };
  });
  return {
    sample: { ...sample, rows: whole },
    choices: [
      ...(choice === undefined ? [] : [choice]),
      {
        ...base,
        place: MONTH,
        value: "sheet",
        why: `the names of the sheets say it, such as ${JSON.stringify(first)}`,
      },
    ],
    order: { ...base, place: "dates.order", value: "dmy", why: "the dates are days, and the sheets say their months" },
  };
}

/** The year of all sheets: a person's answer, the only one that the title and the name of the file say, or a question. */
function yearOf({ title, path, rows }: SheetSample, { answers, today }: YearEvidence): Choice {
  const base = { place: YEAR, contradicting: 0, rows: rows.length };
  const answer = answers.get(YEAR);
  if (answer !== undefined && isYear(answer)) return { ...base, value: answer, why: "your answer" };
  const file = path.split("/").at(-1) ?? "";
  const said = [...new Set([title, file].flatMap((text) => text.match(/(?<!\d)(?:19|20)\d{2}(?!\d)/g) ?? []))];
  const [only, ...others] = said;
  if (only !== undefined && others.length === 0)
    return { ...base, value: only, why: `the title or the name says ${JSON.stringify(only)}` };
  const latest = Number(today.slice(0, 4));
  const recent = Array.from({ length: MOST_YEARS }, (_, at) => String(latest - at));
  const years = [...new Set([...said, ...recent])].slice(0, MOST_YEARS);
  const why =
    said.length === 0
      ? "nothing in the workbook says the year"
      : `the title and the name of the file say ${said.join(" and ")}`;
  return {
    ...{ ...base, value: years[0] ?? "", why, isUnproven: true },
    question: "Which year are the sheets of?",
    options: years.map((value) => ({ value, means: `the months are of ${value}` })),
  };
}
