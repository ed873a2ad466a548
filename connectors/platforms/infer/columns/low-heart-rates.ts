/** Tells heart rates that are too low for workouts, such as those of the morning, from the mean of each workout. */
import { type ColumnSample, fits } from "../sample/column.ts";
import { foldHeader, wholeHeader } from "../words/header-words.ts";
import { isZero, roughNumber, splitAmount } from "../words/values.ts";

/** Hardly any workout has a lower mean, and hardly anybody a higher heart rate at rest. */
const LOW = 65;

/** Fewer rows show nothing. */
const LEAST_ROWS = 3;

/** The median of heart rates that are lower than those of workouts; undefined for usual ones. A zero was not measured. */
export function lowMedian({ filled }: ColumnSample): number | undefined {
  const rates = filled
    .filter((cell) => !isZero(cell))
    .map((cell) => roughNumber(splitAmount(cell).number))
    .filter((rate) => !Number.isNaN(rate))
    .toSorted((a, b) => a - b);
  const middle = rates[Math.floor(rates.length / 2)];
  return rates.length >= LEAST_ROWS && middle !== undefined && middle < LOW ? middle : undefined;
}

/** Whether another column is rather the mean heart rate: this one is too low for it, or only the other one's header says nothing else. */
export function isOtherRate(column: ColumnSample, columns: readonly ColumnSample[]): boolean {
  const others = columns.filter(
    (other) =>
      other !== column && other.filled.length > 0 && other.meaning.roles.includes("avgHR") && fits("avgHR", other),
  );
  const usual = others.filter((other) => lowMedian(other) === undefined);
  if (lowMedian(column) !== undefined) return usual.length > 0;
  return !isPlain(column) && usual.some(isPlain);
}

/** Whether a header is a word for the mean heart rate from its beginning to its end. */
function isPlain({ name }: ColumnSample): boolean {
  return wholeHeader(foldHeader(name.replace(/#\d+$/, "")))?.roles.includes("avgHR") ?? false;
}
