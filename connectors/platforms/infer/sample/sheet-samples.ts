/** Reads the rows of several sheets that a proposal rests on. */
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import type { TableOptions } from "../../table/reading/table-row.ts";
import { type FoundSheet, openIfWorkbook } from "../../table/reading/workbook.ts";
import { BY_HAND, type NoProposal } from "../choices/no-proposal.ts";
import { withDittos } from "./dittos.ts";
import { MOST_ROWS, type SheetSample, sampleOf } from "./sample.ts";

/** The samples of the sheets of a proposal. */
export interface SheetSamples {
  /** Of each sheet that has rows. */
  readonly each: readonly { readonly name: string; readonly sample: SheetSample }[];
  /** All rows under the header of the first sheet. */
  readonly joined: SheetSample;
  /** The number of sheets in it. */
  readonly count: number;
}

/**
 * Reads each sheet's share of the rows that a proposal rests on. The workbook is opened once.
 *
 * @param sheets none for a text
 * @param encoding of a text; undefined if its bytes say it
 * @returns the reason if no row of the first sheet can be read
 */
export async function samplesOf(
  archive: Archive,
  entry: Entry,
  sheets: readonly FoundSheet[],
  encoding?: TableOptions["encoding"],
): Promise<SheetSamples | NoProposal> {
  const [only] = sheets;
  if (sheets.length < 2) {
    const joined = await sampleOf(archive, entry, { sheet: only, encoding });
    return "problem" in joined ? joined : { each: [], joined: withDittos(joined), count: 1 };
  }
  const most = Math.ceil(MOST_ROWS / sheets.length);
  const each: { name: string; sample: SheetSample }[] = [];
  const workbook = await openIfWorkbook(archive, entry);
  try {
    for (const sheet of sheets) {
      const sample = await sampleOf(archive, entry, { sheet, workbook, most });
      if (!("problem" in sample)) each.push({ name: sheet.name, sample: withDittos(sample) });
      else if (each.length === 0) return sample;
    }
  } finally {
    await workbook?.close();
  }
  const [first, ...others] = each.map(({ sample }) => sample);
  if (first === undefined) return { problem: "it has no rows", next: BY_HAND };
  const alike = [first, ...others.filter((other) => layoutOf(other) === layoutOf(first))];
  const rows = alike.flatMap(({ rows: own, sheetNames: [sheet] = [] }) =>
    own.map((row) => (sheet === undefined ? row : { ...row, sheet })),
  );
  const dittos = new Map(alike.flatMap((sample) => [...(sample.dittos ?? [])]));
  const sheetNames = alike.flatMap((sample) => sample.sheetNames ?? []);
  const isCut = alike.some((sample) => sample.isCut);
  const joined = { ...first, sheetNames, rows, isCut, ...(dittos.size > 0 && { dittos }) };
  return { each, joined, count: alike.length };
}

/** Why sheets can't be read with one mapping file: one of them lacks columns of the first. Undefined if they can. */
export function unlikeSheet({ each, joined }: SheetSamples): NoProposal | undefined {
  const lackedBy = (sample: SheetSample) =>
    joined.header.filter((name) => name !== "" && !sample.header.includes(name));
  const unlike = each.find(({ sample }) => lackedBy(sample).length > 0);
  if (unlike === undefined) return undefined;
  const lacked = lackedBy(unlike.sample)
    .slice(0, MOST_LACKED)
    .map((name) => JSON.stringify(name));
  return {
    problem: `the sheet ${JSON.stringify(unlike.name)} lacks columns of the sheet ${JSON.stringify(each[0]?.name)}, such as ${alternatives(lacked, "and")}. One mapping file reads sheets with the same columns`,
    next: "Propose for each of the others by itself: --sheet NAME, with --out for a mapping file of its own",
  };
}

/** Lacking columns that are named. */
const MOST_LACKED = 3;

/** What two sheets have in common if their cells mean the same by their place. */
function layoutOf({ header, above, hasHeader, units }: SheetSample): string {
  return JSON.stringify([hasHeader, header, above, units]);
}
