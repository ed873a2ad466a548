/** Chooses the sheets of a workbook that a proposal is for. */
import type { Archive, Entry } from "../../containers/archive.ts";
import { isRecord, readTable } from "../table/read-table.ts";
import { type FoundSheet, filledSheets, sheetNamed, sheetsOf } from "../table/workbook.ts";
import { type Answers, answered, type Choice, isOpen } from "./choice.ts";

/** The sheet to look at, and what the mapping file says of the sheets. */
export interface ChosenSheets {
  /** Undefined for a table that is no workbook. */
  readonly sheet: FoundSheet | undefined;
  readonly words: Readonly<Record<string, string | readonly string[]>>;
  readonly choice: Choice | undefined;
}

/** Rows of a sheet that are compared with those of others: a header stands among them. */
const ROWS = 5;

/**
 * Chooses. Sheets with one header are one log, a year each. Among different ones, a person chooses.
 *
 * @throws WorkbookError as `sheetsOf`
 */
export async function chooseSheets(archive: Archive, entry: Entry, answers: Answers): Promise<ChosenSheets> {
  const all = await sheetsOf(archive, entry);
  if (all === undefined) return { sheet: undefined, words: {}, choice: undefined };
  const filled = filledSheets(all);
  const [first, ...others] = filled;
  if (first === undefined || others.length === 0) return { sheet: first, words: {}, choice: undefined };
  const same = await sheetsLike(archive, entry, first, others);
  const names = filled.map(({ name }) => name);
  if (same.length === filled.length) {
    const why = `${filled.length} sheets have the same columns: ${names.join(", ")}`;
    const choice: Choice = { place: "file.sheets", value: "all", why, contradicting: 0, rows: filled.length };
    return { sheet: first, words: { sheets: "all" }, choice };
  }
  const choice = answered(
    {
      ...{ place: "file.sheet", value: first.name, why: `the workbook has ${filled.length} sheets with rows` },
      ...{ contradicting: 0, rows: filled.length, question: "Which sheet is the log?" },
      options: names.map((value) => ({ value, means: value })),
    },
    answers,
  );
  const chosen = sheetNamed(filled, choice.value) ?? first;
  return { sheet: chosen, words: { sheet: isOpen(choice) ? first.name : chosen.name }, choice };
}

/** The sheets whose first rows with words are those of the first sheet, itself among them. */
async function sheetsLike(
  archive: Archive,
  entry: Entry,
  first: FoundSheet,
  others: readonly FoundSheet[],
): Promise<readonly FoundSheet[]> {
  const header = await widestRow(archive, entry, first);
  const like = [first];
  for (const sheet of others) if ((await widestRow(archive, entry, sheet)) === header) like.push(sheet);
  return like;
}

/** The first of the widest rows at the beginning of a sheet, which is the header of most. */
async function widestRow(archive: Archive, entry: Entry, sheet: FoundSheet): Promise<string> {
  const rows: string[][] = [];
  for await (const row of readTable(archive, entry, { sheet })) {
    if (isRecord(row)) rows.push(row.fields.map((cell) => cell.trim()).filter((cell) => cell !== ""));
    if (rows.length === ROWS) break;
  }
  const widest = Math.max(0, ...rows.map((cells) => cells.length));
  return JSON.stringify(rows.find((cells) => cells.length === widest) ?? []);
}
