/** The duration of a row. */
import { addDays, asIfUtc, weekdayOf } from "../../../../transforms/calendar.ts";
import type { Start, UnsupportedValue } from "../../../../transforms/model/workout.ts";
import { inMetres, type Measure } from "../../../../transforms/units.ts";
import { weekdaysNamed } from "../../../formats/weekday-names.ts";
import { parseDateTime, parseTimeOfDay } from "../cells/cells.ts";
import { formatsFor, parseDuration } from "../cells/durations.ts";
import { saysNone } from "../cells/none-words.ts";
import { resavedSeconds } from "../columns/resaved-durations.ts";
import type { Cell, RowCells } from "../columns/row-cells.ts";
import type { DurationFormat, TableLap } from "../mapping/fields.ts";
import type { Conventions } from "../mapping/mapping.ts";

/** The duration of a row, and the time that differs from it. */
export interface RowTimes {
  readonly duration: number | undefined;
  readonly lost: readonly UnsupportedValue[];
}

/** Finds a row's duration: one cell, several parts, moving and elapsed time, or the time from its start to its end. */
export function timesOf(row: RowCells, { isRace, distance, start }: RowFacts, conventions: Conventions): RowTimes {
  holdWeekday(row, start);
  const metres = distance && inMetres(distance);
  const isStill = metres === undefined || metres <= 0;
  const duration = durationOf(row, isStill ? undefined : metres);
  if (duration !== undefined) return { duration, lost: besideDuration(row, duration, start, conventions) };
  const times = movingOrElapsed(row, isRace);
  if (times.duration !== undefined) return times;
  return { ...times, duration: untilEnd(row, start, conventions) ?? (isStill ? zeroIn(row) : undefined) };
}

/** Times of one workout that differ less are one: an end is written in minutes. */
const NEAR = { elapsed: 1, end: 60 } as const;

/** What the other columns of times say beside the duration, in somebody's own sheet: times that differ from it, and those that nobody can read. */
function besideDuration(
  row: RowCells,
  duration: number,
  start: Start,
  conventions: Conventions,
): readonly UnsupportedValue[] {
  if (row.rules !== "csv") return [];
  const read = {
    moving: () => secondsOf(row, "moving"),
    elapsed: () => secondsOf(row, "elapsed"),
    end: () => untilEnd(row, start, conventions),
  };
  return (["moving", "elapsed", "end"] as const).flatMap((field): readonly UnsupportedValue[] => {
    const cell = row.cell(field);
    if (cell === undefined || saysNone(cell.text)) return [];
    const seconds = read[field]();
    const label = field === "end" ? "end" : `${field} time`;
    const value = cell.text.slice(0, 100);
    // An end without a start is a time of day all the same.
    const isClock = field === "end" && parseTimeOfDay(cell.text, conventions.dates, row.decimal) !== undefined;
    if (seconds === undefined) return [{ field: label, value, ...(!isClock && { isUnread: "minor" }) }];
    return Math.abs(seconds - duration) < NEAR[field === "end" ? "end" : "elapsed"] ? [] : [{ field: label, value }];
  });
}

/** Names a date whose weekday stands beside it and is another one. The date counts. A name that can mean two days contradicts neither. */
function holdWeekday(row: RowCells, { date }: Start): void {
  const cell = row.cell("weekday");
  const names = weekdaysNamed(cell?.text ?? "");
  if (cell === undefined || date === undefined || names.size === 0 || names.has(weekdayOf(date))) return;
  row.complain(
    cell,
    "table/weekday-differs",
    `the weekday of ${date}, or another date; the row is read with this date`,
  );
}

/** What the duration depends on, besides its own cells. */
interface RowFacts {
  readonly isRace: boolean;
  readonly distance: Measure<"distance"> | undefined;
  readonly start: Start;
}

/**
 * 0 if a row writes it for its moving or elapsed time. With a distance it means that nobody measured the time, and without one that the recording was
 * stopped as soon as it began. A column with `zero: none` says so too where the row has a heart rate: without this 0, the heart rate alone would
 * count as a workout.
 */
function zeroIn(row: RowCells): 0 | undefined {
  const isMeasured = row.text("avgHR") !== undefined || row.text("maxHR") !== undefined;
  const isZero = (field: "duration" | "moving" | "elapsed") => row.writesZero(field, isMeasured);
  return isZero("moving") || isZero("elapsed") || (isMeasured && isZero("duration")) ? 0 : undefined;
}

