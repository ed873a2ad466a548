/** Finds the time of day at which workouts ended, beside the one at which they began: `von` and `bis`. Read as durations, all rows would be wrong. */
import type { Answers, Choice } from "../choices/choice.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";
import { isNothing } from "../words/values.ts";

/** Fewer rows show nothing. */
const LEAST_ROWS = 3;

/** Headers of the time at which a workout began, and of the one at which it ended, folded. */
const [BEGIN, END] = [
  /^(?:start|start time|started|begin|from|von|ab|beginn|startzeit|de|depart|debut|heure de debut|heure debut|desde|inicio|hora inicio|hora de inicio|da|dalle|ora inizio|inizio|das|van|starttijd|starttid|fran|fra|od|poczatek|開始|開始時刻)$/,
  /^(?:end|end time|ended|finish|finished|until|till|to|stop|bis|ende|endzeit|a|fin|heure de fin|heure fin|arrivee|hasta|hora fin|hora de fin|alle|fine|ora fine|as|ate|fim|tot|einde|eindtijd|slut|sluttid|til|do|koniec|終了|終了時刻)$/,
];

/** Headers of a break within the workout, folded. */
const BREAK =
  /^(?:pausen?|pausenzeit|breaks?|break time|rest|rest time|stops?|stopped|pauses?|arret|descanso|pausas?|sosta|soste|intervalo|pauzes?|rust|raster?|paus|pauser?|przerwy?|休憩)(?: \(.{1,8}\))?$/;

/** Workouts last at least so many minutes, and at most. */
const LASTING = [3, 12 * 60] as const;

/** This share of the rows must last as long as workouts do. */
const SHARE = 0.95;

/** Roles of columns that say how long a workout was. */
const DURATIONS: ReadonlySet<string> = new Set(["duration", "hours", "minutes", "seconds"]);

/** The columns, with the one that a person called the end of the workout. */
export function withEndSaid(columns: readonly AssignedColumn[], answers: Answers): readonly AssignedColumn[] {
  const begin = columns.find(({ role }) => role === "time" || role === "datetime");
  return columns.map((column): AssignedColumn => {
    if (answers.get(fieldPlace(column)) !== "end") return column;
    return { ...column, role: undefined, isGuess: false, isOut: false, endOf: begin?.name ?? "" };
  });
}

/** The columns of a table without a duration, where one has the start and another the end of each workout: the time between is the duration. */
export function withEndTimes(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  const isFree = (column: AssignedColumn) => !isAnswered(fieldPlace(column)) && column.filled.length >= LEAST_ROWS;
  const clocks = columns.filter(
    (one) => isFree(one) && one.filled.every((cell) => minutesOf(withoutDay(cell)) !== undefined),
  );
  const begin = clocks.find(({ name }) => BEGIN.test(foldHeader(name)));
  const end = clocks.find((one) => one !== begin && END.test(foldHeader(one.name)));
  const pauses = columns.filter((one) => isFree(one) && isBreak(one));
  const isTimed = columns.some(
    (one) =>
      one !== begin && one !== end && !pauses.includes(one) && DURATIONS.has(one.role ?? "") && one.filled.length > 0,
  );
  if (begin === undefined || end === undefined || isTimed || isOfDay(begin) !== isOfDay(end)) return columns;
  const spans = begin.cells.flatMap((cell, row) => minutesBetween(cell, end.cells[row] ?? "") ?? []);
  const usual = spans.filter((minutes) => minutes >= LASTING[0] && minutes <= LASTING[1]);
  if (spans.length < LEAST_ROWS || usual.length < spans.length * SHARE) return columns;
  return columns.map((column): AssignedColumn => {
    if (column === begin) return { ...column, role: isOfDay(begin) ? "datetime" : "time", isGuess: false };
    if (pauses.includes(column)) return { ...column, role: undefined, isGuess: true, asked: breakChoice(column, end) };
    return column === end ? { ...column, role: undefined, isGuess: false, endOf: begin.name } : column;
  });
}

/** A day before a time of day: `2023-03-03 18:30`. */
const DAY = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[ T]+/;

/** `19:36` of `2023-03-03 19:36:16`. A time alone with seconds is rather a duration, and stays as it is. */
const withoutDay = (cell: string) =>
  DAY.test(cell) ? cell.replace(DAY, "").replace(/^(\d{1,2}:\d{2}):\d{2}$/, "$1") : cell;

