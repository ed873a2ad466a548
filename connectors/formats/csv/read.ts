/** Bytes of a CSV file to records, in one pass, whatever its encoding, delimiter and line ends. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { decodeStream } from "../text.ts";
import { HEAD_LENGTH, sniffDialect } from "./dialect.ts";
import { CSV_CAPS, type CsvLimits, CsvParser, type CsvRecord, type CsvReport, type Delimiter } from "./parser.ts";

export { CSV_CAPS, type CsvLimits, type CsvRecord, type CsvReport, type Delimiter } from "./parser.ts";

/** How much text is parsed before its records are given, in UTF-16 units: a file that comes in one chunk is not held twice. */
const PIECE_LENGTH = 64 * 1024;

/** What is known about a file before it is read. */
export interface ReadCsvOptions {
  /** Looked for in the file when not given; see `sniffDialect`. */
  readonly delimiter?: Delimiter | undefined;
  /** Set to false for files that quote nothing. */
  readonly quotes?: false | undefined;
  /**
   * Told what is wrong, with the line it starts on:
   * - `csv/unclosed-quote` (error): nothing after it was read;
   * - `csv/field-too-long`, `csv/record-too-long`, `csv/too-many-columns` (error): this record was left out;
   * - `csv/nul` (warning), `csv/stray-quote` (info): counted, at the end of the file;
   * - those of `decodeText`, at line 1.
   */
  readonly report?: CsvReport;
  /** Caps that differ from `CSV_CAPS`. */
  readonly limits?: Partial<CsvLimits>;
}

/**
 * The records of a CSV file, in order. Lines with nothing on them are no records. The first record is like any other: what it
 * means is for the caller to know. An Excel `sep=;` line is taken for what it says and not given.
 *
 * Never throws for what the file holds; what `chunks` throws is thrown through.
 *
 * @param chunks the bytes in chunks of any size
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadCsvOptions = {},
): AsyncGenerator<CsvRecord> {
  const report = options.report ?? (() => {});
  let parser: CsvParser | undefined;
  let waiting = "";
  for await (const text of decodeStream(chunks, (issue: Issue) => report(issue, 1))) {
    waiting += text;
    if (parser === undefined && waiting.length < HEAD_LENGTH) continue;
    const begun = parser === undefined ? begin(waiting, options, report) : { parser, text: waiting };
    parser = begun.parser;
    waiting = "";
    yield* parsed(parser, begun.text);
    if (parser.isStopped) break;
  }
  if (parser === undefined) {
    const begun = begin(waiting, options, report);
    parser = begun.parser;
    yield* parsed(parser, begun.text);
  }
  yield* parser.end();
}

function* parsed(parser: CsvParser, text: string): Generator<CsvRecord> {
  for (let at = 0; at < text.length && !parser.isStopped; at += PIECE_LENGTH)
    yield* parser.write(text.slice(at, at + PIECE_LENGTH));
}

/** A parser for what the start of the text looks like, and the text without a `sep=` line. */
function begin(text: string, options: ReadCsvOptions, report: CsvReport): { parser: CsvParser; text: string } {
  const { delimiter, skip } = sniffDialect(text);
  const limits = { ...CSV_CAPS, ...options.limits };
  const parser = new CsvParser(
    options.delimiter ?? delimiter,
    report,
    limits,
    skip === 0 ? 1 : 2,
    options.quotes !== false,
  );
  return { parser, text: text.slice(skip) };
}