/** Seconds from a row's start to its end, if both have a time of day. */
function untilEnd(row: RowCells, start: Start, { dates, file }: Conventions): number | undefined {
  const cell = row.cell("end");
  if (cell === undefined) return undefined;
  const end = parseDateTime(cell.text, dates, file.decimal) ?? nextTime(start, cell.text, dates, file.decimal);
  if (end === undefined) row.complain(cell, "bad-date", "a date with a time, written as the start is");
  const millis = end && millisBetween(start, end);
  if (millis === undefined) return undefined;
  if (millis < 0) row.complain(cell, "table/end-before-start", "an end after the start");
  return positive(millis / 1000);
}

/** The first time of day after a start, such as 0:20 after 23:10: undefined for other texts, and for a start without a time. */
function nextTime(
  { date, time: begin }: Start,
  text: string,
  dates: Conventions["dates"],
  decimal: Conventions["file"]["decimal"],
): Start | undefined {
  const time = parseTimeOfDay(text, dates, decimal);
  if (time === undefined || date === undefined || begin === undefined) return undefined;
  return { date: time < begin ? addDays(date, 1) : date, time };
}

/** Milliseconds from one time to another: of two instants, or else of two times of the same clock. */
function millisBetween(from: Start, to: Start): number | undefined {
  if (from.instant !== undefined && to.instant !== undefined) return to.instant - from.instant;
  const [begin, end] = [localOf(from), localOf(to)];
  return begin === undefined || end === undefined ? undefined : end - begin;
}

function localOf({ date, time }: Start): number | undefined {
  return date === undefined || time === undefined ? undefined : asIfUtc({ date, time });
}

/** A moving time that is shorter than the elapsed time of a race by more than this share is named. */
const FAR_APART = 0.1;

/**
 * Chooses between moving and elapsed time. Runners log the time they ran. This is the moving time, which platforms show too. For a race,
 * runners log and platforms show the elapsed time, because its clock doesn't stop. If the other time differs, it counts as unsupported.
 */
function movingOrElapsed(row: RowCells, isRace: boolean): RowTimes {
  const moving = timeIn(row, "moving");
  const elapsed = timeIn(row, "elapsed");
  const isTooLong = moving !== undefined && elapsed !== undefined && moving > elapsed + Math.max(1, elapsed / 100);
  const cell = row.cell("moving");
  if (isTooLong && cell !== undefined)
    row.complain(cell, "table/elapsed-below-moving", `at most the ${elapsed} s that passed, which are taken`);
  // The two may be minutes apart, and a person knows their own time. So they hear of it before it is in their log.
  if (
    isRace &&
    moving !== undefined &&
    elapsed !== undefined &&
    elapsed - moving > elapsed * FAR_APART &&
    cell !== undefined
  )
    row.complain(cell, "table/race-time", `about the ${elapsed} s that passed. In a race these count`);
  const duration = isRace || isTooLong ? (elapsed ?? moving) : (moving ?? elapsed);
  const [field, other] = duration === moving ? ["elapsed time", elapsed] : ["moving time", moving];
  const differs = other !== undefined && duration !== undefined && Math.abs(other - duration) >= 1;
  const lost = differs ? [{ field: String(field), value: `${other} s` }] : unreadOther(row, moving, elapsed);
  return { duration, lost: [...lost, ...(isRace ? otherElapsed(row, elapsed) : [])] };
}

/** The time that nobody can read beside the one that counts, in somebody's own sheet. */
function unreadOther(
  row: RowCells,
  moving: number | undefined,
  elapsed: number | undefined,
): readonly UnsupportedValue[] {
  const lacking = moving === undefined ? "moving" : "elapsed";
  const text = row.text(lacking);
  if (row.rules !== "csv" || (moving ?? elapsed) === undefined || (moving !== undefined && elapsed !== undefined))
    return [];
  return text === undefined || saysNone(text)
    ? []
    : [{ field: `${lacking} time`, value: text.slice(0, 100), isUnread: "minor" }];
}

/** Elapsed times behind the first one, if they differ from it: of a race, the watch may have another one than the official list. */
function otherElapsed(row: RowCells, elapsed: number | undefined): readonly UnsupportedValue[] {
  return row.cells("elapsed").flatMap(({ text, spec }, index) => {
    const seconds = Number(text);
    const isOther = index > 0 && spec?.otherwise === true && elapsed !== undefined;
    return isOther && Math.abs(seconds - elapsed) >= 1 ? [{ field: "elapsed time", value: `${seconds} s` }] : [];
  });
}

/** Reads a time above 0. No time can be less, so such a one is reported. */
function timeIn(row: RowCells, field: "moving" | "elapsed"): number | undefined {
  const seconds = secondsOf(row, field);
  const cell = row.cell(field);
  if (seconds !== undefined && seconds < 0 && cell !== undefined) row.complain(cell, "bad-duration", "a time above 0");
  return positive(seconds);
}

