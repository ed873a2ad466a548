/**
 * Reads a CSV entry of an archive as rows. A faulty record keeps its place among them, so that a record too long to read counts like any
 * other.
 */
import { TextDecoder } from "node:util";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { type CsvRecord, type Delimiter, readCsv } from "../../formats/csv/read.ts";

/** A row, or a faulty record of the file. `error` has the severity `error` and gives the reason. */
export type Row = CsvRecord | { readonly line: number; readonly error: Issue };

/** Facts about a table that are known before reading. */
export interface TableOptions {
  readonly delimiter?: Delimiter | undefined;
  /** Set to false for tables that quote nothing. */
  readonly quotes?: false | undefined;
  /** If left out, detected from the bytes. */
  readonly encoding?: "utf-8" | "utf-16le" | "windows-1252" | undefined;
  /** Receives issues that cost no record. */
  readonly report?: (issue: Issue, line: number) => void;
}

/** Reads a table row by row. No content makes it throw. If the entry can't be unpacked, it ends with an `error` row. */
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
    for await (const record of readCsv(chunks, { delimiter: options.delimiter, quotes: options.quotes, report })) {
      // The reader parses a piece of text before it gives the records in it, and reports problems at once. Here each problem waits for
      // the records before it.
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

/** Whether a row is a record that can be read. */
export function isRecord(row: Row): row is CsvRecord {
  return "fields" in row;
}

async function* intoUtf8(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}
