import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { type Asking, BACK } from "../cli/guide/asking.ts";
import { backUp } from "../cli/guide/back-up.ts";
import type { Step } from "../cli/guide/steps.ts";
import { takeRepositoryLock } from "../pipelines/journal/lock.ts";
import { jsonLines, runCli } from "./support/cli.ts";
import { COMPILED } from "./support/compiled.ts";
import { runHere } from "./support/here.ts";
import { expectRealCronToFire } from "./support/real-cron.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { dueInCrontab, type FakeSchedulers, fakeSchedulers, runDue, timersIn } from "./support/schedulers.ts";
import { longDescribe, longTest, test } from "./support/tier-tests.ts";

// Schedules as they are installed, and their commands really run. Readers of crontabs and units run them, which share nothing with the code that
// wrote them. They use the environment that cron and systemd give, with the clock at the time. `npm run cron` shows that the real cron does the same.

let log: Rehearsal;
let home: string;
let fakes: FakeSchedulers;
let round = 0;

beforeAll(async () => {
  log = await rehearse();
});
afterAll(() => log.close());
beforeEach(() => {
  // A folder name that people may have, with characters that are special to a shell and to cron.
  home = join(log.folder, `ana's "100 %" $HOME ${++round}`);
  mkdirSync(home);
});

const repository = () => join(home, "my backups");
const units = () => join(home, ".config", "systemd", "user");

/** A command as a person types it, with the imitations on the PATH. */
function type(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return runCli(home, words, { env: { PATH: fakes.path, ...env } });
}

/** `logferry schedule WORDS` in this process. */
const here = (...words: string[]) =>
  runHere(log, ["schedule", ...words], { environment: { PATH: fakes.path, HOME: home } });

async function logIn(): Promise<void> {
  const words = ["login", "--url", log.service.url, "--token-stdin", "--no-keyring"];
  expect(await runCli(home, words, { input: log.token })).toMatchObject({ code: 0 });
}

const PRELOAD = join(import.meta.dirname, "support", "clock-at.ts");

/** The variables of a process whose clock stands at a time of UTC, and which need not compile the program anew. */
const at = (time: string) => ({
  ...COMPILED,
  TZ: "UTC",
  NODE_OPTIONS: `--import=${PRELOAD}`,
  CLOCK_AT: String(Date.parse(`${time.replace(" ", "T")}:00Z`)),
});

/** Runs the commands that the crontab has for a minute. */
async function cronAt(time: string): Promise<Ran[]> {
  const ran: Ran[] = [];
  for (const due of dueInCrontab(readFileSync(fakes.crontab, "utf8"), time))
    ran.push(await runDue(due, home, at(time)));
  return ran;
}

const nights = () =>
  existsSync(join(repository(), "snapshots"))
    ? readdirSync(join(repository(), "snapshots"))
        .toSorted()
        .map((name) => `${name.slice(0, 10)} ${name.slice(11, 13)}:${name.slice(13, 15)}`)
    : [];

const QUIET = { code: 0, out: "", err: "" };

