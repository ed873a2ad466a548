/** The formats of an export, in the order of the help text. A writer loads only when a person asks for its format, and with none for the help. */
import type { LogWriter, WriterOptions } from "./writer.ts";

/** Each format with its purpose, and the function that begins it. */
export const FORMATS = {
  csv: {
    holds: "a table a file, for spreadsheets and for reading it all back",
    open: async (options) => (await import("./csv.ts")).csvWriter(options),
  },
  json: {
    holds: "one file, `log.json`, in the names of the interface",
    open: async (options) => (await import("./json.ts")).jsonWriter(options),
  },
  ndjson: {
    holds: "a record a line, `log.ndjson`, for programs",
    open: async (options) => (await import("./ndjson.ts")).ndjsonWriter(options),
  },
  xlsx: {
    holds: "one workbook, `log.xlsx`, with a sheet a table",
    open: async (options) => (await import("./xlsx.ts")).xlsxWriter(options),
  },
  parquet: {
    holds: "a table a file, with typed columns, for DuckDB, pandas and their kin",
    open: async (options) => (await import("./parquet.ts")).parquetWriter(options),
  },
  ics: {
    holds: "the workouts as events of a calendar, `log.ics`",
    open: async (options) => (await import("./icalendar.ts")).icalendarWriter(options),
  },
} as const satisfies Record<string, { holds: string; open: (options: WriterOptions) => Promise<LogWriter> }>;

/** The name of a format. */
export type ExportFormat = keyof typeof FORMATS;

/** The names of all formats, for checking what a person typed. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly ExportFormat[];

/** Formats with JSON records. The export adds their schema. */
export const WITH_SCHEMA: ReadonlySet<ExportFormat> = new Set(["json", "ndjson"]);
