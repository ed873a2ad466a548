/** Finds a second row of a header that logferry can't put to the first: units or names below merged cells. Read as a row of values, it would hide the unit. */
import { printable } from "../../../transforms/text/printable.ts";
import { alternatives } from "../../../transforms/text/zod-messages.ts";
import { lengthUnit, readHeaderWords } from "./header-words.ts";
import type { NoProposal } from "./no-proposal.ts";
import type { SheetSample } from "./sample.ts";

/** Fewer cells are a title, or a remark. */
const LEAST_CELLS = 2;

/** Miles in languages whose headers hardly say them. */
const MILES = /^(?:meilen?|millas?|miglia|mijl|mijlen|milhas?|milles?|マイル)$/i;

/** Why the header must be put into one row; undefined if the row below it has numbers, or no unit of a length. */
export function secondHeader({ header, hasHeader, units, rows }: SheetSample): NoProposal | undefined {
  const cells = (rows[0]?.fields ?? []).map((cell) => cell.trim());
  const filled = cells.filter((cell) => cell !== "");
  // A row of nothing but units is known.
  if (!hasHeader || units !== undefined || filled.length < LEAST_CELLS || filled.some((cell) => /\d/.test(cell)))
    return undefined;
  // The header may stand there once more.
  if (cells.some((cell, at) => cell !== "" && cell === header[at])) return undefined;
  const known = filled.map((cell) => ({ ...readHeaderWords(cell), isMiles: MILES.test(cell) }));
  const isUnit = known.some(({ unit, isMiles }) => isMiles || lengthUnit(unit) !== undefined);
  if (!isUnit || known.filter(({ roles, isMiles }) => isMiles || roles.length > 0).length < LEAST_CELLS)
    return undefined;
  const shown = alternatives(
    filled.slice(0, 3).map((cell) => JSON.stringify(printable(cell, 30))),
    "and",
  );
  return {
    problem: `the row below the header seems to belong to it: ${shown}`,
    next: "Put both rows into one, such as Distance (km), and propose again",
  };
}
