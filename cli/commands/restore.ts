import type { Command } from "../arguments/command.ts";
import { KEY_OPTIONS, REPORT_OPTIONS, RUN_OPTIONS, SESSION_OPTIONS } from "../arguments/option-lists.ts";

/** `logferry restore`: puts a snapshot back into a log. */
export const restore: Command = {
  name: "restore",
  details: [
    "Begin with -n. It shows what would become of every record, and changes nothing. Name a snapshot by the beginning of its id, or as latest, or as latest~1 for the one before.",
    "Into its own log: logferry makes the missing records again. It leaves edited records as they are and lists them, or overwrites them with --overwrite. Unchanged records cost one read each. A second restore changes nothing. After a stop or a kill, run it again, or logferry apply.",
    "Into another log, named with --into: logferry makes everything, equipment and courses first. The workouts get the new ids. Records that are there already are recognised.",
    "--since, --until and --only choose workouts, with their equipment and courses. --kind chooses record kinds, --id single records, --fields the fields of existing records (docs/exports.md lists the words).",
    "logferry lists what can't be restored. The interface can't save training plans and the user. The owner chooses the preference. Equipment that is created again loses its mileage and its retired mark. No backup holds the tracks of workouts and the maps of courses.",
  ],
  positional: { name: "snapshot", help: "which one: latest, or the beginning of its id", atLeast: 1, atMost: 1 },
  options: [
    "repository",
    ...KEY_OPTIONS,
    "dryRun",
    "overwrite",
    "into",
    "kind",
    "since",
    "until",
    "only",
    "id",
    "fields",
    "activity",
    ...RUN_OPTIONS,
    ...REPORT_OPTIONS,
    ...SESSION_OPTIONS,
  ],
  examples: [
    { line: "logferry restore latest --repository ~/backups/log -n", does: "what would become of every record" },
    { line: "logferry restore latest~7 --repository ~/backups/log", does: "what was lost since, again" },
    {
      line: "logferry restore latest~3 --fields notes --since 2024 --overwrite",
      does: "the notes of the workouts since 2024 as they were, and nothing else",
    },
    {
      line: "logferry restore latest --profile new --into ana",
      does: "the whole log into another one, which is ana's",
    },
  ],
  run: async (context) => (await import("../actions/restore.ts")).act(context),
};
