import type { Command } from "../arguments/command.ts";
import { RUN_BOUNDS, SESSION_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry undo`: restores the records that a run overwrote, and lists the records that it created. */
export const undo: Command = {
  name: "undo",
  details: [
    "Before a run overwrites an older record of the log, the journal keeps its values. Undo reads each of these records. When a record is still as the run wrote it, logferry restores the older values. When somebody edited it since, logferry leaves it alone and shows the differences. When a later run overwrote it again, undo that run first.",
    "logferry lists what the run made, newest first, each with the address of its page. The interface has no delete, so delete these by hand in the log. Later plans don't load them again. `logferry retry --restore-missing` does.",
    "Later plans leave the restored records as they are, and count them as skipped. `logferry import --again` updates them again. A second undo changes nothing. After a stop, the same command resumes. Try it with --dry-run first.",
  ],
  positional: { name: "number", help: "number of the run, as logferry status shows it", atLeast: 1, atMost: 1 },
  options: ["dryRun", ...RUN_BOUNDS, ...SESSION_OPTIONS],
  examples: [
    { line: "logferry undo 3 --dry-run", does: "what would be put back, what was edited since, and what run 3 made" },
    { line: "logferry undo 3", does: "do it" },
  ],
  run: async (context) => (await import("../actions/undo.ts")).act(context),
};
