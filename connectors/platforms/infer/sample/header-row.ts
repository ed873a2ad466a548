/** Finds the header of a table among its first rows, and what stands in a row above it or below it. */
import { activityNamed } from "../../../../transforms/activities.ts";
import { readHeaderWords } from "../words/header-words.ts";
import { isDateText, isNumber } from "../words/values.ts";
import { hasUnit, isUnitsRow, withoutBrackets } from "./lines-of-units.ts";
import { isLowerHeader } from "./upper-headers.ts";

/** The header is among the first rows. */
const MOST_BEFORE_HEADER = 20;

/** A row, as far as its texts are concerned. */
interface FilledRow {
  readonly fields: readonly string[];
}

/** The rows that say what the columns are. */
export interface HeaderRows {
  /** The index of the header; undefined for a table without one. */
  readonly at: number | undefined;
  /** The units in a line of their own below the header, by column; undefined if there is no such line. */
  readonly units: readonly string[] | undefined;
}

/** Finds the header. In `Run, Bike` above `km, km` the lower row is the header, because a sport may have several columns. */
export function headerRows(rows: readonly FilledRow[]): HeaderRows {
  const at = headerAt(rows);
  const own = at === undefined ? undefined : rows[at]?.fields;
  const below = at === undefined ? undefined : rows[at + 1]?.fields;
  if (at === undefined || own === undefined || below === undefined) return { at, units: undefined };
  // Words such as `mean` and `max` below a gap of the header are the lower part of it.
  const isUnits = isUnitsRow(below) && (hasUnit(below) || !isLowerHeader(own, below));
  if (!isUnits && knownIn(below) < 2) return { at, units: undefined };
  const sports = own.filter((cell, index) => activityNamed(cell) !== undefined && (below[index] ?? "").trim() !== "");
  if (new Set(sports).size > 1) return { at: at + 1, units: undefined };
  if (!isUnits && isLowerHeader(own, below)) return { at: at + 1, units: undefined };
  return { at, units: isUnits ? below.map(withoutBrackets) : undefined };
}

/** The cells of a row that can be names of columns; 0 for a row with a date, or with units alone. */
export function knownIn(fields: readonly string[]): number {
  if (fields.some((cell) => isDateText(cell.trim())) || isUnitsRow(fields)) return 0;
  return fields.filter((cell) => !/^\s*[\d<>~-]/.test(cell) && readHeaderWords(cell).roles.length > 0).length;
}

/** Whether a row has names of sports alone in cells. */
export function hasSports(cells: readonly string[]): boolean {
  return cells.some((cell) => activityNamed(cell) !== undefined);
}

function headerAt(rows: readonly FilledRow[]): number | undefined {
  const first = rows.slice(0, MOST_BEFORE_HEADER);
  const known = first.map(({ fields }) => knownIn(fields));
  // A header below dated rows is another one: it never makes a title of the rows above it.
  const begin = known.findIndex((count) => count >= 2);
  const dated = first.findIndex(({ fields }, row) => row > begin && fields.some((cell) => isDateText(cell.trim())));
  const most = Math.max(...(begin === -1 || dated === -1 ? known : known.slice(0, dated)));
  // Two known words make a header. In a language that logferry doesn't know, a row of words above rows of numbers does.
  if (most >= 2) return known.indexOf(most);
  const widest = Math.max(...first.map(widthOf));
  const at = first.findIndex((row) => widthOf(row) >= Math.max(2, widest - 1));
  const row = first[at];
  if (row === undefined || row.fields.some((cell) => isDateText(cell.trim()))) return undefined;
  const hasNumbers = (cells: readonly string[]) => cells.some((cell) => isNumber(cell.trim()));
  const isAbove = first.slice(at + 1).some(({ fields }) => hasNumbers(fields));
  return !hasNumbers(row.fields) && (isAbove || known[at] === 1) ? at : undefined;
}

function widthOf({ fields }: FilledRow): number {
  return fields.filter((cell) => cell.trim() !== "").length;
}
