/**
 * Every option of every command, in one table: its flag, its environment variable, its key in the config file, its help.
 * A value is taken from the flag, else the environment, else the config file, else the default.
 */

import { bytesOfSize } from "../connectors/containers/sizes.ts";
import { isZone } from "../transforms/calendar.ts";
import { isCron, isInterval } from "./arguments/schedule-rule.ts";
import { DURATION_EXPECTED, durationMs } from "./wording/durations.ts";
import { isPeriod } from "./wording/periods.ts";

/** What a value must be, beyond its type. */
interface Check {
  readonly isRight: (value: string | number) => boolean;
  /** For the message: `a number from 1 to 64`. */
  readonly expected: string;
}

/** One option. */
export interface OptionSpec {
  readonly type: "string" | "number" | "boolean" | "strings";
  /** One line for `--help` and the docs. */
  readonly help: string;
  readonly alias?: string;
  readonly default?: string | number | boolean;
  readonly choices?: readonly string[];
  readonly check?: Check;
  /** What stands for the value in the help: `FILE`. */
  readonly metavar?: string;
  /** True when it makes no sense in a config file or the environment. */
  readonly flagOnly?: true;
  /** What a value with a secret in it looks like: that may stand in the config file and the environment, and on no command line. */
  readonly secret?: RegExp;
}

const DAY: Check = {
  isRight: (value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)) && isPeriod(String(value)),
  expected: "a day such as 2023-07-15",
};
const UTC_OFFSET: Check = {
  isRight: (value) => Number(value) >= -12 && Number(value) <= 14,
  expected: "a number of hours from -12 to 14",
};
const PERIOD: Check = { isRight: (value) => isPeriod(String(value)), expected: "2023, 2023-07 or 2023-07-15" };
const ZONE: Check = { isRight: (value) => isZone(String(value)), expected: "a name such as Europe/Vienna" };
const NOT_NEGATIVE: Check = { isRight: (value) => Number(value) >= 0, expected: "a number that is not below 0" };

const DURATION: Check = {
  isRight: (value) => durationMs(String(value)) !== undefined,
  expected: DURATION_EXPECTED,
};
const INTERVAL: Check = {
  isRight: (value) => isInterval(String(value)),
  expected: "a duration of a minute or more, such as 24h",
};
const CRON: Check = {
  isRight: (value) => isCron(String(value)),
  expected: 'the five fields of a cron expression, such as "30 2 * * *"',
};
const ON_ERRORS: Check = {
  isRight: (value) => /^(stop|continue|\d{1,9})$/.test(String(value)),
  expected: "stop, continue or a number",
};

/** "The application key": what a query can carry, and short enough that the address stays on the screen. */
const CLIENT_ID: Check = {
  isRight: (value) => /^[\x21-\x7e]{1,128}$/.test(String(value)),
  expected: "1 to 128 printable characters without blanks",
};

function whole(least: number, most: number = Number.MAX_SAFE_INTEGER): Check {
  return {
    isRight: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    expected: `a whole number${most === Number.MAX_SAFE_INTEGER ? `, ${least} or more` : ` from ${least} to ${most}`}`,
  };
}

const SIZE: Check = {
  isRight: (value) => bytesOfSize(String(value)) !== undefined,
  expected: "a size such as 64M or 2G",
};

/** `1/7` as numbers; undefined for what is no share. */
export function shareOf(text: string): { readonly part: number; readonly of: number } | undefined {
  const [, part, of] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? [];
  return part === undefined || Number(part) > Number(of) ? undefined : { part: Number(part), of: Number(of) };
}

