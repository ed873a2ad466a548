/** Options for exports, snapshots and their schedule, and reports. */
import { CRON, DURATION, INTERVAL, NOT_NEGATIVE, shareOf, whole } from "./option-checks.ts";
import type { OptionSpec } from "./option-spec.ts";

/** A part of the table of options. */
export const KEEPING_OPTIONS = {
  out: { type: "string", alias: "o", metavar: "FOLDER", flagOnly: true, help: "folder to write to" },
  format: {
    type: "strings",
    metavar: "FORMAT",
    flagOnly: true,
    help: "csv, json, ndjson, xlsx, parquet, ics, or several: --format csv,xlsx (default: csv,json)",
  },
  kind: {
    type: "strings",
    metavar: "KIND",
    flagOnly: true,
    help: "only these records: workouts, equipment, courses, training-plans, user, preference",
  },
  only: {
    type: "strings",
    metavar: "ACTIVITY",
    flagOnly: true,
    help: "only workouts of these activities: --only run,bike, or by their number in the log: --only 104",
  },
  fields: {
    type: "strings",
    metavar: "FIELD",
    flagOnly: true,
    help: "only these fields, in this order: --fields date,distance,notes, or of one table: workouts.notes",
  },
  id: {
    type: "strings",
    metavar: "ID",
    flagOnly: true,
    help: "only the records with these ids in the snapshot's log: --id 4f2c,91ab",
  },
  into: {
    type: "string",
    metavar: "NAME",
    flagOnly: true,
    help: "put the snapshot into the log of NAME, which is not the one it is of: the user's screen name there, or e-mail address",
  },
  overwrite: {
    type: "boolean",
    flagOnly: true,
    help: "also put back records that were edited since the snapshot. Without it they are listed and left as they are",
  },
  replace: { type: "boolean", flagOnly: true, help: "take the place of the export that is in the folder" },
  gzip: { type: "boolean", help: "pack NDJSON with gzip" },
  rawCsv: { type: "boolean", help: "write CSV cells that a spreadsheet would take for a formula as they are" },
  repository: {
    type: "string",
    metavar: "FOLDER",
    help: "the snapshot repository: a folder of its own, one for each log",
  },
  maxAge: {
    type: "string",
    check: DURATION,
    metavar: "DURATION",
    help: "how old the last good backup may be: 26h, 2d; when it is older, the exit code is 7",
  },
  encrypt: {
    type: "boolean",
    flagOnly: true,
    help: "make the repository an encrypted one, opened by a passphrase; it stays one",
  },
  recipient: {
    type: "strings",
    metavar: "AGE-KEY",
    help: "make the repository an encrypted one, opened by this age key (age1..., or a file of them)",
  },
  identity: {
    type: "strings",
    metavar: "FILE",
    help: "open an encrypted repository with the age key in this file (AGE-SECRET-KEY-1...)",
  },
  passphraseFile: {
    type: "string",
    metavar: "FILE",
    help: "read the passphrase of an encrypted repository from the first line of a file instead of asking for it",
  },
  passphraseCommand: {
    type: "string",
    metavar: "COMMAND",
    help: "take the passphrase of an encrypted repository from the first line that a command prints: 'pass show log/backups'",
  },
  dropDamaged: {
    type: "boolean",
    flagOnly: true,
    help: "take away the snapshots that are damaged, or name data that is, and no others",
  },
  withoutKey: {
    type: "boolean",
    flagOnly: true,
    help: "of an encrypted repository, check the bytes of every file, and not what it holds",
  },
  every: {
    type: "string",
    check: INTERVAL,
    metavar: "DURATION",
    flagOnly: true,
    help: "stay, and back up again and again, so long after the last backup began: 24h",
  },
  cron: {
    type: "string",
    check: CRON,
    metavar: "EXPRESSION",
    flagOnly: true,
    help: 'when to back up, in the five fields of cron: "30 2 * * *"',
  },
  ifDue: {
    type: "string",
    check: {
      isRight: (value) => INTERVAL.isRight(value) || CRON.isRight(value),
      expected: 'a duration such as 24h, or a cron expression such as "30 2 * * *"',
    },
    metavar: "DURATION|EXPRESSION",
    flagOnly: true,
    help: "do nothing when the last backup is younger than this, or when none was due since by this cron expression",
  },
  maxFailures: {
    type: "number",
    check: whole(1),
    metavar: "N",
    flagOnly: true,
    help: "with --every or --cron: end after N backups in a row that failed",
  },
  daily: {
    type: "string",
    check: {
      isRight: (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(String(value)),
      expected: "a time of the day such as 02:30",
    },
    metavar: "HH:MM",
    flagOnly: true,
    help: "back up every day at this time",
  },
  with: {
    type: "string",
    choices: ["systemd", "crontab"],
    flagOnly: true,
    help: "what runs the schedule (default: systemd where it runs for this user, else crontab)",
  },
  randomDelay: {
    type: "string",
    check: DURATION,
    metavar: "DURATION",
    flagOnly: true,
    help: "with systemd: begin up to so much later, another time each night",
  },
  envFile: {
    type: "string",
    metavar: "FILE",
    flagOnly: true,
    help: "a file of LOGFERRY_NAME=value lines that scheduled backups read: for what is secret and stands in no config file",
  },
  drill: {
    type: "boolean",
    help: "prove that the snapshot restores: into a private log of this process, read back and compared with it",
  },
  drillEvery: {
    type: "string",
    check: DURATION,
    metavar: "DURATION",
    help: "as --drill, when the last drill that proved a snapshot is so long ago: 7d",
  },
  full: { type: "boolean", flagOnly: true, help: "read every record in full, also what the listings show as it was" },
  fullEvery: {
    type: "number",
    check: NOT_NEGATIVE,
    default: 7,
    metavar: "DAYS",
    help: "read every record in full when the last time is so many days ago; 0 for each time",
  },
  readData: {
    type: "string",
    check: { isRight: (value) => shareOf(String(value)) !== undefined, expected: "a share such as 1/7" },
    metavar: "N/T",
    flagOnly: true,
    help: "of the data, read only the Nth of T parts: --read-data 1/7 on Mondays (default: all of it)",
  },
  keepLast: { type: "number", check: whole(0), metavar: "N", help: "keep the N newest snapshots" },
  keepDaily: { type: "number", check: whole(0), metavar: "N", help: "keep the newest snapshot of each of N days" },
  keepWeekly: {
    type: "number",
    check: whole(0),
    metavar: "N",
    help: "keep the newest snapshot of each of N weeks, which begin on Monday",
  },
  keepMonthly: { type: "number", check: whole(0), metavar: "N", help: "keep the newest snapshot of each of N months" },
  keepYearly: { type: "number", check: whole(0), metavar: "N", help: "keep the newest snapshot of each of N years" },
  report: {
    type: "strings",
    metavar: "FILE",
    help: "write what became of every record to a file: FILE.html to be read, FILE.json for programs",
  },
  noPlaces: { type: "boolean", help: "leave out of the report where workouts began" },
} as const satisfies Record<string, OptionSpec>;
