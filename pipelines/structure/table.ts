/**
 * The structure of a table: delimiter, encoding, headers, and the shapes of each column's values. A first line may be data. It is shown as
 * headers only when the lines below it say that it is none of them; otherwise its cells are values like any other.
 */
import { sniffDialect } from "../../connectors/formats/csv/dialect.ts";
import { readCsv } from "../../connectors/formats/csv/read.ts";
import { decodeText } from "../../connectors/formats/text.ts";
import { hasKnownWord, isKnownName, shapeOfName, shapeOfValue } from "../../transforms/text/shape.ts";
import { type ShapeCount, Tally } from "./tally.ts";

/** One column. */
export interface ColumnStructure {
  /** As it stands in the file; absent where the first line may be data. */
  readonly header?: string;
  /** The shape of the first line's cell, where there is no header. */
  readonly first?: string;
  readonly shapes: readonly ShapeCount[];
}

/** A table without its values. */
export interface TableStructure {
  readonly kind: "table";
  readonly delimiter: "comma" | "semicolon" | "tab" | "bar";
  readonly encoding: string;
  /** The shapes of the cells of a title above the first line, in exports that write one. */
  readonly title?: readonly string[];
  /** Records below the first line, and how many of them have how many columns. */
  readonly records: number;
  readonly widths: readonly { readonly columns: number; readonly records: number }[];
  readonly columns: readonly ColumnStructure[];
  /** Columns past those that are described. */
  readonly moreColumns: number;
  /** Rules of what is wrong with the file. */
  readonly rules: readonly string[];
}

const DELIMITERS = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" } as const;
const MOST_COLUMNS = 300;
const MOST_WIDTHS = 12;
const LONGEST_HEADER = 80;

/** The most numbers behind the name in a title: the version of the program and of the table. */
const MOST_NUMBERS = 3;

/** `com.samsung.shealth.exercise` */
const DOTTED = /^[a-z]\w{0,40}(\.[a-z]\w{0,60}){2,8}$/;

/** From this number of columns on, a table may have repeated headers in any language. */
const WIDE = 40;

interface Column {
  readonly first: string;
  readonly tally: Tally;
  /** How often the first line's cell stands below it again. */
  again: number;
}