longDescribe("by cron", () => {
  const install = ["schedule", "install", "--daily", "02:30", "--with", "crontab", "--repository"];

  longTest(
    "a nightly backup fires, a missed one is caught up once, silence is alarmed, and the rest of the crontab stays byte for byte",
    async () => {
      fakes = fakeSchedulers(home, false);
      await logIn();
      const others = Buffer.concat([
        Buffer.from("MAILTO=ana\n# caf"),
        Buffer.from([0xe9]),
        Buffer.from("\n5 4 * * *\techo 50 \\% done\n\n"),
      ]);
      writeFileSync(fakes.crontab, others);
      const installed = await type([...install, repository()]);
      expect(installed).toMatchObject({ code: 0, err: "" });
      expect(installed.out).toContain("Installed in the crontab");
      const crontab = readFileSync(fakes.crontab);
      expect(crontab.subarray(0, others.length).equals(others)).toBe(true);
      expect(crontab.toString("latin1")).not.toContain(log.token);

      expect(await cronAt("2026-06-01 02:29")).toEqual([]);
      expect(await cronAt("2026-06-01 02:30")).toMatchObject([QUIET]);
      expect(nights()).toEqual(["2026-06-01 02:30"]);
      // The backup was made, so the hourly look finds nothing to do.
      expect(await cronAt("2026-06-01 02:47")).toMatchObject([QUIET]);
      // The machine is off in the night of the second, and on in the morning.
      expect(await cronAt("2026-06-02 08:47")).toMatchObject([QUIET]);
      expect(nights()).toEqual(["2026-06-01 02:30", "2026-06-02 08:47"]);
      expect(await cronAt("2026-06-02 11:07")).toEqual([]);
      // A daily check asks whether the last good backup is too old. It is not, and two days later it is.
      expect(await cronAt("2026-06-02 10:07")).toMatchObject([QUIET]);
      const [alarm, ...more] = await cronAt("2026-06-04 10:07");
      expect(more).toEqual([]);
      expect(alarm).toMatchObject({ code: 7, err: "" });
      expect(alarm?.out).toMatch(
        /^Last good backup: 49 h 20 min ago \([0-9a-f]{8}\) \(TOO OLD: it may be 26h\)[^\n]*\n$/,
      );

      // A second install is a no-op, to the byte. A removal leaves the crontab as it was.
      const before = readFileSync(fakes.crontab);
      expect((await type([...install, repository()])).out).toContain("Nothing to do");
      expect(readFileSync(fakes.crontab).equals(before)).toBe(true);
      const status = await type(["schedule", "status", "--json"]);
      const [told] = jsonLines(status.out).filter(({ type }) => type === "schedule");
      expect(told).toMatchObject({
        with: "crontab",
        repository: repository(),
        cron: "30 2 * * *",
        lastRun: { event: "success", at: expect.stringMatching(/^2026-06-02T08:47/) },
        problems: [],
      });
      for (const words of ["Removed", "There is no such schedule"]) {
        const ran = await here("remove", "--repository", repository());
        expect(ran).toMatchObject({ code: 0 });
        expect(ran.out).toContain(words);
      }
      expect(readFileSync(fakes.crontab).equals(others)).toBe(true);
    },
  );
});

describe("by systemd", () => {
  test("timers that make up for what they missed run the backup and the alarm; installing in the crontab moves the schedule there", async () => {
    fakes = fakeSchedulers(home, true);
    const secrets = join(home, "secrets.env");
    writeFileSync(secrets, `LOGFERRY_URL=${log.service.url}\nLOGFERRY_TOKEN=${log.token}\n`);
    const install = [
      "schedule",
      "install",
      "--cron",
      "30 2 * * 1-5",
      "--env-file",
      secrets,
      "--repository",
      repository(),
    ];
    const installed = await type(install);
    expect(installed).toMatchObject({ code: 0, err: "" });
    expect(installed.out).toContain("Installed as timers of systemd");
    const files = readdirSync(units()).toSorted();
    expect(files.map((name) => name.replace(/[0-9a-f]{8}/, "ID"))).toEqual([
      "logferry-alarm-default-ID.service",
      "logferry-alarm-default-ID.timer",
      "logferry-backup-default-ID.service",
      "logferry-backup-default-ID.timer",
    ]);
    const asked = () => readFileSync(fakes.asked, "utf8");
    expect(asked()).toMatch(
      /--user daemon-reload\n--user enable (\S+\.timer) (\S+\.timer)\n--user restart \1 \2\n--user start --no-block logferry-backup-\S+\.service\n$/,
    );
    for (const file of files) expect(readFileSync(join(units(), file), "utf8")).not.toContain(log.token);
    const [alarm, backup] = timersIn(units());
    expect(backup).toMatchObject({ events: ["Mon,Tue,Wed,Thu,Fri *-*-* 02:30:00"], isPersistent: true });
    expect(alarm).toMatchObject({ events: ["*-*-* 10:07:00"], isPersistent: true });
    if (alarm === undefined || backup === undefined) expect.unreachable();
    expect(await runDue(backup.due, home, at("2026-06-01 02:30"))).toMatchObject(QUIET);
    expect(nights()).toEqual(["2026-06-01 02:30"]);
    expect(await runDue(alarm.due, home, at("2026-06-01 10:07"))).toMatchObject(QUIET);
    // Friday to Monday are 72 hours: 74 are all right, 75 are not.
    expect(await runDue(alarm.due, home, at("2026-06-04 04:29"))).toMatchObject(QUIET);
    expect(await runDue(alarm.due, home, at("2026-06-04 05:30"))).toMatchObject({ code: 7 });

    const times = asked().length;
    expect((await type(install)).out).toContain("Nothing to do");
    expect(asked().slice(times)).not.toMatch(/daemon-reload|restart| enable /);

    const moved = await here(...install.slice(1), "--with", "crontab");
    expect(moved).toMatchObject({ code: 0 });
    expect(readdirSync(units())).toEqual([]);
    expect(readFileSync(fakes.crontab, "utf8")).toContain("\n30 2 * * 1-5 ");
  });

  test("systemd itself finds nothing wrong with the units", async () => {
    fakes = fakeSchedulers(home, true);
    const ran = await type([
      "schedule",
      "install",
      "--daily",
      "23:05",
      "--random-delay",
      "30m",
      "--repository",
      repository(),
    ]);
    expect(ran).toMatchObject({ code: 0 });
    const files = readdirSync(units()).map((name) => join(units(), name));
    const verified = spawnSync("systemd-analyze", ["--user", "verify", "--recursive-errors=no", ...files], {
      encoding: "utf8",
      env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home },
    });
    // Where systemd is not installed, this test's own reader stands in. It throws when it can't split something.
    if (verified.error !== undefined) expect(timersIn(units())).toHaveLength(2);
    else expect(verified).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(units(), files[0]?.split("/").at(-1) ?? ""), "utf8")).not.toContain(log.token);
  });
});