/** The table. Keys are the flags without dashes; `noTracks` is `--no-tracks`, `LOGFERRY_NO_TRACKS` and `no-tracks`. */
export const OPTIONS = {
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
    help: 'what a sport\'s name means: --sport "Nordic Walking=walk"; --sport "=run" for workouts whose source names none',
  },
  activity: {
    type: "strings",
    metavar: "ACTIVITY=NUMBER",
    help: "the activityID of an activity in your log: --activity hike=15",
  },
  again: {
    type: "boolean",
    flagOnly: true,
    help: "bring up to date again what `logferry undo` put back",
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
    help: "how long a file of an archive may be, unpacked; a spreadsheet may be eight times as long (default: 64M)",
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
    help: "how deep zips within zips are opened (default: 1)",
  },
  noTracks: { type: "boolean", help: "save the workouts without sending their device files" },
  rate: {
    type: "number",
    check: NOT_NEGATIVE,
    metavar: "N",
    help: "requests a second at the most; 0 for no limit (default: 10 to begin with, up to 20 while the service keeps up)",
  },
  concurrency: {
    type: "number",
    check: whole(1, 64),
    metavar: "N",
    help: "requests under way at once at the most",
  },
  networkJournal: {
    type: "boolean",
    help: "keep the journal on a network file system all the same: no other machine uses it",
  },
  settle: {
    type: "number",
    check: NOT_NEGATIVE,
    metavar: "SECONDS",
    help: "how long the service may take to finish a request whose answer was lost, before it counts as not done (default: 60)",
  },
  timeout: {
    type: "number",
    check: { isRight: (value) => Number(value) > 0, expected: "a number above 0" },
    metavar: "SECONDS",
    help: "how long an answer of the service is waited for (default: 60)",
  },
  patience: {
    type: "string",
    check: DURATION,
    metavar: "DURATION",
    help: "how long a service that fails is waited for before the run stops; 0 for not at all (default: 10m)",
  },
  maxRequests: {
    type: "number",
    check: whole(1),
    metavar: "N",
    help: "stop, resumable, before more than N requests were sent",
  },
  maxDuration: {
    type: "string",
    check: DURATION,
    metavar: "DURATION",
    help: "stop, resumable, after so long: 90m, 2h30m or 3600s",
  },
  onErrors: {
    type: "string",
    check: ON_ERRORS,
    metavar: "stop|continue|N",
    help: "what to do when the log refuses a record, or one can't be sent: stop at the first, go on, or stop when there are more than N (default: continue)",
  },
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
    help: "also put back records that were edited since the snapshot; without, they are left as they are, and listed",
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
  run: {
    type: "number",
    check: whole(1),
    metavar: "N",
    flagOnly: true,
    help: "number of the run (default: the last one)",
  },
  database: {
    type: "string",
    metavar: "DATABASE",
    secret: /^postgres(ql)?:\/\/[^@:]*:[^@]*@|[?&]password=/i,
    help: "where the service keeps its logs: a file, or postgres://user@host:5432/name (default: service.db in the data folder)",
  },
  host: { type: "string", default: "127.0.0.1", metavar: "ADDRESS", help: "address to listen on" },
  port: {
    type: "number",
    check: whole(0, 65_535),
    default: 8080,
    metavar: "N",
    help: "port to listen on; 0 for any free one",
  },
  https: { type: "boolean", help: "browsers come by https, which a proxy in front of the service ends" },
  trustProxy: {
    type: "string",
    metavar: "ADDRESSES",
    help: "proxies whose word is taken for where a request came from: 10.0.0.1, or 10.0.0.0/8",
  },
  log: { type: "boolean", help: "write the service's own log to standard error, one JSON object a line" },
  demoUser: {
    type: "boolean",
    flagOnly: true,
    help: "make a user to try things with, and print its token and its password",
  },
  units: {
    type: "string",
    choices: ["metric", "imperial"],
    default: "metric",
    flagOnly: true,
    help: "units of the user who is made",
  },
  fault: {
    type: "strings",
    metavar: "SPEC",
    flagOnly: true,
    help: "make the service misbehave, to rehearse what happens then: --fault reset-after-commit:nth=3",
  },
  faultSeed: {
    type: "number",
    check: whole(0, 2 ** 31 - 1),
    metavar: "N",
    flagOnly: true,
    help: "chooses which requests a fault's rate hits (default: 1)",
  },
  login: { type: "string", metavar: "LOGIN", flagOnly: true, help: "whose log: what the user types to sign in" },
  generatePassword: {
    type: "boolean",
    flagOnly: true,
    help: "make a password and print it once, instead of reading one from standard input",
  },
  screenName: {
    type: "string",
    metavar: "NAME",
    flagOnly: true,
    help: "the user's name in the log (default: the login)",
  },
  email: { type: "string", metavar: "ADDRESS", flagOnly: true, help: "the user's e-mail address" },
  givenName: { type: "string", metavar: "NAME", flagOnly: true, help: "the user's given name" },
  familyName: { type: "string", metavar: "NAME", flagOnly: true, help: "the user's family name" },
  utcOffset: {
    type: "number",
    check: UTC_OFFSET,
    metavar: "HOURS",
    flagOnly: true,
    help: "the user's hours from UTC, which imports are shifted by (default: 0)",
  },
  name: {
    type: "string",
    metavar: "NAME",
    flagOnly: true,
    help: "name of what is added; of an application, as users see it when it asks for access",
  },
  redirectUri: {
    type: "strings",
    metavar: "ADDRESS",
    flagOnly: true,
    help: "where users are sent back to: https://..., http://localhost with any port, or urn:ietf:wg:oauth:2.0:oob",
  },
  application: { type: "string", metavar: "KEY", flagOnly: true, help: "the key (client_id) of an application" },
  noProfile: { type: "boolean", flagOnly: true, help: "without access to private information, the user's profile" },
  begin: { type: "string", check: DAY, metavar: "DATE", flagOnly: true, help: "first day of the plan" },
  end: { type: "string", check: DAY, metavar: "DATE", flagOnly: true, help: "last day of the plan" },
  weeks: { type: "number", check: whole(1, 1000), metavar: "N", flagOnly: true, help: "weeks the plan takes" },
  commercial: {
    type: "boolean",
    flagOnly: true,
    help: "the plan is commercial: of applications, only its own sees it",
  },
  private: { type: "boolean", flagOnly: true, help: "the plan is private" },
  equipment: { type: "string", metavar: "ID", flagOnly: true, help: "id of a piece of equipment" },
  parallel: {
    type: "number",
    check: whole(1, 64),
    default: 4,
    metavar: "N",
    help: "athletes who are worked on at once",
  },
  hostRate: {
    type: "number",
    check: NOT_NEGATIVE,
    metavar: "N",
    help: "requests a second at the most, all athletes of a service together; 0 for no limit (default: 10 to begin with, up to 20 while the service keeps up)",
  },
  trust: {
    type: "strings",
    metavar: "ATHLETE",
    flagOnly: true,
    help: "you looked, and what contradicts is all right: this athlete is not held",
  },
  noVerify: { type: "boolean", help: "read nothing back once it is loaded" },
  retryFailed: {
    type: "boolean",
    flagOnly: true,
    help: "only athletes who failed, were held or stopped, or of whom records were refused or not sent",
  },
  template: { type: "boolean", flagOnly: true, help: "print a roster to begin with, and do nothing else" },
  tokenFile: {
    type: "string",
    metavar: "FILE",
    help: "read the access token from a file instead of the stored one",
  },
  tokenCommand: {
    type: "string",
    metavar: "COMMAND",
    help: "take the access token from the first line that a command prints: --token-command 'pass show log/ana'",
  },
  athlete: {
    type: "string",
    metavar: "OWNER",
    flagOnly: true,
    help: "whose log it must be, by screen name or e-mail address: any other is refused, and archives of somebody else are held",
  },
  remember: {
    type: "boolean",
    flagOnly: true,
    help: "with --trust: what spoke for somebody else doesn't count from now on either",
  },
  tokenStdin: { type: "boolean", flagOnly: true, help: "read the access token from standard input" },
  clientId: {
    type: "string",
    check: CLIENT_ID,
    metavar: "ID",
    help: "the application's key (client_id), as the log gave it when logferry was registered there",
  },
  clientSecretFile: {
    type: "string",
    metavar: "FILE",
    help: "read the application's secret from a file instead of asking for it",
  },
  authUrl: {
    type: "string",
    metavar: "URL",
    help: "address of the log's page where access is allowed, where it is not below --url",
  },
  oob: {
    type: "boolean",
    flagOnly: true,
    help: "for machines without a browser: print the address, and ask for the code that the page shows",
  },
  noKeyring: { type: "boolean", help: "store the token in a file even where there is a system keyring" },
  all: { type: "boolean", flagOnly: true, help: "list every profile that was logged in to, without asking a log" },
} as const satisfies Record<string, OptionSpec>;

