/**
 * A log as CSV: a file a table, UTF-8 with a byte order mark, so that a spreadsheet opens it by double click and shows every
 * letter. Text that a spreadsheet would run as a formula is written so that it doesn't.
 */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import type { LogRecord } from "../api/source.ts";
import { type Cell, writeCsv } from "../formats/csv/write.ts";
import { headersOf, rowsOf, TABLES, type Table } from "./tables.ts";
import type { ExportedFile, LogWriter } from "./writer.ts";

/** A writer into a folder that exists. `raw` leaves text as it is, for programs. */
export function csvWriter(folder: string, raw: boolean): LogWriter {
  const open = TABLES.map((table) => openTable(folder, table, raw));
  return {
    async write(record: LogRecord) {
      for (const { table, channel, file } of open) {
        if (table.kind !== record.kind) continue;
        for (const row of rowsOf(table, record.value)) {
          await channel.push(row);
          file.records++;
        }
      }
    },
    async finish() {
      for (const { channel, done } of open) {
        channel.end();
        await done;
      }
      return open.map(({ file }) => file);
    },
  };
}

function openTable(folder: string, table: Table, raw: boolean) {
  const path = join(folder, `${table.name}.csv`);
  const channel = new Channel<readonly Cell[]>();
  const rows = withHeader(headersOf(table), channel);
  const done = writeCsv(rows, createWriteStream(path, { mode: 0o600 }), { byteOrderMark: true, raw });
  // A full disk fails the next push instead of going unheard.
  done.catch((error: unknown) => channel.fail(error));
  const file: { path: string; records: number } & ExportedFile = { path, records: 0 };
  return { table, channel, done, file };
}

async function* withHeader(
  header: readonly Cell[],
  rows: AsyncIterable<readonly Cell[]>,
): AsyncIterable<readonly Cell[]> {
  yield header;
  yield* rows;
}

/** Hands values from one loop to another, one at a time: `push` settles when the value was taken. */
class Channel<T> implements AsyncIterable<T> {
  #waiting: { value: T; taken: () => void; failed: (error: unknown) => void } | undefined;
  #wake: (() => void) | undefined;
  #ended = false;
  #failure: { error: unknown } | undefined;

  push(value: T): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    return new Promise((taken, failed) => {
      this.#waiting = { value, taken, failed };
      this.#wake?.();
    });
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.#waiting?.failed(error);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const waiting = this.#waiting;
      if (waiting !== undefined) {
        this.#waiting = undefined;
        waiting.taken();
        yield waiting.value;
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    }
  }
}
