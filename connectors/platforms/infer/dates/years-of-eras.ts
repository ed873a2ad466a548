/** Doubts years of two digits in a table whose title counts years by an era of Japan. */

import { eraNamed } from "../../table/cells/era-years.ts";
import { narrow } from "../../table/cells/narrow.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import type { SheetSample } from "../sample/sample.ts";

/** A year of two digits in front, without the name of an era. */
const IN_FRONT = /^(\d{2})[年./-]/;

/** Why nobody knows which years are meant; undefined if the title and the header name no era, or the dates have whole years. */
export function yearsOfEras({ title }: SheetSample, { name, filled }: AssignedColumn): NoProposal | undefined {
  const era = eraNamed(`${title} ${name}`);
  const cell = filled.find((one) => IN_FRONT.test(narrow(one)));
  const count = Number(IN_FRONT.exec(narrow(cell ?? ""))?.[1]);
  const year = era?.yearOf(count);
  if (era === undefined || cell === undefined || year === undefined) return undefined;
  const other = 2000 + count;
  return {
    problem: `the years in the column ${JSON.stringify(name)} have two digits, such as ${JSON.stringify(cell)}, and ${JSON.stringify(era.name)} stands above them: ${count} may be the year ${year} or ${other}`,
    next: `Write the era into each date, as ${era.name}${count}年4月2日, and propose again. If they are years such as ${other}, propose with --set dates.order=ymd`,
  };
}
