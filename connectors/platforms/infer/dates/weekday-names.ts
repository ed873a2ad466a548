/** Holds the names of weekdays beside the dates of a table: where they contradict, a date, its year or the order of day and month is wrong. */
import { weekdayOf } from "../../../../transforms/calendar.ts";
import { weekdaysNamed } from "../../../formats/weekday-names.ts";
import type { Choice } from "../choices/choice.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";

/** Fewer dates show nothing. */
const LEAST = 3;

/** A larger share of contradictions is no slip of the keyboard. */
const MOST_SLIPS = 0.5;

/** In another year, this share must be right. */
const LEAST_RIGHT = 0.9;

/** Years before and behind that are tried. */
const YEARS = [-1, 1, -2, 2, -3, 3];

/** The dates that a column of weekdays contradicts: the evidence where they are few, a question where they are most. Undefined without any. */
export function weekdayChoice(
  columns: readonly AssignedColumn[],
  days: readonly (string | undefined)[],
): Choice | undefined {
  const column = columns.find(({ role }) => role === "weekday");
  const named = days.flatMap((day, row) => {
    const cell = column?.cells[row] ?? "";
    const names = weekdaysNamed(cell);
    return day === undefined || names.size === 0 ? [] : [{ day, cell, names }];
  });
  const wrong = named.filter(({ day, names }) => !names.has(weekdayOf(day)));
  const [first] = wrong;
  if (column === undefined || named.length < LEAST || first === undefined) return undefined;
  const example = `${JSON.stringify(first.cell)} beside ${first.day}`;
  const choice: Choice = {
    ...{ place: fieldPlace(column), value: "weekday", contradicting: wrong.length, rows: named.length },
    why: `${wrong.length} of ${named.length} dates ${wrong.length === 1 ? "contradicts the weekday beside it" : "contradict the weekdays beside them"}, such as ${example}`,
  };
  if (wrong.length <= named.length * MOST_SLIPS) return choice;
  const right = YEARS.map((by) => ({
    by,
    count: named.filter(({ day, names }) => names.has(weekdayOf(yearsOn(day, by)))).length,
  })).find(({ count }) => count >= named.length * LEAST_RIGHT);
  const years = right && `${Math.abs(right.by)} ${Math.abs(right.by) === 1 ? "year" : "years"}`;
  const instead =
    right === undefined
      ? ""
      : `; ${right.count} are right, if the dates are ${years} ${right.by < 0 ? "earlier" : "later"}`;
  return {
    ...choice,
    value: "ignore",
    isUnproven: true,
    why: `${choice.why}${instead}. If the year or the order of the dates is wrong, correct it in the table, and propose again`,
    question: `The dates contradict the weekdays in the column ${JSON.stringify(column.name)}. Are the dates right?`,
    options: [
      { value: "ignore", means: "the dates are right, and the weekdays are left" },
      { value: "notes", means: "the dates are right, and the weekdays become a line of the notes" },
    ],
  };
}

/** The same day of another year. 29 February is 1 March where a year has none, so that each has a weekday. */
function yearsOn(day: string, by: number): string {
  const [year, month, date] = day.split("-");
  const isLeap = month === "02" && date === "29";
  return `${Number(year) + by}-${isLeap ? "03-01" : `${month}-${date}`}`;
}
