/** Finds a second header among the rows that isn't the first one: the columns below it have another order or other units. */
import { repeatsHeader } from "./column.ts";
import { knownIn } from "./header-row.ts";
import { foldHeader, readHeaderWords } from "./header-words.ts";
import type { NoProposal } from "./no-proposal.ts";
import type { SheetSample } from "./sample.ts";
import type { SheetSamples } from "./sheet-samples.ts";

/** Known words in a row without a date: fewer are a remark. */
const LEAST_KNOWN = 2;

/** Differences that are named. */
const MOST_NAMED = 3;

/** Why a table has no single mapping: a row among the others is a header, and differs from the first. Undefined without one. */
export function changedHeader({ each, joined }: SheetSamples): NoProposal | undefined {
  const sheets = each.length > 0 ? each : [{ name: undefined, sample: joined }];
  for (const { name, sample } of sheets) {
    const row = sample.hasHeader ? sample.rows.find(({ fields }) => isOther(sample.header, fields)) : undefined;
    if (row === undefined) continue;
    const where = name === undefined ? `row ${row.line}` : `row ${row.line} of the sheet ${JSON.stringify(name)}`;
    return {
      problem: `${where} is another header: ${differences(sample.header, row.fields)}. The rows below it can't be read like those above`,
      next: "Split the sheet there into two, and propose for each",
    };
  }
  return undefined;
}

/** Whether a row is a header, and another one than that of the table. One of its cells stands in that header, or is a date by its name. */
function isOther(header: SheetSample["header"], fields: readonly string[]): boolean {
  const filled = fields.filter((cell) => cell.trim() !== "");
  const known = knownIn(fields);
  if (known < LEAST_KNOWN || known <= filled.length / 2 || repeatsHeader(header, fields)) return false;
  if (filled.some((cell) => /^\s*[\d<>~-]/.test(cell))) return false;
  const names = new Set(header.map(nameOf));
  return filled.some(
    (cell) => names.has(foldHeader(cell)) || readHeaderWords(cell).roles.some((role) => DATES.has(role)),
  );
}

const DATES: ReadonlySet<string> = new Set(["date", "datetime"]);

/** The words of a header without the number that tells two columns of one name apart. */
const nameOf = (name: string) => foldHeader(name.replace(/#\d+$/, ""));

function differences(header: SheetSample["header"], fields: readonly string[]): string {
  const width = Math.max(header.length, fields.length);
  const found = Array.from({ length: width }, (_, at) => [(fields[at] ?? "").trim(), header[at] ?? ""] as const)
    .filter(([cell, name]) => foldHeader(cell) !== nameOf(name))
    .map(([cell, name]) => `${JSON.stringify(cell)} where the first has ${JSON.stringify(name)}`);
  const more = found.length - MOST_NAMED;
  return `${found.slice(0, MOST_NAMED).join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
