/** Finds a column that says before or after noon for the times in another: `6:14` and `pm`. Without it, a run in the evening began in the morning. */

import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import { type ColumnSample, columnsOf } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { foldHeader, type Role } from "../words/header-words.ts";
import { partOfDay } from "../words/parts-of-day.ts";
import { isNothing } from "../words/values.ts";

/** The name of the new column. Its header says what it is. */
const WHOLE = "Time of day";

const HALF = /^(?:[ap]\.?\s?m?\.?|午前|午後)$/i;

const AFTER = /^(?:p|午後)/i;

/** The hours and minutes of a clock with twelve hours. */
const TWELVE = /^(?:0?\d|1[0-2])[:.h][0-5]\d(?:[:.][0-5]\d)?$/i;

/** Fewer times show nothing. */
const LEAST_ROWS = 3;

/** A table whose times say before or after noon. */
interface WholeTimes {
  readonly sample: SheetSample;
  readonly join: ReadonlyMap<string, string>;
}

/** Puts the times and their halves of the day together; undefined if a table has no such two columns. */
export function withHalves(sample: SheetSample): WholeTimes | undefined {
  if (sample.header.includes(WHOLE) || !sample.hasHeader) return undefined;
  const columns = columnsOf(sample);
  const half = columns.find(isHalf);
  const time = half && columns.find((column) => isTimeFor(column, half) && !mayBeDuration(column, columns));
  if (half === undefined || time === undefined) return undefined;
  const isJapanese = half.filled.some((cell) => /\p{Script=Han}/u.test(cell));
  const [first, then] = isJapanese ? [half, time] : [time, half];
  const whole = (fields: readonly string[]) =>
    [first, then].map(({ index }) => (fields[index] ?? "").trim()).join(" ").trim(); // biome-ignore format: one line
  return {
    sample: {
      ...sample,
      header: sample.header.with(time.index, WHOLE).with(half.index, ""),
      rows: sample.rows.map((row) => {
        const fields = sample.header.map((_, index) => row.fields[index] ?? "");
        return { ...row, fields: fields.with(time.index, whole(fields)).with(half.index, "") };
      }),
    },
    join: new Map([[WHOLE, `{${first.name}} {${then.name}}`]]),
  };
}

/** Whether a column says before or after noon, and after it in some rows. Lone letters may be anything. */
function isHalf({ name, filled }: ColumnSample): boolean {
  if (name.trim() === "" || filled.length < LEAST_ROWS || !filled.every((cell) => HALF.test(cell))) return false;
  return (
    filled.some((cell) => AFTER.test(cell)) &&
    (!filled.every((cell) => cell.length < 2) || filled.some((cell) => /^a/i.test(cell)))
  );
}

/** Whether a column has times of twelve hours, each with its half of the day in another column. */
function isTimeFor(column: ColumnSample, half: ColumnSample): boolean {
  const { cells, filled, meaning } = column;
  if (column === half || filled.length < LEAST_ROWS || !meaning.roles.includes("time")) return false;
  if (!filled.every((cell) => TWELVE.test(cell))) return false;
  return cells.every((cell, row) => isNothing(cell) || !isNothing(half.cells[row] ?? ""));
}

/** Whether a column such as `Time` is the only one that may be the duration. `AM/PM` beside it then says which workout of the day a row is. */
function mayBeDuration(column: ColumnSample, columns: readonly ColumnSample[]): boolean {
  const isTimed = ({ meaning, filled }: ColumnSample) =>
    filled.length > 0 && meaning.purpose !== "plan" && meaning.roles.some((role) => DURATIONS.has(role));
  return isTimed(column) && !columns.some((other) => other !== column && isTimed(other));
}

/** The roles that give a duration. */
const DURATIONS: ReadonlySet<Role> = new Set(["duration", "hours", "minutes"]);

/** Words for the second half of the day, folded. */
const LATE = new Set(
  `pm afternoon evening night abends abend nachmittag nachmittags apres-midi soir tarde noche pomeriggio sera noite middag avond kvall eftermiddag aften
  wieczor popoludnie 午後 夕方 夕 夜`
    .split(/\s+/)
    .map(foldHeader),
);

/** The columns, where times before noon stand beside words for the evening: whether 7:15 is 19:15 is a question. A person's answer stands. */
export function withEveningsAsked(
  columns: readonly AssignedColumn[],
  isAnswered: (place: string) => boolean,
): readonly AssignedColumn[] {
  const part = columns.find(
    ({ role, filled }) =>
      (role === undefined || role === "notes") && filled.length >= LEAST_ROWS && filled.every((cell) => partOfDay(cell) !== undefined), // biome-ignore format: one line
  );
  if (part === undefined) return columns;
  return columns.map((column): AssignedColumn => {
    if (column.role !== "time" || isAnswered(fieldPlace(column))) return column;
    if (!column.filled.every((cell) => TWELVE.test(cell))) return column;
    const late = column.cells.flatMap((cell, row) =>
      !isNothing(cell) && LATE.has(foldHeader(part.cells[row] ?? "")) ? [[cell, part.cells[row]] as const] : [],
    );
    const [first] = late;
    if (first === undefined) return column;
    const asked = {
      ...{ place: fieldPlace(column), value: "unsupported", contradicting: late.length, rows: column.filled.length },
      why: `all its times are up to 12:59, and ${late.length} of them are late by the column ${JSON.stringify(part.name)}, such as ${JSON.stringify(first[0])} beside ${JSON.stringify(first[1])}. Write 19:15 for 7:15 in the evening, and propose again`,
      question: `What is the column ${JSON.stringify(column.name)}?`,
      options: [
        { value: "unsupported", means: "it is not loaded, and counted as left: the workouts have no time of day" },
        { value: "time", means: "the time of day as it stands: 7:15 is in the morning" },
      ],
    };
    return { ...column, role: undefined, isGuess: true, asked };
  });
}
