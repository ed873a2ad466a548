/**
 * Finds tables with the sport in the first row of a block only, as merged cells leave it. An empty cell then stands for the sport above, or for the usual one. The
 * table can't tell, so a person does.
 */
import type { Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { filledFromAbove, NONE_ABOVE } from "../dates/merged-dates.ts";
import { countTexts } from "../sample/column.ts";
import { isNothing } from "../words/values.ts";

/** The place of the choice. */
export const SPORT_ABOVE = "layout.asAbove.sport";

/** Fewer rows without a sport, or a smaller share of all, are slips of the hand. */
const LEAST = { rows: 3, share: 0.3 } as const;

/** Asks what an empty cell of a column of sports says; undefined where nearly each row names its sport, or the first one doesn't. */
export function sportAbove({ name, cells }: AssignedColumn, kept: readonly number[]): Choice | undefined {
  const blank = kept.filter((row) => isNothing(cells[row] ?? ""));
  const [first] = kept;
  const isFew = blank.length < LEAST.rows || blank.length < kept.length * LEAST.share;
  if (first === undefined || isFew || isNothing(cells[first] ?? "")) return undefined;
  const above = filledFromAbove(cells);
  const sports = countTexts(blank.map((row) => above[row] ?? "")).map(([text]) => JSON.stringify(text));
  return {
    ...{ place: SPORT_ABOVE, value: name, contradicting: 0, rows: blank.length },
    why: `${blank.length} of ${kept.length} rows name no sport, and stand below ${sports.slice(0, 4).join(", ")}`,
    question: `What does an empty cell of the column ${JSON.stringify(name)} say?`,
    options: [
      { value: name, means: "it is the sport above" },
      { value: NONE_ABOVE, means: "it is the usual sport, which defaults.activity says" },
    ],
  };
}

/** The cells of a column of sports as the mapping will read them. @param choice what an empty cell says */
export function sportCells(cells: readonly string[], choice: Choice | undefined): readonly string[] {
  return choice === undefined || choice.value === NONE_ABOVE ? cells : filledFromAbove(cells);
}
