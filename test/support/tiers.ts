/**
 * The two tiers of the tests. `npm test` checks every promise at its boundary. `npm run test:long` tries the same promises at every point and in
 * every order. A sample of minutes can't do that. By name (`npx vitest run FILE`) each file runs as it stands, whatever its tier.
 */

/** Files that only the long tier runs, each with the tests that check its promise in the first tier. */
const LONG_ALONE: Readonly<Record<string, string>> = {
  "connectors/containers/mutants.test.ts":
    "damaged zips and gzip files at random: connectors/containers/zip-damage.test.ts has each damage",
  "connectors/platforms/infer/many-sheets.test.ts":
    "a proposal for 160 sheets: connectors/platforms/infer/sheets/sheets-apart.test.ts has a few, and its cost",
  "pipelines/fleet/database-killed.test.ts":
    "PostgreSQL is killed during a load: pipelines/fleet/fleet-journal.test.ts cuts the connection to it",
  "test/backup-kills.test.ts": "a kill at each change of a repository: test/backup-resumes.test.ts kills a few",
  "test/batch-forty.test.ts": "forty athletes: test/batch.test.ts and its kin have a handful",
  "test/chaos.test.ts": "every fault at once, with kills: test/faults.test.ts has each, test/kill.test.ts has kills",
  "test/corpus/certificates.test.ts":
    "a certificate for every sample: test/certificate.test.ts has the classes of made ones",
  "test/corpus/damage.test.ts": "300 damaged files of the corpus: test/cut-device-files.test.ts has made ones",
  "test/corpus/fit.test.ts":
    "all FIT files of the corpus by two readers, and 600 damages of each of three: connectors/formats/fit/ has each message, and test/mutants/ damaged ones",
  "test/corpus/gpx-tcx.test.ts":
    "all GPX and TCX files of the corpus by both depths, and 1,500 damages: connectors/formats/ has each element, and test/mutants/ damaged ones",
  "test/corpus/imports.test.ts":
    "every file of the corpus through the service: test/suites/load-laws.test.ts has made ones",
  "test/corpus/triathlons.test.ts": "two triathlons of the corpus: test/triathlon.test.ts has a made one",
  "test/corpus/twins.test.ts": "every pair of the corpus: test/linked-sources.test.ts has the kinds of pairs",
  "test/corpus/whole-way.test.ts": "the whole way with two real exports: the first tier has it in parts",
  "test/fleet-kills.test.ts":
    "forty athletes on workers that are killed and frozen, by the real clock: test/fleet-workers.test.ts has three",
  "test/handed-over.test.ts": "a Node that is killed after it handed over: cli/bin.test.ts has one that hands over",
  "test/kill-at-every-commit.test.ts": "a kill at each commit: test/kill.test.ts kills at some",
  "test/matrix/crashes.test.ts": "ten rows of crashes, at random instants: test/kill.test.ts kills at some",
  "test/model-based-in-postgres.test.ts":
    "the same with the journal in PostgreSQL: pipelines/fleet/journal-laws.test.ts has the laws of a journal there",
  "test/model-based.test.ts":
    "random archives and edits against a model: the planner's and the loader's own tests have one of each kind",
  "test/model/model.test.ts": "every schedule of two faults: test/faults.test.ts has each fault",
  "test/restore-proof.test.ts":
    "backup, drill and restore of a large log with kills: test/restore.test.ts has a small one",
  "test/rounds/rounds.test.ts": "18 kinds of network problems: test/faults.test.ts has the service's own",
  "test/time-travel.test.ts": "two years of nights: test/backup-schedule.test.ts has a week",
  "test/whole-way.test.ts":
    "the whole way with ten years: test/rehearsal-decisions.test.ts has the page, test/promote.test.ts and test/certificate.test.ts the rest",
};

/**
 * Files that both tiers run, each with what is left to the long tier, and what the first tier has of it. The first tier tries fewer inputs
 * (`inputs`), some of the rows (`firstOf`, `chosenRows`), or leaves out some of the tests (`longTest` of tier-tests.ts).
 */
