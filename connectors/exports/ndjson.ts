/**
 * A log as NDJSON, `log.ndjson`. Each line is a record: an object with `kind` and `value`. The first line names the format. The last line counts
 * the records before it. A file without this last line was cut short.
 */
import { join } from "node:path";
import { createGzip } from "node:zlib";
import type { LogRecord } from "../api/source.ts";
import { exportHead } from "./json.ts";
import { openFile } from "./output-file.ts";
import type { LogWriter, WriterOptions } from "./writer.ts";

/** Makes the writer of `log.ndjson` or `log.ndjson.gz`. */
export function ndjsonWriter({ folder, gzip, now }: WriterOptions): LogWriter {
  const name = gzip ? "log.ndjson.gz" : "log.ndjson";
  const file = openFile<string>(join(folder, name), ...(gzip ? [createGzip()] : []));
  const line = (kind: string, value: object) => file.write(`${JSON.stringify({ kind, value })}\n`);
  let isBegun = false;
  let records = 0;
  const begin = async () => {
    if (!isBegun) await line("export", exportHead(now));
    isBegun = true;
  };
  return {
    async write({ kind, value }: LogRecord) {
      await begin();
      await line(kind, value);
      records++;
    },
    async finish() {
      await begin();
      await line("end", { records });
      await file.close();
      return [{ path: name, records }];
    },
    abandon: file.abandon,
  };
}
