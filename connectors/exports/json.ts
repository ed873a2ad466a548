/**
 * A log as one JSON file, `log.json`: an object with a member for each kind of record. Each record is one line, with the names of the interface.
 * Fields that may have one value or several (equipment, conditions) are always lists. Records are written as they arrive, so a log of any size
 * fits.
 */
import { join } from "node:path";
import type { LogRecord } from "../api/source.ts";
import { EXPORT_VERSION } from "./data-package.ts";
import { openFile } from "./output-file.ts";
import { KINDS, type RecordKind, SINGLE } from "./tables.ts";
import type { LogWriter, WriterOptions } from "./writer.ts";

/** The beginning of every JSON export. */
export function exportHead(now: number): object {
  return { format: "logferry-export", version: EXPORT_VERSION, exportedAt: new Date(now).toISOString() };
}

/** Makes the writer of `log.json`. */
export function jsonWriter({ folder, choice, now }: WriterOptions): LogWriter {
  const name = "log.json";
  const file = openFile<string>(join(folder, name));
  const written = new Set<RecordKind>();
  let open: RecordKind | undefined;
  let records = 0;

  const begin = (kind: RecordKind) => {
    if (written.has(kind)) throw new Error(`Cannot write ${kind}: its records must come together`);
    const before =
      written.size === 0
        ? `{\n"export": ${JSON.stringify(exportHead(now))},\n`
        : open !== undefined && SINGLE.has(open)
          ? ",\n"
          : "\n],\n";
    written.add(kind);
    open = kind;
    return `${before}${JSON.stringify(KINDS[kind].member)}: ${SINGLE.has(kind) ? "" : "[\n"}`;
  };

  return {
    async write({ kind, value }: LogRecord) {
      await file.write(`${open === kind ? ",\n" : begin(kind)}${JSON.stringify(value)}`);
      records++;
    },
    async finish() {
      let end = open === undefined ? `{\n"export": ${JSON.stringify(exportHead(now))}` : SINGLE.has(open) ? "" : "\n]";
      for (const kind of choice.kinds) {
        if (!written.has(kind) && !SINGLE.has(kind)) end += `,\n${JSON.stringify(KINDS[kind].member)}: []`;
      }
      await file.write(`${end}\n}\n`);
      await file.close();
      return [{ path: name, records }];
    },
    abandon: file.abandon,
  };
}
