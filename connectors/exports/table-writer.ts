/** The common part of the formats with one row a line. It writes each record into the tables of its kind. */
import type { LogRecord } from "../api/source.ts";
import { type Cell, type Table, toRows } from "./tables.ts";
import type { ExportedFile, LogWriter } from "./writer.ts";

/** The destination for the rows of a table. */
export interface RowSink {
  /** The name of the file, within the export's folder. */
  readonly name: string;
  begin(): Promise<void>;
  write(row: readonly Cell[]): Promise<void>;
  end(): Promise<void>;
  abandon(): Promise<void>;
}

/**
 * Makes a writer for several tables. Each table has its own sink.
 *
 * @param finish runs when all sinks are ended. It returns the written files, for formats that don't have one file for each sink
 */
export function tableWriter(
  tables: readonly Table[],
  open: (table: Table) => RowSink,
  finish: (files: readonly ExportedFile[]) => Promise<readonly ExportedFile[]> = async (files) => files,
): LogWriter {
  const opened = tables.map((table) => ({ table, sink: open(table), records: 0 }));
  let isBegun = false;
  const begin = async () => {
    if (isBegun) return;
    isBegun = true;
    for (const { sink } of opened) await sink.begin();
  };
  return {
    async write(record: LogRecord) {
      await begin();
      for (const each of opened) {
        if (each.table.kind !== record.kind) continue;
        for (const row of toRows(each.table, record.value)) {
          await each.sink.write(row);
          each.records++;
        }
      }
    },
    async finish() {
      await begin();
      for (const { sink } of opened) await sink.end();
      return finish(opened.map(({ sink, records }) => ({ path: sink.name, records })));
    },
    async abandon() {
      for (const { sink } of opened) await sink.abandon();
    },
  };
}
