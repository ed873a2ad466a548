/** Tells whether durations of 12 hours and more, such as `45:30:00`, are minutes that a spreadsheet took for hours: by the rows that only one reading makes usual. */
import type { Choice } from "../choices/choice.ts";
import type { Reading, Score, SpeedRow } from "../columns/score.ts";
import { askingFormat } from "./format-question.ts";
import { usualIn } from "./mixed-durations.ts";

/** A cell of 12 hours and more that ends in :00, as a spreadsheet writes minutes and seconds. */
const LONG = /^(?:1[2-9]|[2-9]\d|\d{3,4}):[0-5]\d:00$/;
/** A shorter one. */
const SHORT = /^(?:\d|0\d|1[01]):[0-5]\d:00$/;

/** What the rows say of such cells. */
export interface ClockMinutes {
  /** The formats that remain possible. */
  readonly scores: readonly Score[];
  /** The question, where some of the long cells are hours and others minutes. No format tells them apart. */
  readonly asked?: Pick<Choice, "why" | "question" | "options" | "isUnproven">;
}

/** Leaves out the formats that the rows deny. @param scores each set of formats of a column with its best unit */
export function withoutClockHours(rows: readonly SpeedRow[], scores: readonly Score[]): ClockMinutes {
  const asHours = scores.find((one) => !isWithMinutes(one) && one.reading.formats.includes("h:mm:ss"));
  const asMinutes = scores.find(isMixed) ?? scores.find(isWithMinutes);
  if (asHours === undefined || asMinutes === undefined) return { scores };
  const long = countUsual(rows, LONG, asHours.reading, asMinutes.reading);
  const short = countUsual(rows, SHORT, asHours.reading, minutesOnly(asMinutes.reading));
  if (long.minutes > 0 && long.hours > 0) {
    const why = `of the times of 12 hours and more, ${long.minutes} are usual only as minutes and seconds, such as ${long.example}, and ${long.hours} only as hours. Write those of minutes in the table with a zero in front, such as 0:${long.example.replace(/:00$/, "")}, and propose again`;
    const values = [asHours, asMinutes].map(({ reading }) => reading.formats.join(", "));
    return { scores, asked: { why, ...askingFormat(values), isUnproven: true } };
  }
  // Without a cell of 12 hours, the speeds must say that 8:30:00 is 8:30. Hikes of five hours are no minutes.
  if (!rows.some(({ duration }) => typeof duration === "string" && LONG.test(duration)))
    return { scores: without(scores, (one) => isWithMinutes(one) !== short.minutes > short.hours) };
  if (long.minutes === 0) return { scores: long.hours === 0 ? scores : without(scores, isWithMinutes) };
  const areShortMinutes = short.minutes > short.hours;
  return { scores: without(scores, (one) => !isWithMinutes(one) || isMixed(one) === areShortMinutes) };
}

const isWithMinutes = ({ reading: { formats } }: Score) => formats.includes("mm:ss:00");
const isMixed = (one: Score) => isWithMinutes(one) && one.reading.formats.includes("h:mm:ss");

/** The scores without those that something denies; all of them if none would be left. */
function without(scores: readonly Score[], isDenied: (one: Score) => boolean): readonly Score[] {
  const left = scores.filter((one) => !isDenied(one));
  return left.length === 0 ? scores : left;
}

/** A reading in which every cell that ends in :00 is minutes and seconds. */
function minutesOnly(reading: Reading): Reading {
  return { ...reading, formats: reading.formats.filter((format) => format !== "h:mm:ss") };
}

/** How many rows with such a cell only one of two readings makes usual, and a cell that is usual as minutes. */
function countUsual(rows: readonly SpeedRow[], form: RegExp, hours: Reading, minutes: Reading) {
  const own = rows.filter(({ duration }) => typeof duration === "string" && form.test(duration));
  const only = (one: Reading, other: Reading) =>
    own.filter((row) => usualIn(row, one).isUsual && !usualIn(row, other).isUsual);
  const ofMinutes = only(minutes, hours);
  return { hours: only(hours, minutes).length, minutes: ofMinutes.length, example: String(ofMinutes[0]?.duration) };
}
