import type { Command } from "../arguments/command.ts";
import { SESSION_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry whoami`: shows the owner of the log, and its units. */
export const whoami: Command = {
  name: "whoami",
  details: [
    "Asks the service who the token's owner is. Prints their units and their distance from UTC.",
    "With --all it lists every profile that you logged in to, with its log and the place of its token, without asking any log. `logferry profiles --check` asks them.",
  ],
  options: ["all", ...SESSION_OPTIONS],
  examples: [
    { line: "logferry whoami --profile ana", does: "check ana's token" },
    { line: "logferry whoami --all", does: "every profile there is" },
  ],
  run: async (context) => (await import("../actions/whoami.ts")).act(context),
};
