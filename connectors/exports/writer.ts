import type { Issue } from "../../transforms/model/issue.ts";
import type { LogRecord } from "../api/source.ts";
import type { Choice } from "./choose.ts";

/** A file that was written. */
export interface ExportedFile {
  /** Where it is; within the folder of the export while that is being written. */
  readonly path: string;
  /** Rows of a table, or records. */
  readonly records: number;
}

/** What a writer needs. */
export interface WriterOptions {
  /** A folder that exists, for this export alone. */
  readonly folder: string;
  readonly choice: Choice;
  /** Write CSV text as it is, formulas and all. */
  readonly rawCsv: boolean;
  /** Pack NDJSON with gzip. */
  readonly gzip: boolean;
  /** When the export was begun, in milliseconds since 1970 UTC. */
  readonly now: number;
  /** Told of what a format can't hold. */
  readonly report: (issue: Issue) => void;
}

/**
 * Writes a log in one format, record by record, in the order `readLog` gives them. Nothing is complete until `finish` has
 * settled. Throws what the disk throws.
 */
export interface LogWriter {
  write(record: LogRecord): Promise<void>;
  finish(): Promise<readonly ExportedFile[]>;
  /** Closes what is open, for an export that goes no further. Safe after `finish`. */
  abandon(): Promise<void>;
}