longDescribe("by the guide", () => {
  longTest("a person who presses Enter has a backup now, and timers of systemd that make the next one", async () => {
    fakes = fakeSchedulers(home, true);
    await logIn();
    const said: string[] = [];
    const ask: Asking = {
      choose: async (_question, [first]) => first?.value ?? BACK,
      type: async ({ question, usual = "" }) => (question.startsWith("Into which folder") ? repository() : usual),
      say: (...lines) => void said.push(...lines.filter((line) => line !== undefined)),
    };
    const run = async ({ words }: Step) => (await type(words, at("2026-06-01 12:00"))).code ?? 1;
    const standing = { next: undefined, hasJournal: false, isLoggedIn: true, repository: undefined };
    const code = await backUp({ ask, home, run }, standing);
    expect(code, said.join("\n")).toBe(0);
    expect(said.at(-1)).toBe("logferry schedule status");
    const night = "2026-06-02 02:30";
    const due = timersIn(units()).filter(({ events }) => events.includes("*-*-* 02:30:00"));
    expect(due).toHaveLength(1);
    for (const one of due) expect(await runDue(one.due, home, at(night))).toMatchObject(QUIET);
    expect(nights()).toEqual(["2026-06-01 12:00", night]);
  });
});

describe("whatever is in the way", () => {
  const nightly = (folder = repository()) => ["install", "--daily", "02:30", "--repository", folder];

  test("without systemd the crontab is taken; what is asked for and doesn't run is refused, and nothing is written", async () => {
    fakes = fakeSchedulers(home, false);
    const refused = await here(...nightly(), "--with", "systemd");
    expect(refused).toMatchObject({
      code: 2,
      err: "Cannot install a schedule with systemd: it doesn't run here for this user\n",
    });
    expect(await here(...nightly(), "--random-delay", "1h")).toMatchObject({ code: 2 });
    const shown = await here(...nightly(), "--dry-run");
    expect(shown.out).toContain("\n30 2 * * * ");
    expect(existsSync(units())).toBe(false);
    expect(existsSync(fakes.crontab)).toBe(false);
    expect((await here(...nightly())).out).toContain("Installed in the crontab");
  });

  test("a crontab that can't be read is not written over", async () => {
    fakes = fakeSchedulers(home, false);
    writeFileSync(join(dirname(fakes.crontab), "refuse"), "");
    const ran = await here(...nightly());
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/^Cannot read the crontab: You \(somebody\) are not allowed/);
    expect(existsSync(fakes.crontab)).toBe(false);
  });

  longTest("several schedules are told apart: by repository and by profile", async () => {
    fakes = fakeSchedulers(home, false);
    await here(...nightly());
    await here(...nightly(), "--profile", "club");
    await here("install", "--cron", "15 */6 * * *", "--repository", join(home, "other"));
    const all = jsonLines((await here("status", "--json")).out).filter(({ type }) => type === "schedule");
    expect(all.map(({ profile, repository, cron }) => [profile, repository, cron])).toEqual([
      ["default", repository(), "30 2 * * *"],
      ["club", repository(), "30 2 * * *"],
      ["default", join(home, "other"), "15 */6 * * *"],
    ]);
    const unsaid = await here("remove");
    expect(unsaid.code).toBe(2);
    expect(unsaid.err).toContain("say which, with --repository FOLDER");
    await here("remove", "--repository", repository(), "--profile", "club");
    await here("remove", "--repository", repository());
    await here("install", "--daily", "04:05", "--repository", join(home, "other"));
    expect(readFileSync(fakes.crontab, "utf8").match(/^# BEGIN/gm)).toHaveLength(1);
    expect(readFileSync(fakes.crontab, "utf8")).toContain("\n5 4 * * * ");
    expect(await here("remove")).toMatchObject({ code: 0 });
    expect(readFileSync(fakes.crontab, "utf8")).toBe("");
  });

  test("a Node that was moved away, and backups that are missing, are problems that status names", async () => {
    fakes = fakeSchedulers(home, false);
    await here(...nightly());
    writeFileSync(fakes.crontab, readFileSync(fakes.crontab, "utf8").replaceAll(process.execPath, "/gone/node"));
    const ran = await here("status");
    expect(ran.code).toBe(3);
    expect(ran.out).toContain(
      "PROBLEM   /gone/node is not there any more; install it again: logferry schedule install\n",
    );
    expect(ran.out).toContain("There is no snapshot repository at");
  });

  test("what was asked every hour and fails every hour is said once, and a backup that is being made is waited for elsewhere", async () => {
    fakes = fakeSchedulers(home, false);
    const words = ["backup", "--if-due", "24h", "--quiet", "--repository", repository()];
    const first = await runHere(log, words, { token: "taken-back" });
    expect(first).toMatchObject({ code: 4, out: "" });
    expect(first.err).toContain("answered 401");
    expect(await runHere(log, words, { token: "taken-back" })).toMatchObject({ code: 4, out: "", err: "" });
    const lock = takeRepositoryLock(repository());
    expect(await runHere(log, words)).toMatchObject(QUIET);
    lock.release();
    expect(nights()).toEqual([]);
    expect(await runHere(log, words)).toMatchObject(QUIET);
    expect(nights()).toHaveLength(1);
  });

  test.each([
    [["instal", "--daily", "02:30"], 'expected install, status or remove; did you mean "install"?'],
    [["install"], "say when, with --daily 02:30"],
    [["install", "--daily", "02:30", "--cron", "0 0 * * *"], "say when, with --daily 02:30"],
    [
      ["install", "--daily", "02:30", "--with", "crontab", "--token-file", "a\\b"],
      "every cron reads a backslash otherwise",
    ],
  ])("%j is refused", async (words, message) => {
    fakes = fakeSchedulers(home, false);
    const ran = await here(...words, "--repository", repository());
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(message);
    expect(existsSync(fakes.crontab)).toBe(false);
  });
});

describe("in the foreground", () => {
  test("Ctrl-C while the next night is waited for ends it at once, with 0", async () => {
    const { child, ended } = log.start(["backup", "--every", "24h", "--repository", repository()]);
    for await (const chunk of child.stdout ?? []) if (String(chunk).includes("The next backup is at")) break;
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 0 });
    expect(nights()).toHaveLength(1);
  });
});

if (process.env.LOGFERRY_TEST_CRON === "1") {
  test(
    "a backup that schedule install put into the crontab is made by the real cron, and is quiet",
    expectRealCronToFire,
  );
}
