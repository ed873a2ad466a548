import type { Command } from "../arguments/command.ts";
import { KEY_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry diff`: shows the changes between two snapshots. */
export const diff: Command = {
  name: "diff",
  details: [
    "Name a snapshot by the beginning of its id, or as latest, or as latest~1 for the one before. logferry counts what was added, removed and changed, by kind and field. It adds how much further each piece of equipment went. --verbose names every record and the fields that differ.",
  ],
  positional: { name: "snapshot", help: "two snapshots, the older one first", atLeast: 2, atMost: 2 },
  options: ["repository", ...KEY_OPTIONS],
  examples: [
    { line: "logferry diff latest~1 latest --repository ~/backups/log", does: "what the last backup found new" },
    { line: "logferry diff 1a2b3c4d latest --repository ~/backups/log --verbose", does: "every record that differs" },
  ],
  run: async (context) => (await import("../actions/diff.ts")).act(context),
};
