import type { Issue } from "../../transforms/model/issue.ts";
import type { LogRecord } from "../api/source.ts";
import type { Choice } from "./choose.ts";

/** A file that was written. */
export interface ExportedFile {
  /** The path of the file. During the export, it is relative to the export's folder. */
  readonly path: string;
  /** The number of table rows or records. */
  readonly records: number;
}

/** The settings of a writer. */
export interface WriterOptions {
  /** An existing folder that only this export uses. */
  readonly folder: string;
  readonly choice: Choice;
  /** Writes CSV text unchanged, including formulas. */
  readonly rawCsv: boolean;
  /** Packs NDJSON with gzip. */
  readonly gzip: boolean;
  /** The start of the export, in milliseconds since 1970 UTC. */
  readonly now: number;
  /** Receives the issues: values that a format can't hold. */
  readonly report: (issue: Issue) => void;
}

/**
 * Writes a log in one format, record by record, in the order of `readLog`. The export is complete only when `finish` has settled. Throws the errors
 * of the disk.
 */
export interface LogWriter {
  write(record: LogRecord): Promise<void>;
  finish(): Promise<readonly ExportedFile[]>;
  /** Closes the open files of a cancelled export. Safe after `finish`. */
  abandon(): Promise<void>;
}
