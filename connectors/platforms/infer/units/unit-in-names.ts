/** Finds the unit of the distances in the name of a sheet or in a title: `2016 (miles)`, `Swim log, all yards`. */
import { type UnitOf, unitSpelt } from "../../../../transforms/units.ts";
import type { Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import type { SheetSample } from "../sample/sample.ts";
import { lengthUnit } from "../words/header-words.ts";

/** A unit in brackets or behind a word that makes it one of all rows. `10 miles of Kiel` is a race. */
const SAID =
  /(?:[([]|\b(?:in|all|alle|en|tout en|todo en)\s+)(mi|miles?|km|kms|kilomet(?:er|re)s?|yards?|yds?|met(?:er|re)s?)\b/i;

/** A name that is a unit, perhaps with its year: `2016 miles`. */
const WHOLE = /^(?:(?:19|20)\d{2}[\s_-]+)?(mi|miles|km|kms|kilomet(?:er|re)s?|yards|yds|met(?:er|re)s)$/i;

/** The columns, where the names of all sheets or the title say the unit of a distance whose header has none. */
export function withUnitOfNames(
  columns: readonly AssignedColumn[],
  { title, sheetNames = [] }: SheetSample,
): readonly AssignedColumn[] {
  const sheets = [...new Set(sheetNames.map(unitIn))];
  const [ofSheets] = sheets.length === 1 ? sheets : [];
  const unit = ofSheets ?? (sheetNames.length > 1 ? undefined : unitIn(title));
  if (unit === undefined) return columns;
  const ofAll = sheetNames.length > 1 ? "the names of the sheets say" : "the name of the sheet says";
  const saidBy = ofSheets === undefined ? "the title says" : ofAll;
  return columns.map((column) =>
    column.role !== "distance" || lengthUnit(column.meaning.unit) !== undefined || column.unitColumn !== undefined
      ? column
      : { ...column, meaning: { ...column.meaning, unit }, unitSaidBy: saidBy },
  );
}

function unitIn(text: string): UnitOf<"distance"> | undefined {
  const [, word] = WHOLE.exec(text.trim()) ?? SAID.exec(text) ?? [];
  return word === undefined ? undefined : unitSpelt("distance", word.toLowerCase());
}

/** The choice of a unit with its true source, where that isn't the header. */
export function sayingWhere(choice: Choice | undefined, column: AssignedColumn | undefined): Choice | undefined {
  const { unitSaidBy } = column ?? {};
  if (choice === undefined || unitSaidBy === undefined) return choice;
  return { ...choice, why: choice.why.replace(/^the header says/, () => unitSaidBy) };
}
