/** Options for the log, the settings, the archives and the choice of workouts. */
import { PERIOD, SIZE, whole, ZONE } from "./option-checks.ts";
import type { OptionSpec } from "./option-spec.ts";

/** A part of the table of options. */
export const READING_OPTIONS = {
  config: { type: "string", metavar: "FILE", help: "config file (default: config.yaml in the config folder)" },
  profile: {
    type: "string",
    default: "default",
    metavar: "NAME",
    help: "whose log: names the stored token and the journal",
  },
  url: { type: "string", metavar: "URL", help: "base URL of the training log service" },
  journal: { type: "string", metavar: "FILE", help: "the journal (default: one a profile, in the data folder)" },
  json: { type: "boolean", help: "print JSON lines instead of text" },
  quiet: { type: "boolean", alias: "q", help: "print nothing but what went wrong and the last sentence" },
  verbose: { type: "boolean", alias: "v", help: "print every issue and every decision" },
  dryRun: {
    type: "boolean",
    alias: "n",
    flagOnly: true,
    help: "decide and print everything, change nothing in the log",
  },
  map: {
    type: "string",
    metavar: "FILE",
    help: "mapping file for a spreadsheet (default: the .map.yaml beside it)",
  },
  zone: {
    type: "string",
    check: ZONE,
    metavar: "ZONE",
    help: "time zone for workouts whose source gives neither zone nor position",
  },
  since: {
    type: "string",
    check: PERIOD,
    metavar: "DATE",
    help: "only workouts on or after this day (2023, 2023-07 or 2023-07-15)",
  },
  until: { type: "string", check: PERIOD, metavar: "DATE", help: "only workouts on or before this day" },
  sport: {
    type: "strings",
    metavar: "NAME=ACTIVITY",
    help: 'what a sport\'s name means: --sport "Nordic Walking=walk"; --sport "=run" for workouts whose source names none and that match no workout of a known sport',
  },
  activity: {
    type: "strings",
    metavar: "ACTIVITY=NUMBER",
    help: "the activityID of an activity in your log: --activity hike=15",
  },
  allow: {
    type: "strings",
    choices: ["implausible"],
    metavar: "WHAT",
    help: "let in what is held back otherwise: --allow implausible for workouts that can't be true (docs/plausibility.md)",
  },
  again: {
    type: "boolean",
    flagOnly: true,
    help: "bring up to date again what `logferry undo` put back",
  },
  restoreMissing: {
    type: "boolean",
    flagOnly: true,
    help: "load again what logferry had loaded and the log no longer has",
  },
  check: {
    type: "boolean",
    flagOnly: true,
    help: "ask the log as well: how a record stands there now and what was edited since; whether a login works",
  },
  set: {
    type: "strings",
    metavar: "FIELD=VALUE",
    flagOnly: true,
    help: 'what a record is, said by hand: --set date=2019-05-04 --set distance="10 km"',
  },
  assumeAbsent: {
    type: "strings",
    metavar: "ID",
    flagOnly: true,
    help: "you looked, and the log doesn't hold this record that is in doubt: it is sent again",
  },
  assumeDone: {
    type: "strings",
    metavar: "ID=LOGID",
    flagOnly: true,
    help: "you looked, and this record that is in doubt is that one of the log",
  },
  maxArchive: {
    type: "string",
    check: SIZE,
    metavar: "SIZE",
    help: "how long a zip may be (default: 64G)",
  },
  maxEntries: {
    type: "number",
    check: whole(1, 10_000_000),
    metavar: "N",
    help: "how many files an archive may hold (default: 100000)",
  },
  maxEntry: {
    type: "string",
    check: SIZE,
    metavar: "SIZE",
    help: "how long a file of an archive may be, unpacked. A spreadsheet may be eight times as long (default: 64M)",
  },
  maxUnpacked: {
    type: "string",
    check: SIZE,
    metavar: "SIZE",
    help: "how much may be unpacked of an archive, all in all (default: 20G)",
  },
  maxRatio: {
    type: "number",
    check: whole(1, 100_000),
    metavar: "N",
    help: "how many times its packed size a file may unpack to, past its first MiB (default: 200)",
  },
  nested: {
    type: "number",
    check: whole(0, 8),
    metavar: "N",
    help: "how deep zips within zips are opened (default: 2)",
  },
  anonymise: {
    type: "boolean",
    flagOnly: true,
    help: "show how the archive is built and none of its values, to report one that isn't read (docs/my-archive-isnt-read.md)",
  },
} as const satisfies Record<string, OptionSpec>;
