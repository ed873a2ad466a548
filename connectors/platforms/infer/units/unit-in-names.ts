/** Finds the unit of the distances within a longer header, `How far (km)?`, in the name of a sheet or in a title: `2016 (miles)`, `Swim log, all yards`. */
import { type UnitOf, unitSpelt } from "../../../../transforms/units.ts";
import type { Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import type { SheetSample } from "../sample/sample.ts";
import { foldHeader, lengthUnit } from "../words/header-words.ts";

/** A unit in brackets or behind a word that makes it one of all rows. `10 miles of Kiel` is a race. */
const SAID =
  /(?:[([]|\b(?:in|all|alle|en|tout en|todo en)\s+)(mi|miles?|km|kms|kilomet(?:er|re)s?|yards?|yds?|met(?:er|re)s?)\b/i;

/** A name that is a unit, perhaps with its year: `2016 miles`. */
const WHOLE = /^(?:(?:19|20)\d{2}[\s_-]+)?(mi|miles|km|kms|kilomet(?:er|re)s?|yards|yds|met(?:er|re)s)$/i;

/** Words that are no unit within a header: Swedish for 10 km and Portuguese for a thousand; a nautical mile, or a word cut short. */
const OTHER_WORDS: ReadonlySet<string> = new Set(["mil", "sm"]);

/** Short units, which are other words in Spanish and Italian. They count in brackets, behind `in` and at the end. */
const SHORT = /^(?:mi|k|m)$/;

/** What stands before a unit that isn't the column's: `5 km loop`, `at 6 min/km`, `per km`. */
const OF_OTHERS = /(?:\d|min\s?\/|(?:^|\s)(?:per|pro|por|par|je))\s?$/;

/** The unit that stands as a word of its own anywhere in a header; undefined for none, or for two that differ. */
function unitWithin(header: string): UnitOf<"distance"> | undefined {
  const folded = foldHeader(header.replace(/#\d+$/, ""));
  const found = [...folded.matchAll(/\p{L}+/gu)].flatMap(({ 0: word, index }) => {
    const [before, after] = [folded.slice(0, index), folded.slice(index + word.length)];
    if (OTHER_WORDS.has(word) || OF_OTHERS.test(before) || /^\s?\/\s?h/.test(after)) return [];
    const isApart = /(?:[([/]|(?:^|\s)in)\s?$/.test(before) || !/[\p{L}\d]/u.test(after);
    return SHORT.test(word) && !isApart ? [] : [lengthUnit(word)].filter((unit) => unit !== undefined);
  });
  const japanese = /キロ|メートル/.exec(folded)?.[0];
  const units = new Set(found.length === 0 && japanese !== undefined ? [lengthUnit(japanese)] : found);
  const [only] = units;
  return units.size === 1 ? only : undefined;
}

/** The columns, where the names of all sheets or the title say the unit of a distance whose header has none. A longer header may have it among its words. */
export function withUnitOfNames(
  columns: readonly AssignedColumn[],
  { title, sheetNames = [] }: SheetSample,
): readonly AssignedColumn[] {
  const isBare = ({ role, isOtherwise, meaning, unitColumn }: AssignedColumn) =>
    (role === "distance" || isOtherwise === true) && lengthUnit(meaning.unit) === undefined && unitColumn === undefined;
  const own = columns.map((column) => {
    const unit = isBare(column) ? unitWithin(column.name) : undefined;
    return unit === undefined ? column : { ...column, meaning: { ...column.meaning, unit } };
  });
  const sheets = [...new Set(sheetNames.map(unitIn))];
  const [ofSheets] = sheets.length === 1 ? sheets : [];
  const unit = ofSheets ?? (sheetNames.length > 1 ? undefined : unitIn(title));
  if (unit === undefined) return own;
  const ofAll = sheetNames.length > 1 ? "the names of the sheets say" : "the name of the sheet says";
  const saidBy = ofSheets === undefined ? "the title says" : ofAll;
  return own.map((column) =>
    column.role === "distance" && isBare(column)
      ? { ...column, meaning: { ...column.meaning, unit }, unitSaidBy: saidBy }
      : column,
  );
}

/** The unit that a title or a name says of all rows; undefined for none. */
export function unitIn(text: string): UnitOf<"distance"> | undefined {
  const [, word] = WHOLE.exec(text.trim()) ?? SAID.exec(text) ?? [];
  return word === undefined ? undefined : unitSpelt("distance", word.toLowerCase());
}

/** The choice of a unit with its true source, where that isn't the header. */
export function sayingWhere(choice: Choice | undefined, column: AssignedColumn | undefined): Choice | undefined {
  const { unitSaidBy } = column ?? {};
  if (choice === undefined || unitSaidBy === undefined) return choice;
  return { ...choice, why: choice.why.replace(/^the header says/, () => unitSaidBy) };
}
