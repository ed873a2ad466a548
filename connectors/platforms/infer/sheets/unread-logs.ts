/** Tells a sheet with workouts from one of shoes, weights or sums, where no mapping reads it. */
import type { Archive, Entry } from "../../../containers/archive.ts";
import type { SheetInfo } from "../../../formats/sheets/sheet.ts";
import { type OpenWorkbook, openIfWorkbook } from "../../table/reading/workbook.ts";
import { isSumOfRows } from "../columns/group-tags.ts";
import { type AssignedColumn, assignRoles } from "../columns/roles.ts";
import { saysDistance, saysDuration } from "../columns/whole-texts.ts";
import { isDayOfMonth } from "../dates/only-days.ts";
import { dayAndMonth } from "../dates/without-year.ts";
import { weekGroups } from "../groups/week-groups.ts";
import { gearSheet, isBought } from "../no-logs/gear-sheets.ts";
import { type ColumnSample, columnsOf } from "../sample/column.ts";
import { sampleOf } from "../sample/sample.ts";
import type { Role } from "../words/header-words.ts";
import { isClock, isDateText, isNothing, isSerial, isZero } from "../words/values.ts";

/** Rows that are looked at. A log shows what it is at its beginning. */
const MOST_ROWS = 200;

/**
 * The sheets that have a table of workouts: a column of dates, and one of distances or durations.
 *
 * @throws WorkbookError and ArchiveError as `openIfWorkbook`
 */
export async function sheetsOfWorkouts<S extends SheetInfo>(
  archive: Archive,
  table: Entry,
  sheets: readonly S[],
): Promise<readonly S[]> {
  const workbook = await openIfWorkbook(archive, table);
  if (workbook === undefined) return [];
  try {
    const found: S[] = [];
    for (const sheet of sheets) if (await hasWorkouts(archive, table, sheet, workbook)) found.push(sheet);
    return found;
  } finally {
    await workbook.close();
  }
}

async function hasWorkouts(archive: Archive, table: Entry, sheet: SheetInfo, workbook: OpenWorkbook): Promise<boolean> {
  const sample = await sampleOf(archive, table, { sheet, workbook, most: MOST_ROWS });
  if ("problem" in sample) return false;
  const read = columnsOf(sample);
  // Nobody asks whether a sheet beside the log is one of shoes, so one sign is enough.
  if (gearSheet(read, 1) !== undefined) return false;
  if (weekGroups(sample) !== undefined) return true;
  const columns = assignRoles(read, sample.hasHeader, new Map());
  const measures = columns.filter((column) => isMeasure(column, columns, sample.hasHeader) || areWholeTexts(column));
  const dates = columns.filter(isOfDays);
  return sample.rows.some((_, row) =>
    dates.some((date) => isDay(date, row) && measures.some((measure) => isMeasured(measure.cells[row] ?? ""))),
  );
}

/** Words of a date, and of the time behind it. */
const DATES: readonly Role[] = ["date", "datetime"];
/** What is measured of a workout. */
const MEASURES: ReadonlySet<Role> = new Set(["distance", "duration", "hours", "minutes"]);
/** What shows that a time beside it is that of a workout. */
const OF_WORKOUTS: ReadonlySet<Role> = new Set(["distance", "activity", "pace", "speed", "elevation", "cadence"]);

/** Whether a column says of which day its row is: one of weeks or months has sums beside it. */
function isOfDays(column: AssignedColumn): boolean {
  const isDated = DATES.some((role) => column.role === role || column.meaning.roles.includes(role));
  return isDated && !isBought(column) && !isSumOfRows(column.name) && !isFirstOfMonth(column);
}

/** Sums of months have the first day of each. */
function isFirstOfMonth({ cells, dates }: ColumnSample): boolean {
  const days = [...dates].map((row) => cells[row] ?? "");
  return days.length > 1 && days.every((cell) => /^\d{4}-\d\d-01/.test(cell));
}

function isDay({ cells, dates, meaning }: ColumnSample, row: number): boolean {
  const cell = cells[row] ?? "";
  if (dates.has(row) || isDateText(cell) || isSerial(cell)) return true;
  // The name of the sheet says the year, or the month, too.
  return meaning.roles.includes("date") && (dayAndMonth(cell) !== undefined || isDayOfMonth(cell));
}

/** A role that only the values make likely is no evidence, but for durations that are no times of day. */
function isMeasure(column: AssignedColumn, columns: readonly AssignedColumn[], hasHeader: boolean): boolean {
  const { role, isGuess, meaning, filled, isElapsed } = column;
  if (role === undefined || !MEASURES.has(role) || meaning.purpose === "plan") return false;
  const isNamed = hasHeader && !isGuess && meaning.roles.some((one) => MEASURES.has(one));
  if (isNamed && !meaning.roles.includes("time")) return true;
  if (isNamed && columns.some((other) => other.role !== undefined && OF_WORKOUTS.has(other.role))) return true;
  return role === "duration" && (isElapsed === true || !filled.every((cell) => isClock(cell)));
}

/** Whether most cells have a distance and a duration, as in a diary: `Easy run 5.9 km, 0:30:51`. */
function areWholeTexts({ filled }: ColumnSample): boolean {
  const whole = filled.filter((cell) => saysDistance(cell) && saysDuration(cell));
  return whole.length > 0 && whole.length * 2 >= filled.length;
}

function isMeasured(cell: string): boolean {
  return /\d/.test(cell) && !isNothing(cell) && !isZero(cell);
}