/** Whether the times of a column stand behind days. */
function isOfDay({ filled }: ColumnSample): boolean {
  return filled.every((cell) => DAY.test(cell));
}

/** Whether a column has breaks, which are no durations of workouts. */
function isBreak({ name, role, filled }: AssignedColumn): boolean {
  return (
    BREAK.test(foldHeader(name)) &&
    (role === undefined || DURATIONS.has(role)) &&
    filled.some((cell) => /\d/.test(cell))
  );
}

/** The question about breaks between the start and the end. */
function breakChoice({ name, filled }: AssignedColumn, end: AssignedColumn): Choice {
  return {
    ...{ place: fieldPlace({ name }), value: "unsupported", contradicting: 0, rows: filled.length, isUnproven: true },
    why: `the durations are the times up to ${JSON.stringify(end.name)}, with breaks such as ${JSON.stringify(filled[0] ?? "")}. To take them off, add a column Duration with the duration of each row, and propose again`,
    question: `Are the breaks in the column ${JSON.stringify(name)} a part of the durations?`,
    options: [
      { value: "unsupported", means: "they are: the breaks are counted as left" },
      { value: "notes", means: "they are, and the breaks become notes" },
    ],
  };
}

/** The evidence for a column with the end of each workout. */
export function endChoice({ endOf, filled, ...column }: AssignedColumn): Choice | undefined {
  if (endOf === undefined) return undefined;
  const why = `the time from the column ${JSON.stringify(endOf)} to it is as long as workouts are`;
  return { place: fieldPlace(column), value: "end", why, contradicting: 0, rows: filled.length };
}

/** The seconds from the start to the end of a row; undefined for a table without such columns. */
export function secondsToEnd(columns: readonly AssignedColumn[], row: number): number | undefined {
  const end = columns.find(({ endOf }) => endOf !== undefined);
  const begin = columns.find(({ name }) => name === end?.endOf);
  const minutes = minutesBetween(begin?.cells[row] ?? "", end?.cells[row] ?? "");
  return minutes === undefined ? undefined : minutes * 60;
}

/** The minutes from one time of day to the next time that another cell has. */
function minutesBetween(from: string, to: string): number | undefined {
  const [begin, end] = [minutesOf(withoutDay(from)), minutesOf(withoutDay(to))];
  return begin === undefined || end === undefined ? undefined : (end - begin + 24 * 60) % (24 * 60);
}

/** The columns, where a likely duration may be the end as well: each of its times is later than the start of its row. A person's answer stands. */
export function withEndTimesAsked(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  const start = columns.find(({ role }) => role === "time");
  if (start === undefined) return columns;
  return columns.map((column): AssignedColumn => {
    const isAsked = column.role === "duration" && column.isGuess === true && !isAnswered(fieldPlace(column));
    const rows = isAsked ? rowsLater(column, start) : 0;
    if (rows === 0) return column;
    const asked = {
      ...{ place: fieldPlace(column), value: "unsupported", contradicting: 0, rows: column.filled.length },
      why: `in ${rows} of ${rows} rows it is later than ${JSON.stringify(start.name)}, as the time of day is at which a workout ended`,
      question: `What is the column ${JSON.stringify(column.name)}?`,
      options: [
        {
          value: "unsupported",
          means: "the end: it is counted as left. For the durations, add a column with the differences",
        },
        { value: "duration", means: "how long the workout was" },
      ],
    };
    return { ...column, role: undefined, asked };
  });
}

/** The rows in which a time is later than the start; 0 if it isn't in one of them. */
function rowsLater(column: ColumnSample, start: ColumnSample): number {
  const both = column.cells.flatMap((cell, row) => {
    const other = start.cells[row] ?? "";
    return isNothing(cell) || isNothing(other) ? [] : [[minutesOf(cell), minutesOf(other)] as const];
  });
  const areLater = both.every(([end, begin]) => end !== undefined && begin !== undefined && end > begin);
  return areLater && both.length >= LEAST_ROWS ? both.length : 0;
}

/** Minutes since midnight of `7:24` and `18.15`; undefined for other texts. */
function minutesOf(cell: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3])[:.h]([0-5]\d)(?::00)?$/i.exec(cell) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}
