/** Turns the numbers of a workbook into dates and times, by the kind of their number format. */
import type { Cell } from "../sheets/sheet.ts";
import { clockText, dayClockText, numberText } from "../sheets/values.ts";
import type { NumberKind } from "./number-format.ts";

const DAY_MS = 86_400_000;

/** 1899-12-30 and 1904-01-01 as days since 1970. */
const EPOCH_DAYS = { 1900: -25_569, 1904: -24_107 } as const;

/** Excel counts 29 February 1900 as day 60, a day that never was. Before it, the days are one more than since 1899-12-30. */
const LEAP_DAY = 60;

/** 9999-12-31 in the calendar from 1900. */
const LAST_DAY = 2_958_465;

/** A workbook's calendar begins in 1900, or in 1904 if it comes from an old Mac. */
export type Calendar = keyof typeof EPOCH_DAYS;

/** A sum of times ends long before this, in days. A larger number is a date of which a format shows the time alone. */
const LONGEST_DAYS = 366;

/** A number as its cell means it. A number that its format can't show, such as a negative time, is a number. */
export function cellOfNumber(value: number, kind: NumberKind, calendar: Calendar): Cell {
  const shown = kind === "number" ? undefined : textOf(value, kind, calendar);
  return shown ?? { kind: "number", text: numberText(value) };
}

function textOf(value: number, kind: Exclude<NumberKind, "number">, calendar: Calendar): Cell | undefined {
  // 15 digits of a date hold a tenth of a millisecond.
  const millis = Math.round(value * DAY_MS);
  if (!Number.isSafeInteger(millis) || millis < 0) return undefined;
  if (kind === "duration") return { kind, text: clockText(millis) };
  if (kind === "time") return { kind, text: clockText(value < LONGEST_DAYS ? millis : millis % DAY_MS) };
  const day = Math.floor(millis / DAY_MS);
  const clock = millis % DAY_MS;
  // A time without a day, in the format of a date with a time: Excel shows day 0.
  if (day === 0 && calendar === 1900)
    return kind === "date-time" && clock > 0 ? { kind: "time", text: clockText(clock) } : undefined;
  const date = dateOf(day, calendar);
  if (date === undefined) return undefined;
  return kind === "date" ? { kind, text: date } : { kind, text: `${date} ${dayClockText(clock)}` };
}

function dateOf(day: number, calendar: Calendar): string | undefined {
  if (calendar === 1900 && day === LEAP_DAY) return undefined;
  const late = calendar === 1900 && day < LEAP_DAY ? 1 : 0;
  if (day > LAST_DAY - (calendar === 1904 ? EPOCH_DAYS[1904] - EPOCH_DAYS[1900] : 0)) return undefined;
  return new Date((day + EPOCH_DAYS[calendar] + late) * DAY_MS).toISOString().slice(0, 10);
}
