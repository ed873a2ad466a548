/** Tells a table whose rows sum up a week or a month each: a sum is no workout. */
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { Dates } from "../../table/cells/cells.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { isSumOfRows } from "../columns/group-tags.ts";
import { daysOf } from "../dates/dates.ts";
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";
import { isDateText, isNumber, isSerial, roughNumber } from "../words/values.ts";
import { numberedDays, weekNumbers } from "./numbered-weeks.ts";

type Days = readonly (string | undefined)[];

/** Fewer rows show nothing. */
const LEAST_ROWS = 3;

/** This share of the rows must agree. */
const SHARE = 0.8;

/** A week from its first day to its last one or to the next, and a month. */
const isWeek = (days: number) => days === 6 || days === 7;
const isMonth = (days: number) => days >= 27 && days <= 31;

/** A table without a column of dates in which each row sums up a week. */
export function ofWeeks(columns: readonly ColumnSample[]): NoProposal | undefined {
  const column = columns.find(
    ({ name, filled }) =>
      isSumOfRows(name) && filled.length > 0 && filled.filter(isDateText).length >= filled.length / 2,
  );
  const numbered = weekNumbers(columns);
  if (column === undefined && numbered !== undefined)
    return (
      numberedDays(columns, numbered) ?? {
        problem: `each row seems to sum up a week, whose number stands in the column ${JSON.stringify(numbered.name)}: a sum is no workout`,
        next: "If each row is one workout, add a column Date and propose again",
      }
    );
  if (column === undefined) return undefined;
  const name = JSON.stringify(column.name);
  return {
    problem: `each row seems to sum up the days from a date in the column ${name}, such as ${column.filled[0]}: a sum is no workout`,
    next: `If each row is one workout, rename ${name} to Date and propose again`,
  };
}

/** The dates of a table's rows. */
interface DatedRows {
  readonly column: ColumnSample;
  readonly days: Days;
  readonly order: Dates["order"];
}

/** A table with a date in each row, which sums up the days from it to another date, or counts the workouts of a week. */
export function ofDays(columns: readonly ColumnSample[], dated: DatedRows): NoProposal | undefined {
  return fromDateToDate(columns, dated) ?? ofNamedSpans(dated) ?? countedWorkouts(columns, dated);
}

/** Rows from one date to another, a week or a month later: `von` and `bis`. */
function fromDateToDate(columns: readonly ColumnSample[], { column, days, order }: DatedRows): NoProposal | undefined {
  for (const other of columns) {
    if (other === column || other.filled.length < LEAST_ROWS) continue;
    if (other.filled.filter((cell) => isDateText(cell) || isSerial(cell)).length < other.filled.length * SHARE)
      continue;
    const spans = daysOf(other.cells, order, "local").flatMap((to, row) => daysBetween(days[row], to) ?? []);
    if (!isMost(spans, isWeek) && !isMost(spans, isMonth)) continue;
    const names = [column, other].toSorted((a, b) => a.index - b.index).map(quoted);
    return {
      problem: `each row seems to sum up the days from one date to another, in the columns ${alternatives(names, "and")}: a sum is no workout`,
      next: `If each row is one workout, remove the column ${quoted(other)} and propose again`,
    };
  }
  return undefined;
}

const quoted = ({ name }: ColumnSample) => JSON.stringify(name);

/** Rows a week or a month apart, below a header that says so: `Month`. */
function ofNamedSpans({ column, days }: DatedRows): NoProposal | undefined {
  const every = spanOf(days);
  if (every === undefined || !isSumOfRows(column.name)) return undefined;
  return {
    problem: `each row seems to sum up the ${every} of a date in the column ${quoted(column)}, such as ${column.filled[0]}: a sum is no workout`,
    next: `If each row is one workout, rename ${quoted(column)} to Date and propose again`,
  };
}

/** What lies between a row and the next: a week or a month; undefined for rows on any day. @param days of the rows, such as `2026-03-01` */
export function spanOf(days: Days): "week" | "month" | undefined {
  const known = days.filter((day) => day !== undefined).toSorted();
  const steps = known.slice(1).flatMap((day, at) => daysBetween(known[at], day) ?? []);
  if (isMost(steps, (step) => step === 7)) return "week";
  return isMost(steps, isMonth) ? "month" : undefined;
}

/** Headers of a number of workouts: `Runs`, `# of sessions`, `Anzahl Läufe`. */
const COUNTED =
  /^(?:(?:no|nr|num|number|nb|nombre|anzahl|aantal|antal|antall|liczba|numero|n|count)(?: (?:of|de|di|der|d'))? )?(?:runs|rides|swims|workouts|sessions|activities|trainings|outings|laufe|einheiten|trainings|trainingseinheiten|ausfahrten|sorties|seances|courses|entrainements|salidas|carreras|sesiones|entrenamientos|rodajes|corse|uscite|sedute|allenamenti|corridas|treinos|sessoes|saidas|trainingen|loopjes|ritten|sessies|pass|traningspass|lopningar|turer|ture|lob|traeninger|treningi|biegi|biegow|treningow|wyjscia)(?: count)?$|^(?:回数|ラン回数)$/;

/** Rows a week or a month apart, with a number of workouts in each. */
function countedWorkouts(columns: readonly ColumnSample[], { column, days }: DatedRows): NoProposal | undefined {
  const every = spanOf(days);
  if (every === undefined) return undefined;
  const counted = columns.find(({ name, filled }) => COUNTED.test(foldHeader(name)) && areCounts(filled));
  if (counted === undefined) return undefined;
  return {
    problem: `each row seems to sum up a ${every}: the dates in the column ${quoted(column)} are a ${every} apart, and the column ${quoted(counted)} has a number of workouts. A sum is no workout`,
    next: `If each row is one workout, remove the column ${quoted(counted)} and propose again`,
  };
}

/** Whether most of the numbers are whole and say that there were several workouts. */
function areCounts(filled: readonly string[]): boolean {
  const several = filled.filter((cell) => isNumber(cell) && /^\d{1,2}$/.test(cell) && roughNumber(cell) > 1);
  return filled.length >= LEAST_ROWS && several.length >= filled.length * SHARE;
}

function isMost(numbers: readonly number[], is: (days: number) => boolean): boolean {
  return numbers.length >= LEAST_ROWS && numbers.filter((one) => is(Math.abs(one))).length >= numbers.length * SHARE;
}

function daysBetween(from: string | undefined, to: string | undefined): number | undefined {
  return from === undefined || to === undefined
    ? undefined
    : Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
