/** Finds tables whose distances change their unit on the way: by a note that says so, or by speeds that jump by the length of a mile in kilometres. */

import type { AssignedColumn } from "../columns/roles.ts";
import { type Reading, type SpeedRow, secondsOf } from "../columns/score.ts";
import { foldHeader, lengthUnit } from "../words/header-words.ts";
import { roughNumber, splitAmount } from "../words/values.ts";
import { saysChange } from "./change-words.ts";
import { jumpBy } from "./jumps.ts";

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
