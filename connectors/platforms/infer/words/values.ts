/** What the text of a cell can be, before anybody said how it is written. */
import {
  type Dates,
  parseDate,
  parseDateTime,
  parseMeasure,
  parseNumber,
  parseTimeOfDay,
} from "../../table/cells/cells.ts";
import { withoutDoubt } from "../../table/cells/doubtful-numbers.ts";
import { parseDuration } from "../../table/cells/durations.ts";

/** A cell without its marks of doubt: `10 km` for `ca 10 km`. The readers read it so, and name it. */
export function plainly(cell: string): string {
  return withoutDoubt(cell) ?? cell;
}

/** Cells that stand for nothing in columns of numbers. */
const NOTHING = /^(?:[-–—/?.]+|n\/?a\.?|none|null|k\.?\s?a\.?|nan|#[A-Z0-9/!?]+)$/i;

/** Whether a cell stands for nothing. */
export function isNothing(cell: string): boolean {
  return cell === "" || NOTHING.test(cell);
}

/** Whether a cell is an error of a spreadsheet program: `#REF!`, `#N/A`, `#DIV/0!`. */
export function isErrorCell(cell: string): boolean {
  return /^#(?:REF!|N\/A|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!|ERROR!|WERT!|BEZUG!|NV)$/i.test(cell);
}

/** Whether a cell is a number or a duration of nothing: 0, 0.0 or 0:00:00. */
export function isZero(cell: string): boolean {
  return /^0+(?:[.,:]0+)*$/.test(cell);
}

/** Orders of dates that text can have. */
export const TEXT_ORDERS = ["iso", "dmy", "mdy", "ymd"] as const;

/** Dates as a mapping file of this order reads them. */
export function datesIn(order: Dates["order"], zone: Dates["zone"] = "local"): Dates {
  return { order, zone, twoDigitYearPivot: 70 };
}

/** Days of Excel from 1954 to 2064, with a fraction for the time. Other numbers are no dates of workouts. */
export const isSerial = (cell: string) =>
  /^\d{5}(?:[.,]\d+)?$/.test(cell) && Number(cell.slice(0, 5)) >= 20_000 && Number(cell.slice(0, 5)) <= 60_000;

/** Whether a cell is a date of six digits, as `180101` for 1 January 2018. Below any header but that of a date it is a number. */
export const isShortDate = (cell: string) => /^\d{6}$/.test(cell) && parseDate(cell, datesIn("ymd"), ".") !== undefined;

/** Whether a cell is a date, with or without a time, in any order. */
export function isDateText(cell: string): boolean {
  if (isSpreadsheetTime(cell) || isShortDate(cell)) return false;
  return (
    TEXT_ORDERS.some(
      (order) =>
        parseDate(cell, datesIn(order), ".") !== undefined || parseDateTime(cell, datesIn(order), ".") !== undefined,
    ) || parseDateTime(cell, datesIn("iso", "offset"), ".") !== undefined
  );
}

/** A cell that begins with a number, in two parts: the number, and the unit behind it. Without a number, the number is empty. */
export function splitAmount(written: string): { readonly number: string; readonly unit: string } {
  const cell = plainly(written);
  const number =
    /^[-+−]?(?:\d{1,3}(?:['’ \u00a0\u2009\u202f]\d{3}){1,4}(?!\d)(?:[.,]\d*)?|[\d.,]*)/.exec(cell)?.[0] ?? "";
  const unit = cell.slice(number.length).trim();
  return { number: number.replace("−", "-"), unit: unit.endsWith(".") ? unit.slice(0, -1) : unit };
}

/** Whether a cell is a number in either way of writing. */
export function isNumber(cell: string): boolean {
  return parseNumber(cell, ".") !== undefined || parseNumber(cell, ",") !== undefined;
}

/** The number of a cell, where the decimal mark doesn't matter. */
export function roughNumber(cell: string): number {
  return parseNumber(cell, ".") ?? parseNumber(cell, ",") ?? Number.NaN;
}

/** Whether a cell is a number, perhaps with a unit of length. */
export const isLength = (cell: string) => isPlainLength(plainly(cell));

const isPlainLength = (cell: string) =>
  isNumber(cell) || [".", ","].some((mark) => parseMeasure("distance", cell, undefined, mark as ".") !== undefined);
/** Whether a cell is a time of day. Bare numbers such as 630 are told by their column. */
export const isClock = (cell: string) => !/^\d+$/.test(cell) && parseTimeOfDay(cell, datesIn("iso"), ".") !== undefined;
/** Whether a cell is a duration with colons or words. */
export const isDurationText = (cell: string) =>
  parseDuration(cell, ["h:mm:ss", "mm:ss", "h:mm", "text"], ".") !== undefined;
/** Whether a cell is a duration with two dots: 1.05.30. Days such as 1.05.17 look so, too. */
export const isDotted = (cell: string) => /^\d{1,3}\.[0-5]\d\.[0-5]\d$/.test(cell);
/** Whether a cell can be a pace. */
export const isPace = (cell: string) =>
  /^\d{1,2}[:.']\d{2}/.test(cell) || /^0?0:\d{2}:\d{2}$/.test(cell) || isNumber(cell);
/** Whether a cell is neither a number nor a date. */
export const isText = (cell: string) => !isNumber(cell) && !isDateText(cell);
/** Makes a check for numbers in a range. */
export const inRange = (least: number, most: number) => (cell: string) => {
  const value = roughNumber(cell);
  return value >= least && value <= most;
};
/** A number, perhaps with its unit behind it. */
export const isAmount = (cell: string) =>
  /^[-+]?(?:[\d.,]+|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3}){1,4})\s*[^\d\s]{0,12}$/u.test(plainly(cell));

/** Whether a cell is a duration as a spreadsheet shows it by mistake: as a time of day, or of the year 1899. */
export function isSpreadsheetTime(cell: string): boolean {
  return parseDuration(cell, ["clock", "zero-day"], ".") !== undefined;
}
