/**
 * Reads the rows of an HTML table. Many platforms write one under a name such as `export.xls`, because Excel opens it. Only simple tables are read: one
 * table with rows, without a table in it, and without cells that stand in several rows.
 */
import { TextDecoder } from "node:util";
import { SHEET_CAPS, WorkbookError } from "./sheet.ts";

/** A row of the table. The first is row 1. */
export interface HtmlRow {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Bytes in which the encoding is named. */
const HEAD_BYTES = 4096;

/** Elements whose text no person sees. */
const UNSEEN: ReadonlySet<string> = new Set(["script", "style", "title"]);

const OPEN_AND_SAVE = "open it in Excel or LibreOffice, and save it as .xlsx or as CSV";

/** Whether a file begins like an HTML document, or like a part of one with a table. */
export function beginsLikeHtml(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 512)).toString("latin1").replaceAll("\0", "");
  return /^(?:\xef\xbb\xbf|\xff\xfe)?\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|meta|table|div)\b/i.test(
    text,
  );
}

/**
 * Gives the rows with a cell, with the texts of their cells. Memory is that of a row.
 *
 * @throws WorkbookError `workbook/not-a-workbook` for a page without a table, and for a table that isn't simple or past the caps of sheets
 */
export async function* htmlRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<HtmlRow> {
  const reader = new HtmlTable();
  for await (const text of decoded(chunks)) yield* reader.write(text);
  reader.end();
}

/** The text of a document, in the encoding that it names. */
async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder?.decode() ?? "";
}

function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  const text = Buffer.from(head.subarray(0, HEAD_BYTES)).toString("latin1");
  const [, name = "utf-8"] = /charset=["']?([\w-]{1,40})/i.exec(text) ?? [];
  return KNOWN_ENCODINGS[name.toLowerCase()] ?? "utf-8";
}

const KNOWN_ENCODINGS: Readonly<Record<string, string>> = {
  "windows-1252": "windows-1252",
  "iso-8859-1": "windows-1252",
  "iso-8859-15": "iso-8859-15",
  "windows-1250": "windows-1250",
  "windows-1251": "windows-1251",
  "iso-8859-2": "iso-8859-2",
  "utf-16": "utf-16le",
};

/** The place of the mark that ends a tag, past quoted values; -1 if it is to come. */
function endOfTag(text: string, open: number): number {
  let quote = "";
  for (let at = open + 1; at < text.length; at++) {
    const one = text[at] ?? "";
    if (quote !== "") {
      if (one === quote) quote = "";
    } else if (one === ">") return at;
    else if ((one === '"' || one === "'") && text[at - 1] === "=") quote = one;
  }
  return -1;
}

/** Takes a document apart, piece by piece. */
class HtmlTable {
  #held = "";
  #depth = 0;
  #tables = 0;
  #row: string[] | undefined;
  #cell: string | undefined;
  #span = 1;
  #rows = 0;
  #length = 0;
  #unseen: string | undefined;

