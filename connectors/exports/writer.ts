import type { LogRecord } from "../api/source.ts";

/** A file that was written. */
export interface ExportedFile {
  readonly path: string;
  /** Rows of a table, or records. */
  readonly records: number;
}

/**
 * Writes a log in one format, record by record, in the order `readLog` gives them. Nothing is complete until `finish` has
 * settled. Throws what the disk throws.
 */
export interface LogWriter {
  write(record: LogRecord): Promise<void>;
  finish(): Promise<readonly ExportedFile[]>;
}
