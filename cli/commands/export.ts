import { FORMATS } from "../../connectors/exports/formats.ts";
import type { Command } from "../arguments/command.ts";
import { SESSION_OPTIONS } from "../arguments/option-lists.ts";
import { NOTHING_READ } from "../arguments/stop-lines.ts";

/** `logferry export`: writes the whole log as files. */
export const exportCommand: Command = {
  name: "export",
  details: [
    "logferry reads the log record by record and writes a folder. Until the folder is complete it is called FOLDER.partial-... A stopped export leaves that one behind. So does an export that meets a contradictory list of the log (exit code 75).",
    "CSV: one file for each table (workouts, intervals, equipment, courses, training plans, user, preference), in the units of the log. It opens in a spreadsheet. A text that a spreadsheet would run as a formula gets an apostrophe in front. --raw-csv leaves it as it is.",
    "JSON and NDJSON hold everything that the log gave, under the names of the interface, with a JSON Schema. logferry can read CSV, JSON and NDJSON back: logferry import FOLDER.",
    "Every folder holds a datapackage.json: each file with its size and checksum, each table with the types and meanings of its columns.",
    "--since, --until and --only choose workouts, --kind chooses record kinds, --fields chooses fields.",
  ],
  options: [
    "out",
    "format",
    "since",
    "until",
    "only",
    "activity",
    "kind",
    "fields",
    "replace",
    "gzip",
    "rawCsv",
    ...SESSION_OPTIONS.filter((name) => name !== "journal" && name !== "settle"),
  ],
  examples: [
    { line: "logferry export --out my-log", does: "the whole log as CSV and JSON, into the folder my-log" },
    { line: "logferry export --out my-log --format xlsx,ics", does: "a workbook and a calendar" },
    {
      line: "logferry export --out runs --format csv --only run --fields date,distance,notes",
      does: "the runs, and of each only its day, its distance and its notes",
    },
  ],
  tables: [{ title: "Formats", rows: Object.entries(FORMATS).map(([name, { holds }]) => [name, holds]) }],
  stopping: "Stopping: what is read already is kept. Once more ends at once.",
  stopped: NOTHING_READ,
  run: async (context) => (await import("../actions/export.ts")).act(context),
};