export const IN_BOTH: Readonly<Record<string, string>> = {
  "cli/commands.test.ts":
    "a service by command, and an output nobody reads: cli/serve.test.ts and cli/bin.test.ts have them",
  "cli/export.test.ts": "Ctrl-C in an export: the first tier has a kill and a full disk",
  "cli/login-profiles.test.ts":
    "the keyring by login: cli/login/credentials.test.ts has it, and the first tier here the rest",
  "cli/login.test.ts": "a login without a screen, and two secrets on one input: the first tier has each alone",
  "cli/login/credentials.test.ts":
    "a store killed at any point, and a login forgotten: cli/login/keyring.test.ts forgets, cli/login-profiles.test.ts logs out",
  "cli/login/keyring.test.ts": "secrets and refusals with each tool: the first tier has one of the two",
  "cli/login/profiles.test.ts":
    "what is wrong with other logins, and Ctrl-C while a command for a token waits: cli/login-profiles.test.ts has whoami --all, cli/commands.test.ts Ctrl-C",
  "cli/one-message.test.ts":
    "every problem of a service at first and on the way: the first tier has three, and test/matrix/ the others",
  "cli/operator.test.ts": "operators on SQLite: the first tier has PostgreSQL",
  "cli/serve.test.ts":
    "two services behind a balancer, a service stopped by SIGINT, a newer database: the first tier has one service, SIGTERM, and service/test/stores.test.ts databases",
  "connectors/api/pace.test.ts":
    "a pace for 28 services, limits that change, and services that refuse everything: the first tier has one service of each kind",
  "connectors/api/pacing.test.ts":
    "paces up to 200 a second, limits that are lifted, forty tokens: the first tier has one pace and one limit",
  "connectors/containers/gzip.test.ts": "a million members: test/caps.test.ts has their limit",
  "connectors/containers/zip-caps.test.ts": "60,000 empty entries: test/hostile/archives.test.ts has 3,000",
  "connectors/containers/zip-damage.test.ts":
    "65,537 files in a zip that counts 1: the first tier has every other damage",
  "connectors/exports/formats.test.ts": "the memory of each format: the first tier has CSV",
  "connectors/formats/device-file.test.ts":
    "68 MiB unpacked no further than to the limit: the first tier has a bomb that is refused",
  "connectors/formats/json/each.test.ts": "300 random documents in chunks: the first tier has 60",
  "connectors/formats/json/without-series.test.ts": "300 random texts in chunks: the first tier has 60",
  "connectors/formats/kml/decode.test.ts": "3,000 points and 20,000 elements: the first tier has a quarter",
  "connectors/formats/xml/plain.test.ts": "1,000 random documents: the first tier has 10",
  "connectors/formats/yaml.test.ts":
    "as many keys, anchors, errors and entries as a file may hold: the first tier has keys",
  "connectors/platforms/connectors.test.ts":
    "each file of an export damaged in five ways, and read in three zones: the first tier has some files of one layout in one way, and one layout of each platform in one zone besides its own",
  "connectors/platforms/csv/many-sheets.test.ts": "a reading of 160 sheets: the first tier has three",
  "connectors/platforms/fitotrack/samples.test.ts": "a list of a thousand tracks: the first tier has lists of a few",
  "connectors/platforms/infer/sheets/sheets-apart.test.ts": "300 sheets: the first tier has a few",
  "connectors/platforms/lost-in-files.test.ts":
    "each file of every layout emptied and cut: the first tier has two files of one layout of each platform",
  "connectors/platforms/variants.test.ts":
    "every layout of each export, saved anew in five ways: the first tier has one layout of every other platform, and the long texts of each ninth",
  "connectors/repository/encrypted.test.ts":
    "a flipped bit in each 23rd byte of an encrypted repository: the first tier flips in each 621st",
  "connectors/repository/repository.test.ts":
    "a flipped bit in each third byte of a repository: the first tier flips in each 81st",
  "fixtures/make/make.test.ts": "the fixtures made twice, and what is packed in them: the first tier makes them once",
  "pipelines/fleet/leased-pacing.test.ts":
    "one pace for up to eight workers, at twelve limits: the first tier has one of them",
  "pipelines/journal/journal-problems.test.ts":
    "a flipped bit in each 397th byte of a journal: the first tier flips in each 2,779th",
  "pipelines/load/load-plan.test.ts": "a fault at each of four later calls: the first tier has the first call",
  "pipelines/load/look-ahead.test.ts": "random orders and edits: the first tier has a 40th of them",
  "pipelines/load/random-schedules.test.ts": "100 random schedules of faults, and of edits: the first tier has 3",
  "pipelines/plan/sources/candidate-pairs.test.ts": "20,000 equal workouts: the first tier has 2,000",
  "pipelines/report/losses.test.ts": "the losses of 5,000 workouts: the first tier has a few",
  "pipelines/sources/inventory.test.ts": "a file of a zip that changes: the first tier has one of a folder",
  "service/test/curl.test.ts": "docs/curl.md by curl itself: the first tier has an imitation of curl",
  "service/test/durability.test.ts": "a kill during 500 saves on each database: the first tier has 40 on SQLite",
  "service/test/imports.test.ts": "a file that unpacks to 64 MiB: test/caps.test.ts has that limit",
  "service/test/oauth-browser.test.ts":
    "each page in a frame, and the cookie of a browser: the first tier has one page, and service/test/oauth-sign-in.test.ts the cookie",
  "service/test/oauth-secrets.test.ts": "100,000 tokens: the first tier makes 30,000",
  "service/test/on-postgres.test.ts":
    "all HTTP tests on PostgreSQL: the first tier has the interface there, and the others on SQLite; service/test/stores.test.ts has both",
  "service/test/pages-browser.test.ts":
    "every page on both screens, each in light and dark, by keyboard and on paper too, and the consent pages: the first tier has a light phone, two pages by keyboard, and service/test/oauth-browser.test.ts",
  "service/test/pages-phone.test.ts": "the colours of sports: the first tier has tables and lists on a phone",
  "service/test/postgres.test.ts":
    "three services at once, roles, encodings, other schemas: the first tier has one service, its problems and its lost commits",
  "test/activity-numbers.test.ts": "a wrong number that is typed: the first tier has the right one",
  "test/anonymise.test.ts": "an archive with 100,000 keys: the first tier has 20,000",
  "test/answers-of-others.test.ts":
    "answers exchanged at random, swapped imports, edits between, and a kill: the first tier has swapped and repeated answers by count",
  "test/answers-taken-back.test.ts": "a plan of one of two merged records: the first tier has both deletions",
  "test/archives-by-address.test.ts":
    "addresses with other queries, and a plan without one: the first tier has the address and its plan with a query",
  "test/backup-lists.test.ts":
    "lost answers and unreadable records in a backup: the first tier has listings that shift, and test/backup-damage.test.ts older copies",
  "test/backup-resumes.test.ts":
    "a killed first backup in plain text, killed twice, begun anew with --full, or followed by edits: the first tier has an encrypted one killed once",
  "test/backup-schedule.test.ts":
    "a passphrase that is typed once for many nights: test/encrypted-backups.test.ts has a night with it in a file",
  "test/batch-pages.test.ts": "both pages on both screens: the first tier has each on one",
  "test/batch.test.ts":
    "a roster edited between two runs, and Ctrl-C: the first tier has a kill, and test/stopped-while-waiting.test.ts Ctrl-C",
  "test/broken-tables.test.ts": "six broken tables: the first tier has three",
  "test/caches.test.ts":
    "lists that move or never hold still: the first tier has caches, and test/backup-lists.test.ts moving lists",
  "test/caps.test.ts":
    "one below each limit, the real limit of files in a zip, and what passes at 16 and 64 MiB: the first tier has each limit, and one above",
  "test/certificate-left-alone.test.ts":
    "each way to leave a value out on the page, and values that an earlier run missed: the first tier has values that are missing in the log",
  "test/certificate-sources.test.ts": "an export in halves: the first tier has tracks and texts that stayed out",
  "test/certificate.test.ts":
    "rarer changes of sources, rules and records: the first tier has each class of records once, and a file of each kind",
  "test/clock-set-back.test.ts":
    "a clock set back at a pace, and Ctrl-C after it: the first tier has one without a pace",
  "test/clocks.test.ts":
    "clocks that are off by other times, in other orders, with a third source, or doubtful, and repeated imports: the first tier has an hour in summer and all year, in one order",
  "test/corpus/strong-samples.test.ts": "the sample in Chinese: the first tier has the others",
  "test/cut-tables.test.ts": "a file that stops at each of nine places of its last row: the first tier has two",
  "test/damaged-files-of-rows.test.ts": "every damage of a row's file: the first tier has two",
  "test/drill.test.ts":
    "a drill of an encrypted snapshot: test/backup-resumes.test.ts has one as its check, and the first tier a plain one here",
  "test/edited-rows.test.ts": "two rows of a day, and rows that move: the first tier has one edited row",
  "test/encrypted-backups.test.ts":
    "nights with a passphrase, a wrong one, and its repository opened by the commands of docs/backups.md: the first tier makes one with a passphrase, and has all of it with a key",
  "test/enrich.test.ts": "a kill and a second run: the first tier has lost answers, an undo and edits",
  "test/estimated-time.test.ts": "the time of a batch: the first tier has a plan's",
  "test/false-flags.test.ts": "three formats: the first tier has one",
  "test/faults.test.ts":
    "40 saves into each kind of fault, by count and by chance: the first tier has 8 saves into one kind, and each kind by count in test/matrix/",
  "test/fleet-workers.test.ts":
    "workers that are stopped, see no archive, or have a full disk: the first tier has one that is killed",
  "test/fleet.test.ts":
    "commands that write to a journal of a fleet: pipelines/fleet/journal-laws.test.ts has its laws",
  "test/going-on.test.ts":
    "600 runs that go on after a kill, with edits of their owner and longer listings: the first tier has 300 without. test/repeated-imports.test.ts and pipelines/load/look-ahead.test.ts have edits",
  "test/gone-records.test.ts":
    "deleted records in PostgreSQL, in the midst of a run, and after a restore: the first tier has SQLite, and each command once",
  "test/gone-things.test.ts":
    "a shoe deleted in the midst of a run, and several brought back: the first tier has one between two runs",
  "test/hostile/archives.test.ts": "60,000 empty entries of a zip: the first tier has 3,000",
  "test/hostile/forged-lines.test.ts":
    "a suggested command pasted into two shells: transforms/text/shell.test.ts has its words",
  "test/hostile/tables.test.ts": "170 MB behind a quote that isn't closed: the first tier has 17",
  "test/hostile/workbooks.test.ts": "a huge cell in each of two places: the first tier has one",
  "test/hostile/xml.test.ts": "a million entities: the first tier has 50,000",
  "test/inspect.test.ts": "every file by name with --verbose: the first tier has columns, counts and gaps",
  "test/kill.test.ts": "four rounds of random kills: the first tier has one",
  "test/likely-gear.test.ts":
    "a person's word about shoes in further forms, and three sources: the first tier has two sources and one word",
  "test/linked-courses.test.ts": "an edited row that keeps its course: the first tier has the links themselves",
  "test/linked-sources.test.ts":
    "further pairs of two sources, and of a source and a typed workout: the first tier has a certain, a doubtful and an answered pair of both kinds",
  "test/login.test.ts":
    "logins of two people, out of band, refused, and with wrong secrets: the first tier has one at localhost, and one revoked; cli/login.test.ts has the rest",
  "test/lost-journal.test.ts":
    "a journal deleted after a kill: the first tier has one that is lost, and test/kill.test.ts a kill",
  "test/made-sheets.test.ts": "500 made spreadsheets: the first tier has 12",
  "test/made-tracks-formats.test.ts":
    "the tracks of thirteen formats: the first tier has four, and each format's own tests its track",
  "test/main-job.test.ts":
    "ten years planned and then applied, and imported again: test/plan-then-apply.test.ts, cli/commands.test.ts and test/lost-journal.test.ts have a few",
  "test/matrix/answers.test.ts":
    "an answer that never comes, and one of two gigabytes: the first tier has the other rows",
  "test/matrix/connection.test.ts": "an answer that drips: test/dripping-answers.test.ts has one",
  "test/matrix/equals.test.ts":
    "a listing out of a cache, or refused while an answer is looked up: test/caches.test.ts and test/answers-of-others.test.ts have them",
  "test/matrix/imports.test.ts":
    "an answer with fewer ids: the first tier has an import that is lost, and one that is kept in part",
  "test/matrix/journal.test.ts":
    "a journal that is replaced while it is written: the first tier has one that is moved away",
  "test/matrix/limits.test.ts":
    "503, 504, a clock that is behind, a lower limit: the first tier has 502, a clock that is ahead, and connectors/api/pacing.test.ts",
  "test/matrix/processes.test.ts":
    "a second process, and every signal: cli/commands.test.ts has a second process and Ctrl-C, cli/serve.test.ts SIGTERM",
  "test/mended-tables.test.ts": "a table in a fleet: the first tier has one on one machine",
  "test/missing-snapshots.test.ts":
    "missing snapshots of an encrypted repository, and of a time to come: the first tier has a plain one",
  "test/mutants/mutants.test.ts":
    "20,000 damaged inputs a reader, 1,000 a table of a platform, and every kind of broken reader: the first tier gives each reader of a format 2, and has one broken reader; connectors/platforms/connectors.test.ts has damaged files of each platform",
  "test/newer-export.test.ts":
    "an older export beside another platform, in another language, after a retry or by days: the first tier has one alone",
  "test/odd-listings.test.ts":
    "listings of gigabytes without an end: the first tier has the others, and test/caps.test.ts the limit of a listing",
  "test/one-shoe-in-two-exports.test.ts": "exports in one import and in the other order: the first tier has one order",
  "test/other-person.test.ts":
    "a rehearsal of two people's exports: the first tier has an inspection, a plan and an import",
  "test/preferred-fields.test.ts":
    "an answer that comes before --prefer, and values that can't be true: the first tier has preferred values",
  "test/promotion-waits.test.ts":
    "a service that fails for longer than the patience, kills, and unknown local times: the first tier has the hours, and test/promote.test.ts restarts",
  "test/quarantine.test.ts":
    "a retry with a setting, and answers before anything is done: the first tier has fixes, drops and mended rows",
  "test/queue.test.ts":
    "a real wait of half a minute for a service that is down, a time that runs out, and other limits of errors: the first tier has requests that run out; connectors/api/health.test.ts waits by its own clock",
  "test/promote.test.ts":
    "a source that went away since the rehearsal: the first tier has whole promotions, and those that stop",
  "test/redirected-save.test.ts": "the total of a run in doubt: the first tier has a verification of one",
  "test/regexes.test.ts":
    "64 kB of the worst text for each regular expression, and patterns that are too slow: the first tier has 8 kB, which shows the square of the length",
  "test/rehearse.test.ts":
    "a rehearsal stopped before it is read back: the first tier has whole ones, and test/promote.test.ts one that stopped half-way",
  "test/repeated-requests.test.ts":
    "every tenth save twice, and equal pairs of the owner: the first tier has each kind of record once",
  "test/report.test.ts":
    "the page on both screens, each in light and dark, by keyboard and on paper, and a full disk: the first tier has one screen",
  "test/retry.test.ts": "a run of an earlier version: the first tier has runs of this one",
  "test/round-trip.test.ts":
    "a round trip by JSON and NDJSON: the first tier has CSV, and connectors/exports/formats.test.ts all formats",
  "test/schedule.test.ts":
    "nights by cron, several schedules, and a schedule by the guide: the first tier has systemd and a crontab, test/backup-schedule.test.ts nights, cli/guide/guide.test.ts the guide",
  "test/second-source.test.ts":
    "both sources in one command, and the report: the first tier has them one after the other",
  "test/several-exports.test.ts":
    "a spreadsheet, retries and hundreds of folders beside several exports: test/spreadsheet-beside-export.test.ts and test/quarantine.test.ts have them",
  "test/stopped-archive.test.ts":
    "each command with each trouble of an archive's server: the first tier has one of eight",
  "test/stopped-while-waiting.test.ts":
    "Ctrl-C in every command with every fault: the first tier has a backup and a batch, each with another fault, and an import between its saves",
  "test/suites/load-laws.test.ts":
    "every layout of every platform loaded, for an owner of miles or of kilometres: the first tier has one layout of twelve platforms",
  "test/sums-as-seen.test.ts": "the sums by the sources' names: the first tier has those of the log, and those sent",
  "test/support/growth.test.ts": "the measure of costs, measured: each test of a cost in the first tier uses it",
  "test/support/invariants.test.ts":
    "a load under faults that is checked: the first tier has the checks, and test/kill.test.ts uses them",
  "test/triathlon.test.ts":
    "every lost answer and kill between the legs: the first tier has a lost answer, and test/kill.test.ts a kill",
  "test/two-platforms-in-one-folder.test.ts":
    "ten pairs of platforms in one folder, and a plan that is applied later: the first tier has one pair",
  "test/two-sports.test.ts": "a recording of another sport, with both journals: the first tier has one",
  "test/workout-in-parts.test.ts":
    "parts in diaries without times, of triathlons and by a person's word: the first tier has parts by their times, sums and shoes",
};

