import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { runHere } from "./support/here.ts";
import { type NightClock, nightClock } from "./support/night-clock.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { longTest, test } from "./support/tier-tests.ts";

// Backups in the foreground, night after night, against the real service. The clock moves only while a command sleeps.

let log: Rehearsal;
let round = 0;

beforeAll(async () => {
  log = await rehearse();
});
afterAll(() => log.close());
beforeEach(() => void round++);

const repository = () => join(log.folder, `repository-${round}`);

function here(clock: NightClock, ...words: string[]): Promise<Ran> {
  return runHere(log, [...words, "--repository", repository()], { clock, signal: clock.signal });
}

/** When the snapshots were made, to the minute, by the names of their files. */
function nights(): string[] {
  return readdirSync(join(repository(), "snapshots"))
    .toSorted()
    .map((name) => `${name.slice(0, 13)}:${name.slice(13, 15)}`);
}

describe("backup --cron", () => {
  test("fires every night by the zone's clock: a time that the clocks leave out is the first after the gap, one that comes twice is one", async () => {
    const spring = nightClock("2026-03-27T12:00:00Z", "2026-03-31T12:00:00Z");
    const words = ["backup", "--cron", "30 2 * * *", "--zone", "Europe/Vienna"];
    expect(await here(spring, ...words)).toMatchObject({ code: 0 });
    expect(nights()).toEqual([
      "2026-03-27T12:00", // never before: at once
      "2026-03-28T01:30", // 02:30 in winter
      "2026-03-29T01:00", // 02:30 isn't there: 03:00 in summer
      "2026-03-30T00:30",
      "2026-03-31T00:30",
    ]);
    round++;
    const autumn = nightClock("2026-10-24T00:20:00Z", "2026-10-26T12:00:00Z");
    expect(await here(autumn, ...words)).toMatchObject({ code: 0 });
    expect(nights()).toEqual(["2026-10-24T00:20", "2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30"]);
  });

  test("nights that were missed, asleep or off, are made up for once", async () => {
    const words = ["backup", "--cron", "30 2 * * *", "--zone", "UTC"];
    const asleep = nightClock("2026-06-01T00:00:00Z", "2026-06-06T12:00:00Z", (time, clock) => {
      if (time === "2026-06-02T10:00:00.000Z") clock.pass(3.2 * 86_400_000);
    });
    expect(await here(asleep, ...words)).toMatchObject({ code: 0 });
    expect(nights()).toEqual([
      "2026-06-01T00:00",
      "2026-06-01T02:30",
      "2026-06-02T02:30",
      "2026-06-05T14:48",
      "2026-06-06T02:30",
    ]);
    // Off: another process, days later.
    const off = nightClock("2026-06-09T08:00:00Z", "2026-06-10T12:00:00Z");
    expect(await here(off, ...words)).toMatchObject({ code: 0 });
    expect(nights().slice(5)).toEqual(["2026-06-09T08:00", "2026-06-10T02:30"]);
    // Begun again right after a backup, nothing is due.
    const again = nightClock("2026-06-10T12:30:00Z", "2026-06-10T20:00:00Z");
    const ran = await here(again, ...words);
    expect(ran.code).toBe(0);
    expect(ran.out).toBe("The next backup is at 2026-06-11 02:30.\n");
    expect(nights()).toHaveLength(7);
  });

  test("with --quiet nothing is said in a week that went well", async () => {
    const week = nightClock("2026-06-01T00:00:00Z", "2026-06-08T00:00:00Z");
    const ran = await here(week, "backup", "--cron", "30 2 * * *", "--zone", "UTC", "--quiet");
    expect(ran).toMatchObject({ code: 0, out: "", err: "" });
    expect(nights()).toHaveLength(8);
  });
});

