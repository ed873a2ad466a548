/**
 * A CSV entry of an archive as rows: with what is wrong with it in its place among them, so that a record too long to read is
 * counted like any other.
 */
import { TextDecoder } from "node:util";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { type CsvRecord, type Delimiter, readCsv } from "../../formats/csv/read.ts";

/** A row, or a record of the file that can't be one: `error` is then of severity `error` and says why. */
export type Row = CsvRecord | { readonly line: number; readonly error: Issue };

/** What is known about a table before it is read. */
export interface TableOptions {
  readonly delimiter?: Delimiter | undefined;
  /** When not given, found from the bytes. */
  readonly encoding?: "utf-8" | "utf-16le" | "windows-1252" | undefined;
  /** Told of what costs no record. */
  readonly report?: (issue: Issue, line: number) => void;
}

/** Reads a table row by row. Never throws for what it holds; an entry that can't be unpacked ends with an `error` row. */
export async function* readTable(archive: Archive, entry: Entry, options: TableOptions = {}): AsyncGenerator<Row> {
  const errors: Row[] = [];
  const report = (issue: Issue, line: number) => {
    if (issue.severity === "error") errors.push({ line, error: issue });
    else options.report?.(issue, line);
  };
  const bytes = archive.stream(entry);
  const chunks = options.encoding === undefined ? bytes : intoUtf8(bytes, options.encoding);
  let line = 0;
  try {
    for await (const record of readCsv(chunks, { delimiter: options.delimiter, report })) {
      // The reader works through a piece of text before it gives the records of it, and tells what is wrong at once.
      while ((errors[0]?.line ?? record.line) < record.line) yield errors.shift() as Row;
      line = record.line;
      yield record;
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    errors.push({ line: line + 1, error: { severity: "error", rule: error.rule, found: error.message } });
  }
  yield* errors.splice(0);
}

/** Whether a row is one. */
export function isRecord(row: Row): row is CsvRecord {
  return "fields" in row;
}

async function* intoUtf8(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}
