/**
 * Finds tables whose letters nobody can read: their bytes are of an encoding that logferry doesn't know, such as code page 852. Read as Windows-1252, some
 * become characters that no text has.
 */

import { printable } from "../../../../transforms/text/printable.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { AssignedColumn } from "../columns/roles.ts";

/** Characters that control a device, in the places of letters that Windows-1252 hasn't got. */
const NO_LETTERS = /\p{L}[\u0080-\u009f]|[\u0080-\u009f]\p{L}/u;

/** Why such a table waits; undefined for any other. */
export function spoiltLetters(columns: readonly AssignedColumn[]): NoProposal | undefined {
  const spoilt = columns.flatMap(({ name, filled }) =>
    filled.filter((cell) => NO_LETTERS.test(cell)).map((cell) => ({ name, cell })),
  );
  const [first] = spoilt;
  if (first === undefined) return undefined;
  const cells = spoilt.length === 1 ? "1 cell has" : `${spoilt.length} cells have`;
  return {
    problem: `${cells} characters that are no letters, such as ${JSON.stringify(printable(first.cell, 40))} in the column ${JSON.stringify(printable(first.name, 40))}: the table is in an encoding that logferry doesn't know, such as a code page of DOS for Eastern Europe`,
    next: 'Open it in your spreadsheet program, see that its letters are right, save it as "CSV UTF-8" or as .xlsx, and propose again',
  };
}
