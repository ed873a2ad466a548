import { FatalError } from "../../connectors/errors.ts";
import { type ExportFormat, exportLog } from "../../pipelines/export.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../exit-codes.ts";
import { count } from "../output.ts";
import { openLogView, SESSION_OPTIONS } from "../session.ts";
import { isOfSystem, stateOf } from "../system-errors.ts";

/** `logferry export`: the whole log as files. */
export const exportCommand: Command = {
  name: "export",
  summary: "write the whole log as CSV and JSON",
  details: [
    "CSV: one file a table (workouts, intervals, equipment, courses, training plans, user), in the units each value has in the log; opens in a spreadsheet. Text that a spreadsheet would run as a formula gets an apostrophe in front; --raw-csv leaves it.",
    "JSON: one file, `log.json`, a record a line, in the names of the interface; what may come as one or as many is always a list.",
  ],
  options: ["out", "format", "rawCsv", ...SESSION_OPTIONS.filter((name) => name !== "journal" && name !== "settle")],
  examples: [
    { line: "logferry export --out my-log", does: "both formats into the folder my-log" },
    { line: "logferry export --out my-log --format csv", does: "only the CSV files" },
  ],
  async run(context) {
    const { options, output, signal } = context;
    if (options.out === undefined) throw new UsageError("Cannot export: say where to, with --out FOLDER");
    const { connection, close } = await openLogView(context);
    try {
      const result = await exportLog({
        connection,
        folder: options.out,
        formats: (options.format as ExportFormat[] | undefined) ?? ["csv", "json"],
        rawCsv: options.rawCsv === true,
        signal,
        onProgress: (done) => output.progress({ phase: "reading the log", done, waiting: connection.pacing.waiting() }),
      });
      output.endProgress();
      for (const file of result.files) {
        output.emit("file", { ...file });
        output.say(`  ${file.path}: ${count(file.records)}`);
      }
      if (!result.isComplete) {
        output.conclude("Stopped early: the files hold a part of the log.");
        return "stopped";
      }
      const missing = result.passedOver === 0 ? "" : `; ${count(result.passedOver)} were listed and could not be read`;
      output.conclude(`Exported ${count(result.records)} records${missing}.`);
      return result.passedOver === 0 ? "done" : "setAside";
    } catch (error) {
      throw isOfSystem(error) ? cannotWrite(options.out, error) : error;
    } finally {
      await close();
    }
  },
};

/** A full disk may be emptied and the export started again; any other trouble is in the name that was given. */
function cannotWrite(folder: string, error: NodeJS.ErrnoException): Error {
  const message = `Cannot write to ${error.path ?? folder}: ${stateOf(error)}`;
  if (error.code === "ENOSPC") return new FatalError("export/disk-full", "journal", message, { cause: error });
  return new UsageError(message, { cause: error });
}
