/**
 * Finds a distance or a duration that is the running total of the rows, in a table without that of each row. Read as it is, each row would be loaded
 * with everything since the beginning. Whether it is one is for a person to say, because a table alone can't prove it.
 */
import { lengthUnit } from "../words/header-words.ts";
import { type Numbers, numbersOf } from "./numbers-of-columns.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";

/** Fewer rows that rise show nothing. */
const LEAST_STEPS = 5;

/** This share of the rows must rise, but for those that begin anew. */
const RISING = 0.95;

/** At most this share of the rows begins anew: a total of the week, with three workouts in each. */
const MOST_ANEW = 1 / 3;

/** A total that begins anew is at most so many times the usual difference. */
const ANEW = 3;

/** What people do in a second, in metres: from a walk to a fast ride. */
const USUAL_SPEEDS = [0.3, 12] as const;

/** This share of the differences must have usual speeds, and less than that one of the values. */
const [USUAL, UNUSUAL] = [0.8, 0.5] as const;

/** How far the speeds of one person are from their middle, and how far those of a total are, as logarithms. */
const [EVEN, UNEVEN] = [0.2, 0.3] as const;

/** Kilometres that a workout rarely has, and a total soon has. */
const FAR = 50;

/** Kilometres that hardly any workout has, and that most have. */
const [NEVER, SHORT] = [250, 2] as const;

/** Hours that no workout has, and that a total soon has; and what a workout may have. */
const [DAYS_S, WORKOUT_S] = [20 * 3600, 5 * 3600];

/** Distances in metres of the unit that a header says. */
const METRES = { km: 1000, mi: 1609.344, m: 1, yd: 0.9144 } as const;

/** Columns that measure a workout. */
const MEASURES: ReadonlySet<string> = new Set(["distance", "duration", "hours", "minutes", "seconds"]);

/**
 * A row as one workout and as the total: what its value says, and what the difference to the row before says. `seconds` has what stands beside it, in
 * each form that may be meant; for a duration that is its distance.
 */
interface Row {
  readonly value: number;
  readonly difference: number;
  readonly seconds: readonly number[];
}

/** What may be a running total, and how the arithmetic shows it. */
const TOTALS = {
  distance: { whyTotal: whyTotalDistance, means: "the distance of each workout", all: "distances" },
  duration: { whyTotal: whyTotalDuration, means: "the duration of each workout", all: "durations" },
} as const;

/** The columns, where a distance or a duration that seems to be a running total is a question. A person's answer stands. */
export function withRunningTotalAsked(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  return columns.map((column): AssignedColumn => {
    const { role } = column;
    if (role !== "distance" && role !== "duration") return column;
    if (column.addends !== undefined || isAnswered(fieldPlace(column))) return column;
    const { whyTotal, means, all } = TOTALS[role];
    const why = whyTotal(column, columns);
    if (why === undefined) return column;
    // Without it, no workout has a value, and the table would be refused.
    const isOnly = !columns.some((other) => other !== column && MEASURES.has(other.role ?? ""));
    const asked = {
      ...{ place: fieldPlace(column), value: "unsupported", why, contradicting: 0, rows: column.filled.length },
      ...(isOnly && { isUnproven: true as const }),
      question: `What is the column ${JSON.stringify(column.name)}?`,
      options: [
        {
          value: "unsupported",
          means: isOnly
            ? "a running total: then the table holds no workouts. Add a column with the differences, and propose again"
            : `a running total: it is counted as left. For the ${all}, add a column with the differences`,
        },
        { value: role, means },
      ],
    };
    return { ...column, role: undefined, isGuess: true, asked };
  });
}

/** The arithmetic that speaks for a running total; undefined for any other column. */
function whyTotalDistance(column: AssignedColumn, columns: readonly AssignedColumn[]): string | undefined {
  const numbers = numbersOf(column);
  if (numbers === undefined || numbers.values.length <= LEAST_STEPS) return undefined;
  const seconds = durationsOf(columns);
  const metres = METRES[lengthUnit(column.meaning.unit) ?? "km"];
  for (const order of [1, -1]) {
    const rising = risingRows(numbers, seconds, order);
    if (rising === undefined) continue;
    const { rows } = rising;
    const timed = rows.filter((row) => row.seconds.length > 0);
    const isTotal = timed.length >= LEAST_STEPS ? fitsDifferences(timed, metres) : areFar(rising, metres);
    if (isTotal) return saysTotal(rising, "distances");
  }
  return undefined;
}

function saysTotal({ rising, steps }: Rising, all: string): string {
  return `it is larger than in the row before in ${rising} of ${steps} rows, and the differences are usual ${all}, while the values are not: it seems to be a running total`;
}

/** The same for a duration. */
function whyTotalDuration(column: AssignedColumn, columns: readonly AssignedColumn[]): string | undefined {
  const seconds = durationsOf([column]);
  const distance = columns.find(({ role, filled }) => role === "distance" && filled.length > 0);
  const lengths = distance === undefined ? undefined : numbersOf(distance);
  const metres = METRES[lengthUnit(distance?.meaning.unit) ?? "km"];
  const far = (row: number) => [lengths?.values[row] ?? 0].filter((value) => value > 0).map((value) => value * metres);
  for (const form of [0, 1] as const)
    for (const order of [1, -1]) {
      const values = column.cells.map((_, row) => seconds(row)[form] ?? seconds(row)[0]);
      const rising = risingRows({ values }, far, order);
      if (rising === undefined) continue;
      const measured = rising.rows.filter((row) => row.seconds.length > 0);
      const isTotal = measured.length >= LEAST_STEPS ? fitsDifferences(measured, 1, true) : areDays(rising);
      if (isTotal) return saysTotal(rising, "durations");
    }
  return undefined;
}

