/** Turns the bytes of a CSV file into records, in one pass. It finds the encoding, the delimiter and the line ends itself. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { decodeStream } from "../text.ts";
import { HEAD_LENGTH, sniffDialect } from "./dialect.ts";
import { CSV_CAPS, type CsvLimits, CsvParser, type CsvRecord, type CsvReport, type Delimiter } from "./parser.ts";

export { CSV_CAPS, type CsvLimits, type CsvRecord, type CsvReport, type Delimiter } from "./parser.ts";

/** UTF-16 units that are parsed before their records are given, so that a file in one chunk is not held twice. */
const PIECE_LENGTH = 64 * 1024;

/** Facts about a file that are known before it is read. */
export interface ReadCsvOptions {
  /** If absent, `sniffDialect` finds it in the file. */
  readonly delimiter?: Delimiter | undefined;
  /** Set to false for files without quoted fields. */
  readonly quotes?: false | undefined;
  /**
   * Gets each problem, with the line where it starts:
   * - `csv/unclosed-quote` (error): nothing from this line on was read
   * - `csv/field-too-long`, `csv/record-too-long`, `csv/too-many-columns` (error): this record was left out
   * - `csv/nul` (warning), `csv/stray-quote` (info): reported once with a count, at the end of the file
   * - the issues of `decodeText`, at line 1
   */
  readonly report?: CsvReport;
  /** Caps that differ from `CSV_CAPS`. */
  readonly limits?: Partial<CsvLimits>;
}

/**
 * Gives the records of a CSV file, in order. Empty lines are no records. The first record is like any other: the caller knows
 * whether it is a header. An Excel `sep=;` line sets the delimiter and is not given as a record.
 *
 * Never throws because of the file's content. Errors of `chunks` are thrown through.
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

/** Makes a parser that fits the start of the text. Also gives the text without a `sep=` line. */
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
