/** Tells tables of weeks that no mapping reads as they are: numbers in the place of dates, and a row for each value of a week. */
import { weekdaysNamed } from "../../../formats/weekday-names.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { endsOfWeek, fewDays } from "../groups/week-groups.ts";
import { type ColumnSample, columnsOf } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { foldHeader, readHeaderWords } from "../words/header-words.ts";
import { isDateText } from "../words/values.ts";

/** By ISO 8601, January 4 is in week 1, and weeks begin on Monday. */
const MONDAY =
  "In a spreadsheet program, the Monday of week 12 of 2018 is =DATE(2018,1,4)-WEEKDAY(DATE(2018,1,4),3)+7*(12-1)";

/** `12`, `W12`, `KW 12`, `Week 12`, `2014-W12`. */
const isWeekNumber = (cell: string) => /^(?:\d{4}[-/ ])?(?:[\p{L}.]{1,8} ?)?\d{1,2}$/u.test(cell) && !isDateText(cell);

/** The column with the number of the week, as in `KW`; undefined without one. */
export function weekNumbers(columns: readonly ColumnSample[]): ColumnSample | undefined {
  return columns.find(
    ({ meaning, filled }) => meaning.roles.includes("week") && filled.length > 1 && filled.every(isWeekNumber),
  );
}

/** A week a row with columns such as `Mo km, Mo Zeit`, and the week's number in the place of its date; undefined for any other table. */
export function numberedWeeks(sample: SheetSample): NoProposal | undefined {
  const columns = columnsOf(sample);
  const numbered = weekNumbers(columns);
  if (numbered === undefined || columns.some(({ filled }) => filled.some(isDateText))) return undefined;
  if (endsOfWeek(sample) === undefined && fewDays(sample) === undefined) return undefined;
  const name = JSON.stringify(numbered.name);
  return {
    problem: `a row seems to be a week with columns for its days, and the column ${name} has the number of the week, which is no date`,
    next: `Write the date of the first day of each week, with its year, in the place of the number in ${name}, and call the column "Week of". Then propose again. ${MONDAY}`,
  };
}

/** A row for each day, with the week's number in one column and the weekday in another; undefined for any other table. */
export function numberedDays(columns: readonly ColumnSample[], numbered: ColumnSample): NoProposal | undefined {
  const day = columns.find(({ filled }) => filled.length > 1 && filled.every((cell) => weekdaysNamed(cell).size > 0));
  if (day === undefined) return undefined;
  const [week, weekday] = [numbered, day].map(({ name }) => JSON.stringify(name));
  return {
    problem: `each row seems to be a day, whose week has its number in the column ${week} and whose weekday stands in the column ${weekday}: no column has its date`,
    next: `Add a column Date with the day of each row, with its year, and propose again. ${MONDAY}, and a Wednesday is 2 days later`,
  };
}

/** Columns of the days of a week, and for each week a row of distances and one of times; undefined for any other table. */
export function rowsOfValues(sample: SheetSample): NoProposal | undefined {
  if (endsOfWeek(sample) === undefined) return undefined;
  for (const { name, filled } of columnsOf(sample)) {
    const words = [...new Set(filled.map(foldHeader))];
    if (words.length < 2 || words.length > MOST_VALUES || filled.length < 2 * words.length) continue;
    const rolesOf = words.map((word) => readHeaderWords(word).roles);
    const [distance, time] = [["distance"], ["duration", "minutes", "hours"]].map((some) =>
      rolesOf.findIndex((roles) => roles.some((role) => some.includes(role))),
    );
    if (distance === undefined || time === undefined || distance < 0 || time < 0 || distance === time) continue;
    const [far, long] = [words[distance], words[time]];
    return {
      problem: `a week seems to have a row for each kind of value: the column ${JSON.stringify(name)} says ${JSON.stringify(far)} or ${JSON.stringify(long)}. A mapping reads the values of a workout from one row`,
      next: `Write each week into one row, with columns such as "Mon ${far}", "Mon ${long}", "Tue ${far}" and so on, behind the date of the week. Then propose again`,
    };
  }
  return undefined;
}

/** The most kinds of values of one week. */
const MOST_VALUES = 6;
