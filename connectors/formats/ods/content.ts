/**
 * Reads the content of an OpenDocument spreadsheet, element by element. Form: OpenDocument 1.3, part 3, sections 9 (tables), 19.385 (office:value-type)
 * and 6.1 (text).
 */
import { defined } from "../../../transforms/model/defined.ts";
import { attribute, type Collector } from "../sheets/read-part.ts";
import { RowBuilder } from "../sheets/row-builder.ts";
import { type Cell, SHEET_CAPS, SheetCounter, type SheetInfo, type SheetRow } from "../sheets/sheet.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import { cellOfValue } from "./values.ts";

/** A filled row that repeats itself more often is refused. Nobody does one workout so often, and a few bytes could stand for a million rows. */
const MOST_REPEATS = 1_000;

/** Most names of styles that are kept. */
const MOST_STYLES = 2 ** 17;

/** Elements with texts that don't belong to the cell around them: comments, drawings, and tables in cells. */
const APART = new Set(["annotation", "shapes", "frame", "custom-shape", "line", "rect", "g", "control", "forms"]);

/** Collects the sheets of a document, or the rows of one of them. */
export class OdsCollector implements Collector<SheetRow> {
  readonly #sheets: SheetInfo[] = [];
  /** Comments on cells, by the number of the sheet. */
  readonly #comments = new Map<number, number>();
  readonly omitted = new SheetCounter();
  /** The number of the last row of the wanted sheet. */
  last = 0;
  /** The sheet whose rows are collected; 0 for none. */
  readonly #wanted: number;
  #ready: SheetRow[] = [];
  /** Names of table styles that hide their table. */
  readonly #hiding = new Set<string>();
  /** Names of cell styles that strike their text through. */
  readonly #striking = new Set<string>();
  /** Filled cells of the current row, and those of them that are struck through. */
  #filled = 0;
  #struck = 0;
  #style: string | undefined;
  #tables = 0;
  /** Open elements since one that stands apart, itself included. */
  #apart = 0;
  #row: RowBuilder | undefined;
  #rowRepeats = 1;
  #column = 0;
  #cell: { readonly attributes: XmlAttributes; readonly repeats: number; readonly isCovered: boolean } | undefined;
  /** The paragraphs of the current cell. */
  #paragraphs: string[] = [];
  #text: string | undefined;
  #textLength = 0;
  #isOver = false;

  /** @param wanted the number of the sheet whose rows are collected; 0 to collect the sheets alone */
  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** The sheets so far. The comments on their cells are counted where no sheet's rows are wanted. */
  get sheets(): readonly SheetInfo[] {
    return this.#sheets.map((sheet) => ({ ...sheet, ...defined({ comments: this.#comments.get(sheet.number) }) }));
  }

  get isFound(): boolean {
    return this.#wanted <= this.#tables;
  }

