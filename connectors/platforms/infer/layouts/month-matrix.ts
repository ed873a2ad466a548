/** Tells a table with a column for each month and a row for each day of a month. Mapping files have no words for it. */
import { monthNamed } from "../../../formats/month-names.ts";
import { parseTitle } from "../../table/shapes/complete-dates.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { SheetSample } from "../sample/sample.ts";

/** Fewer months beside each other, or fewer days one below the other, are no such table. */
const [LEAST_MONTHS, LEAST_DAYS] = [3, 10];

/** Rows among which the names of the months may stand. */
const FIRST_ROWS = 20;

/** Why nothing can be proposed for a table of a day a row and a month a column; undefined for any other table. */
export function monthAColumn({ header, rows }: SheetSample): NoProposal | undefined {
  const lines = [header, ...rows.map(({ fields }) => fields)];
  const at = lines.slice(0, FIRST_ROWS).findIndex((cells) => monthsOf(cells).length >= LEAST_MONTHS);
  const months = monthsOf(lines[at] ?? []);
  if (months.length === 0) return undefined;
  const days = lines.slice(at + 1).map((cells) => Number(/^(\d{1,2})\.?$/.exec((cells[0] ?? "").trim())?.[1] ?? 0));
  const inOrder = days.filter((day, index) => day === (days[index - 1] ?? 0) + 1 && day <= 31).length;
  if (inOrder < LEAST_DAYS) return undefined;
  return {
    problem: `the columns are months (${months.slice(0, 3).join(", ")}), and the rows are their days`,
    next: "Make a row of each workout: a column with its whole date, such as 2013-02-14, and a column with its distance. Then propose again",
  };
}

/** The cells after the first that name a month, perhaps with its year, each once. */
function monthsOf(cells: readonly string[]): readonly string[] {
  const texts = cells.slice(1).map((cell) => cell.trim());
  return [...new Set(texts.filter((text) => monthNamed(text) !== undefined || isMonthOfYear(text)))];
}

const isMonthOfYear = (text: string) => text.length <= 20 && parseTitle(text)?.month !== undefined;