/** The name of an option. */
export type OptionName = keyof typeof OPTIONS;

/** The values a command receives; an option nobody gave is undefined. */
export type OptionValues = {
  -readonly [K in OptionName]?: (typeof OPTIONS)[K]["type"] extends "number"
    ? number
    : (typeof OPTIONS)[K]["type"] extends "boolean"
      ? boolean
      : (typeof OPTIONS)[K]["type"] extends "strings"
        ? string[]
        : string;
};

/** Environment variables that are read and are no option: secrets, which must not stand on a command line. */
export const SECRET_VARIABLES = [
  "LOGFERRY_TOKEN",
  "LOGFERRY_CLIENT_SECRET",
  "LOGFERRY_SMTP_PASSWORD",
  "LOGFERRY_HEARTBEAT_URL",
] as const;

/** `noTracks` as the flag and the config key spell it: `no-tracks`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `noTracks` as the environment spells it: `LOGFERRY_NO_TRACKS`. */
export function variableOf(name: string): string {
  return `LOGFERRY_${kebab(name).replaceAll("-", "_").toUpperCase()}`;
}

/** The options that have a default, with it. */
export function defaults(): { profile: string } & OptionValues {
  const values: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(OPTIONS) as [string, OptionSpec][]) {
    if (spec.default !== undefined) values[name] = spec.default;
  }
  return values as { profile: string };
}

const EXPECTED = { string: "text", number: "a number", boolean: "true or false", strings: "a list of texts" } as const;

/**
 * A value as the option's type, from a flag, the environment or the config file.
 *
 * @param fail is told what was expected, and throws
 */
export function checkedValue(name: OptionName, value: unknown, fail: (message: string) => never): unknown {
  const { type, choices, check }: OptionSpec = OPTIONS[name];
  const isRight = {
    string: typeof value === "string",
    number: typeof value === "number" && Number.isFinite(value),
    boolean: typeof value === "boolean",
    strings: Array.isArray(value) && value.every((one) => typeof one === "string"),
  }[type];
  if (!isRight) fail(`expected ${EXPECTED[type]}${found(value)}`);
  if (choices !== undefined && ![value].flat().every((one) => choices.includes(one as string)))
    fail(`expected ${choices.join(" or ")}${found(value)}`);
  if (check !== undefined && !check.isRight(value as string | number))
    fail(`expected ${check.expected}${found(value)}`);
  return value;
}

function found(value: unknown): string {
  return value === undefined || Number.isNaN(value) ? "" : `, found ${JSON.stringify(value)}`;
}
