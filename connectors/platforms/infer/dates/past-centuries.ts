/**
 * Finds years of two digits that are of the last century, though they are below 70: 68 is 1968 as long as 2068 is in the future. It may also be of a
 * calendar that counts from elsewhere, as the Thai one does: 2568 is 2025.
 */
import { withoutDateWords } from "../../table/cells/date-words.ts";
import type { Choice } from "../choices/choice.ts";

/** The year of two digits behind a day and a month. */
const YEAR_BEHIND =
  /^(?:\d{1,2}|\p{L}{3,12}\.?)[-/.\s]\s?(?:\d{1,2}|\p{L}{3,12}\.?)(?:[-/.]\s?|,?\s)(\d{2})(?:$|[\s,])/u;

/** Years of two digits from here on are of the last century anyway. */
const PIVOT = 70;

/** Years of two digits below it are told, though they can only be of the last century. */
const LONG_AGO = 80;

/** Where the choice stands in a mapping file. */
export const CENTURY = "dates.twoDigitYearPivot";

/** Years that the Buddhist calendar of Thailand is ahead. */
const BUDDHIST = 543;

/**
 * The choice of the last years that are of the last century, `68` and all above it; undefined where no year would be in the future, or where another one
 * is of this century. It is a question where all years may be of the Buddhist calendar, too.
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
  if (dated.some(({ year }) => year <= now)) return undefined;
  if (first === undefined) return longAgo(dated);
  const [cell, old] = [JSON.stringify(first.cell), 1900 + first.year];
  const choice = { place: CENTURY, value: String(now + 1), contradicting: 0, rows: dated.length };
  const future = `${late.length} of ${dated.length} dates would be in the future`;
  if (dated.some(({ year }) => buddhist(year) > 2000 + now))
    return { ...choice, why: `${future}, so ${cell} is of ${old}` };
  return {
    ...{ ...choice, isUnproven: true },
    why: `${future}: ${cell} may be of ${old}, or of ${buddhist(first.year)}, which is ${2500 + first.year} in the Buddhist calendar`,
    question: "Of which years are the dates?",
    options: [
      { value: choice.value, means: `of the last century: ${cell} is of ${old}` },
      {
        value: String(PIVOT),
        means: `of another calendar: each plan rejects the rows until you write the years in the table as ${buddhist(first.year)}`,
      },
    ],
  };
}

/** The evidence for years that nobody doubts, and that hardly any log has: all are before 1980. */
function longAgo(dated: readonly { readonly cell: string; readonly year: number }[]): Choice | undefined {
  const [first] = dated;
  if (first === undefined || dated.some(({ year }) => year >= LONG_AGO)) return undefined;
  const why = `years of two digits from ${PIVOT} on are of the last century, so ${JSON.stringify(first.cell)} is of ${1900 + first.year}. If that is wrong, write the years with four digits, and propose again`;
  return { place: CENTURY, value: String(PIVOT), why, contradicting: 0, rows: dated.length };
}

/** The year that two digits stand for in the Buddhist calendar. */
const buddhist = (digits: number) => 2500 + digits - BUDDHIST;