/** Whether most values last longer than workouts do, and the differences don't. Without distances, nothing else shows it. */
function areDays({ rows, isFromStart }: Rising): boolean {
  const [value, difference] = [median(rows.map((row) => row.value)), median(rows.map((row) => row.difference))];
  return isFromStart && value > DAYS_S && difference < WORKOUT_S;
}

/** Rows that rise. */
interface Rising {
  /** Those that begin anew are among them, with their value as the difference. */
  readonly rows: readonly Row[];
  /** How many are larger than the row before. */
  readonly rising: number;
  /** How many rows have a row before them. */
  readonly steps: number;
  /** Whether the first row is no more than a few differences, as a total is that begins in it. */
  readonly isFromStart: boolean;
}

/** The rows that are larger than the row before; undefined if the column doesn't rise. @param order -1 for the newest row first */
function risingRows({ values }: Pick<Numbers, "values">, seconds: Seconds, order: number): Rising | undefined {
  const known = [...values.entries()].flatMap(([row, value]) => (value === undefined ? [] : [{ row, value }]));
  if (order < 0) known.reverse();
  const steps = known.slice(1).map(({ row, value }, at) => {
    const difference = value - (known[at]?.value ?? 0);
    return { value, difference, seconds: seconds(row) };
  });
  const rising = steps.filter(({ difference }) => difference > 0);
  const usual = median(rising.map(({ difference }) => difference));
  const [first] = known;
  const falling = steps.filter(({ difference }) => difference < 0);
  const fresh = falling.filter(({ value }) => value <= usual * ANEW);
  const isFromStart = (first?.value ?? 0) <= usual * ANEW;
  if (rising.length < LEAST_STEPS || fresh.length > steps.length * MOST_ANEW) return undefined;
  const isRising = rising.length >= (rising.length + falling.length - fresh.length) * RISING;
  return isRising
    ? {
        rows: [...rising, ...fresh.map((row) => ({ ...row, difference: row.value }))],
        rising: rising.length,
        steps: steps.length,
        isFromStart,
      }
    : undefined;
}

/**
 * Whether the durations fit the differences, and not the values: by the speeds that people have, or because one speed is in all rows.
 *
 * @param isTime whether the values are seconds, and what stands beside them metres
 */
function fitsDifferences(rows: readonly Row[], metres: number, isTime = false): boolean {
  const forms = Math.min(...rows.map(({ seconds }) => seconds.length));
  return Array.from({ length: forms }, (_, form) => form).some((form) => {
    const speeds = (of: "value" | "difference") =>
      rows.map((row) => {
        const beside = row.seconds[form] ?? 1;
        return isTime ? beside / row[of] : (row[of] * metres) / beside;
      });
    const [values, differences] = [speeds("value"), speeds("difference")];
    if (usualShare(differences) < USUAL) return false;
    return usualShare(values) < UNUSUAL || (spread(differences) <= EVEN && spread(values) >= UNEVEN);
  });
}

/** Whether most values are longer than workouts are, and the differences are not. Without durations, nothing else shows it. */
function areFar({ rows, isFromStart }: Rising, metres: number): boolean {
  const kilometres = (of: "value" | "difference") => (median(rows.map((row) => row[of])) * metres) / 1000;
  const [value, difference] = [kilometres("value"), kilometres("difference")];
  // Rides may become longer from one to the next. A total that begins in the table does so with a usual distance.
  if (!isFromStart && value <= NEVER) return false;
  return value > FAR && value > ANEW * difference && difference >= SHORT && difference < FAR / 2;
}

function usualShare(speeds: readonly number[]): number {
  const [least, most] = USUAL_SPEEDS;
  return speeds.filter((speed) => speed >= least && speed <= most).length / speeds.length;
}

/** How far speeds are from their middle on average, as logarithms. */
function spread(speeds: readonly number[]): number {
  const logs = speeds.map(Math.log);
  const middle = median(logs);
  return logs.reduce((sum, log) => sum + Math.abs(log - middle), 0) / logs.length;
}

/** The seconds of a row, in each form that its durations may have; empty for a row without. */
type Seconds = (row: number) => readonly number[];

/** `45` is minutes, and `1:05` may be hours or minutes. */
function durationsOf(columns: readonly AssignedColumn[]): Seconds {
  const column = columns.find(({ role }) => role === "duration" || role === "minutes" || role === "hours");
  if (column === undefined) return () => [];
  const isHours = column.role === "hours" || /^(?:h|hours?|hrs?|std|stunden)$/.test(column.meaning.unit ?? "");
  return (row) => {
    const cell = column.cells[row] ?? "";
    const [, first, second, third] = /^(\d{1,3}):(\d{2})(?::(\d{2}))?$/.exec(cell) ?? [];
    if (first === undefined) {
      const value = Number(cell.replace(",", "."));
      return value > 0 ? [value * (isHours ? 3600 : 60)] : [];
    }
    const parts = Number(first) * 60 + Number(second);
    if (third !== undefined) return [parts * 60 + Number(third)].filter((value) => value > 0);
    return parts > 0 ? [parts * 60, parts] : [];
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
