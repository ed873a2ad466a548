/** Finds tables whose distances change their unit on the way: by a note that says so, or by speeds that jump by the length of a mile in kilometres. */

import type { AssignedColumn } from "../columns/roles.ts";
import { type Reading, type SpeedRow, secondsOf } from "../columns/score.ts";
import { foldHeader, lengthUnit } from "../words/header-words.ts";
import { roughNumber, splitAmount } from "../words/values.ts";
import { jumpBy } from "./jumps.ts";

/** Words for "from here on", in folded text. */
const FROM_HERE =
  /(?:^|[ ,(])(?:from (?:here|now|today|this (?:day|week))(?: on)?|now(?= in )|(?:switched|changed|switching|changing)(?= to )|ab (?:hier|jetzt|heute)|a partir d['’]ici|desde aqui|da qui(?: in poi)?|vanaf hier|fran och med nu|herfra)(?=$|[ ,)!;])/;

/** Names of units in languages that don't write them as English does. */
const UNIT_WORDS = new Set([
  "meilen",
  "milles",
  "millas",
  "miglia",
  "mijl",
  "mijlen",
  "kilometern",
  "chilometri",
  "quilometros",
  "metric",
  "imperial",
]);

const isUnit = (word = "") => lengthUnit(word) !== undefined || UNIT_WORDS.has(word);

/** Whether a text says that the unit changes: `from here in miles`, `miles from here on`, `switched to km`. A loop of 5 km from here doesn't. */
function saysChange(text: string): boolean {
  const folded = foldHeader(text);
  const found = FROM_HERE.exec(folded);
  if (found === null) return false;
  const wordsOf = (part: string) => part.split(/[\s,;()!]+/).filter((word) => word !== "");
  const before = wordsOf(folded.slice(0, found.index));
  const [first = "", second] = wordsOf(folded.slice(found.index + found[0].length)).filter((word) => word !== "all");
  const isBefore = isUnit(before.at(-1)) && !/\d/.test(before.at(-2) ?? "");
  return isBefore || (["in", "to", "en", "i", "auf", "em"].includes(first) && isUnit(second));
}

/** Longer texts are somebody's words about more than the sheet. */
const LONGEST_NOTE = 120;

/** The note that says a change, and what a person does then. Undefined without one, and where cells have units of their own. */
export function unitChange(columns: readonly AssignedColumn[]): string | undefined {
  const distance = columns.find(({ role }) => role === "distance");
  const rows = distance && rowsOfUnits(distance, columns);
  if (rows !== undefined) return rows;
  if (distance?.filled.some((cell) => lengthUnit(splitAmount(cell).unit) !== undefined)) return undefined;
  for (const { cells, name } of columns)
    for (const cell of cells) {
      const isNote = cell.length <= LONGEST_NOTE && saysChange(cell);
      if (isNote) return `${JSON.stringify(cell)} stands in the column ${JSON.stringify(name)}. ${ADVICE}`;
    }
  return undefined;
}

/** The rows that hold a unit in place of a distance, `2014, (miles)` above those of a year; undefined if they name less than two units. */
function rowsOfUnits({ cells }: AssignedColumn, columns: readonly AssignedColumn[]): string | undefined {
  const named = new Map<string, string>();
  for (const [row, cell] of cells.entries()) {
    const unit = lengthUnit(foldHeader(cell.replaceAll(/[()[\]]/g, "")));
    const filled = columns.flatMap((column) => column.cells[row] || []);
    if (unit !== undefined && !named.has(unit)) named.set(unit, filled.slice(0, 3).join(", ").slice(0, 40));
  }
  const [first, second] = [...named.values()].map((text) => JSON.stringify(text));
  return second === undefined ? undefined : `the rows ${first} and ${second} name a unit each. ${ADVICE}`;
}

const ADVICE =
  "One unit can't be true of all rows then: write the other unit into each of its cells, as in 6.2 mi, and propose again";

/** A mile in kilometres. */
const MILE = 1.609344;

/** Where the speeds jump by the length of a mile, once; undefined if they don't. */
export function speedJump(rows: readonly SpeedRow[], reading: Reading): string | undefined {
  const speeds = rows.flatMap((row) => {
    const { number, unit } = splitAmount(row.distance ?? "");
    const [length, seconds] = [roughNumber(number), secondsOf(row, reading)];
    // A cell with a unit of its own says it.
    if (lengthUnit(unit) !== undefined || seconds === undefined || !(length > 0)) return [];
    return [{ day: row.day, value: length / seconds }];
  });
  const jump = jumpBy(MILE, speeds);
  if (jump === undefined) return undefined;
  const { first, factor, isDown } = jump;
  return `from the row of ${first.day ?? ""} on the numbers are ${isDown ? "smaller" : "larger"} for the same time, by a factor of ${factor.toFixed(2)}, and a mile is 1.61 km. ${ADVICE}`;
}
