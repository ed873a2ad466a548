/** Exports the log. It reads record by record and writes all requested formats. The folder gets its final name once it is complete. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "../../connectors/api/connection.ts";
import type { WorkoutRead } from "../../connectors/api/decode.ts";
import { overheard } from "../../connectors/api/overheard.ts";
import { type LogRecord, readLog } from "../../connectors/api/source.ts";
import { TransferError } from "../../connectors/errors.ts";
import { type Choice, EVERYTHING } from "../../connectors/exports/choose.ts";
import { DATA_PACKAGE, dataPackage } from "../../connectors/exports/data-package.ts";
import { beginFolder } from "../../connectors/exports/folder.ts";
import { type ExportFormat, FORMATS, WITH_SCHEMA } from "../../connectors/exports/formats.ts";
import { jsonSchema, SCHEMA_FILE } from "../../connectors/exports/json-schema.ts";
import type { ExportedFile, LogWriter } from "../../connectors/exports/writer.ts";
import type { LocalDate } from "../../transforms/calendar.ts";
import type { Issue } from "../../transforms/model/issue.ts";

/** The workouts to export. Records of other kinds are always exported. */
export interface WorkoutFilter {
  /** The first and the last day. */
  readonly since?: LocalDate | undefined;
  readonly until?: LocalDate | undefined;
  /** One of these activities. */
  readonly activityIDs?: ReadonlySet<number> | undefined;
}

/** The settings of an export. */
export interface ExportContext {
  readonly connection: Connection;
  readonly folder: string;
  readonly formats: readonly ExportFormat[];
  /** The records to export, and their fields. */
  readonly choice?: Choice;
  readonly workouts?: WorkoutFilter;
  /** Replace an existing export. */
  readonly replace?: boolean;
  /** Write CSV text unchanged, including formulas. */
  readonly rawCsv?: boolean;
  /** Pack NDJSON with gzip. */
  readonly gzip?: boolean;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onIssue: (issue: Issue) => void;
  readonly onProgress: (done: number) => void;
}

/** The result of an export. `passedOver` counts records that were listed and then could not be read. */
export interface ExportResult {
  /**
   * The path of the export. A complete export is in the requested folder, and a stopped export is in a folder whose name says so. If it was
   * stopped before its first record, there is no folder.
   */
  readonly folder: string;
  readonly files: readonly ExportedFile[];
  readonly records: number;
  readonly passedOver: number;
  /** False if the export was stopped, or if a listing contradicted itself. The folder then keeps the name of an incomplete one. */
  readonly isComplete: boolean;
  /** Listings that kept changing, or named one record twice, by the last part of their path: `workouts`. */
  readonly contradicting: readonly string[];
}

/**
 * Exports a log.
 *
 * @throws FatalError `export/in-the-way` before anything is read; values that a format can't hold; the errors of `readLog` and of the disk.
 * Nothing is left behind then
 */
export async function exportLog(context: ExportContext): Promise<ExportResult> {
  const { signal, choice = EVERYTHING, rawCsv = false, gzip = false, workouts = {} } = context;
  const folder = await beginFolder(context.folder, context.replace === true);
  const writers: LogWriter[] = [];
  try {
    const now = context.now();
    const options = { folder: folder.staging, choice, rawCsv, gzip, now, report: context.onIssue };
    for (const format of context.formats) writers.push(await FORMATS[format].open(options));
    const { records, passedOver, contradicting } = await writeAll(context, choice, workouts, writers);
    if (signal.aborted && records === 0) {
      await abandon(writers, folder);
      return { folder: folder.staging, files: [], records, passedOver, contradicting, isComplete: false };
    }
    const files: ExportedFile[] = [];
    for (const writer of writers) files.push(...(await writer.finish()));
    const read = { records, passedOver, contradicting };
    if (signal.aborted || contradicting.length > 0) {
      return { folder: folder.staging, files: inFolder(folder.staging, files), ...read, isComplete: false };
    }
    if (context.formats.some((format) => WITH_SCHEMA.has(format))) {
      await writeNew(join(folder.staging, SCHEMA_FILE), `${JSON.stringify(jsonSchema(), undefined, 2)}\n`);
      files.push({ path: SCHEMA_FILE, records: 0 });
    }
    const description = await dataPackage(folder.staging, files, choice.tables, { now, rawCsv });
    await writeNew(join(folder.staging, DATA_PACKAGE), description);
    const whole = await folder.complete();
    const all = [...files, { path: DATA_PACKAGE, records: 0 }];
    return { folder: whole, files: inFolder(whole, all), ...read, isComplete: true };
  } catch (error) {
    await abandon(writers, folder);
    throw error;
  }
}

