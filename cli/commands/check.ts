import type { Command } from "../arguments/command.ts";
import { KEY_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry check`: checks whether a repository is still as it was written. */
export const check: Command = {
  name: "check",
  details: [
    "Reads every file of the repository and compares it with its checksum, and every record with its own. It finds a single flipped bit, and names the file. The repository lists the snapshots that it must hold, so a deleted one is found, too. The exit code is 7 when anything is damaged or missing, or when there is no snapshot at all.",
    "--read-data 1/7 reads a seventh of the data, 2/7 the next seventh, and so on. Each time it checks that every file is there in full length, and reads all snapshots.",
    "--drill then restores the last snapshot into a private log and compares, as logferry backup --drill does. The exit code is 7 when anything differs.",
    "With its key, logferry checks an encrypted repository down to its records. With --without-key it compares every file with the checksum in its name. That finds damage and missing snapshots on a machine that may not read the log. It can't find a missing file of data.",
    "Nothing in the repository can repair damage. The next backup stores again what the log still has. `logferry forget --drop-damaged` gives up a snapshot that is damaged itself.",
  ],
  options: ["repository", ...KEY_OPTIONS, "withoutKey", "readData", "drill"],
  examples: [
    { line: "logferry check --repository ~/backups/log", does: "everything" },
    { line: "logferry check --repository ~/backups/log --drill", does: "everything, and does the last one restore?" },
    { line: "logferry check --repository ~/backups/log --read-data 3/7", does: "the third seventh of the data" },
  ],
  stopping: "Stopping.",
  run: async (context) => (await import("../actions/check.ts")).act(context),
};
