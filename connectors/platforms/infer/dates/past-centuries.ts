/** Finds years of two digits that are of the last century, though they are below 70: 68 is 1968 as long as 2068 is in the future. */
import { withoutDateWords } from "../../table/cells/date-words.ts";
import type { Choice } from "../choices/choice.ts";

/** The year of two digits behind a day and a month. */
const YEAR_BEHIND =
  /^(?:\d{1,2}|\p{L}{3,12}\.?)[-/.\s]\s?(?:\d{1,2}|\p{L}{3,12}\.?)(?:[-/.]\s?|,?\s)(\d{2})(?:$|[\s,])/u;

/** Years of two digits from here on are of the last century anyway. */
const PIVOT = 70;

/**
 * The choice of the last years that are of the last century, `68` and all above it; undefined where no year would be in the future, or where another one
 * is of this century.
 *
 * @param today no workout is later
 */
export function pastCentury(cells: readonly string[], today: string): Choice | undefined {
  const dated = cells.flatMap((cell) => {
    const [, digits] = YEAR_BEHIND.exec(withoutDateWords(cell)) ?? [];
    return digits === undefined ? [] : [{ cell, year: Number(digits) }];
  });
  const now = Number(today.slice(2, 4));
  const late = dated.filter(({ year }) => year > now && year < PIVOT);
  const [first] = late;
  // A lone 68 among years of this century is a slip of the pen.
  if (first === undefined || dated.some(({ year }) => year <= now)) return undefined;
  return {
    ...{ place: "dates.twoDigitYearPivot", value: String(now + 1), contradicting: 0, rows: dated.length },
    why: `${late.length} of ${dated.length} dates would be in the future, so ${JSON.stringify(first.cell)} is of ${1900 + first.year}`,
  };
}
