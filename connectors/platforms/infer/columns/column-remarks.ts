/** What is said of a column whose cells can't be read as they stand, with the way to have them read. Nothing is asked. */
import type { Choice } from "../choices/choice.ts";
import { isErrorCell } from "../words/values.ts";
import { pairChoice } from "./heart-rate-pairs.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";

/** What is said of a column; nothing for most columns, and for one that a question is about. */
export function remarksOf(column: AssignedColumn): readonly Choice[] {
  if (column.isGuess || column.asked !== undefined) return [];
  return [...pairChoice(column), ...stoneChoice(column), ...ratingChoice(column), ...errorChoice(column)].slice(0, 1);
}

/** A weight in stones: `11st 4`, `11 st 4lb`, `12 stone`. */
const STONES = /^\d{1,2}(?:[.,]\d+)?\s*st(?:one)?s?(?:\s*\d{1,2}(?:[.,]\d+)?\s*(?:lbs?)?)?$/i;

/** The unit in a header: `Weight (st)`. */
const STONE_HEADER = /[(\s]st(?:one)?s?\)?$/i;

/** The evidence for weights in stones, which the log has no unit for; none for any other column. */
function stoneChoice(column: AssignedColumn): readonly Choice[] {
  const { filled, role, meaning, name } = column;
  const stones = filled.filter((cell) => STONES.test(cell));
  const isSaid = stones.length > 0 || STONE_HEADER.test(name.trim());
  if (role !== undefined || !meaning.roles.includes("weight") || !isSaid || filled.length === 0) return [];
  const example = JSON.stringify(stones[0] ?? filled[0]);
  const why = `the weights are in stones, such as ${example}, which the log has no unit for; write pounds, 14 times the stones, into a column called Weight (lb), and propose again`;
  return [{ ...{ place: fieldPlace(column), value: "unsupported", why }, contradicting: 0, rows: filled.length }];
}

/** Ratings that are no number alone: `7/10`, `★★★☆☆`, a face. */
const RATING = /^(?:\d{1,2}\s?\/\s?\d{1,2}|[★☆⭐]{1,10}|\p{Extended_Pictographic}\ufe0f?)$/u;

/** The evidence for ratings that become notes, though the log has a field for them; none for any other column. */
function ratingChoice(column: AssignedColumn): readonly Choice[] {
  const { filled, role, meaning } = column;
  const field = meaning.roles.find((one) => one === "effort" || one === "quality");
  const ratings = filled.filter((cell) => RATING.test(cell));
  if ((role !== undefined && role !== "notes") || field === undefined || ratings.length <= filled.length / 2) return [];
  const why = `cells such as ${JSON.stringify(ratings[0])} become notes; for the ${field} of the log, write them as numbers from 1 to 10, and propose again`;
  return [{ ...{ place: fieldPlace(column), value: "notes", why }, contradicting: 0, rows: filled.length }];
}

/** Roles of columns that a proposal leaves anyway, and of one that has evidence of its own. */
const LEFT: ReadonlySet<string> = new Set(["weekday", "week", "total", "plan", "pace", "speed", "activity"]);

/** How many cells of a column are errors of its spreadsheet; nothing for a column that is left or has none. */
function errorChoice(column: AssignedColumn): readonly Choice[] {
  const { cells, left, role = "unsupported" } = column;
  const errors = cells.filter(isErrorCell);
  const [first] = errors;
  if (first === undefined || left !== undefined || LEFT.has(role)) return [];
  const filled = cells.filter((cell) => cell !== "").length;
  const isAll = errors.length === filled;
  const why = `${errors.length} of ${filled} cells are errors of the spreadsheet, such as ${first}; ${isAll ? "none of them is loaded" : "their rows are loaded without it"}`;
  const choice = { place: fieldPlace(column), value: isAll ? "unsupported" : role, why };
  return [{ ...choice, contradicting: isAll ? 0 : errors.length, rows: filled }];
}
