/** Finds workouts in columns whose headers are nothing but their names: `Run, Bike, Gym` or `AM, PM`. The values say neither that they are distances nor that they are minutes. */
import type { Answers } from "../choices/choice.ts";
import { areDurations, areSports, type ColumnSample, fits } from "../sample/column.ts";
import { foldHeader, type Role } from "../words/header-words.ts";
import { partOfDay } from "../words/parts-of-day.ts";
import { isNumber } from "../words/values.ts";
import { isSum, type RepeatedColumns, sportOf, type TagKind } from "./group-tags.ts";
import { lacksDistance, MEASURED } from "./guess-evidence.ts";

/** The columns of a row's workouts. */
export interface BareGroups {
  readonly names: readonly string[];
  readonly kind: TagKind;
  /** The sports of the columns, or their parts of the day. */
  readonly sports: readonly string[];
  /** The new columns for their values. */
  readonly repeat: RepeatedColumns;
}

const DURATION = "Duration";

/** What is of the whole row. Beside it, the columns are its parts. */
const WHOLE: readonly Role[] = ["distance", "duration", "hours", "minutes"];

/** Finds them; undefined for any other table. */
export function bareGroups(columns: readonly ColumnSample[], answers: Answers): BareGroups | undefined {
  if (columns.some(({ name }) => name === MEASURED)) return undefined;
  const isAnswered = (column: ColumnSample) => answers.has(`columns.${column.name}.field`);
  const all = columns.filter((column) => column.filled.length > 0 && !isAnswered(column));
  const values = all.filter(
    (column) => column.meaning.roles.every(isOfSport) && (areNumbers(column) || areDurations(column)),
  );
  for (const kind of ["day", "sport"] as const) {
    const named = values.flatMap((column) => {
      const sport = kind === "day" ? wholePart(column.name) : sportOf(withoutNumber(column.name));
      return sport === undefined ? [] : [{ column, sport }];
    });
    const base = baseOf(named.map(({ column }) => column));
    if (base === undefined || new Set(named.map(({ sport }) => sport)).size < 2) continue;
    const others = all.filter((column) => !named.some((one) => one.column === column) && !isSum(column.name));
    if (others.some(isOfWhole)) continue;
    // Beside distances, the values of a sport without one are durations.
    const isTimed = ({ column, sport }: { readonly column: ColumnSample; readonly sport: string }) =>
      base !== DURATION &&
      (areDurations(column) || (answers.get(`columns.${base}.field`) === "distance" && lacksDistance(sport)));
    const namesOf = (is: (one: (typeof named)[number]) => boolean) =>
      named.map((one) => (is(one) ? one.column.name : null));
    const repeat = new Map([[base, namesOf((one) => !isTimed(one))]]);
    if (named.some(isTimed)) repeat.set(DURATION, namesOf(isTimed));
    return { names: named.map(({ column }) => column.name), kind, sports: named.map(({ sport }) => sport), repeat };
  }
  return undefined;
}

/** The name for the values of all columns together, but for those that are durations beside numbers; undefined where there is one column. */
function baseOf(columns: readonly ColumnSample[]): string | undefined {
  if (columns.length < 2) return undefined;
  return columns.every(areDurations) ? DURATION : MEASURED;
}

/** The name of a sport may also be a word for a distance, or for a bike. `Weight` is a weight. */
const isOfSport = (role: Role) => role === "distance" || role === "equipment";

const areNumbers = ({ filled }: ColumnSample) => filled.filter(isNumber).length >= filled.length * NUMBERS;

/** This share of the cells must be numbers. The others are words and slips. */
const NUMBERS = 0.8;

/** A header that is a part of the day and nothing else. */
function wholePart(name: string): string | undefined {
  const header = withoutNumber(name);
  const part = partOfDay(header);
  return part !== undefined && foldHeader(part) === foldHeader(header) ? foldHeader(part) : undefined;
}

/** `Run` of the second column called so. */
const withoutNumber = (name: string) => name.replace(/#\d+$/, "").trim();

function isOfWhole(column: ColumnSample): boolean {
  return areSports(column) || WHOLE.some((role) => column.meaning.roles.includes(role) && fits(role, column));
}
