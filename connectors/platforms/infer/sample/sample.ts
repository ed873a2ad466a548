/** Reads the rows of a table that a proposal rests on, and finds its header. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { type SheetInfo, shownText } from "../../../formats/sheets/sheet.ts";
import { asWideAs, namesOf } from "../../table/columns/columns.ts";
import { isRecord, readTable } from "../../table/reading/read-table.ts";
import type { TableOptions } from "../../table/reading/table-row.ts";
import { BY_HAND, type NoProposal } from "../choices/no-proposal.ts";
import { partOfDay } from "../words/parts-of-day.ts";
import { type HeaderRows, hasSports, headerRows } from "./header-row.ts";
import { isOtherHeader } from "./other-header.ts";
import { upperLabels } from "./upper-headers.ts";

/** A row of a table. */
export interface SampleRow {
  readonly line: number;
  readonly fields: readonly string[];
  /** The sheet that it is in, where the rows of several stand together. */
  readonly sheet?: string;
  /** The places of the cells that a workbook keeps as dates. */
  readonly dates?: readonly number[];
  /** The places of dates that show no year. */
  readonly yearless?: readonly number[];
  /** The places of the cells that a workbook keeps as numbers. Their mark says nothing of how numbers were typed as texts. */
  readonly numbers?: readonly number[];
  /** The places of the cells that a workbook shows as elapsed time, past 24 hours if need be. */
  readonly elapsed?: readonly number[];
  /** The places of formulas that were never computed. Their cells are empty. */
  readonly uncomputed?: readonly number[];
}

/** The beginning of a table, which is all of most tables. */
export interface SheetSample {
  readonly path: string;
  /** The sheets of a workbook that the rows are of. */
  readonly sheetNames?: readonly string[];
  /** Lines before the header. */
  readonly skip: number;
  /** Texts of these lines: `2014 RUNNING LOG`. */
  readonly title: string;
  /** The same, cell by cell. */
  readonly titles: readonly string[];
  /** The rows that they stand in. Undefined for a table that is made of others. */
  readonly titleRows?: readonly SampleRow[];
  readonly hasHeader: boolean;
  /** The names of the columns, as a mapping file has them. */
  readonly header: readonly string[];
  /** What the row above the header says of each column: the sport of `Run` above `km, time`. Empty if there is nothing. */
  readonly above: readonly string[];
  /** The text above each column, whatever it is; for a column without a name, its name. Empty if the row above is a title. */
  readonly upper: readonly string[];
  /** Columns that sum up the groups beside them. One that may be more than their sum is unsure. */
  readonly sums: ReadonlyMap<string, "sure" | "unsure" | "whole">;
  /** Columns that sum up the rows above them, or the columns beside them, with the evidence. */
  readonly provenSums: ReadonlyMap<string, string>;
  /** The units in a line of their own below the header, by column; undefined if there is no such line. */
  readonly units: readonly string[] | undefined;
  readonly rows: readonly SampleRow[];
  /** Whether a longer table has rows that the proposal doesn't rest on. */
  readonly isCut: boolean;
  /** Cells that stood for the cell above, with their number; undefined without such cells. The rows have the texts that they stand for. */
  readonly dittos?: ReadonlyMap<string, number>;
  /** The first of those rows that is another header; undefined without one. */
  readonly laterHeader?: SampleRow;
}

/** A proposal rests on this many rows at most, so that memory doesn't grow with the table. */
export const MOST_ROWS = 20_000;

