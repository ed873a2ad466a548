/**
 * The whole log, brought home: read record by record, written in every format asked for.
 */
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { Connection } from "../connectors/api/connection.ts";
import { readLog } from "../connectors/api/source.ts";
import { csvWriter } from "../connectors/exports/csv.ts";
import { jsonWriter } from "../connectors/exports/json.ts";
import type { ExportedFile } from "../connectors/exports/writer.ts";

/** The formats of an export. */
export type ExportFormat = "csv" | "json";

/** What an export needs. */
export interface ExportContext {
  readonly connection: Connection;
  readonly folder: string;
  readonly formats: readonly ExportFormat[];
  /** Write CSV text as it is, formulas and all. */
  readonly rawCsv: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** What an export brought home. `passedOver` counts records that were listed and then could not be read. */
export interface ExportResult {
  readonly files: readonly ExportedFile[];
  readonly records: number;
  readonly passedOver: number;
  readonly isComplete: boolean;
}

/** Exports a log into a folder, which is made if it isn't there. */
export async function exportLog(context: ExportContext): Promise<ExportResult> {
  const folder = resolve(context.folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const writers = context.formats.map((format) =>
    format === "csv" ? csvWriter(folder, context.rawCsv) : jsonWriter(folder),
  );
  let records = 0;
  const passedOver = new Map<string, number>();
  const log = readLog(context.connection, context.signal, (progress) =>
    passedOver.set(progress.kind, progress.passedOver),
  );
  for await (const record of log) {
    for (const writer of writers) await writer.write(record);
    context.onProgress(++records);
    if (context.signal.aborted) break;
  }
  const files: ExportedFile[] = [];
  for (const writer of writers) files.push(...(await writer.finish()));
  const missing = [...passedOver.values()].reduce((sum, count) => sum + count, 0);
  return { files, records, passedOver: missing, isComplete: !context.signal.aborted };
}