/** Removes everything that the export has written. */
async function abandon(writers: readonly LogWriter[], folder: { discard(): Promise<void> }): Promise<void> {
  for (const writer of writers) await writer.abandon();
  await folder.discard();
}

async function writeAll(
  { connection, signal, onProgress, onIssue }: ExportContext,
  choice: Choice,
  workouts: WorkoutFilter,
  writers: readonly LogWriter[],
): Promise<Pick<ExportResult, "records" | "passedOver" | "contradicting">> {
  let records = 0;
  let nameless = 0;
  const passedOver = new Map<string, number>();
  const contradicting = new Set<string>();
  const hear = (issue: Issue) => {
    if (!OF_LISTINGS.has(issue.rule)) return;
    if (issue.rule === "api/listing-incomplete") contradicting.add(issue.origin?.entry?.split("/").at(-1) ?? "records");
    if (issue.rule === "api/entry-without-id") nameless++;
    onIssue(issue);
  };
  const log = readLog(
    overheard(connection, hear),
    signal,
    ({ kind, passedOver: count }) => passedOver.set(kind, count),
    {
      kinds: choice.kinds,
      // A summary may lack the values to decide by. The record itself is checked again below.
      wantsWorkout: (summary) => isWanted(summary, workouts, true),
    },
  );
  try {
    for await (const record of log) {
      if (record.kind === "workout" && !isWanted(record.value, workouts, false)) continue;
      const value = choice.prune(record.kind, withId(record));
      for (const writer of writers) await writer.write({ ...record, value } as LogRecord);
      onProgress(++records);
      if (signal.aborted) break;
    }
  } catch (error) {
    // The stop also ended a request. The records before it stay.
    if (!(signal.aborted && error instanceof TransferError && error.code === "api/stopped")) throw error;
  }
  const unread = [...passedOver.values()].reduce((sum, count) => sum + count, nameless);
  return { records, passedOver: unread, contradicting: [...contradicting] };
}

/** Issues about the service's listings. Each shows that records may be missing. */
const OF_LISTINGS: ReadonlySet<string> = new Set(["api/listing-incomplete", "api/entry-without-id", "api/no-listing"]);

/** Whether the export includes a workout; an unknown value gives `ifUnknown`. */
function isWanted(
  { date, activityID }: WorkoutRead,
  { since, until, activityIDs }: WorkoutFilter,
  ifUnknown: boolean,
): boolean {
  if (since !== undefined && !(date === undefined ? ifUnknown : date >= since)) return false;
  if (until !== undefined && !(date === undefined ? ifUnknown : date <= until)) return false;
  return activityIDs === undefined || (activityID === undefined ? ifUnknown : activityIDs.has(activityID));
}

/** Adds the requested id to a record that doesn't repeat it. */
function withId({ kind, id, value }: LogRecord): object {
  return kind === "user" || kind === "preference" ? value : { id, ...value };
}

async function writeNew(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx", mode: 0o600, flush: true });
}

function inFolder(folder: string, files: readonly ExportedFile[]): readonly ExportedFile[] {
  return files.map(({ path, records }) => ({ path: join(folder, path), records }));
}
