import type { Command } from "../arguments/command.ts";
import { KEY_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry snapshots`: lists the backups. */
export const snapshots: Command = {
  name: "snapshots",
  details: [
    "Lists the oldest first: id, time in UTC, and the number of records of each kind. It says whether the backup read everything in full, or only what the listings showed as changed. Works without the network, and during a backup.",
  ],
  options: ["repository", ...KEY_OPTIONS],
  examples: [{ line: "logferry snapshots --repository ~/backups/log", does: "every snapshot, oldest first" }],
  run: async (context) => (await import("../actions/snapshots.ts")).act(context),
};
