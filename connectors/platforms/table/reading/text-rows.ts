/**
 * Reads the rows of a text such as CSV. A quote that is opened and not closed takes the lines below it into one field. Where these are rows, the text is
 * read once more from the line below, so that one wrong character costs one row.
 */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { readCsv } from "../../../formats/csv/read.ts";
import { decoderOf } from "../../../formats/dos-pages.ts";
import { swallowedLines } from "./cut-row.ts";
import type { Row, TableOptions } from "./table-row.ts";

/** Most times that a text is read once more. Each costs a reading of all of it, so a thousand open quotes would cost a thousand. */
const MOST_READINGS = 10;

const OPEN_QUOTE: Issue = {
  severity: "error",
  rule: "csv/open-quote",
  found: "a text that begins with a quote and has none at its end",
  expected: "a quote at the end of the text, or none before it. The lines below it were read",
};

/**
 * Gives the rows of a text, in order.
 *
 * @param bytes the text, for the first reading
 * @param again opens it for another one, from its beginning
 */
export async function* textRows(
  bytes: AsyncIterable<Uint8Array>,
  again: () => AsyncIterable<Uint8Array>,
  options: TableOptions,
): AsyncGenerator<Row> {
  // What costs no row was said by the first reading.
  const { report: _, ...quiet } = options;
  let width = 0;
  let readings = 0;
  let rows: AsyncIterable<Row> | undefined = rowsFrom(1, bytes, options);
  while (rows !== undefined) {
    let below: Below | undefined;
    let isLeft = true;
    try {
      for await (const row of rows) {
        if (isOpen(row, width) && readings++ < MOST_READINGS)
          below = await whereRows(rowsFrom(row.line + 1, again(), quiet), width);
        if (below !== undefined) {
          yield { line: row.line, error: OPEN_QUOTE };
          break;
        }
        if ("fields" in row) width = Math.max(width, row.fields.length);
        yield row;
      }
      isLeft = false;
    } finally {
      // Nobody begins with them any more, so nobody else closes their file.
      if (isLeft) await below?.rest.return(undefined);
    }
    rows = below && withFirst(below);
  }
}

/** Whether a row took lines below it because of a quote that isn't closed. */
function isOpen(row: Row, width: number): boolean {
  if (width < 2) return false;
  return "fields" in row ? swallowedLines(row, width) !== undefined : row.error.rule === "csv/unclosed-quote";
}

/** The rows of another reading, whose first was looked at. */
interface Below {
  readonly first: Row;
  readonly rest: AsyncGenerator<Row>;
}

/** The rows if the first of them is as wide as the widest row above. The lines of a long text are not; undefined then. */
async function whereRows(rows: AsyncGenerator<Row>, width: number): Promise<Below | undefined> {
  const { value: first, done } = await rows.next();
  if (done !== true && "fields" in first && first.fields.length === width) return { first, rest: rows };
  await rows.return(undefined);
  return undefined;
}

async function* withFirst({ first, rest }: Below): AsyncGenerator<Row> {
  try {
    yield first;
    yield* rest;
  } finally {
    // Whoever stops at the first one has not begun with the others.
    await rest.return(undefined);
  }
}

/** The rows from a line on. */
async function* rowsFrom(line: number, bytes: AsyncIterable<Uint8Array>, options: TableOptions): AsyncGenerator<Row> {
  const errors: Row[] = [];
  const report = (issue: Issue, at: number) => {
    const endsFile = issue.rule === "csv/unclosed-quote" && ({ endsFile: true } as const);
    if (issue.severity === "error") errors.push({ line: at, error: issue, ...endsFile });
    else options.report?.(issue, at);
  };
  const { delimiter, quotes, encoding } = options;
  const chunks = encoding === undefined ? bytes : intoUtf8(bytes, encoding);
  try {
    for await (const record of readCsv(chunks, { delimiter, quotes, line, report })) {
      // The reader parses a piece of text before it gives the records in it, and reports problems at once. Here each problem waits for
      // the records before it.
      while ((errors[0]?.line ?? record.line) < record.line) yield errors.shift() as Row;
      yield record;
    }
  } catch (error) {
    // The problems so far come before the end of the file.
    yield* errors.splice(0);
    throw error;
  }
  yield* errors.splice(0);
}

async function* intoUtf8(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = decoderOf(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}
