import type { Command } from "../arguments/command.ts";
import { ARCHIVE_OPTIONS } from "../arguments/option-lists.ts";
import { NOT_ALL_READ, READING_ENDS } from "../arguments/stop-lines.ts";

/** `logferry inspect`: shows the contents of an archive, without a log. */
export const inspect: Command = {
  name: "inspect",
  details: [
    "Recognises each source and reads all of it. Shows how many records of each kind it holds, from when to when, which sports, and what can't be read. Needs no login.",
    "With --anonymise it shows how the archive is built, and none of its values. You see the shapes of paths, headers and the shapes of columns, keys of JSON and XML, and numbers of FIT messages. Use it to report an archive that isn't read: docs/my-archive-isnt-read.md. logferry sends nothing anywhere.",
  ],
  positional: {
    name: "source",
    help: "an export zip, its https:// address or @FILE with the address, a folder of exports or watch files, a spreadsheet with its mapping file",
    atLeast: 1,
    areArchives: true,
  },
  options: ["map", "sport", "distanceUnit", "dateOrder", "anonymise", "out", ...ARCHIVE_OPTIONS],
  says: { out: { metavar: "FILE", help: "with --anonymise: the file to write to, instead of printing" } },
  examples: [
    { line: "logferry inspect export_123.zip", does: "what is in an export" },
    {
      line: "logferry inspect export_123.zip --anonymise --out structure.txt",
      does: "how an export is built, without its values, to report one that isn't read",
    },
  ],
  stopped: NOT_ALL_READ,
  stopping: READING_ENDS,
  run: async (context) => (await import("../actions/inspect.ts")).act(context),
};
