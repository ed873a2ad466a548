/** Asks whether rows a week or a month apart are single workouts, where their distances or durations are those of several, or a title says so. */
import type { Activity } from "../../../../transforms/activities.ts";
import type { Answers, Choice } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { isSum, isSumOfRows } from "../columns/group-tags.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import type { ColumnSample } from "../sample/column.ts";
import { lengthUnit } from "../words/header-words.ts";
import { roughNumber, splitAmount } from "../words/values.ts";
import type { SheetLayout } from "./sheet-layout.ts";
import { spanOf } from "./sums-of-days.ts";

/** Fewer rows may be a week apart by chance. */
const LEAST_ROWS = 4;

/** If half of the rows are farther or longer, a row is more than the longest workout of most people's weeks. */
const MOST = { bike: { km: 150, hours: 7 }, other: { km: 35, hours: 4 } } as const;

const KM = { km: 1, mi: 1.609344, m: 0.001, yd: 0.000_914_4 } as const;

/** The table whose rows may be sums. */
export interface SpacedRows {
  readonly columns: readonly AssignedColumn[];
  readonly date: AssignedColumn;
  readonly days: readonly (string | undefined)[];
  readonly layout: SheetLayout;
  /** The sport of each row that is a workout. */
  readonly sports: readonly (Activity | undefined)[];
}

/** What a person says of the date of such rows: each row is a workout, or the sum of a week. */
const [WORKOUT, SUM] = ["date", "week"] as const;

/** The question; undefined where nothing speaks for sums. */
export function sumsChoice({ columns, layout, date, days, sports }: SpacedRows): Choice | undefined {
  // The days of a week, or several workouts of a row, are a layout of their own.
  if (layout.week !== undefined || layout.groups !== undefined) return undefined;
  const above = layout.whole.title;
  const every = days.filter((day) => day !== undefined).length < LEAST_ROWS ? undefined : spanOf(days);
  if (every === undefined) return undefined;
  const measured = columns.filter(({ role }) => role === "distance" || role === "duration");
  const title = isSumOfRows(above) ? above : measured.find(({ name }) => isSum(name) || isSumOfRows(name))?.name;
  const rides = sports.filter((sport) => sport === "bike").length;
  const much = tooMuch(measured, MOST[rides > sports.length / 2 ? "bike" : "other"]);
  if (title === undefined && much === undefined) return undefined;
  const why = [
    `the dates are a ${every} apart`,
    ...(title === undefined ? [] : [`${JSON.stringify(title.slice(0, 40))} is the name of a sum`]),
    ...(much === undefined ? [] : [much]),
  ].join("; ");
  return {
    ...{ place: fieldPlace(date), value: SUM, why, contradicting: 0, rows: date.filled.length },
    question: `Does each row sum up a ${every}?`,
    options: [
      { value: SUM, means: `yes: a sum is no workout, and the table can't be loaded` },
      { value: WORKOUT, means: "no: each row is one workout" },
    ],
  };
}

/** The refusal of a table whose rows are sums, by a person's answer. */
export function sumsAnswered(columns: readonly ColumnSample[], answers: Answers): NoProposal | undefined {
  if (!columns.some((column) => answers.get(fieldPlace(column)) === SUM && !column.meaning.roles.includes("week")))
    return undefined;
  return {
    problem: "you said that each row sums up several workouts: a sum is no workout",
    next: "Use a table with a row for each workout or each day",
  };
}

/** How much is done in half of the rows, if it is more than in one workout. */
function tooMuch(
  measured: readonly AssignedColumn[],
  most: { readonly km: number; readonly hours: number },
): string | undefined {
  for (const { role, name, meaning, filled } of measured) {
    const numbers = filled.map((cell) => roughNumber(splitAmount(cell).number)).filter((value) => value > 0);
    const middle = numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
    if (role === "distance" && middle * KM[lengthUnit(meaning.unit) ?? "km"] >= most.km)
      return `half of the values in the column ${JSON.stringify(name)} are ${middle} or more, which is much for one workout`;
    const isHours = ["h", "hr", "hrs", "hour", "hours", "std", "stunden"].includes(meaning.unit ?? "");
    if (role === "duration" && isHours && middle >= most.hours)
      return `half of the values in the column ${JSON.stringify(name)} are ${middle} h or more, which is much for one workout`;
  }
  return undefined;
}
