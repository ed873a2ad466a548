/** Chooses the sheets of a workbook that a proposal is for. */
import { printable } from "../../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { WorkbookError } from "../../../formats/sheets/sheet.ts";
import { yamlText } from "../../../formats/yaml.ts";
import { isRecord, readTable } from "../../table/reading/read-table.ts";
import type { Row } from "../../table/reading/table-row.ts";
import {
  type FoundSheet,
  filledSheets,
  namesOfSheets,
  openIfWorkbook,
  sheetNamed,
  sheetsOf,
} from "../../table/reading/workbook.ts";
import type { Answers, Choice } from "../choices/choice.ts";
import { ANSWERED } from "../questions/answers.ts";
import { hasSports } from "../sample/header-row.ts";

/** The sheets to look at, and what the mapping file says of the sheets. */
export interface ChosenSheets {
  /** None for a table that is no workbook. */
  readonly sheets: readonly FoundSheet[];
  readonly words: Readonly<Record<string, string | readonly string[]>>;
  readonly choice: Choice | undefined;
}

/** Rows of a sheet that are compared with those of others: a header stands among them. */
const ROWS = 5;

/**
 * Chooses. Sheets with one header are one log, a year each. If there are other ones as well, a person chooses, and the first answer is all with one header.
 *
 * @throws WorkbookError as `sheetsOf`
 */
export async function chooseSheets(archive: Archive, entry: Entry, answers: Answers): Promise<ChosenSheets> {
  const all = await sheetsOf(archive, entry);
  const said = answers.get("file.sheet");
  if (all === undefined && said !== undefined)
    throw new WorkbookError("workbook/no-sheet", "a text, which has no sheets", "a workbook, or no --sheet");
  if (all === undefined) return { sheets: [], words: {}, choice: undefined };
  const filled = filledSheets(all);
  const [first, ...others] = filled;
  if (first === undefined || (others.length === 0 && said === undefined))
    return { sheets: filled, words: {}, choice: undefined };
  const alike = others.length === 0 ? filled : await largestGroup(archive, entry, filled);
  const base = { place: "file.sheet", contradicting: 0, rows: filled.length };
  if (said !== undefined) {
    const named = sheetsSaid(said, filled, alike) ?? notThere(said, all, filled);
    const choice: Choice = { ...base, value: listOf(named), why: ANSWERED };
    return { sheets: named, words: wordsFor(named), choice };
  }
  const names = filled.map(({ name }) => name);
  if (alike.length === filled.length) {
    const why = `${filled.length} sheets have the same columns: ${firstOf(names)}`;
    return { sheets: filled, words: { sheets: "all" }, choice: { ...base, value: "all", why } };
  }
  const question = "Which sheet is the log?";
  if (alike.length < 2) {
    const options = names.map((value) => ({ value, means: value }));
    const why = `the workbook has ${filled.length} sheets with rows`;
    return {
      sheets: [first],
      words: { sheet: first.name },
      choice: { ...base, value: first.name, why, question, options },
    };
  }
  const options = [
    { value: listOf(alike), means: `the ${alike.length} sheets with the same columns` },
    ...filled.map((sheet) => ({ value: listOf([sheet]), means: "only this sheet" })),
  ];
  const why = `${alike.length} of ${filled.length} sheets with rows have the same columns`;
  const choice = { ...base, value: listOf(alike), why, question, options };
  return { sheets: alike, words: wordsFor(alike), choice };
}

/** Says which sheets there are. @throws WorkbookError always */
function notThere(said: string, all: readonly FoundSheet[], filled: readonly FoundSheet[]): never {
  const isEmpty = sheetNamed(all, said) !== undefined;
  const found = `${isEmpty ? "no rows in the sheet" : "no sheet"} ${JSON.stringify(printable(said, 40))}`;
  const names = namesOfSheets(filled);
  throw new WorkbookError("workbook/no-sheet", found, filled.length > 1 ? `one of ${names}, or all` : names);
}

/** The sheets that a person names: all, one, or several with commas; undefined if one of them is not there. */
function sheetsSaid(
  said: string | undefined,
  filled: readonly FoundSheet[],
  alike: readonly FoundSheet[],
): readonly FoundSheet[] | undefined {
  if (said === undefined) return undefined;
  const whole = sheetNamed(filled, said);
  if (whole !== undefined) return [whole];
  if (said === "all") return alike.length < 2 ? filled : alike;
  if (said === listOf(alike)) return alike;
  const names = said.replace(/^\[/, "").replace(/\]$/, "").split(",");
  const found = names.map((name) => sheetNamed(filled, name.trim()));
  return found.every((sheet) => sheet !== undefined) ? found : undefined;
}

/** The first few names, and how many more there are. */
function firstOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more > 0 ? `${names.slice(0, MOST_NAMED).join(", ")} and ${more} more` : names.join(", ");
}

/** The most sheets that the evidence names. */
const MOST_NAMED = 10;

/** Names of sheets as a mapping file has them: `[2014, 2015]`. */
export function listOf(sheets: readonly Pick<FoundSheet, "name">[]): string {
  return `[${sheets.map(({ name }) => (/^[\p{L}\d _-]+$/u.test(name) ? name : yamlText(name))).join(", ")}]`;
}

function wordsFor(sheets: readonly FoundSheet[]): ChosenSheets["words"] {
  const [first, ...others] = sheets.map(({ name }) => name);
  return others.length === 0 && first !== undefined ? { sheet: first } : { sheets: sheets.map(({ name }) => name) };
}

/** The most sheets with one header, in their order. */
async function largestGroup(
  archive: Archive,
  entry: Entry,
  sheets: readonly FoundSheet[],
): Promise<readonly FoundSheet[]> {
  const groups = new Map<string, FoundSheet[]>();
  const workbook = await openIfWorkbook(archive, entry);
  try {
    for (const sheet of sheets) {
      const header = await widestRow(readTable(archive, entry, { sheet, workbook }));
      const alike = groups.get(header);
      if (alike === undefined) groups.set(header, [sheet]);
      else alike.push(sheet);
    }
  } finally {
    await workbook?.close();
  }
  const [largest = []] = [...groups.values()].toSorted((a, b) => b.length - a.length);
  return largest;
}

/** The first of the widest rows at the beginning of a sheet, which is the header of most, and the sports in the row above it. */
async function widestRow(table: AsyncIterable<Row>): Promise<string> {
  const rows: string[][] = [];
  for await (const row of table) {
    if (isRecord(row)) rows.push(row.fields.map((cell) => cell.trim()));
    if (rows.length === ROWS) break;
  }
  const filled = rows.map((cells) => cells.filter((cell) => cell !== ""));
  const widest = Math.max(0, ...filled.map((cells) => cells.length));
  const at = filled.findIndex((cells) => cells.length === widest);
  const above = rows[at - 1] ?? [];
  const names = filled[at] ?? [];
  // A mapping names columns, so their order doesn't matter unless several have one name.
  const inOrder = new Set(names).size === names.length ? names.toSorted() : names;
  return JSON.stringify([hasSports(above) ? above : [], inOrder]);
}