  open(name: string, attributes: XmlAttributes, path: readonly string[]): boolean {
    if (this.#isOver) return false;
    if (this.#apart > 0 || (this.#row !== undefined && (APART.has(name) || name === "table"))) this.#apart++;
    else if (name === "table" && path.at(-1) === "spreadsheet") this.#openTable(attributes);
    else if (name === "style") this.#style = attribute(attributes, "name");
    else if (
      name === "table-properties" &&
      attribute(attributes, "display") === "false" &&
      this.#hiding.size < SHEET_CAPS.sheets
    )
      this.#hiding.add(this.#style ?? "");
    else if (name === "text-properties" && path.at(-1) === "style") this.#addStriking(attributes);
    else if (name === "annotation" && /^(?:covered-)?table-cell$/.test(path.at(-1) ?? ""))
      this.#comments.set(this.#tables, (this.#comments.get(this.#tables) ?? 0) + 1);
    else if (this.#isWanted()) this.#openInTable(name, attributes);
    return true;
  }

  text(more: string): void {
    if (this.#apart > 0 || this.#text === undefined || this.#textLength > SHEET_CAPS.cellLength) return;
    this.#text += more;
    this.#textLength += more.length;
  }

  close(name: string, _: string, path: readonly string[]): void {
    if (this.#apart > 0) this.#apart--;
    else if (name === "p" && this.#text !== undefined) {
      if (this.#textLength++ <= SHEET_CAPS.cellLength) this.#paragraphs.push(this.#text);
      this.#text = undefined;
    } else if (name === "table-cell" || name === "covered-table-cell") this.#closeCell();
    else if (name === "table-row" && this.#row !== undefined) this.#closeRow(this.#row);
    else if (name === "table" && path.at(-1) === "spreadsheet") this.#isOver = this.#wanted > 0 && this.#isWanted();
  }

  take(): readonly SheetRow[] {
    return this.#ready.splice(0);
  }

  #isWanted(): boolean {
    return this.#wanted > 0 && this.#tables === this.#wanted;
  }

  #addStriking(attributes: XmlAttributes): void {
    const lines = ["text-line-through-style", "text-line-through-type"].map((name) => attribute(attributes, name));
    if (lines.some((line) => line !== undefined && line !== "none") && this.#striking.size < MOST_STYLES)
      this.#striking.add(this.#style ?? "");
  }

  #openTable(attributes: XmlAttributes): void {
    this.#tables++;
    const name = attribute(attributes, "name") ?? String(this.#tables);
    if (this.#sheets.length === SHEET_CAPS.sheets) {
      this.omitted.add(name);
      return;
    }
    const isHidden = this.#hiding.has(attribute(attributes, "style-name") ?? "");
    this.#sheets.push({ name, number: this.#tables, isHidden });
  }

  #openInTable(name: string, attributes: XmlAttributes): void {
    if (name === "table-row") {
      this.#rowRepeats = repeatsOf(attributes, "number-rows-repeated");
      this.#row = new RowBuilder(this.last + 1);
      this.#column = 0;
      this.#filled = 0;
      this.#struck = 0;
    } else if (name === "table-cell" || name === "covered-table-cell") {
      const repeats = repeatsOf(attributes, "number-columns-repeated");
      this.#cell = { attributes, repeats, isCovered: name !== "table-cell" };
      this.#paragraphs = [];
      this.#textLength = 0;
    } else if (this.#cell !== undefined) this.#openText(name, attributes);
  }

  #openText(name: string, attributes: XmlAttributes): void {
    if (name === "p") this.#text = "";
    else if (name === "s" && this.#textLength <= SHEET_CAPS.cellLength)
      this.text(" ".repeat(repeatsOf(attributes, "c")));
    else if (name === "tab") this.text("\t");
    else if (name === "line-break") this.text("\n");
  }

  #closeCell(): void {
    const cell = this.#cell;
    const row = this.#row;
    this.#cell = undefined;
    if (cell === undefined || row === undefined) return;
    const from = this.#column;
    this.#column += cell.repeats;
    const text = this.#paragraphs.join("\n");
    // A covered cell lies under a merged one. Its own value isn't shown.
    if (cell.isCovered) return;
    const type = attribute(cell.attributes, "value-type");
    if (type === undefined && text === "") {
      if (attribute(cell.attributes, "formula") !== undefined) row.uncomputed(from);
      return;
    }
    if (isError(cell.attributes, text)) {
      row.remark(from, "error-cell", text, "a value; the cell counts as empty");
      return;
    }
    const value = cellOfValue(type ?? "string", cell.attributes, text);
    if (value === undefined)
      row.refuse("bad-cell", `${JSON.stringify(text.slice(0, 40))}, ${row.at(from)}`, `a ${type} value`);
    else {
      addTimes(row, from, cell.repeats, value);
      this.#filled++;
      if (this.#striking.has(attribute(cell.attributes, "style-name") ?? "")) this.#struck++;
    }
  }

  #closeRow(row: RowBuilder): void {
    this.#row = undefined;
    const first = this.last + 1;
    this.last += this.#rowRepeats;
    if (this.#filled > 0 && this.#struck === this.#filled) row.struck();
    const result = row.result();
    if (result === undefined) return;
    if (this.last > SHEET_CAPS.rows || this.#rowRepeats > MOST_REPEATS) {
      const found = `row ${first}, which repeats itself ${this.#rowRepeats} times`;
      const expected = `rows that repeat themselves at most ${MOST_REPEATS} times, in a sheet of ${SHEET_CAPS.rows} rows`;
      this.#ready.push({ number: first, error: { severity: "error", rule: "sheet/repeated-row", found, expected } });
      return;
    }
    for (let number = first; number <= this.last; number++) this.#ready.push({ ...result, number });
  }
}

/** Adds a cell that repeats itself. A million of it are too many columns, which is known after the first that is too many. */
function addTimes(row: RowBuilder, from: number, repeats: number, value: Cell): void {
  for (let column = from; column < from + repeats && !row.isRefused; column++) row.add(column, value);
}

function repeatsOf(attributes: XmlAttributes, name: string): number {
  const said = attribute(attributes, name);
  return said !== undefined && /^\d{1,7}$/.test(said) ? Math.max(1, Number(said)) : 1;
}

/** LibreOffice says what type it shows. Other programs write an error as a text of a formula. */
function isError(attributes: XmlAttributes, text: string): boolean {
  if (attributes["calcext:value-type"] === "error") return true;
  return (
    attribute(attributes, "formula") !== undefined &&
    /^(?:#(?:REF|VALUE|DIV\/0|NAME|NULL|NUM)[!?]|#N\/A|Err:\d{3})$/.test(text)
  );
}
