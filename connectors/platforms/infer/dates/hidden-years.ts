/** Doubts dates of a workbook whose cells show no year: `05-Jan`. The program puts in the year in which they were typed, and that may not be the year of the log. */
import { printable } from "../../../../transforms/text/printable.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import type { SheetSample } from "../sample/sample.ts";
import { ANY_YEAR } from "./without-year.ts";

/** This share of the dates must hide their years. */
const SHARE = 0.8;

/** Why a person must look at the years: the title, the sheet or the file names a year, and no date is of it. Undefined otherwise. */
export function hiddenYears(
  { rows, header, title, path, sheetNames = [] }: SheetSample,
  { name }: AssignedColumn,
  days: readonly (string | undefined)[],
): NoProposal | undefined {
  const place = header.indexOf(name);
  const dated = rows.filter(({ dates }) => dates?.includes(place));
  const hidden = dated.filter(({ yearless }) => yearless?.includes(place));
  if (sheetNames.length !== 1 || hidden.length === 0 || hidden.length < dated.length * SHARE) return undefined;
  const stem = (path.split("/").at(-1) ?? "").replace(/\.[a-z]{2,5}$/i, "");
  const years = [...new Set(days.flatMap((day) => (day === undefined ? [] : [day.slice(0, 4)])))];
  const said = [title, ...sheetNames, stem].find((text) => text.match(ANY_YEAR) !== null);
  const named = said?.match(ANY_YEAR) ?? [];
  const [first] = named;
  if (said === undefined || first === undefined || years.length === 0) return undefined;
  const [least, most] = [named.toSorted()[0] ?? "", named.toSorted().at(-1) ?? ""];
  if (years.some((year) => year >= least && year <= most)) return undefined;
  return {
    problem: `the cells of the column ${JSON.stringify(name)} show no year, and hold dates of ${years.slice(0, 3).join(", ")}, while ${JSON.stringify(printable(said, 40))} says ${first}. A spreadsheet program puts in the year in which a date was typed`,
    next: `If they are of ${first}, put it in: =DATE(${first},MONTH(A2),DAY(A2)), where A2 is the first date. If ${years[0]} is right, run this again with --set dates.order=iso`,
  };
}
