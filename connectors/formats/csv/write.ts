/** Rows to a CSV file that opens in a spreadsheet and does nothing there but be shown. */
import { pipeline, Readable, type Writable } from "node:stream";
import { pipeline as piped } from "node:stream/promises";
import { format } from "fast-csv";
import { guarded } from "./guard.ts";
import type { Delimiter } from "./parser.ts";

export { guarded, unguarded } from "./guard.ts";

/** What a cell holds. Nothing is an empty cell; a number is written as JavaScript spells it, with a point. */
export type Cell = string | number | boolean | undefined;

/** How a file is written. */
export interface WriteCsvOptions {
  /** A comma by default. */
  readonly delimiter?: Delimiter;
  /** True to begin with the mark by which Excel knows UTF-8. Off by default. */
  readonly byteOrderMark?: boolean;
  /** True to leave text as it is, for programs; a spreadsheet would run what starts like a formula. See `guarded`. */
  readonly raw?: boolean;
  /** True to put every cell into quotes. */
  readonly quoteAll?: boolean;
}

/**
 * Rows as CSV text (RFC 4180, with line feeds), in chunks. NUL characters are left out. No row is asked for before the text of the
 * ones before it was taken.
 *
 * @param rows each with its cells in order; a header is a row like any other
 * @returns UTF-8 text, each row ended by a line feed; what `rows` throws is thrown through
 */
export async function* csvText(
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
  options: WriteCsvOptions = {},
): AsyncGenerator<string> {
  // The callback is only there so that nothing is left unhandled: errors come out of the formatter, below.
  yield* pipeline(Readable.from(cells(rows, options)), csvFormatter(options), () => {}).setEncoding("utf8");
}

/**
 * Writes rows into a stream, and ends it; as fast as the stream takes them.
 *
 * @throws what `rows` throws, what the stream fails with, and the reason of `signal` (an AbortError)
 */
export async function writeCsv(
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
  to: Writable,
  options: WriteCsvOptions & { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { signal } = options;
  await piped(Readable.from(cells(rows, options)), csvFormatter(options), to, signal === undefined ? {} : { signal });
}

/** The stream between rows and text, for whoever writes rows as they come. Rows pass `guardedRow` first. */
export function csvFormatter({ delimiter = ",", byteOrderMark = false, quoteAll = false }: WriteCsvOptions = {}) {
  return format<Cell[], Cell[]>({
    delimiter,
    writeBOM: byteOrderMark,
    headers: false,
    includeEndRowDelimiter: true,
    ...(quoteAll && { quoteColumns: true, quoteHeaders: true }),
  });
}

/** A row as it can stand in a file: text is guarded, unless it is to stay `raw`. */
export function guardedRow(row: readonly Cell[], raw: boolean): Cell[] {
  return row.map((cell) => (typeof cell === "string" && !raw ? guarded(cell) : cell));
}

async function* cells(
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
  { raw = false }: WriteCsvOptions,
): AsyncGenerator<Cell[]> {
  for await (const row of rows) yield guardedRow(row, raw);
}