/** Whether the beginning of a file looks like a table: most of its lines have the same number of columns, two or more. */
export async function looksLikeTable(head: Uint8Array): Promise<boolean> {
  const widths = new Map<number, number>();
  let records = 0;
  for await (const { fields } of readCsv(oneOf(head))) {
    widths.set(fields.length, (widths.get(fields.length) ?? 0) + 1);
    if (++records === 50) break;
  }
  widths.delete(1);
  return records > 0 && Math.max(0, ...widths.values()) >= 0.6 * records;
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Describes a table. @param head the first bytes of what `chunks` gives */
export async function describeTable(head: Uint8Array, chunks: AsyncIterable<Uint8Array>): Promise<TableStructure> {
  const { text, encoding } = decodeText(head);
  const rules = new Set<string>();
  const widths = new Map<number, number>();
  let first: readonly string[] | undefined;
  let title: readonly string[] | undefined;
  let columns: Column[] = [];
  let records = 0;
  for await (const { fields } of readCsv(chunks, { report: ({ rule }) => rules.add(rule) })) {
    if (first === undefined) {
      first = fields;
      columns = fields.slice(0, MOST_COLUMNS).map(columnOf);
      continue;
    }
    if (records === 0 && title === undefined && isTitleAbove(first, fields)) {
      title = first;
      first = fields;
      columns = fields.slice(0, MOST_COLUMNS).map(columnOf);
      continue;
    }
    // Files that were put one behind the other have their headers again.
    if (fields.length === first.length && fields.every((field, index) => field === first?.[index])) continue;
    records++;
    count(widths, fields.length);
    addRecord(columns, fields);
  }
  const isHeader = isHeaderOf(columns, records, commonest(widths));
  return {
    kind: "table",
    delimiter: DELIMITERS[sniffDialect(text).delimiter],
    encoding,
    ...(title !== undefined && { title: title.map((cell) => shapeOfName(cell.trim())) }),
    records,
    widths: [...widths].map(([width, times]) => ({ columns: width, records: times })),
    columns: columns.map((column) => shown(column, isHeader)),
    moreColumns: Math.max(0, (first?.length ?? 0) - MOST_COLUMNS),
    rules: [...rules],
  };
}

function columnOf(first: string): Column {
  return { first: first.trim(), tally: new Tally(), again: 0 };
}

function addRecord(columns: Column[], fields: readonly string[]): void {
  for (let index = 0; index < Math.min(fields.length, MOST_COLUMNS); index++) {
    const field = fields[index] ?? "";
    columns[index] ??= columnOf("");
    const column = columns[index] as Column;
    column.tally.add(field);
    if (column.first !== "" && field.trim() === column.first) column.again++;
  }
}

function count(widths: Map<number, number>, width: number): void {
  if (widths.has(width) || widths.size < MOST_WIDTHS) widths.set(width, (widths.get(width) ?? 0) + 1);
}

function commonest(widths: ReadonlyMap<number, number>): number {
  let best = 0;
  for (const [width, times] of widths) if (times > (widths.get(best) ?? 0)) best = width;
  return best;
}

/** Whether a line is the title of a table: a program's dotted name and numbers, over a line of words. Samsung writes such a line. */
function isTitleAbove([name = "", ...numbers]: readonly string[], next: readonly string[]): boolean {
  const words = next.filter((cell) => cell.trim() !== "");
  const isTitle = DOTTED.test(name) && numbers.length <= MOST_NUMBERS && numbers.every((cell) => /^\d*$/.test(cell));
  return isTitle && words.length > 1 && !words.some((cell) => cannotBeHeader(cell.trim()));
}

/** Whether headers may repeat: words that only programs write, or a few columns among many. A row of a person's words has neither. */
function mayRepeat(cells: readonly Column[]): boolean {
  const names = new Set(cells.map(({ first }) => first));
  const repeated = cells.filter(({ first }, index) => cells.findIndex((each) => each.first === first) !== index);
  if (repeated.every(({ first }) => isKnownName(first))) return names.size > repeated.length;
  return cells.length >= WIDE && repeated.length * 8 <= cells.length;
}

/**
 * Whether the first line can be nothing but headers. All of these must hold: no cell of it looks like a value, none stands below it again,
 * most columns have one, and few are the same, as Strava's two columns Distance. And either half of them hold a word that headers have, or one does and another column of
 * words stands over numbers or dates.
 */
function isHeaderOf(columns: readonly Column[], records: number, width: number): boolean {
  const cells = columns.filter(({ first }) => first !== "");
  if (cells.length < 2 || cells.length < (2 / 3) * Math.max(columns.length, width)) return false;
  if (cells.some(({ first, again }) => again > 0 || cannotBeHeader(first))) return false;
  if (!mayRepeat(cells)) return false;
  const known = cells.filter(({ first }) => hasKnownWord(first)).length;
  if (2 * known >= cells.length) return true;
  const overNumbers = cells.filter(({ tally }) => tally.numeric > 0 && tally.numeric >= 0.8 * tally.filled).length;
  return known > 0 && overNumbers > 0 && records > 1;
}

/** Of headers: no addresses, few digits, and a few words at most. */
function looksLikeValue(cell: string): boolean {
  const digits = cell.replace(/\D/g, "").length;
  const letters = cell.match(/\p{L}/gu)?.length ?? 0;
  return cell.length > LONGEST_HEADER || letters === 0 || digits >= 3 || digits > letters || /@|https?:/i.test(cell);
}

/** A program's dotted name may have more digits than other headers. Such a header is shown by its shape. */
function cannotBeHeader(cell: string): boolean {
  return looksLikeValue(cell) && !DOTTED.test(cell);
}

function shown({ first, tally }: Column, isHeader: boolean): ColumnStructure {
  const shapes = tally.counts();
  if (!isHeader) return { first: first === "" ? "empty" : shapeOfValue(first), shapes };
  return { header: looksLikeValue(first) ? shapeOfName(first) : first, shapes };
}
