/** Finds columns with two heart rates a cell, such as 140/170, 138-156 and 140 (165). Which of them is the average is for a person to say. */
import type { Choice } from "../choices/choice.ts";
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";
import { type AssignedColumn, fieldPlace } from "./roles.ts";

const PAIR = /^\d{2,3}\s*(?:([/–-])\s*\d{2,3}|\(\d{2,3}\))$/;

/** Whether most cells hold two heart rates. */
export function arePairs({ filled }: ColumnSample): boolean {
  return filled.length > 0 && filled.filter((cell) => PAIR.test(cell)).length >= filled.length / 2;
}

/** A header that says the average in front of the highest, folded: `Puls (Ø/max)`. */
const BOTH =
  /(?:^|[\s(])(?:o|avg|average|mean|mittel|schnitt|durchschnitt|moy|moyenne|media|medio|med|gem|snitt|snit|sr)\s?(?:hr|bpm|puls|fc|hf)?\s?[/–(-]\s?(?:max|maks|mass)/;

/** The two values of a cell, and the average alone. */
const [TWO, ONE] = ["(?P<avgHR>[0-9]{2,3}) *[/–(-] *(?P<maxHR>[0-9]{2,3})\\)?", "(?P<avgHR>[0-9]{2,3})"];

/** The columns, where one whose header says both heart rates is taken apart. */
export function withPairs(columns: readonly AssignedColumn[]): readonly AssignedColumn[] {
  return columns.map((column) => {
    const { filled, name, role } = column;
    if ((role !== "avgHR" && role !== "maxHR") || !arePairs(column) || !BOTH.test(foldHeader(name))) return column;
    const pairs = filled.flatMap((cell) =>
      PAIR.test(cell)
        ? [
            cell
              .replace(")", "")
              .split(/[/–(-]/)
              .map(Number),
          ]
        : [],
    );
    if (!pairs.every(([mean = 0, highest = 0]) => mean <= highest)) return column;
    const why = `the header says both, and in ${pairs.length} cells the first is not above the second`;
    const patterns = filled.some((cell) => /^\d{2,3}$/.test(cell)) ? [TWO, ONE] : [TWO];
    return { ...column, role: undefined, isGuess: false, split: { patterns, parts: {}, why } };
  });
}

/** The evidence for a column that isn't read, with the line that reads it; none for any other column. */
export function pairChoice(column: AssignedColumn): readonly Choice[] {
  const { filled, role } = column;
  if ((role !== "avgHR" && role !== "maxHR") || !arePairs(column)) return [];
  const pairs = filled.filter((cell) => PAIR.test(cell));
  const marks = [...new Set(pairs.map((cell) => PAIR.exec(cell)?.[1] ?? "("))];
  // A hyphen at the end of a character class stands for itself, and so does a bracket in one.
  const mark = marks.length === 1 && marks[0] !== "(" ? marks[0] : "[/–(-]";
  const end = marks.includes("(") ? "[)]?" : "";
  const line = `{ split: "(?P<avgHR>[0-9]+) *${mark} *(?P<maxHR>[0-9]+)${end}" }`;
  const why = `${pairs.length} of ${filled.length} cells hold two heart rates, such as ${JSON.stringify(pairs[0])}; if they are the average and the highest, write ${line}`;
  return [{ ...{ place: fieldPlace(column), value: "unsupported", why }, contradicting: 0, rows: filled.length }];
}