describe("backup --every", () => {
  test("goes by when the last backup began, and follows the policy after each", async () => {
    const days = nightClock("2026-06-01T06:00:00Z", "2026-06-05T05:00:00Z");
    const ran = await here(days, "backup", "--every", "24h", "--keep-last", "2", "--json");
    expect(ran.code).toBe(0);
    expect(nights()).toEqual(["2026-06-03T06:00", "2026-06-04T06:00"]);
    expect(jsonLines(ran.out).filter(({ type }) => type === "forgotten")).toHaveLength(2);
  });

  test("a failure is said once, tried again with longer and longer pauses, and said to be over when it is", async () => {
    const tokenFile = join(log.folder, "token");
    writeFileSync(tokenFile, "taken-back", { mode: 0o600 });
    const words = ["backup", "--every", "24h", "--token-file", tokenFile];
    const hours = nightClock("2026-06-01T06:00:00Z", "2026-06-02T05:00:00Z", (time) => {
      if (time === "2026-06-01T10:00:00.000Z") writeFileSync(tokenFile, log.token);
    });
    const ran = await here(hours, ...words);
    expect(ran.code).toBe(0);
    expect(ran.err).toMatch(/^Cannot read the user: [^\n]* 401 [^\n]*\nIt is tried again in 1 min[^\n]*\n$/);
    expect(ran.out).toMatch(/\nBackups go well again, after 9 that failed\.\n/);
    // Tried at 06:00, :01, :03, :07, :15, :31, and at 07:03, 08:03, 09:03. There is a token from 10:00 on.
    expect(nights()).toEqual(["2026-06-01T10:03"]);
  });

  test("--max-failures ends it with what the last one came to", async () => {
    const tokenFile = join(log.folder, "token");
    writeFileSync(tokenFile, "taken-back", { mode: 0o600 });
    const tried: string[] = [];
    const days = nightClock("2026-06-01T06:00:00Z", "2026-06-03T07:00:00Z");
    const ran = await here(
      days,
      "backup",
      "--every",
      "24h",
      "--token-file",
      tokenFile,
      "--max-failures",
      "9",
      "--json",
    );
    for (const { type, next } of jsonLines(ran.out)) if (type === "schedule") tried.push(String(next).slice(11, 16));
    // A minute, two, four, eight, sixteen, thirty-two, and then an hour each.
    expect(tried).toEqual(["06:01", "06:03", "06:07", "06:15", "06:31", "07:03", "08:03", "09:03"]);
    expect(ran.code).toBe(4);
  });

  test("a second one is refused and told who holds it, and Ctrl-C ends the first with 0", async () => {
    let second: Promise<Ran> | undefined;
    const first = nightClock("2026-06-01T06:00:00Z", "2026-06-03T07:00:00Z", (time, clock) => {
      if (time === "2026-06-01T12:00:00.000Z")
        second = here(nightClock(time, "2026-06-02T00:00:00Z"), "backup", "--every", "24h");
      if (time === "2026-06-01T13:00:00.000Z") clock.stop();
    });
    expect(await here(first, "backup", "--every", "24h")).toMatchObject({ code: 0, err: "" });
    const ran = await second;
    expect(ran?.code).toBe(8);
    expect(ran?.err).toContain(`on a schedule already (process ${process.pid} on `);
    expect(nights()).toEqual(["2026-06-01T06:00"]);
  });

  test.each([
    [["--every", "24h", "--cron", "0 0 * * *"], "say when with one of them"],
    [["--every", "24h", "--if-due", "24h"], "Cannot use --if-due with --every"],
    [["--max-failures", "3"], "Cannot use --max-failures"],
  ])("%j don't go together, and nothing is backed up", async (words, message) => {
    const clock = nightClock("2026-06-01T06:00:00Z", "2026-06-03T07:00:00Z");
    const ran = await here(clock, "backup", ...words);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(message);
    expect(existsSync(repository())).toBe(false);
  });

  test.each(["0 0 30 2 *", "30 2 * *", "@daily", "61 2 * * *"])("%j is no time to back up at", async (cron) => {
    const clock = nightClock("2026-06-01T06:00:00Z", "2026-06-03T07:00:00Z");
    await expect(here(clock, "backup", "--cron", cron)).rejects.toThrow(
      "expected the five fields of a cron expression",
    );
  });

  test("a setting that can't be used ends it at once", async () => {
    const clock = nightClock("2026-06-01T06:00:00Z", "2026-06-03T07:00:00Z");
    const words = ["backup", "--every", "24h", "--repository", join(import.meta.dirname, "support")];
    const ran = await runHere(log, words, { clock, signal: clock.signal });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("it is no snapshot repository");
  });
});

describe("night after night", () => {
  test("--drill-every proves a snapshot now and then, and the others are left as they are", async () => {
    const days = nightClock("2026-06-01T06:00:00Z", "2026-06-10T00:00:00Z");
    expect(await here(days, "backup", "--every", "24h", "--drill-every", "7d")).toMatchObject({ code: 0, err: "" });
    expect(nights()).toHaveLength(9);
    const drills = readdirSync(join(repository(), "drills")).toSorted();
    expect(drills.map((name) => name.slice(0, 10))).toEqual(["2026-06-01", "2026-06-08"]);
  });

  longTest("the passphrase of an encrypted repository is typed once", async () => {
    const input = new PassThrough();
    input.end("correct horse battery staple\n");
    const days = nightClock("2026-06-01T06:00:00Z", "2026-06-03T00:00:00Z");
    const words = ["backup", "--every", "24h", "--encrypt", "--repository", repository()];
    expect(await runHere(log, words, { clock: days, signal: days.signal, input })).toMatchObject({ code: 0 });
    expect(nights()).toHaveLength(2);
  });
});

describe("backup --if-due", () => {
  test("does nothing while the last backup is young enough, by age or by what was due since", async () => {
    const at = (time: string, ...words: string[]) => here(nightClock(time, "2027-01-01T00:00:00Z"), "backup", ...words);
    const nightly = ["--if-due", "30 2 * * *", "--zone", "UTC"];
    expect(await at("2026-06-01T06:00:00Z", ...nightly)).toMatchObject({ code: 0 });
    const early = await at("2026-06-02T02:29:59Z", ...nightly);
    expect(early).toMatchObject({ code: 0, out: "Nothing is due: the next backup is, at 2026-06-02 02:30.\n" });
    expect(await at("2026-06-02T05:59:00Z", "--if-due", "24h", "--quiet")).toMatchObject({ code: 0, out: "" });
    expect(nights()).toEqual(["2026-06-01T06:00"]);
    await at("2026-06-02T02:31:00Z", ...nightly);
    await at("2026-06-03T02:31:00Z", "--if-due", "24h");
    expect(nights()).toEqual(["2026-06-01T06:00", "2026-06-02T02:31", "2026-06-03T02:31"]);
  });
});
