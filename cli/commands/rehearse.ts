import type { Command } from "../arguments/command.ts";
import { DECIDING_OPTIONS, SOURCES } from "../arguments/option-lists.ts";

/** `logferry rehearse`: imports the sources into a private log on this computer, and shows its pages. */
export const rehearse: Command = {
  name: "rehearse",
  details: [
    "Starts a private log in a folder of its own. Imports the sources into it at full speed, reads everything back, and writes a report. Your real log is not touched, and no login is needed.",
    'Then it shows the pages of the private log: the address it prints signs your browser in, once. Every page says that it is a rehearsal. The page "To decide" has buttons for what is doubtful. Nothing listens beyond this computer. Ctrl-C ends it.',
    "`logferry rehearse` without sources does the last rehearsal once more, with its sources and options and those that you add. Run it after a change, such as a mended row: what is in the private log already is not imported twice. After decisions by hand it begins with an empty private log, and keeps the decisions. Delete the folder to begin from nothing.",
    "When all is as it should be, `logferry promote` does the same in your real log.",
    "The exit code is the worse one of the import and the verification.",
  ],
  positional: {
    ...SOURCES,
    help: `${SOURCES.help}. Without any: the sources and the options of the last rehearsal, and what you add`,
    atLeast: 0,
  },
  options: ["out", "units", "noPages", "noPlaces", "trust", ...DECIDING_OPTIONS],
  says: {
    out: { help: "folder of the private log, its journal and its report (default: rehearsal in the data folder)" },
    units: { help: "units of the private log" },
    trust: {
      metavar: "rehearsal",
      help: "you looked, and exports of different people belong in one log: --trust rehearsal",
    },
  },
  examples: [
    { line: "logferry rehearse export_123.zip ~/watch", does: "both in a private log, with its pages in the browser" },
    { line: "logferry rehearse export_123.zip --no-pages", does: "only the report" },
    { line: "logferry rehearse --sport Plogging=run", does: "the last rehearsal once more, with one more sport" },
  ],
  stopping: "Stopping the rehearsal.",
  run: async (context) => (await import("../actions/rehearse.ts")).act(context),
};
