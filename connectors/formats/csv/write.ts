/** Writes rows to a CSV file that a spreadsheet shows without running any of it. */
import { pipeline, Readable } from "node:stream";
import { format } from "fast-csv";
import { guarded } from "./guard.ts";
import type { Delimiter } from "./parser.ts";

export { guarded, unguarded } from "./guard.ts";

/** The content of a cell. Undefined is an empty cell. A number is written as JavaScript spells it, with a point. */
export type Cell = string | number | boolean | undefined;

/** How a file is written. */
export interface WriteCsvOptions {
  /** A comma by default. */
  readonly delimiter?: Delimiter;
  /** True to begin with the mark that tells Excel the file is UTF-8. Off by default. */
  readonly byteOrderMark?: boolean;
  /** True to leave text as it is, for programs. A spreadsheet would run text that starts like a formula. See `guarded`. */
  readonly raw?: boolean;
  /** True to put every cell into quotes. */
  readonly quoteAll?: boolean;
}

/**
 * Turns rows into CSV text (RFC 4180, with line feeds), in chunks. NUL characters are left out. The caller takes the text of the earlier
 * rows before the next row is read.
 *
 * @param rows each with its cells in order. A header is a row like any other
 * @returns UTF-8 text, each row ended by a line feed. Errors of `rows` are thrown through
 */
export async function* csvText(
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
  options: WriteCsvOptions = {},
): AsyncGenerator<string> {
  // The callback only keeps errors from being unhandled. The errors come out of the formatter.
  yield* pipeline(Readable.from(cells(rows, options)), csvFormatter(options), () => {}).setEncoding("utf8");
}

/** The stream that turns rows into text, for callers that write row by row. Pass each row through `guardedRow` first. */
export function csvFormatter({ delimiter = ",", byteOrderMark = false, quoteAll = false }: WriteCsvOptions = {}) {
  return format<Cell[], Cell[]>({
    delimiter,
    writeBOM: byteOrderMark,
    headers: false,
    includeEndRowDelimiter: true,
    ...(quoteAll && { quoteColumns: true, quoteHeaders: true }),
  });
}

/** A row that is safe in a file. Its text is guarded, unless it stays `raw`. */
export function guardedRow(row: readonly Cell[], raw: boolean): Cell[] {
  return row.map((cell) => (typeof cell === "string" && !raw ? guarded(cell) : cell));
}

async function* cells(
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
  { raw = false }: WriteCsvOptions,
): AsyncGenerator<Cell[]> {
  for await (const row of rows) yield guardedRow(row, raw);
}
