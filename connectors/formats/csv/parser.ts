/**
 * Turns text into CSV records, chunk by chunk. The time grows only with the length of the text, because the parser looks at every
 * character once. (The parsers of packages we tried start a field over with every chunk. With an opening quote that is never closed,
 * they take 48 s for 3 MB.)
 *
 * The parser accepts more than RFC 4180 allows, because people's files need it:
 * - LF, CR LF and CR as line ends, also mixed
 * - quotes inside a field that doesn't start with a quote (`6" snow`)
 * - quotes inside a quoted field that are not doubled (`"6" snow",`)
 * - blanks between a closing quote and the delimiter
 * - single NUL characters. They are left out. Several in a row are the zeros of a damaged block, and the record that they are in is refused: parts of
 *   two rows may stand before and behind them
 */
import type { Issue } from "../../../transforms/model/issue.ts";

/** One record. */
export interface CsvRecord {
  /** The line of the file it starts on, from 1. A record can span several: quoted fields hold line ends. */
  readonly line: number;
  /** Its fields in order, unquoted. Never empty. */
  readonly fields: readonly string[];
  /** The last line of the file that it takes part in, if it takes more than one. */
  readonly lastLine?: number;
  /** A quote that wasn't doubled stands in one of its quoted fields. */
  readonly hasStrays?: true;
  /** No line end follows. Either the file is cut here, or its writer left out the last line end. */
  readonly isUnended?: true;
}

/** The caps of a CSV file. Each has a test at cap - 1, cap and cap + 1. */
export const CSV_CAPS = {
  /** UTF-16 units of one field. */
  fieldLength: 2 ** 20,
  /** UTF-16 units within which a quote must be closed. A longer field than `fieldLength` costs its record. Behind this nothing is read. */
  quotedLength: 2 ** 24,
  columns: 1_000,
  /** UTF-16 units of all fields of one record together. */
  recordLength: 4 * 2 ** 20,
} as const;

/** NUL characters in a row that make a damaged block. UTF-16 that was added to another text has single ones. */
const LEAST_DAMAGE = 2;

/** Caps that may be set. */
export type CsvLimits = Readonly<Record<keyof typeof CSV_CAPS, number>>;

/** Gets each problem and the line where it starts. */
export type CsvReport = (issue: Issue, line: number) => void;

/** The characters that can be a delimiter. */
export type Delimiter = "," | ";" | "\t" | "|";

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;
const TAB = 0x09;

type State =
  /** Before the first character of a field. */
  | "start"
  | "plain"
  | "quoted"
  /** After a quote in a quoted field. The quote ends the field, is half of a doubled quote, or is a stray. */
  | "after-quote"
  /** After a quote that was never closed. The parser reads no more. */
  | "stopped";

/** Parses one file. Give it the text with `write`, which returns records. Call `end` last: it returns the last record. */
export class CsvParser {
  readonly #delimiter: number;
  readonly #limits: CsvLimits;
  readonly #report: CsvReport;
  readonly #hasQuotes: boolean;
  #state: State = "start";
  #line: number;
  #recordLine: number;
  #quoteLine = 0;
  /** True when the last character was a CR. An LF right after it belongs to it. */
  #afterCr = false;
  /** The part of the current field that was added already. */
  #field = "";
  /** The length of the current quoted field, also of one that is too long to keep. */
  #quotedLength = 0;
  /** Whether a line end was the last character in quotes. */
  #endsLine = false;
  /** Blanks after a quote that may be the closing quote. */
  #held = "";
  #fields: string[] = [];
  #length = 0;
  #wasQuoted = false;
  /** The reason for leaving out the current record. */
  #refusal: Issue | undefined;
  #records: CsvRecord[] = [];
  /** The NULs since the last other character. */
  #nulRun = 0;
  #nuls = 0;
  #firstNul = 0;
  #strays = 0;
  /** The strays before the current record. */
  #earlierStrays = 0;
  #firstStray = 0;