/** Files of the long tier. */
export const LONG: Readonly<Record<string, string>> = { ...LONG_ALONE, ...IN_BOTH };

/** Files that take the longest. A run begins with them. */
export const LONGEST: readonly string[] = [
  "test/faults.test.ts",
  "test/chaos.test.ts",
  "test/model/model.test.ts",
  "test/mutants/mutants.test.ts",
  "test/stopped-while-waiting.test.ts",
  "test/answers-of-others.test.ts",
  "test/kill.test.ts",
  "test/main-job.test.ts",
  "test/suites/load-laws.test.ts",
  "test/queue.test.ts",
  "test/backup-resumes.test.ts",
  "test/batch.test.ts",
  "test/gone-records.test.ts",
  "test/odd-listings.test.ts",
  "test/going-on.test.ts",
  "test/matrix/processes.test.ts",
  "cli/commands.test.ts",
  "cli/one-message.test.ts",
  "connectors/platforms/connectors.test.ts",
  "connectors/platforms/variants.test.ts",
  "service/test/pages-browser.test.ts",
  "test/schedule.test.ts",
  "test/encrypted-backups.test.ts",
];

/** The tier that was asked for; undefined where files were named by hand. */
export const TIER = process.env.LOGFERRY_TEST_TIER;

/** How many inputs a test tries: fewer in the first tier. */
export function inputs(count: { readonly first: number; readonly long: number }): number {
  return TIER === "first" ? count.first : count.long;
}

/** The rows of a test. The first tier tries the chosen ones, and the long tier the others. By name each is tried. */
export function chosenRows<T>(rows: readonly T[], isChosen: (row: T, index: number) => boolean): readonly T[] {
  if (TIER === undefined) return rows;
  return rows.filter((row, index) => isChosen(row, index) === (TIER === "first"));
}

/** The rows of a test. The first tier tries the first few of them, and the long tier the others. By name each is tried. */
export function firstOf<T>(few: number, rows: readonly T[]): readonly T[] {
  return chosenRows(rows, (_, index) => index < few);
}
