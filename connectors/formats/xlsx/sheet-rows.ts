/** The rows of one sheet of a workbook. Form: ECMA-376, part 1, 18.3 (worksheets). */
import { columnOf } from "../sheets/letters.ts";
import { attribute, type Collector, readPart } from "../sheets/read-part.ts";
import { RowBuilder } from "../sheets/row-builder.ts";
import { type Cell, SHEET_CAPS, type SheetRow } from "../sheets/sheet.ts";
import { withUnit } from "../sheets/shown-text.ts";
import { errorOf } from "../sheets/unread.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import { withColons } from "./number-format.ts";
import { type Calendar, cellOfNumber } from "./serial.ts";
import type { SharedTexts } from "./shared-texts.ts";
import type { NumberStyle } from "./styles.ts";
import { asSpaced, unescaped } from "./texts.ts";

/** The parts of a workbook that its cells refer to. */
export interface CellContext {
  readonly styles: readonly NumberStyle[];
  readonly calendar: Calendar;
  readonly texts: SharedTexts;
}

/** A cell as the sheet has it. */
interface RawCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  /** Undefined if it has no value. */
  readonly value: string | undefined;
  readonly isFormula: boolean;
}

/** A row as the sheet has it, or the reason why it can't be used. */
interface RawRow {
  readonly number: number;
  readonly cells: readonly RawCell[];
  readonly refused?: readonly [rule: string, found: string, expected: string];
}

/** Gives the rows of a sheet. See `Workbook.rows`. */
export async function* sheetRows(chunks: AsyncIterable<Uint8Array>, context: CellContext): AsyncGenerator<SheetRow> {
  const collector = new RowCollector();
  const reading = readPart(chunks, collector);
  for (let step = await reading.next(); ; step = await reading.next()) {
    if (step.done === true) {
      const error = errorOf(step.value);
      if (error !== undefined) yield { number: collector.last + 1, error };
      return;
    }
    const row = await finished(step.value, context);
    if (row !== undefined) yield row;
  }
}

async function finished({ number, cells, refused }: RawRow, context: CellContext): Promise<SheetRow | undefined> {
  const row = new RowBuilder(number);
  if (refused !== undefined) row.refuse(...refused);
  for (const cell of cells) {
    if (row.isRefused) break;
    if (cell.value === undefined) {
      if (cell.isFormula) row.uncomputed(cell.column);
    } else if (cell.type === "e")
      row.remark(cell.column, "error-cell", cell.value, "a value; the cell counts as empty");
    else {
      if (cell.type === "s" && !context.texts.has(numberOfText(cell.value)))
        await context.texts.readTo(numberOfText(cell.value));
      const value = cellOf(cell, cell.value, context);
      if (value === undefined)
        row.refuse(
          "bad-cell",
          `${JSON.stringify(cell.value.slice(0, 40))}, ${row.at(cell.column)}`,
          EXPECTED[cell.type] ?? "a number",
        );
      else row.add(cell.column, value);
    }
  }
  if (areStruck(cells, context.styles)) row.struck();
  return row.result();
}

/** Whether all filled cells of a row are struck through. */
function areStruck(cells: readonly RawCell[], styles: CellContext["styles"]): boolean {
  const isFilled = ({ value = "" }: RawCell) => value !== "";
  return cells.every((cell) => !isFilled(cell) || styles[cell.style]?.isStruck === true) && cells.some(isFilled);
}

/** The right values by the type of a cell, for messages. */
const EXPECTED: Readonly<Record<string, string>> = {
  s: "the number of a text that the workbook has",
  b: "0 or 1",
  d: "an ISO date",
};

function cellOf({ type, style }: RawCell, value: string, context: CellContext): Cell | undefined {
  switch (type) {
    case "s": {
      const text = context.texts.get(numberOfText(value));
      return text === undefined ? undefined : { kind: "text", text };
    }
    case "str":
    case "inlineStr":
      return { kind: "text", text: unescaped(value) };
    case "b":
      return value.trim() === "1" || value.trim() === "0"
        ? { kind: "boolean", text: value.trim() === "1" ? "TRUE" : "FALSE" }
        : undefined;
    case "d":
      return isoCell(value.trim());
    default: {
      const number = NUMBER.test(value) ? Number(value) : Number.NaN;
      return Number.isFinite(number) ? styledCell(number, context.styles[style], context.calendar) : undefined;
    }
  }
}

/** A number as its style shows it. */
function styledCell(number: number, style: NumberStyle | undefined, calendar: Calendar): Cell {
  const cell = cellOfNumber(number, style?.kind ?? "number", calendar);
  if (style?.unit !== undefined) return withUnit(cell, number, style.unit);
  const shown = style?.colons === undefined ? undefined : withColons(number, style.colons);
  if (shown !== undefined) return { ...cell, shown };
  return style?.hidesYear === true && cell.kind.startsWith("date") ? { ...cell, hidesYear: true } : cell;
}

/** The number of a shared text; NaN if it is none. */
function numberOfText(value: string): number {
  return /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : Number.NaN;
}

const NUMBER = /^\s*[-+]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:e[-+]?\d{1,3})?\s*$/i;

