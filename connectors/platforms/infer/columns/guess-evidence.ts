/** What the numbers of a column without a known header say of it: whole ones around 150 beside a duration may be heart rates, round ones minutes. */
import { type Activity, activityNamed } from "../../../../transforms/activities.ts";
import { areDurations, type ColumnSample, fits } from "../sample/column.ts";
import { isPoolSize } from "../sample/pool-size.ts";
import { lengthUnit, type Role } from "../words/header-words.ts";
import { isLength, isNumber, roughNumber, splitAmount } from "../words/values.ts";

/** The new column of values that may be distances or minutes. */
export const MEASURED = "Measured";

/** Sports that have no distance. */
const WITHOUT_DISTANCE: ReadonlySet<string | undefined> = new Set<Activity>(["weight", "yoga"]);

/** Whether the values of a sport can't be distances. */
export function lacksDistance(sport: string | undefined): boolean {
  return WITHOUT_DISTANCE.has(sport);
}

/** What speaks for a role. */
export interface RoleEvidence {
  readonly role: Role;
  readonly says: string;
  /** Whether it is enough to be the first answer to a question. */
  readonly isStrong: boolean;
}

/** This share of the numbers must agree. */
const SHARE = 0.8;

/** Below bare days or sports that many are enough: a row with other words is named when it is read. */
const HALF = 0.5;

/** Median heart rates of workouts. */
const HEART_RATES = [90, 190] as const;

/** People write down minutes as multiples of five, and rarely more than three hours. */
const [STEP, MOST_MINUTES] = [5, 180];

/** Fewer numbers show nothing. */
const LEAST = 3;

/** The evidence for each role that the numbers may have, the strongest first. */
export function evidenceOf(column: ColumnSample, columns: readonly ColumnSample[]): readonly RoleEvidence[] {
  if (isPoolSize(column.name, column.filled)) return [];
  const lengths = column.filled.filter(hasUnit).length;
  if (lengths >= Math.max(LEAST, column.filled.length * SHARE))
    return [
      {
        role: "distance",
        says: `${lengths} of ${column.filled.length} cells are lengths with their unit`,
        isStrong: true,
      },
    ];
  const numbers = column.filled.filter(isNumber).map(roughNumber);
  const all = numbers.toSorted((a, b) => a - b);
  const [least, middle, most] = [all[0], all[Math.floor(all.length / 2)], all.at(-1)];
  if (least === undefined || middle === undefined || most === undefined) return [];
  if (all.length < Math.max(LEAST, column.filled.length * (column.name === MEASURED ? HALF : SHARE))) return [];
  const found: RoleEvidence[] = [];
  const texts = column.filled.length - all.length;
  const words =
    texts > column.filled.length * (1 - SHARE) ? `; ${texts} cells are words, and named when they are read` : "";
  const isWhole = all.every(Number.isInteger);
  const isTimed = columns.some((other) => other !== column && (areDurations(other) || isDuration(other)));
  if (isWhole && fits("avgHR", column) && middle >= HEART_RATES[0] && middle <= HEART_RATES[1] && most - least >= LEAST)
    found.push({
      role: "avgHR",
      says: `whole numbers from ${least} to ${most}, as heart rates are`,
      isStrong: isTimed,
    });
  const round = all.filter((value) => value > 0 && value % STEP === 0 && value <= MOST_MINUTES).length;
  if (!isTimed && round >= all.length * SHARE) {
    const says = `${round} of ${all.length} numbers are round and at most ${MOST_MINUTES}, as minutes are`;
    found.push({ role: "duration", says, isStrong: new Set(all).size > 1 });
  }
  if (middle >= 1 && middle <= MOST_MINUTES) {
    const without = withoutDistance(column, columns);
    found.push({
      role: "distance",
      says: `numbers from ${least} to ${most}${without}${words}`,
      isStrong: words !== "",
    });
  }
  return found.toSorted((a, b) => Number(b.isStrong) - Number(a.isStrong));
}

/** Whether a cell is a length with its unit: 800m. */
function hasUnit(cell: string): boolean {
  return isLength(cell) && lengthUnit(splitAmount(cell).unit) !== undefined;
}

function isDuration(column: ColumnSample): boolean {
  return column.filled.length > 0 && column.meaning.roles.includes("duration") && fits("duration", column);
}

/** How many values are of sports without a distance. */
function withoutDistance(column: ColumnSample, columns: readonly ColumnSample[]): string {
  const sports = columns.find(({ meaning }) => meaning.roles.includes("activity"));
  const words = column.cells.flatMap((cell, row) => (isNumber(cell) ? (sports?.cells[row] ?? []) : []));
  const count = words.filter((word) => lacksDistance(activityNamed(word))).length;
  return count === 0 ? "" : `, but ${count} are of a sport without a distance`;
}
