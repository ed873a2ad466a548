/** Finds equipment whose cells have its mileage behind its name: `Pegasus (412 km)`. As it stands, each row would have a pair of shoes of its own. */
import { compileWhole } from "../../table/mapping/pattern.ts";
import { foldHeader } from "../words/header-words.ts";
import type { AssignedColumn } from "./roles.ts";

/** Fewer cells show nothing. */
const LEAST_CELLS = 5;

/** This share of the cells has a text that no other cell has, and half as many names at most stand before the numbers. */
const [DIFFERENT, NAMES] = [0.7, 0.5];

/** This share of the cells has a number. The others are names alone. */
const NUMBERED = 0.7;

/** A name, and behind it a number, perhaps with a unit. */
const CELL = /^(.*?[^\s(,:;=–/-]),?[\s(:;=–/-]+\d[\d.,]{0,9} ?(?:kms?|k|mi|miles?)?\)?$/iu;

/** The same as patterns of a mapping file; and a name alone. */
const PATTERNS = [
  "(?P<equipment>.*[^ (,:;=–/-]),?[ (:;=–/-]+(?P<notes>[0-9][0-9.,]* *(?:[Kk][Mm]?[Ss]?|[Mm][Ii](?:[Ll][Ee][Ss]?)?)?)\\)?",
  "(?P<equipment>.+)",
];

/** The column, taken apart where its names differ in nothing but a number. The number becomes a note of the workout. */
export function withoutMileage(column: AssignedColumn): AssignedColumn {
  const { filled, name, split } = column;
  const [numbered = ""] = PATTERNS;
  const whole = compileWhole(numbered);
  const cells = filled.filter((cell) => whole.matches(cell));
  if (split !== undefined || filled.length < LEAST_CELLS || cells.length < filled.length * NUMBERED) return column;
  const texts = new Set(filled.map(foldHeader));
  const names = new Set(filled.map((cell) => foldHeader(CELL.exec(cell)?.[1] ?? cell)));
  if (texts.size < filled.length * DIFFERENT || names.size > texts.size * NAMES) return column;
  const patterns = cells.length === filled.length ? [numbered] : PATTERNS;
  const why = `${texts.size} of ${filled.length} cells differ, and ${names.size === 1 ? "one name is" : `${names.size} names are`} left without the numbers behind them, such as ${JSON.stringify(cells[0])}. The number becomes a note of the workout`;
  const parts = { notes: { label: name.slice(0, 100) } };
  return { ...column, role: undefined, isGuess: false, split: { patterns, parts, why } };
}
