/** The formats of an export: one line each, in the order in which the help names them. */
import { csvWriter } from "./csv.ts";
import { icalendarWriter } from "./icalendar.ts";
import { jsonWriter } from "./json.ts";
import { ndjsonWriter } from "./ndjson.ts";
import type { LogWriter, WriterOptions } from "./writer.ts";
import { xlsxWriter } from "./xlsx.ts";

/** What each is for, and how it is begun. */
export const FORMATS = {
  csv: {
    holds: "a table a file, for spreadsheets and for reading it all back",
    open: async (options) => csvWriter(options),
  },
  json: { holds: "one file, `log.json`, in the names of the interface", open: async (options) => jsonWriter(options) },
  ndjson: { holds: "a record a line, `log.ndjson`, for programs", open: async (options) => ndjsonWriter(options) },
  xlsx: { holds: "one workbook, `log.xlsx`, with a sheet a table", open: async (options) => xlsxWriter(options) },
  parquet: {
    holds: "a table a file, with typed columns, for DuckDB, pandas and their kin",
    // Loaded for those who ask for it.
    open: async (options) => (await import("./parquet.ts")).parquetWriter(options),
  },
  ics: { holds: "the workouts as events of a calendar, `log.ics`", open: async (options) => icalendarWriter(options) },
} as const satisfies Record<string, { holds: string; open: (options: WriterOptions) => Promise<LogWriter> }>;

/** The name of a format. */
export type ExportFormat = keyof typeof FORMATS;

/** The names, for checking what a person typed. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly ExportFormat[];

/** Formats whose records are JSON, and lie beside its schema. */
export const WITH_SCHEMA: ReadonlySet<ExportFormat> = new Set(["json", "ndjson"]);
