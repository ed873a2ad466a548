import type { Command } from "../arguments/command.ts";

/** `logferry profiles`: lists the stored logins, and whether they work. */
export const profiles: Command = {
  name: "profiles",
  details: [
    "Lists every profile that you logged in to: its log, its owner, where its token is kept, and whether it can be read there. It never shows a token.",
    "With --check logferry asks each log whose it is. When a log refuses a token, somebody probably revoked it. logferry prints the line to log in again, and ends with exit code 4. The same code stands for a token that can't be read. Code 6 stands for a log that can't be reached. One log that doesn't answer keeps no other from being asked.",
    "logferry runs a token command only with --check.",
  ],
  options: ["check"],
  examples: [
    { line: "logferry profiles", does: "who is logged in, and where" },
    { line: "logferry profiles --check", does: "and whose token was revoked" },
  ],
  run: async (context) => (await import("../actions/profiles.ts")).act(context),
};
