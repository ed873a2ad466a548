/** What a cell with a number shows besides it: the unit behind the number, or the colons of a clock. Its number format puts them there. */
import { type Dimension, UNITS, unitSpelt } from "../../../transforms/units.ts";
import type { Cell } from "./sheet.ts";

const DIMENSIONS = Object.keys(UNITS) as readonly Dimension[];

/** The longest unit that is looked at, in characters. */
const LONGEST = 20;

/** The unit that a text behind a number says, spelt as in the table of units; undefined for any other text. */
export function unitBehind(text: string): string | undefined {
  if (text.length > LONGEST || text.trim() === "") return undefined;
  for (const dimension of DIMENSIONS) {
    const unit = unitSpelt(dimension, text);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** A cell with what it shows. 0 needs no unit, and a number below 0 may have another one. */
export function withUnit(cell: Cell, value: number, unit: string): Cell {
  return value > 0 ? { ...cell, shown: `${cell.text} ${unit}` } : cell;
}
