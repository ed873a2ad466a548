/** Finds a second header among the rows that isn't the first one: the columns below it have another order or other units. */

import type { NoProposal } from "../choices/no-proposal.ts";
import { foldHeader } from "../words/header-words.ts";
import { isOtherHeader, nameOf } from "./other-header.ts";
import type { SheetSample } from "./sample.ts";
import type { SheetSamples } from "./sheet-samples.ts";

/** Differences that are named. */
const MOST_NAMED = 3;

/** Why a table has no single mapping: a row among the others is a header, and differs from the first. Undefined without one. */
export function changedHeader({ each, joined }: SheetSamples): NoProposal | undefined {
  const sheets = each.length > 0 ? each : [{ name: undefined, sample: joined }];
  for (const { name, sample } of sheets) {
    const among = sample.hasHeader ? sample.rows.find(({ fields }) => isOtherHeader(sample.header, fields)) : undefined;
    const row = among ?? sample.laterHeader;
    if (row === undefined) continue;
    const where = name === undefined ? `row ${row.line}` : `row ${row.line} of the sheet ${JSON.stringify(name)}`;
    return {
      problem: `${where} is another header: ${differences(sample.header, row.fields)}. The rows below it can't be read like those above`,
      next: "Split the sheet there into two, and propose for each",
    };
  }
  return undefined;
}

function differences(header: SheetSample["header"], fields: readonly string[]): string {
  const width = Math.max(header.length, fields.length);
  const found = Array.from({ length: width }, (_, at) => [(fields[at] ?? "").trim(), header[at] ?? ""] as const)
    .filter(([cell, name]) => foldHeader(cell) !== nameOf(name))
    .map(([cell, name]) => `${JSON.stringify(cell)} where the first has ${JSON.stringify(name)}`);
  const more = found.length - MOST_NAMED;
  return `${found.slice(0, MOST_NAMED).join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
