/** Turns the bytes of a CSV file into records, in one pass. It finds the encoding, the delimiter and the line ends itself. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { decodeStream } from "../text.ts";
import { HEAD_LENGTH, sniffDialect } from "./dialect.ts";
import { CSV_CAPS, type CsvLimits, CsvParser, type CsvRecord, type CsvReport, type Delimiter } from "./parser.ts";

export { CSV_CAPS, type CsvLimits, type CsvRecord, type CsvReport, type Delimiter } from "./parser.ts";

/** UTF-16 units that are parsed before their records are given, so that a file in one chunk is not held twice. */
const PIECE_LENGTH = 64 * 1024;

const LF = 0x0a;
const CR = 0x0d;

/** Facts about a file that are known before it is read. */
export interface ReadCsvOptions {
  /** If absent, `sniffDialect` finds it in the file. */
  readonly delimiter?: Delimiter | undefined;
  /** Set to false for files without quoted fields. */
  readonly quotes?: false | undefined;
  /** The line of the file to begin at, from 1. It is taken as the beginning of a record. */
  readonly line?: number | undefined;
  /**
   * Gets each problem, with the line where it starts:
   * - `csv/unclosed-quote` (error): nothing from this line on was read
   * - `csv/field-too-long`, `csv/record-too-long`, `csv/too-many-columns`, `csv/nul-block` (error): this record was left out
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
  let begun: Begun | undefined;
  let waiting = "";
  for await (const text of decodeStream(chunks, (issue: Issue) => report(issue, 1))) {
    waiting += text;
    if (begun === undefined && waiting.length < HEAD_LENGTH) continue;
    const next = begun ?? begin(waiting, options, report);
    yield* parsed(next, begun === undefined ? waiting.slice(next.skip) : waiting);
    begun = next;
    waiting = "";
    if (begun.parser.isStopped) break;
  }
  if (begun === undefined) {
    begun = begin(waiting, options, report);
    yield* parsed(begun, waiting.slice(begun.skip));
  }
  yield* begun.parser.end();
}

/** A file whose head was looked at. */
interface Begun {
  readonly parser: CsvParser;
  /** The lines before the one to begin at. */
  readonly above: LinesAbove;
  /** The length of its `sep=` line. */
  readonly skip: number;
}

function* parsed({ parser, above }: Begun, whole: string): Generator<CsvRecord> {
  const text = above.without(whole);
  for (let at = 0; at < text.length && !parser.isStopped; at += PIECE_LENGTH)
    yield* parser.write(text.slice(at, at + PIECE_LENGTH));
}

/** Leaves out the lines before the one to begin at. */
class LinesAbove {
  #left: number;
  /** True when the last character was a CR. An LF right after it belongs to it. */
  #afterCr = false;

  /** @param lines their number */
  constructor(lines: number) {
    this.#left = lines;
  }

  /** Gives the rest of the next text, behind the lines that are still to be left out. */
  without(text: string): string {
    let at = 0;
    for (; at < text.length && (this.#left > 0 || this.#afterCr); at++) {
      const code = text.charCodeAt(at);
      if (this.#left === 0 && code !== LF) {
        this.#afterCr = false;
        break;
      }
      if (code === CR || (code === LF && !this.#afterCr)) this.#left -= 1;
      this.#afterCr = code === CR;
    }
    return at === 0 ? text : text.slice(at);
  }
}

/** Makes a parser that fits the start of the text. */
function begin(text: string, options: ReadCsvOptions, report: CsvReport): Begun {
  const { delimiter, skip } = sniffDialect(text);
  const limits = { ...CSV_CAPS, ...options.limits };
  const first = skip === 0 ? 1 : 2;
  const line = Math.max(options.line ?? 1, first);
  const parser = new CsvParser(options.delimiter ?? delimiter, report, limits, line, options.quotes !== false);
  return { parser, above: new LinesAbove(line - first), skip };
}
