/** Reads the rows of a table that a proposal rests on, and finds its header. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { SheetInfo } from "../../formats/sheets/sheet.ts";
import { namesOf } from "../table/columns.ts";
import { isRecord, readTable, type TableOptions } from "../table/read-table.ts";
import { readHeaderWords } from "./header-words.ts";
import { BY_HAND, type NoProposal } from "./no-proposal.ts";
import { isDateText, isNumber } from "./values.ts";

/** A row of a table. */
export interface SampleRow {
  readonly line: number;
  readonly fields: readonly string[];
  /** The places of the cells that a workbook keeps as dates. */
  readonly dates?: readonly number[];
}

/** The beginning of a table, which is all of most tables. */
export interface SheetSample {
  readonly path: string;
  /** Lines before the header. */
  readonly skip: number;
  /** Texts of these lines: `2014 RUNNING LOG`. */
  readonly title: string;
  readonly hasHeader: boolean;
  /** The names of the columns, as a mapping file has them. */
  readonly header: readonly string[];
  /** The units in a line of their own below the header, by column; undefined if there is no such line. */
  readonly units: readonly string[] | undefined;
  readonly rows: readonly SampleRow[];
  /** Whether its text is no UTF-8, and was read in another encoding. */
  readonly isOtherText: boolean;
  /** Rows of a longer table that were not looked at. */
  readonly isCut: boolean;
}

/** A proposal rests on this many rows at most, so that memory doesn't grow with the table. */
export const MOST_ROWS = 20_000;

/** The header is among the first rows. */
const MOST_BEFORE_HEADER = 20;

/** Which rows to read. */
export interface SampleTask extends Pick<TableOptions, "workbook"> {
  /** Of a workbook. */
  readonly sheet: SheetInfo | undefined;
  /** Fewer rows than of a table alone, where several sheets share them. */
  readonly most?: number;
}

/**
 * Reads the sample of a table.
 *
 * @returns the reason if no row can be read
 */
export async function sampleOf(
  archive: Archive,
  entry: Entry,
  { sheet, workbook, most = MOST_ROWS }: SampleTask,
): Promise<SheetSample | NoProposal> {
  const rows: SampleRow[] = [];
  let isCut = false;
  let fault: Issue | undefined;
  let isOtherText = false;
  const report = ({ rule }: Issue) => {
    if (rule === "text/not-utf-8") isOtherText = true;
  };
  for await (const row of readTable(archive, entry, { sheet, workbook, report })) {
    if (!isRecord(row)) {
      fault ??= row.error;
      continue;
    }
    if (rows.length === most) {
      isCut = true;
      break;
    }
    const dates = row.cells?.flatMap((cell, index) => (cell?.kind.startsWith("date") ? [index] : []));
    rows.push({ line: row.line, fields: row.fields, ...(dates !== undefined && { dates }) });
  }
  const first = rows[0];
  if (first === undefined) return noRows(fault);
  const at = headerAt(rows);
  const found = at === undefined ? undefined : rows[at];
  const width = Math.max(...rows.slice(0, 200).map(({ fields }) => fields.length));
  const header =
    found === undefined ? Array.from({ length: width }, (_, index) => String(index + 1)) : namesOf(found.fields);
  const below = at === undefined ? undefined : rows[at + 1]?.fields;
  const units =
    below !== undefined && isUnitsRow(below)
      ? below.map((cell) => cell.trim().replace(/^[([](.*)[)\]]$/, "$1"))
      : undefined;
  const body = rows
    .slice(at === undefined ? 0 : at + 1)
    .filter(({ fields }) => fields.some((cell) => cell.trim() !== ""));
  const title = rows
    .slice(0, at ?? 0)
    .flatMap(({ fields }) => fields.filter((cell) => cell.trim() !== ""))
    .join(" ");
  return {
    path: entry.path,
    skip: found === undefined ? 0 : found.line - 1,
    title,
    hasHeader: found !== undefined,
    header,
    units,
    rows: body,
    ...{ isOtherText, isCut },
  };
}

/** Why a table has no rows: none at all, or rows past what logferry reads. */
function noRows(fault: Issue | undefined): NoProposal {
  if (fault === undefined) return { problem: "it has no rows", next: BY_HAND };
  const { rule, found, expected } = fault;
  const [, kind = rule] = rule.split("/");
  const problem = found === undefined ? kind.replaceAll("-", " ") : `${kind.replaceAll("-", " ")}: ${found}`;
  return { problem: expected === undefined ? problem : `${problem}; expected ${expected}`, next: undefined };
}

/** The index of the header; undefined for a table without one. */
function headerAt(rows: readonly SampleRow[]): number | undefined {
  const first = rows.slice(0, MOST_BEFORE_HEADER);
  const isName = (cell: string) => !/^\s*[\d<>~-]/.test(cell) && readHeaderWords(cell).roles.length > 0;
  const known = first.map(({ fields }) =>
    fields.some((cell) => isDateText(cell.trim())) || isUnitsRow(fields) ? 0 : fields.filter(isName).length,
  );
  const most = Math.max(...known);
  // Two known words make a header. In a language that logferry doesn't know, a row of words above rows of numbers does.
  if (most >= 2) return known.indexOf(most);
  const widest = Math.max(...first.map(widthOf));
  const at = first.findIndex((row) => widthOf(row) >= Math.max(2, widest - 1));
  const row = first[at];
  if (row === undefined || row.fields.some((cell) => isDateText(cell.trim()))) return undefined;
  const hasNumbers = (cells: readonly string[]) => cells.some((cell) => isNumber(cell.trim()));
  const isAbove = first.slice(at + 1).some(({ fields }) => hasNumbers(fields));
  return !hasNumbers(row.fields) && (isAbove || known[at] === 1) ? at : undefined;
}

/** Whether a row has nothing but units: the second line of some headers. */
function isUnitsRow(fields: readonly string[]): boolean {
  const filled = fields.map((cell) => cell.trim().replace(/^[([](.*)[)\]]$/, "$1")).filter((cell) => cell !== "");
  return (
    filled.length > 0 &&
    filled.length < fields.length &&
    filled.every((cell) => readHeaderWords(cell).unit !== undefined)
  );
}

function widthOf({ fields }: SampleRow): number {
  return fields.filter((cell) => cell.trim() !== "").length;
}
