/** Tells distances in `mil`: the mile of Sweden and Norway, which is 10 km. A mapping has no such unit. */
import { languageOfHeader } from "../../../../transforms/text/language-of-header.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { foldHeader } from "../words/header-words.ts";
import { splitAmount } from "../words/values.ts";
import type { AssignedColumn } from "./roles.ts";

/** Languages in which a `mil` is 10 km. */
const NORDIC: ReadonlySet<string | undefined> = new Set(["Swedish", "Norwegian", "Danish"]);

/** Why distances in `mil` can't be used as they are; undefined if no column has them. */
export function inSwedishMiles(columns: readonly AssignedColumn[]): NoProposal | undefined {
  const isNordic = NORDIC.has(languageOfHeader(columns.map(({ name }) => name)));
  const column = columns.find(
    ({ name, filled, left }) =>
      left === undefined &&
      filled.length > 0 &&
      (/(?:^|[\s(])mil(?:$|[\s)])/.test(foldHeader(name)) ||
        (isNordic && filled.filter((cell) => /^mil$/i.test(splitAmount(cell).unit)).length > filled.length / 2)),
  );
  if (column === undefined) return undefined;
  return {
    problem: `the distances in the column ${JSON.stringify(column.name)} seem to be in mil, which are 10 km each. A mapping file has no such unit`,
    next: "Write ten times the numbers into a column called km, and propose again. If they are miles, call the column Miles",
  };
}
