/** What a mapping takes from words that aren't in its rows: the unit or the year in a title, in the name of a sheet or of the file, and a line of units. */
import type { UnitOf } from "../../../../transforms/units.ts";
import type { Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { ANY_YEAR, YEAR } from "../dates/without-year.ts";
import type { Draft } from "../questions/draft.ts";
import type { SheetSample } from "../sample/sample.ts";
import { unitIn } from "../units/unit-in-names.ts";

/** What one text says. */
export interface NameFacts {
  readonly unit: UnitOf<"distance"> | undefined;
  readonly years: readonly number[];
}

/** Reads a title, cell by cell, or a name. */
export function factsOf(cells: readonly string[]): NameFacts {
  const joined = cells.join(" ");
  return {
    unit: [joined, ...cells].map(unitIn).find((unit) => unit !== undefined),
    years: [...joined.matchAll(ANY_YEAR)].map(([year]) => Number(year)),
  };
}

/** The line of units below a header as one text: `km h:mm:ss`. */
export function lineOfUnits(cells: readonly (string | undefined)[]): string {
  return cells.flatMap((cell = "") => cell.trim() || []).join(" ");
}

/** The names that say the unit or the year of the rows, so that a plan can see when they say another one; undefined if none does. */
export function restsOn(
  { title, titles, sheetNames = [], path, skip, hasHeader, units }: SheetSample,
  columns: readonly AssignedColumn[],
  choices: ReadonlyMap<string, Choice>,
): Draft["restsOn"] {
  const chosen = choices.get(YEAR)?.value;
  const hasUnit = columns.some(({ unitSaidBy }) => unitSaidBy !== undefined);
  // Rows across New Year are of two years.
  const saysYear = (text: string) =>
    chosen !== undefined && factsOf([text]).years.some((year) => Math.abs(year - Number(chosen)) <= 1);
  const says = (text: string) => saysYear(text) || (hasUnit && unitIn(text) !== undefined);
  const cells = titles.filter(says);
  const words = !hasHeader || skip === 0 ? "" : cells.length > 0 ? cells.join(" ") : says(title) ? title : "";
  const sheet = sheetNames.find(says);
  const file = path.split("/").at(-1) ?? "";
  const found = {
    ...(words !== "" && { title: words }),
    ...(sheet !== undefined && { sheet }),
    ...(saysYear(file) && { name: file }),
    // Each sheet may have a line of its own, and a mapping has one.
    ...(units !== undefined && sheetNames.length <= 1 && { units: lineOfUnits(columns.map(({ cells }) => cells[0])) }),
  };
  return Object.keys(found).length === 0 ? undefined : found;
}
