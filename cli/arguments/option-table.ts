/** Every option, one a row. The keys are the flags without dashes; `noTracks` is `--no-tracks`, `LOGFERRY_NO_TRACKS` and `no-tracks`. */
import {
  CLIENT_ID,
  CONDITION,
  CRON,
  DAY,
  HOURS,
  INTERVAL,
  NOT_NEGATIVE,
  ON_ERRORS,
  PERIOD,
  PROXIES,
  shareOf,
  UTC_OFFSET,
  whole,
  ZONE,
} from "./option-checks.ts";
import { count, duration, FLAG_ONLY, file, flag, name, number, size, text, texts, yes } from "./option-kinds.ts";
import type { OptionSpec } from "./option-spec.ts";

/** A PostgreSQL address with a password in it. */
const HOLDS_PASSWORD = /^postgres(ql)?:\/\/[^@:]*:[^@]*@|[?&]password=/i;

/** The table. */
export const OPTIONS = {
  // Options for the log, the settings, the archives and the choice of workouts.
  config: file("config file (default: config.yaml in the config folder)"),
  profile: name("whose log: names the stored token and the journal", { default: "default" }),
  url: text("URL", "base URL of the training log service"),
  journal: file("the journal (default: one a profile, in the data folder)"),
  json: yes("print JSON lines instead of text"),
  quiet: yes("print nothing but what went wrong and the last sentence", { alias: "q" }),
  verbose: yes("print every issue and every decision", { alias: "v" }),
  dryRun: flag("decide and print everything, change nothing in the log", { alias: "n" }),
  map: file("mapping file for a spreadsheet (default: the .map.yaml beside it)"),
  zone: text("ZONE", "time zone for workouts whose source gives neither zone nor position", { check: ZONE }),
  since: text("DATE", "only workouts on or after this day (2023, 2023-07 or 2023-07-15)", { check: PERIOD }),
  until: text("DATE", "only workouts on or before this day", { check: PERIOD }),
  sport: texts(
    "NAME=ACTIVITY",
    'what a sport\'s name means: --sport "Nordic Walking=walk"; --sport "=run" for workouts whose source names none and that match no workout of a known sport',
  ),
  distanceUnit: texts(
    "UNIT",
    "the unit of distances in a list that doesn't say it, such as Garmin's Activities.csv: --distance-unit mi. Then also of its swims: --distance-unit yd",
    { choices: ["km", "mi", "m", "yd"] },
  ),
  dateOrder: text(
    "ORDER",
    "the order of dates such as 3/10/2024, in an export that a spreadsheet program saved and that doesn't show it: --date-order mdy",
    { choices: ["dmy", "mdy"] },
  ),
  noPrivateNotes: flag("leave out the notes that only you could read on the platform"),
  activity: texts("ACTIVITY=NUMBER", "the activityID of an activity in your log: --activity hike=15"),
  allow: texts(
    "WHAT",
    "let in what is held back otherwise: --allow implausible for workouts that can't be true (docs/plausibility.md). With --allow unread-cells, rows come without a column that can't be read. With --allow older-values, an older export changes back what a newer one brought. With --allow moved-starts, another zone moves workouts that were loaded with one",
    { choices: ["implausible", "unread-cells", "older-values", "moved-starts"] },
  ),
  accept: texts(
    "CONDITION",
    "what must be so for a yes on the certificate, beside logferry's own rule: --accept rejected=2%, --accept level=restored (docs/certificate.md)",
    { check: CONDITION },
  ),
  again: flag("bring up to date again what `logferry undo` put back"),
  restoreMissing: flag("load again what logferry had loaded and the log no longer has"),
  enrich: flag("fill the blank fields of workouts that your log has already, and change no value there"),
  check: flag("ask the log as well: how a record stands there now and what was edited since; whether a login works"),
  set: texts("FIELD=VALUE", 'what a record is, said by hand: --set date=2019-05-04 --set distance="10 km"', FLAG_ONLY),
  sheet: texts(
    "NAME",
    "with infer: a sheet of the workbook, by its name or number. Give it again for another one with the same columns. all: every such sheet",
    FLAG_ONLY,
  ),
  list: flag("with plan review: list the pairs, and ask nothing"),
  answer: texts(
    "PAIR=one|two",
    "with plan review: these two records are one workout, or two. --answer 5f3a2c+9b1d00=one,distance:right also says which side a value comes from",
    FLAG_ONLY,
  ),
  answers: file("with plan review: a file with one such answer a line", FLAG_ONLY),
  forget: texts("PAIR|all", "with plan review: forget the answer about a pair, or all answers", FLAG_ONLY),
  assumeAbsent: texts(
    "ID",
    "you looked, and the log doesn't hold this record that is in doubt: it is sent again",
    FLAG_ONLY,
  ),
  assumeDone: texts("ID=LOGID", "you looked, and this record that is in doubt is that one of the log", FLAG_ONLY),
  maxArchive: size("how long a zip may be (default: 64G)"),
  maxEntries: count(whole(1, 10_000_000), "how many files an archive may hold (default: 100000)"),
  maxEntry: size(
    "how long a file of an archive may be, unpacked. A spreadsheet may be eight times as long (default: 64M)",
  ),
  maxUnpacked: size("how much may be unpacked of an archive, all in all (default: 20G)"),
  maxRatio: count(
    whole(1, 100_000),
    "how many times its packed size a file may unpack to, past its first MiB (default: 200)",
  ),
  nested: count(whole(0, 8), "how deep zips within zips are opened (default: 2)"),
  anonymise: flag(
    "show how the archive is built and none of its values, to report one that isn't read (docs/my-archive-isnt-read.md)",
  ),

  // Options for the requests to a log: the pace, the patience, and the end.
  noTracks: yes("save the workouts without sending their device files"),
  rate: count(
    NOT_NEGATIVE,
    "requests a second at the most; 0 for no limit (default: 10 to begin with, up to 20 while the service keeps up; no limit on this machine)",
  ),
  concurrency: count(whole(1, 64), "requests under way at once at the most"),
  networkJournal: yes("keep the journal on a network file system all the same: no other machine uses it"),
  settle: number(
    "SECONDS",
    "how long the service may take to finish a request whose answer was lost, before it counts as not done (default: 60)",
    { check: NOT_NEGATIVE },
  ),
  trustClocks: flag("take every start as its source has it, even where one clock seems to be off (docs/sources.md)"),
  linkCourses: flag(
    "give each workout the course whose line its track follows, among the courses of these sources (docs/sources.md)",
  ),
  doubtful: text("one|two", "whether two workouts that may be one count as one or as two (default: two)", {
    choices: ["one", "two"],
  }),
  prefer: texts(
    "FIELD=SOURCE",
    "take a field of a workout in several sources from this one: --prefer notes=garmin; SOURCE is a path, the name of an archive, or a platform (docs/sources.md)",
  ),
  sameGear: texts(
    "NAME=NAME",
    'a shoe or a bike under two names in two sources: --same-gear "pegs=Nike Pegasus 33" for one piece, "pegs!=Nike Pegasus 33" for two',
  ),
  trustList: flag("believe the log's list where its total says another number each time (docs/loading.md)"),
  timeout: number(
    "SECONDS",
    "how long to wait for an answer of the service. All of it may take twice as long (default: 60)",
    { check: { isRight: (value) => Number(value) > 0, expected: "a number above 0" } },
  ),
  patience: duration("how long to wait for a service that fails before the run stops, 0 for not at all (default: 10m)"),
  maxRequests: count(whole(1), "stop, resumable, before more than N requests were sent"),
  maxDuration: duration("stop, resumable, after so long: 90m, 2h30m or 3600s"),
  onErrors: text(
    "stop|continue|N",
    "what to do when the log refuses a record, or one can't be sent: stop at the first, go on, or stop when there are more than N (default: continue)",
    { check: ON_ERRORS },
  ),

  yes: flag("begin without a question. With plan review: keep an answer about records of two days"),
  acceptDifferences: flag("also send the records that are not as the rehearsal showed them"),
  at: text(
    "HH:MM-HH:MM",
    "send only in these hours of your day: 22:00-06:00. It waits for them by itself. 00:00-24:00 ends an earlier one",
    { check: HOURS, ...FLAG_ONLY },
  ),
  perDay: count(
    whole(0),
    "send at most N requests a day, and go on the next day by itself. 0 ends an earlier one",
    FLAG_ONLY,
  ),

  // Options for exports, snapshots and their schedule, and reports.
  out: text("FOLDER", "folder to write to", { alias: "o", ...FLAG_ONLY }),
  format: texts(
    "FORMAT",
    "csv, json, ndjson, xlsx, parquet, ics, or several: --format csv,xlsx (default: csv,json)",
    FLAG_ONLY,
  ),
  kind: texts("KIND", "only these records: workouts, equipment, courses, training-plans, user, preference", FLAG_ONLY),
  only: texts(
    "ACTIVITY",
    "only workouts of these activities: --only run,bike, or by their number in the log: --only 104",
    FLAG_ONLY,
  ),
  fields: texts(
    "FIELD",
    "only these fields, in this order: --fields date,distance,notes, or of one table: workouts.notes",
    FLAG_ONLY,
  ),
  id: texts("ID", "only the records with these ids in the snapshot's log: --id 4f2c,91ab", FLAG_ONLY),
  into: name(
    "put the snapshot into the log of NAME, which is not the one it is of: the user's screen name there, or e-mail address",
    FLAG_ONLY,
  ),
  overwrite: flag(
    "also put back records that were edited since the snapshot. Without it they are listed and left as they are",
  ),
  replace: flag("take the place of the export that is in the folder"),
  gzip: yes("pack NDJSON with gzip"),
  rawCsv: yes("write CSV cells that a spreadsheet would take for a formula as they are"),
  repository: text("FOLDER", "the snapshot repository: a folder of its own, one for each log"),
  maxAge: duration("how old the last good backup may be: 26h, 2d; when it is older, the exit code is 7"),
  encrypt: flag("make the repository an encrypted one, opened by a passphrase; it stays one"),
  recipient: texts(
    "AGE-KEY",
    "make the repository an encrypted one, opened by this age key (age1..., or a file of them)",
  ),
  identity: texts("FILE", "open an encrypted repository with the age key in this file (AGE-SECRET-KEY-1...)"),
  passphraseFile: file(
    "read the passphrase of an encrypted repository from the first line of a file instead of asking for it",
  ),
  passphraseCommand: text(
    "COMMAND",
    "take the passphrase of an encrypted repository from the first line that a command prints: 'pass show log/backups'",
  ),
  dropDamaged: flag("take away the snapshots that are damaged, or name data that is, and no others"),
  withoutKey: flag("of an encrypted repository, check the bytes of every file, and not what it holds"),
  every: text("DURATION", "stay, and back up again and again, so long after the last backup began: 24h", {
    check: INTERVAL,
    ...FLAG_ONLY,
  }),
  cron: text("EXPRESSION", 'when to back up, in the five fields of cron: "30 2 * * *"', { check: CRON, ...FLAG_ONLY }),
  ifDue: text(
    "DURATION|EXPRESSION",
    "do nothing when the last backup is younger than this, or when none was due since by this cron expression",
    {
      check: {
        isRight: (value) => INTERVAL.isRight(value) || CRON.isRight(value),
        expected: 'a duration such as 24h, or a cron expression such as "30 2 * * *"',
      },
      ...FLAG_ONLY,
    },
  ),
  maxFailures: count(whole(1), "with --every or --cron: end after N backups in a row that failed", FLAG_ONLY),
  daily: text("HH:MM", "back up every day at this time", {
    check: {
      isRight: (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(String(value)),
      expected: "a time of the day such as 02:30",
    },
    ...FLAG_ONLY,
  }),
  with: text(undefined, "what runs the schedule (default: systemd where it runs for this user, else crontab)", {
    choices: ["systemd", "crontab"],
    ...FLAG_ONLY,
  }),
  randomDelay: duration("with systemd: begin up to so much later, another time each night", FLAG_ONLY),
  envFile: file(
    "a file of LOGFERRY_NAME=value lines that scheduled backups read: for what is secret and stands in no config file",
    FLAG_ONLY,
  ),
  drill: yes("prove that the snapshot restores: into a private log of this process, read back and compared with it"),
  drillEvery: duration("as --drill, when the last drill that proved a snapshot is so long ago: 7d"),
  full: flag("read every record in full, also what the listings show as it was"),
  fullEvery: number("DAYS", "read every record in full when the last time is so many days ago; 0 for each time", {
    check: NOT_NEGATIVE,
    default: 7,
  }),
  readData: text("N/T", "of the data, read only the Nth of T parts: --read-data 1/7 on Mondays (default: all of it)", {
    check: { isRight: (value) => shareOf(String(value)) !== undefined, expected: "a share such as 1/7" },
    ...FLAG_ONLY,
  }),
  keepLast: count(whole(0), "keep the N newest snapshots"),
  keepDaily: count(whole(0), "keep the newest snapshot of each of N days"),
  keepWeekly: count(whole(0), "keep the newest snapshot of each of N weeks, which begin on Monday"),
  keepMonthly: count(whole(0), "keep the newest snapshot of each of N months"),
  keepYearly: count(whole(0), "keep the newest snapshot of each of N years"),
  report: texts(
    "FILE",
    "write what became of every record to a file: FILE.html to be read, FILE.json for programs, FILE.csv for the values that the log doesn't hold",
  ),
  noPages: flag("import and verify, and end without showing the pages"),
  noPlaces: yes("leave out of the report where workouts began"),

  // Options of the included service: its database, its users, its faults.
  run: count(whole(1), "number of the run (default: the last one)", FLAG_ONLY),
  database: text(
    "DATABASE",
    "where the service keeps its logs: a file, or postgres://user@host:5432/name (default: service.db in the data folder)",
    { secret: HOLDS_PASSWORD },
  ),
  from: text("DATABASE", "the database to move from: a file, or postgres://user@host:5432/name", {
    secret: HOLDS_PASSWORD,
  }),
  to: text("DATABASE", "the empty database to move to: a file, or postgres://user@host:5432/name", {
    secret: HOLDS_PASSWORD,
  }),
  host: text("ADDRESS", "address to listen on", { default: "127.0.0.1" }),
  port: count(whole(0, 65_535), "port to listen on; 0 for any free one", { default: 8080 }),
  https: yes("browsers come by https, which a proxy in front of the service ends"),
  trustProxy: text(
    "ADDRESSES",
    "proxies whose word is taken for where a request came from: IP addresses or ranges, several with commas: 10.0.0.1,10.1.0.0/16",
    { check: PROXIES },
  ),
  log: yes("write the service's own log to standard error, one JSON object a line"),
  drain: number("SECONDS", "when it is stopped, serve on for so long while /health answers 503 (default: 0)", {
    check: whole(0, 20),
  }),
  demoUser: flag("make a user to try things with, and print its token and its password"),
  units: text(undefined, "units of the user who is made", {
    choices: ["metric", "imperial"],
    default: "metric",
    ...FLAG_ONLY,
  }),
  fault: texts(
    "SPEC",
    "make the service misbehave, to rehearse what happens then: --fault reset-after-commit:nth=3",
    FLAG_ONLY,
  ),
  faultSeed: count(whole(0, 2 ** 31 - 1), "chooses which requests a fault's rate hits (default: 1)", FLAG_ONLY),
  login: text("LOGIN", "whose log: what the user types to sign in", FLAG_ONLY),
  generatePassword: flag("make a password and print it once, instead of reading one from standard input"),
  screenName: name("the user's name in the log (default: the login)", FLAG_ONLY),
  email: text("ADDRESS", "the user's e-mail address", FLAG_ONLY),
  givenName: name("the user's given name", FLAG_ONLY),
  familyName: name("the user's family name", FLAG_ONLY),
  utcOffset: number("HOURS", "the user's hours from UTC, which imports are shifted by (default: 0)", {
    check: UTC_OFFSET,
    ...FLAG_ONLY,
  }),
  name: name("name of what is added; of an application, as users see it when it asks for access", FLAG_ONLY),
  redirectUri: texts(
    "ADDRESS",
    "where users are sent back to: https://..., http://localhost with any port, or urn:ietf:wg:oauth:2.0:oob",
    FLAG_ONLY,
  ),
  application: text("KEY", "the key (client_id) of an application", FLAG_ONLY),
  noProfile: flag("without access to private information, the user's profile"),
  begin: text("DATE", "first day of the plan", { check: DAY, ...FLAG_ONLY }),
  end: text("DATE", "last day of the plan", { check: DAY, ...FLAG_ONLY }),
  weeks: count(whole(1, 1000), "weeks the plan takes", FLAG_ONLY),
  commercial: flag("the plan is commercial: of applications, only its own sees it"),
  private: flag("the plan is private"),
  equipment: text("ID", "id of a piece of equipment", FLAG_ONLY),

  // Options for many athletes at once, and for access to a log.
  parallel: count(whole(1, 64), "athletes who are worked on at once", { default: 4 }),
  hostRate: count(
    NOT_NEGATIVE,
    "requests a second at the most for all athletes of a service together, 0 for no limit. The default begins with 10, and reaches 20 while the service keeps up. A service on this machine has no limit",
  ),
  fleet: text(
    "DATABASE",
    "the PostgreSQL of a fleet, whose workers do the batch: postgres://user@host:5432/name (docs/fleet.md)",
    { secret: HOLDS_PASSWORD },
  ),
  detach: flag("with --fleet: put the athletes into the queue, and watch nothing"),
  archives: text(
    "FOLDER",
    "where relative paths of a roster begin on this machine (default: the folder of the roster)",
  ),
  metrics: count(whole(0, 65_535), "port of this machine to serve /metrics on, for Prometheus; 0 for any free one"),
  traces: text(
    "ADDRESS",
    "send traces of what it does to a collector of OpenTelemetry, such as http://localhost:4318 (docs/fleet.md)",
  ),
  untilEmpty: flag("end when nobody waits and nobody is worked on"),
  trust: texts("ATHLETE", "you looked, and what contradicts is all right: this athlete is not held", FLAG_ONLY),
  certify: flag("with --report: a certificate for each athlete whose import is over, beside their report"),
  noVerify: yes("read nothing back once it is loaded"),
  retryFailed: flag("only athletes who failed, were held or stopped, or of whom records were refused or not sent"),
  template: flag("print a roster to begin with, and do nothing else"),
  tokenFile: file("read the access token from a file instead of the stored one"),
  tokenCommand: text(
    "COMMAND",
    "take the access token from the first line that a command prints: --token-command 'pass show log/ana'",
  ),
  athlete: text(
    "OWNER",
    "whose log it must be, by screen name or e-mail address: any other is refused, and archives of somebody else are held",
    FLAG_ONLY,
  ),
  remember: flag("with --trust: what spoke for somebody else doesn't count from now on either"),
  tokenStdin: flag("read the access token from standard input"),
  clientId: text("ID", "the application's key (client_id), as the log gave it when logferry was registered there", {
    check: CLIENT_ID,
  }),
  clientSecretFile: file("read the application's secret from a file instead of asking for it"),
  authUrl: text("URL", "address of the log's page where access is allowed, where it is not below --url"),
  oob: flag("for machines without a browser: print the address, and ask for the code that the page shows"),
  noKeyring: yes("store the token in a file even where there is a system keyring"),
  all: flag("list every profile that was logged in to, without asking a log"),
} satisfies Record<string, OptionSpec>;