/** A date of a workbook in the strict form. */
function isoCell(value: string): Cell | undefined {
  const [, date, clock] = /^(\d{4}-\d{2}-\d{2})?(?:T?(\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)Z?)?$/.exec(value) ?? [];
  if (date === undefined) return clock === undefined ? undefined : { kind: "time", text: clock };
  return clock === undefined ? { kind: "date", text: date } : { kind: "date-time", text: `${date} ${clock}` };
}

/** What a person can do about a workbook that breaks the rules of the format. */
const SAVE_AGAIN = "open the workbook in a spreadsheet program and save it";

/** Collects the rows. It ends the reading after the last row, so a million merged cells after it cost nothing. */
class RowCollector implements Collector<RawRow> {
  /** The number of the last row. */
  last = 0;
  #ready: RawRow[] = [];
  #number = 0;
  #cells: RawCell[] | undefined;
  #refused: RawRow["refused"];
  #length = 0;
  #cell: { column: number; type: string; style: number; value: string | undefined; isFormula: boolean } | undefined;
  #lastColumn = -1;
  /** The columns that the row has so far. */
  readonly #columns = new Set<number>();
  /** The text that is being read. */
  #text: string | undefined;
  #isPreserved = false;
  #isOver = false;

  open(name: string, attributes: XmlAttributes, path: readonly string[]): boolean {
    if (this.#isOver) return false;
    const parent = path.at(-1);
    if (name === "row" && parent === "sheetData") this.#openRow(attributes);
    else if (name === "c" && parent === "row" && this.#cells !== undefined) this.#openCell(attributes);
    else if (this.#cell !== undefined) {
      if (name === "v" && parent === "c") this.#openText(true);
      else if (name === "t" && parent !== "rPh") this.#openText(attribute(attributes, "space") === "preserve");
      else if (name === "f" && parent === "c") this.#cell.isFormula = true;
    }
    return true;
  }

  text(more: string): void {
    if (this.#text !== undefined && this.#text.length <= SHEET_CAPS.cellLength) this.#text += more;
  }

  close(name: string, _: string, path: readonly string[]): void {
    const parent = path.at(-1);
    if ((name === "v" || name === "t") && this.#text !== undefined) this.#closeText();
    else if (name === "c" && parent === "row" && this.#cell !== undefined) this.#closeCell(this.#cell);
    else if (name === "row" && parent === "sheetData") this.#closeRow();
    else if (name === "sheetData") this.#isOver = true;
  }

  take(): readonly RawRow[] {
    return this.#ready.splice(0);
  }

  #openRow(attributes: XmlAttributes): void {
    const said = attribute(attributes, "r");
    const number = said === undefined ? this.last + 1 : /^\d{1,7}$/.test(said) ? Number(said) : Number.NaN;
    const isPossible = number > 0 && number <= SHEET_CAPS.rows;
    this.#number = isPossible ? number : this.last + 1;
    this.#cells = [];
    this.#columns.clear();
    this.#length = 0;
    this.#lastColumn = -1;
    this.#refused =
      isPossible && number > this.last
        ? undefined
        : [
            "row-order",
            `row ${JSON.stringify(String(said ?? number).slice(0, 20))} after row ${this.last}`,
            `rows in ascending order: ${SAVE_AGAIN}`,
          ];
  }

  #openCell(attributes: XmlAttributes): void {
    const address = attribute(attributes, "r");
    const column = address === undefined ? this.#lastColumn + 1 : columnOf(address, this.#number);
    if (column === undefined || this.#columns.has(column)) {
      const found = `the cell ${JSON.stringify(String(address).slice(0, 20))} in row ${this.#number}`;
      this.#refused ??= ["cell-order", found, `each cell of the row once: ${SAVE_AGAIN}`];
      return;
    }
    this.#lastColumn = column;
    // A row with more columns is refused as a whole.
    if (column < SHEET_CAPS.columns) this.#columns.add(column);
    const style = Number(attribute(attributes, "s") ?? 0);
    this.#cell = { column, type: attribute(attributes, "t") ?? "n", style, value: undefined, isFormula: false };
  }

  #openText(isPreserved: boolean): void {
    this.#text = "";
    this.#isPreserved = isPreserved;
  }

  #closeText(): void {
    const text = asSpaced(this.#text ?? "", this.#isPreserved);
    this.#text = undefined;
    const cell = this.#cell;
    if (cell === undefined) return;
    this.#length += text.length;
    // The row builder refuses a row of this length. Until then, no more of it is kept.
    if (this.#length <= 2 * SHEET_CAPS.rowLength) cell.value = (cell.value ?? "") + text;
  }

  #closeCell(cell: RawCell): void {
    this.#cell = undefined;
    if (cell.value === undefined && !cell.isFormula) return;
    // Programs that never calculated it write an empty value.
    this.#cells?.push(cell.isFormula && cell.value === "" && cell.type === "n" ? { ...cell, value: undefined } : cell);
  }

  #closeRow(): void {
    const refused = this.#refused;
    // Some programs write the cells of a row in another order. Their addresses say where they belong.
    const cells = (this.#cells ?? []).toSorted((a, b) => a.column - b.column);
    this.#ready.push({ number: this.#number, cells, ...(refused !== undefined && { refused }) });
    this.last = Math.max(this.last, this.#number);
    this.#cells = undefined;
    this.#cell = undefined;
  }
}
