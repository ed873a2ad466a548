/** Reads a row above the header that says of several columns what they are: `Planned` and `Actual`, each above `km, time`, or `Pulse` above `mean, max`. */
import { foldHeader, type HeaderMeaning, readHeaderWords } from "../words/header-words.ts";
import { isDateText } from "../words/values.ts";

/** A longer text is a title. */
const LONGEST = 40;

/**
 * The text above each column. A merged cell leaves its text above its first column, and holds for the columns behind it.
 *
 * @param above the row above the header
 * @param header the names of the columns
 * @returns none where the row is a title: fewer than two of its texts stand above columns with names, or beside a column that has its name there
 */
export function upperLabels(above: readonly string[], header: readonly string[]): readonly string[] {
  const texts = header.map((_, index) => (above[index] ?? "").trim());
  if (texts.some((text) => text.length > LONGEST || isDateText(text))) return [];
  let label = "";
  const labels = header.map((name, index) => {
    const text = texts[index] ?? "";
    // A column without a name of its own has it in the row above, and ends what a merged cell holds for.
    if (bareName(name) === "" || text !== "") label = text;
    return label;
  });
  const named = new Set(labels.filter((text, index) => text !== "" && bareName(header[index] ?? "") !== ""));
  const isBeside = labels.some((text, index) => text !== "" && bareName(header[index] ?? "") === "");
  return named.size > 1 || (named.size === 1 && isBeside) ? labels : [];
}

/** `km` of `km#2`. */
export function bareName(name: string): string {
  return name.replace(/#\d+$/, "").trim();
}

/** What a header says below a text of the row above: `km` below `Planned` is a plan, and `max` below `Pulse` the highest heart rate. */
export function meaningBelow(label: string, words: string): HeaderMeaning {
  const own = readHeaderWords(words);
  if (label === "") return own;
  if (words === "") return readHeaderWords(label);
  const { purpose, roles } = readHeaderWords(label);
  const isOf = purpose === "plan" || purpose === "actual" || purpose === "other";
  if (!isOf && (own.roles.length > 0 || roles.length === 0)) return own;
  return readHeaderWords(`${label} ${words}`);
}

/** Whether a row below a header is the lower part of it: texts below some of its cells and below its gaps, as `Km, Time` below `Ride` and a gap. */
export function isLowerHeader(own: readonly string[], below: readonly string[]): boolean {
  const texts = below.map((cell) => cell.trim());
  if (texts.some((text) => /^[\d+<>~-]/.test(text) || isDateText(text))) return false;
  const isFilled = (cell: string | undefined) => (cell ?? "").trim() !== "";
  const filled = [...texts.keys()].filter((at) => texts[at] !== "");
  const inGaps = filled.filter((at) => !isFilled(own[at]));
  const isWithout = own.some((cell, at) => isFilled(cell) && !isFilled(below[at]));
  const names = new Set(filled.map((at) => foldHeader(texts[at] ?? "")));
  return inGaps.length > 0 && inGaps.length < filled.length && isWithout && names.size > 1;
}