  /** The rows that end in the next piece of text. */
  *write(text: string): Generator<HtmlRow> {
    const all = this.#held + text;
    let at = 0;
    for (;;) {
      const isUnseen = this.#unseen !== undefined;
      const open = all.indexOf(isUnseen ? "</" : "<", at);
      if (!isUnseen) this.#addText(all.slice(at, open === -1 ? all.length : open));
      if (open === -1) {
        // Half of a mark may stand at the end.
        at = isUnseen ? Math.max(at, all.length - 1) : all.length;
        break;
      }
      const isComment = !isUnseen && all.startsWith("<!--", open);
      const end = isComment ? all.indexOf("-->", open + 4) : endOfTag(all, open);
      if (end === -1) {
        at = open;
        break;
      }
      const row = isComment ? undefined : this.#tag(all.slice(open + 1, end));
      // A style sheet goes on behind marks that don't end it.
      at = isComment ? end + 3 : isUnseen && this.#unseen !== undefined ? open + 2 : end + 1;
      if (row !== undefined) yield row;
    }
    this.#held = all.slice(at);
    if (this.#held.length > SHEET_CAPS.cellLength) throw tooLarge("a mark without an end");
  }

  /** @throws WorkbookError if the document had no table */
  end(): void {
    if (this.#tables === 0) throw notSimple("a web page (HTML) without a table", "a table");
  }

  #addText(text: string): void {
    if (this.#cell === undefined || this.#unseen !== undefined || text === "") return;
    this.#length += text.length;
    if (this.#length > SHEET_CAPS.rowLength || this.#cell.length + text.length > SHEET_CAPS.cellLength)
      throw tooLarge("a cell or a row that is too long");
    this.#cell += text;
  }

  #tag(tag: string): HtmlRow | undefined {
    const [, slash, name = ""] = /^(\/?)([a-z][a-z0-9]{0,10})/i.exec(tag) ?? [];
    const word = name.toLowerCase();
    if (this.#unseen !== undefined || UNSEEN.has(word)) {
      if (slash === "/" ? word === this.#unseen : this.#unseen === undefined && UNSEEN.has(word))
        this.#unseen = slash === "/" ? undefined : word;
      return undefined;
    }
    if (word === "table") return this.#table(slash === "/");
    if (word === "br" && this.#cell !== undefined) this.#addText("\n");
    if (this.#depth === 0) return undefined;
    // The end of a cell or a row may be left out.
    if (word === "td" || word === "th") {
      this.#endCell();
      if (slash === "") this.#startCell(tag);
    }
    if (word !== "tr") return undefined;
    const row = this.#endRow();
    if (slash === "") this.#row = [];
    return row;
  }

  #table(isEnd: boolean): HtmlRow | undefined {
    if (isEnd) {
      this.#depth = Math.max(0, this.#depth - 1);
      return this.#endRow();
    }
    if (this.#depth > 0) throw notSimple("a table (HTML) in a cell of a table", "a single table");
    if (this.#tables > 0 && this.#rows > 1) throw notSimple("several tables (HTML)", "a single table");
    this.#depth++;
    this.#tables++;
    return undefined;
  }

  #startCell(tag: string): void {
    if (spanIn(tag, "rowspan") > 1)
      throw notSimple("a table (HTML) with cells over several rows", "a cell in each row");
    this.#row ??= [];
    this.#span = Math.min(spanIn(tag, "colspan"), SHEET_CAPS.columns);
    this.#cell = "";
  }

  #endCell(): void {
    if (this.#cell === undefined) return;
    this.#row?.push(plainText(this.#cell), ...Array<string>(Math.max(0, this.#span - 1)).fill(""));
    this.#cell = undefined;
    if ((this.#row?.length ?? 0) > SHEET_CAPS.columns) throw tooLarge(`more than ${SHEET_CAPS.columns} columns`);
  }

  #endRow(): HtmlRow | undefined {
    this.#endCell();
    const fields = this.#row;
    this.#row = undefined;
    this.#length = 0;
    if (fields === undefined || fields.length === 0) return undefined;
    this.#rows++;
    return { line: this.#rows, fields };
  }
}

/** The number of an attribute such as `colspan="2"`; 1 without it. */
function spanIn(tag: string, attribute: keyof typeof SPANS): number {
  return Number(SPANS[attribute].exec(tag)?.[1] ?? "1");
}

const SPANS = {
  colspan: /\bcolspan\s?=\s?["']?(\d{1,5})/i,
  rowspan: /\browspan\s?=\s?["']?(\d{1,5})/i,
};

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", deg: "°", shy: "" },
  ...{ auml: "ä", ouml: "ö", uuml: "ü", Auml: "Ä", Ouml: "Ö", Uuml: "Ü", szlig: "ß", eacute: "é", egrave: "è" },
};

/** The text of a cell: references as their characters, and blanks in a row as one. */
function plainText(text: string): string {
  return text
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    })
    .split("\n")
    .map((line) => line.replaceAll(/[\t\r\f \u00a0]+/g, " ").trim())
    .join("\n")
    .trim();
}

function notSimple(found: string, expected: string): WorkbookError {
  return new WorkbookError("workbook/not-a-workbook", found, `${expected}: ${OPEN_AND_SAVE}`);
}

function tooLarge(what: string): WorkbookError {
  return notSimple(`a table (HTML) with ${what}`, "a table as Excel has it");
}
