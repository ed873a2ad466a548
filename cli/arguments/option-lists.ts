/** The options that several commands share, as lists. They stand apart from the code behind them, so that a help text loads none of it. */
import type { Command } from "./command.ts";
import type { OptionName } from "./options.ts";

/** The arguments after a command that reads sources. */
export const SOURCES: NonNullable<Command["positional"]> = {
  name: "source",
  help: "an export zip, its https:// address or @FILE with the address, a folder of exports or watch files, a spreadsheet with its mapping file",
  atLeast: 1,
  areArchives: true,
};

/** Options of every command that reads archives. */
export const ARCHIVE_OPTIONS = [
  "maxArchive",
  "maxEntries",
  "maxEntry",
  "maxUnpacked",
  "maxRatio",
  "nested",
] as const satisfies readonly OptionName[];

/** Options of every command that opens the log. */
export const SESSION_OPTIONS: readonly OptionName[] = [
  "url",
  "tokenFile",
  "tokenCommand",
  "journal",
  "networkJournal",
  "rate",
  "concurrency",
  "timeout",
  "patience",
  "settle",
];

/** Options of the commands that write to the log: the limits of a run. */
export const RUN_OPTIONS: readonly OptionName[] = ["maxRequests", "maxDuration", "onErrors"];

/** The limits for a command that can't meet refused records. */
export const RUN_BOUNDS: readonly OptionName[] = ["maxRequests", "maxDuration"];

/** Options about the meaning of a source, and about the choice of its records. */
export const READING_OPTIONS = [
  "map",
  "zone",
  "since",
  "until",
  "sport",
  "activity",
  "allow",
  "prefer",
  "sameGear",
  "noTracks",
] as const satisfies readonly OptionName[];

/** Options that decide what a plan makes of its sources, whatever the log. */
const CHOICE_OPTIONS = [
  ...READING_OPTIONS,
  "distanceUnit",
  "dateOrder",
  "noPrivateNotes",
  "linkCourses",
  "trustClocks",
  "doubtful",
] as const satisfies readonly OptionName[];

/** Options of the commands that plan. */
export const PLAN_OPTIONS: readonly OptionName[] = [
  ...CHOICE_OPTIONS,
  "trustList",
  ...ARCHIVE_OPTIONS,
  ...SESSION_OPTIONS,
];

/** The options of a rehearsal that decide what is written. */
export const DECIDING_OPTIONS = [
  ...CHOICE_OPTIONS,
  "accept",
  ...ARCHIVE_OPTIONS,
] as const satisfies readonly OptionName[];

/** Options of the commands that carry one athlete's archives. */
export const ATHLETE_OPTIONS: readonly OptionName[] = ["athlete", "trust", "remember"];

/** Options of the commands that can write a report. */
export const REPORT_OPTIONS: readonly OptionName[] = ["report", "noPlaces"];

/** Options of every command that reads the contents of a repository. */
export const KEY_OPTIONS = ["identity", "passphraseFile", "passphraseCommand"] as const satisfies readonly OptionName[];

/** The options about the snapshots to keep. */
export const POLICY_OPTIONS = [
  "keepLast",
  "keepDaily",
  "keepWeekly",
  "keepMonthly",
  "keepYearly",
] as const satisfies readonly OptionName[];

/** Options that `schedule install` passes on to the scheduled backups. */
export const PASSED_OPTIONS: readonly OptionName[] = [
  "url",
  "tokenFile",
  "tokenCommand",
  "recipient",
  ...KEY_OPTIONS,
  "fullEvery",
  "drillEvery",
  ...POLICY_OPTIONS,
  "rate",
  "concurrency",
  "timeout",
  "patience",
];
