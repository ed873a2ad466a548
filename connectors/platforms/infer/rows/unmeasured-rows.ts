/** Asks about dated rows without a sport, a distance and a time, where others have them: `Sick with flu` on a day without a run. */
import type { Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { countTexts } from "../sample/column.ts";
import { WORKOUTS } from "./sum-rules.ts";

/** What such rows are left out as. */
export const NOTHING_DONE = "nothing done";

/** The roles of columns that say what somebody did. */
const SPORTS: ReadonlySet<string> = new Set(["activity", "type", "workout"]);

/** The rows of `idle` that no column names a sport or a kind of training for. */
export function withoutSport(columns: readonly AssignedColumn[], idle: readonly number[]): readonly number[] {
  const sports = sportsOf(columns);
  return idle.filter((row) => sports.every(({ cells }) => (cells[row] ?? "") === ""));
}

/** The columns that name a sport or a kind of training. */
export function sportsOf(columns: readonly AssignedColumn[]): readonly AssignedColumn[] {
  return columns.filter(({ role }) => role !== undefined && SPORTS.has(role));
}

/** The question about such rows. @param place the place of their rule */
export function unmeasuredChoice(place: string, columns: readonly AssignedColumn[], rows: readonly number[]): Choice {
  // A column that nobody knows is read as notes, so its words say as much.
  const remarks = columns.find(
    ({ role, left, cells }) =>
      (role === "notes" || role === "name" || (role === undefined && left === undefined)) &&
      rows.some((row) => /\p{L}{2}/u.test(cells[row] ?? "")),
  );
  const texts = countTexts(rows.flatMap((row) => remarks?.cells[row] || [])).map(([text]) => text);
  const such =
    texts.length === 0
      ? ""
      : `, such as ${texts
          .slice(0, 3)
          .map((text) => JSON.stringify(text))
          .join(", ")}`;
  // `swim 30 min` is training, though none of the table's sport.
  const isOther = texts.some((text) => /[1-9]/.test(text));
  return {
    ...{ place, value: NOTHING_DONE, contradicting: 0, rows: rows.length, isUnproven: true },
    why: `${rows.length} ${rows.length === 1 ? "row has" : "rows have"} no distance and no time, beside others that have them${such}`,
    question: isOther ? "What are these rows?" : "Are these rows days without a workout?",
    options: [
      {
        value: NOTHING_DONE,
        means: isOther
          ? "they are no workouts of this table's sport, and are left out with their texts"
          : "nobody trained on these days, and the rows are left out",
      },
      {
        value: WORKOUTS,
        means: isOther
          ? "they are workouts of this table's sport without a distance and a time, and have these texts as notes"
          : "they are workouts without a distance and a time",
      },
    ],
  };
}
