import type { Command } from "../arguments/command.ts";

/** `logferry history`: every run with what it did and why records stayed out. */
export const history: Command = {
  name: "history",
  details: [
    "Reads only the journal, and works without the network. It lists every run, newest first, with its sources. Each run says how many records it created, left out or could not send, and why. What was left out by a rule is told from what failed, and a duplicate names its twin. Each run also says what to type next.",
    "--report FILE.html writes all of it as a page, with every record that is not simply in the log.",
  ],
  options: ["journal", "report"],
  says: { report: { metavar: "FILE", help: "write the history as a page: FILE.html" } },
  examples: [
    { line: "logferry history", does: "every run, newest first" },
    { line: "logferry history --report history.html", does: "and a page with every record that stayed out" },
  ],
  run: async (context) => (await import("../actions/history.ts")).act(context),
};