  /**
   * @param line the number of the first line given
   * @param hasQuotes false for files without quoted fields: a quote is then a character like any other
   */
  constructor(delimiter: Delimiter, report: CsvReport, limits: CsvLimits = CSV_CAPS, line = 1, hasQuotes = true) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#report = report;
    this.#limits = limits;
    this.#line = line;
    this.#recordLine = line;
    this.#hasQuotes = hasQuotes;
  }

  /** True when a quote was never closed. No more records come, so you can stop reading. */
  get isStopped(): boolean {
    return this.#state === "stopped";
  }

  /** Takes the next chunk of text. Returns the records that it completes. */
  write(chunk: string): CsvRecord[] {
    if (!chunk.includes("\0")) this.#read(chunk);
    else
      for (const part of chunk.split(/(\0+)/)) {
        if (part.startsWith("\0")) this.#nulRun += part.length;
        else this.#read(part);
      }
    return this.#taken();
  }

  #read(text: string): void {
    if (text !== "") this.#endNuls();
    let at = 0;
    while (at < text.length && this.#state !== "stopped") {
      if (this.#state === "quoted") at = this.#quoted(text, at);
      else if (this.#state === "after-quote") at = this.#afterQuote(text, at);
      else at = this.#plain(text, at);
    }
  }

  /** Ends the file. Returns the last record if there is one. */
  end(): CsvRecord[] {
    this.#endNuls(", to the end of the file");
    if (this.#state === "quoted") this.#stop(this.#line - (this.#endsLine ? 1 : 0));
    const isBegun = this.#state !== "start" || this.#fields.length > 0;
    if (isBegun && this.#state !== "stopped") {
      this.#endField();
      this.#endRecord(true);
    }
    const counted = (severity: Issue["severity"], rule: string, expected: string, count: number, line: number) => {
      if (count > 0) this.#report({ severity, rule, found: `line ${line}`, expected, count }, line);
    };
    counted("info", "csv/stray-quote", "quotes inside a quoted field doubled", this.#strays, this.#firstStray);
    counted("warning", "csv/nul", "no NUL characters; they were left out", this.#nuls, this.#firstNul);
    return this.#taken();
  }

  #taken(): CsvRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** Reads a field without quotes around it, or the start of any field. Also reads the line ends between records. */
  #plain(text: string, from: number): number {
    let at = from;
    if (this.#state === "start") {
      const first = text.charCodeAt(at);
      if (this.#afterCr) {
        this.#afterCr = false;
        if (first === LF) return at + 1;
      }
      if (first === QUOTE && this.#hasQuotes) {
        this.#state = "quoted";
        this.#quoteLine = this.#line;
        this.#quotedLength = 0;
        this.#endsLine = false;
        this.#wasQuoted = true;
        return at + 1;
      }
      this.#state = "plain";
    }
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === this.#delimiter) {
        this.#add(text, from, at);
        this.#endField();
        return at + 1;
      }
      if (code === LF || code === CR) {
        this.#add(text, from, at);
        this.#endLine(code);
        return at + 1;
      }
    }
    this.#add(text, from, at);
    return at;
  }

  #quoted(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#afterCr = false;
        this.#add(text, from, at);
        if (!this.isStopped) this.#state = "after-quote";
        return at + 1;
      }
      if (code === LF || code === CR) {
        if (code === CR || !this.#afterCr) this.#line += 1;
        this.#afterCr = code === CR;
      } else this.#afterCr = false;
    }
    this.#add(text, from, text.length);
    return text.length;
  }

  #afterQuote(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code === this.#delimiter) {
      this.#endField();
      return at + 1;
    }
    if (code === LF || code === CR) {
      this.#endLine(code);
      return at + 1;
    }
    if (code === BLANK || code === TAB) {
      this.#held += text[at];
      return at + 1;
    }
    this.#state = "quoted";
    if (code === QUOTE && this.#held === "") {
      this.#append('"');
      return at + 1;
    }
    if (this.#strays === 0) this.#firstStray = this.#line;
    this.#strays += 1;
    this.#append(`"${this.#held}`);
    this.#held = "";
    return at;
  }

  #add(text: string, from: number, to: number): void {
    if (to > from) this.#append(from === 0 && to === text.length ? text : text.slice(from, to));
  }

  /** Adds to the current field, unless the field or its record goes over a cap. */
  #append(part: string): void {
    const length = this.#field.length + part.length;
    const { fieldLength, quotedLength, recordLength } = this.#limits;
    if (this.#state === "quoted") {
      this.#quotedLength += part.length;
      this.#endsLine = part.endsWith("\n") || part.endsWith("\r");
      if (this.#quotedLength > quotedLength) {
        this.#stop();
        return;
      }
    }
    if (length > fieldLength) this.#refuse("csv/field-too-long", `fields of at most ${fieldLength} characters`);
    else if (this.#length + part.length > recordLength)
      this.#refuse("csv/record-too-long", `records of at most ${recordLength} characters`);
    if (this.#refusal !== undefined) return;
    this.#field = this.#field === "" ? part : this.#field + part;
    this.#length += part.length;
  }

  #endField(): void {
    if (this.#fields.length === this.#limits.columns)
      this.#refuse("csv/too-many-columns", `at most ${this.#limits.columns} columns`);
    else if (this.#refusal === undefined) this.#fields.push(this.#field);
    this.#field = "";
    this.#held = "";
    this.#state = "start";
  }

  #endLine(code: number): void {
    this.#endField();
    this.#endRecord();
    this.#afterCr = code === CR;
    this.#line += 1;
    this.#recordLine = this.#line;
  }

  #endRecord(isUnended = false): void {
    const isBlank = this.#fields.length === 1 && this.#fields[0] === "" && !this.#wasQuoted;
    if (this.#refusal !== undefined) this.#report(this.#withLines(this.#refusal), this.#recordLine);
    else if (!isBlank)
      this.#records.push({
        line: this.#recordLine,
        fields: this.#fields,
        ...(this.#line > this.#recordLine && { lastLine: this.#line }),
        ...(this.#strays > this.#earlierStrays && { hasStrays: true as const }),
        ...(isUnended && { isUnended }),
      });
    this.#fields = [];
    this.#length = 0;
    this.#wasQuoted = false;
    this.#refusal = undefined;
    this.#earlierStrays = this.#strays;
  }

  #refuse(rule: string, expected: string, found = `line ${this.#recordLine}`): void {
    this.#refusal ??= { severity: "error", rule, found, expected };
    this.#fields = [];
    this.#field = "";
  }

  /** A refused record that holds line ends may be several rows, of which one lacks a closing quote. */
  #withLines(refusal: Issue): Issue {
    if (this.#line === this.#recordLine || refusal.rule === "csv/nul-block") return refusal;
    return { ...refusal, found: `lines ${this.#recordLine} to ${this.#line}, read as one row` };
  }

  /**
   * Ends the reading. The field that began with a quote has no closing quote within the cap, so its end is unknown.
   *
   * @param last the last line of the file, if the file ends here
   */
  #stop(last?: number): void {
    this.#state = "stopped";
    const line = this.#quoteLine;
    const lines = last === undefined || last === line ? "the line was" : `lines ${line} to ${last} were`;
    const expected =
      last === undefined
        ? `a closing quote within ${this.#limits.quotedLength} characters; nothing from this line on was read`
        : `a closing quote before the end of the file; ${lines} not read`;
    this.#report({ severity: "error", rule: "csv/unclosed-quote", found: `opened at line ${line}`, expected }, line);
    this.#field = "";
    this.#fields = [];
  }

  /** Looks at the NULs that ended: a single one is left out, and more refuse the record. */
  #endNuls(where = ""): void {
    const count = this.#nulRun;
    this.#nulRun = 0;
    if (count === 0 || this.isStopped) return;
    if (count < LEAST_DAMAGE) {
      if (this.#nuls === 0) this.#firstNul = this.#line;
      this.#nuls += count;
      return;
    }
    const line = this.#line === this.#recordLine ? "" : ` in line ${this.#line}`;
    this.#refuse(
      "csv/nul-block",
      "text: this piece of the file is damaged, and rows may be missing here",
      `${count} NUL characters in a row${line}${where}`,
    );
    // The block may have a quote in it that opened or closed a text. A text that is open here would take the sound rows below.
    this.#state = "plain";
    this.#held = "";
    this.#afterCr = false;
  }
}
