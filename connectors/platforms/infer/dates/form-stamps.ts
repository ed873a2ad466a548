/** Finds the column of a web form that says when somebody sent it, beside one with the day of the workout. Forms are filled in days later. */
import type { Answers } from "../choices/choice.ts";
import { fieldPlace } from "../columns/roles.ts";
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";
import { isDateText, TEXT_ORDERS } from "../words/values.ts";
import { daysOf } from "./dates.ts";

/** What the programs for forms call it, folded. */
const STAMP =
  /^(?:timestamp|time stamp|submitted(?: at| on)?|submission (?:date|time)|created(?: at)?|zeitstempel|zeitmarke|horodateur|marca temporal|marca de tiempo|informazioni cronologiche|carimbo de data\/hora|tijdstempel|tidsstampel|tidsstempel|sygnatura czasowa|タイムスタンプ)$/;

/** This share of the cells must be dates, and as near to the stamp of their row as people fill in a form. */
const SHARE = 0.8;
const MOST_DAYS = 60;
const DAY = 86_400_000;

/** The columns, where the stamp of a form is no date, and the day beside it is. A person's answer to either stands. */
export function withoutStamps(columns: readonly ColumnSample[], answers: Answers): readonly ColumnSample[] {
  const areDates = ({ filled }: ColumnSample) =>
    filled.length > 0 && filled.filter(isDateText).length >= filled.length * SHARE;
  const stamp = columns.find((column) => STAMP.test(foldHeader(column.name)) && areDates(column));
  const isDay = (column: ColumnSample, of: ColumnSample) =>
    column.filled.length >= of.filled.length * SHARE && areDates(column) && isNear(column, of);
  const day = stamp && columns.find((column) => column !== stamp && isDay(column, stamp));
  if (stamp === undefined || day === undefined || [stamp, day].some((column) => answers.has(fieldPlace(column))))
    return columns;
  return columns.map((column) => {
    if (column === stamp) return { ...column, meaning: { ...column.meaning, roles: [] } };
    return column === day ? { ...column, meaning: { ...column.meaning, roles: ["date"] } } : column;
  });
}

/** Whether in one order of their dates most cells of a column lie within the weeks before those of another. The date of the next race lies behind them. */
function isNear(column: ColumnSample, stamp: ColumnSample): boolean {
  const rows = column.cells.filter((cell) => isDateText(cell)).length;
  return TEXT_ORDERS.some((order) =>
    TEXT_ORDERS.some((other) => {
      const [days, stamps] = [daysOf(column.cells, order, "local"), daysOf(stamp.cells, other, "local")];
      const near = days.filter((day, row) => {
        const ago = Date.parse(stamps[row] ?? "") - Date.parse(day ?? "");
        return ago >= -DAY && ago <= MOST_DAYS * DAY;
      });
      return near.length >= rows * SHARE;
    }),
  );
}