/** Reads a time by the formats of its column. Without formats, it is a number of seconds. */
function secondsOf(row: RowCells, field: "moving" | "elapsed"): number | undefined {
  const cell = row.cell(field);
  return cell?.spec?.format === undefined ? row.number(field) : readDuration(row, cell);
}

/** The laps of a row, and what keeps them from being read. */
export interface LapsOfRow {
  /** Empty if one of them can't be read. */
  readonly laps: readonly TableLap[];
  readonly left: readonly UnsupportedValue[];
}

/** Reads the times of a row's laps. A time that counts from the start of the workout is made one of its lap. */
export function lapsInColumns(row: RowCells): LapsOfRow {
  let before = 0;
  const cells = row.cells("lap");
  const gap = cells.find(({ name, spec }) => spec?.running === true && row.lacksLapBefore(name));
  const left: UnsupportedValue[] = gap === undefined ? [] : [{ field: "lap", value: gap.text, isUnread: "minor" }];
  const laps = cells.flatMap((cell) => {
    const seconds = readDuration(row, cell);
    if (seconds === undefined) {
      if (!saysNone(cell.text)) left.push({ field: "lap", value: cell.text.slice(0, 100), isUnread: "minor" });
      return [];
    }
    const { each, running } = cell.spec ?? {};
    const timer = running === true ? Math.round((seconds - before) * 1000) / 1000 : seconds;
    before = seconds;
    if (timer <= 0) {
      row.complain(cell, "bad-duration", "a time after that of the lap before");
      left.push({ field: "lap", value: cell.text.slice(0, 100), isUnread: "minor" });
      return [];
    }
    return [{ timer, ...(each !== undefined && { distance: each }) }];
  });
  // Without one of them, each behind it would be another lap, and a time from the start would be that of two.
  return { laps: left.length === 0 ? laps : [], left };
}

function readDuration(row: RowCells, cell: Cell): number | undefined {
  const formats = formatsFor(cell.text, cell.spec ?? {});
  const duration = parseDuration(cell.text, formats, cell.spec?.decimal ?? row.decimal);
  if (duration === undefined)
    row.complain(cell, "bad-duration", formats.map((format) => DURATION_WORDS[format]).join(" or "));
  return duration;
}

/** Of 24 to 59 hours and no seconds, what a spreadsheet program made of minutes and seconds. A mapping file says how its cells are read. */
function resavedDuration(row: RowCells, cell: Cell, metres: number | undefined): number | undefined {
  const { format = [] } = cell.spec ?? {};
  const seconds = row.rules === "table" ? resavedSeconds(cell.text, format, row.activity, metres) : undefined;
  if (seconds !== undefined)
    row.complain(cell, "table/resaved-duration", "minutes and seconds: a spreadsheet program took them for hours");
  return seconds;
}

function durationOf(row: RowCells, metres: number | undefined): number | undefined {
  const [cell, ...others] = row.cells("duration");
  if (cell !== undefined && cell.spec?.add !== true)
    return resavedDuration(row, cell, metres) ?? readDuration(row, cell);
  if (cell !== undefined) {
    const added = [cell, ...others].flatMap((each) => {
      const seconds = readDuration(row, each);
      if (seconds === undefined) row.markUnread(each, "duration");
      return seconds ?? [];
    });
    return added.length === 0 || row.lacksPart("duration")
      ? undefined
      : Math.round(added.reduce((a, b) => a + b) * 1000) / 1000;
  }
  const parts = DURATION_PARTS.flatMap(({ field, seconds }) => {
    const value = row.number(field);
    return value === undefined ? [] : [value * seconds];
  });
  return parts.length === 0 || row.lacksPart(...DURATION_PARTS.map(({ field }) => field))
    ? undefined
    : Math.round(parts.reduce((a, b) => a + b) * 1000) / 1000;
}

const DURATION_WORDS: Readonly<Record<DurationFormat, string>> = {
  "h:mm:ss": "1:02:03",
  "h:mm": "1:05",
  "mm:ss": "45:30",
  "mm:ss:00": "45:30:00",
  "h.mm.ss": "1.02.03",
  "mm.ss": "45.30",
  "h.mm": "1.05",
  hmmss: "10230",
  clock: "12:45:30 AM",
  "zero-day": "1899-12-30 00:45:30",
  minutes: "minutes",
  hours: "hours",
  seconds: "seconds",
  milliseconds: "milliseconds",
  "day-fraction": "a fraction of a day",
  text: "words like 1h 5m",
};

const DURATION_PARTS = [
  { field: "duration.hours", seconds: 3600 },
  { field: "duration.minutes", seconds: 60 },
  { field: "duration.seconds", seconds: 1 },
] as const;

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