/** Which rows to read. */
export interface SampleTask extends Pick<TableOptions, "workbook" | "encoding"> {
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
  { sheet, workbook, encoding, most = MOST_ROWS }: SampleTask,
): Promise<SheetSample | NoProposal> {
  const rows: SampleRow[] = [];
  let isCut = false;
  let head: SheetHead | undefined;
  let laterHeader: SampleRow | undefined;
  let fault: Issue | undefined;
  for await (const row of readTable(archive, entry, { sheet, workbook, encoding })) {
    if (!isRecord(row)) {
      fault ??= row.error;
      continue;
    }
    if (rows.length === most) {
      isCut = true;
      head ??= headOf(rows);
      if (!head.found || !isOtherHeader(head.header, row.fields)) continue;
      laterHeader = { line: row.line, fields: row.fields };
      break;
    }
    const placesOf = (kind: string) =>
      row.cells?.flatMap((cell, index) => (cell?.kind.startsWith(kind) ? [index] : [])) ?? [];
    const { line, cells, uncomputed } = row;
    const fields = cells?.map(shownText) ?? row.fields;
    const yearless = cells?.flatMap((cell, index) => (cell?.hidesYear ? [index] : [])) ?? [];
    rows.push({
      ...{ line, fields },
      ...(cells !== undefined && { dates: placesOf("date"), numbers: placesOf("number") }),
      ...(cells?.some((cell) => cell?.kind === "duration") && { elapsed: placesOf("duration") }),
      ...(yearless.length > 0 && { yearless }),
      ...(uncomputed !== undefined && { uncomputed }),
    });
  }
  const first = rows[0];
  if (first === undefined) return noRows(fault);
  const { at, units, found, above, header } = head ?? headOf(rows);
  const body = rows
    .slice(at === undefined ? 0 : at + 1)
    .filter(({ fields }) => fields.some((cell) => cell.trim() !== ""));
  if (body.length === 0 && fault !== undefined) return noRows(fault);
  const titles = rows.slice(0, at ?? 0).flatMap(({ fields }) => fields.filter((cell) => cell.trim() !== ""));
  return {
    path: entry.path,
    ...(sheet !== undefined && { sheetNames: [sheet.name] }),
    skip: found === undefined ? 0 : found.line - 1,
    title: titles.join(" "),
    titles,
    titleRows: rows.slice(0, at ?? 0).filter(({ fields }) => fields.some((cell) => cell.trim() !== "")),
    hasHeader: found !== undefined,
    header,
    above: above === undefined ? [] : labelsOf(above, header),
    upper: above === undefined ? [] : upperLabels(above, header),
    sums: new Map(),
    provenSums: new Map(),
    units,
    rows: withTypedMarks(body),
    ...{ isCut, ...(laterHeader && { laterHeader }) },
  };
}

/** A number with a decimal comma, and one with a point, as somebody typed them into cells of text. */
const [COMMA, POINT] = [/^\d{1,4},\d{1,2}$/, /^\d{1,4}\.\d{1,2}$/];

/**
 * The rows of a workbook with one decimal mark. It keeps numbers with a point, whatever its owner types. Where all numbers typed as texts have a comma,
 * the real ones get one, too: that is how a mapping file with `decimal: ","` reads them.
 */
function withTypedMarks(rows: readonly SampleRow[]): readonly SampleRow[] {
  const areTyped = (mark: RegExp) =>
    rows.some(({ fields, numbers }) =>
      fields.some((cell, at) => numbers?.includes(at) === false && mark.test(cell.trim())),
    );
  if (!areTyped(COMMA) || areTyped(POINT)) return rows;
  return rows.map((row) => ({
    ...row,
    fields: row.fields.map((cell, at) => (row.numbers?.includes(at) ? cell.replace(".", ",") : cell)),
  }));
}

/** What the first rows of a table say of its columns. */
interface SheetHead extends HeaderRows {
  /** The row with the header. */
  readonly found: SampleRow | undefined;
  /** The cells above it. */
  readonly above: readonly string[] | undefined;
  readonly header: readonly string[];
}

function headOf(rows: readonly SampleRow[]): SheetHead {
  const { at, units } = headerRows(rows);
  const found = at === undefined ? undefined : rows[at];
  const width = Math.max(...rows.slice(0, 200).map(({ fields }) => fields.length));
  const before = at === undefined || at === 0 ? undefined : rows[at - 1];
  const above = before?.line === (found?.line ?? 0) - 1 ? before?.fields : undefined;
  const header =
    found === undefined
      ? Array.from({ length: width }, (_, index) => String(index + 1))
      : namesOf(asWideAs(found.fields, above));
  return { at, units, found, above, header };
}

/** Why a table has no rows: none at all, or rows past what logferry reads. */
function noRows(fault: Issue | undefined): NoProposal {
  if (fault === undefined) return { problem: "it has no rows", next: BY_HAND };
  const { rule, found, expected } = fault;
  const [, kind = rule] = rule.split("/");
  const problem = found === undefined ? kind.replaceAll("-", " ") : `${kind.replaceAll("-", " ")}: ${found}`;
  return { problem: expected === undefined ? problem : `${problem}; expected ${expected}`, next: undefined };
}

/** The texts above a header, if sports or several parts of the day are among them. A merged cell leaves its text above its first column, and holds for the blank ones behind it. */
function labelsOf(above: readonly string[], header: readonly string[]): readonly string[] {
  const parts = new Set(above.flatMap((text) => partOfDay(text) ?? []));
  if (!hasSports(above) && parts.size < 2) return [];
  let label = "";
  return header.map((_, index) => {
    label = (above[index] ?? "").trim() || label;
    return label;
  });
}
