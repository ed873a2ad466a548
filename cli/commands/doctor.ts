import type { Command } from "../arguments/command.ts";

/** `logferry doctor`: checks everything that a run depends on, and gives a remedy for each problem. */
export const doctor: Command = {
  name: "doctor",
  details: [
    "Prints a line for each check: ✓ is fine, ! works but is worth knowing, ✗ must be fixed, ? could not be checked. Below each problem stands what to do. It changes nothing, here or in the log, and shows no token.",
    "The exit code is that of the first failed check. It is 4 for a bad token, 6 when the service can't be reached, 2 for a wrong setting, and 75 for a full disk. It is 0 when no check failed.",
  ],
  options: ["url", "tokenFile", "tokenCommand", "journal"],
  examples: [
    { line: "logferry doctor", does: "is everything ready?" },
    { line: "logferry doctor --profile ana --json", does: "the same for ana's log, for a script" },
  ],
  run: async (context) => (await import("../actions/doctor.ts")).act(context),
};
