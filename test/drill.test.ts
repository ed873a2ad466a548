import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { edit } from "./support/certified.ts";
import { jsonLines } from "./support/cli.ts";
import { runHere } from "./support/here.ts";
import { fillLog } from "./support/logged.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

// A drill restores a snapshot into a private log of the command's own process, and compares the two.

let log: Rehearsal;

beforeEach(async () => {
  log = await rehearse();
});
afterEach(() => log.close());

const repository = () => join(log.folder, "repository");
const here = (...words: string[]): Promise<Ran> => runHere(log, [...words, "--repository", repository()]);

const lines = (ran: Ran, type: string) => jsonLines(ran.out).filter((one) => one.type === type);

describe("a drill", () => {
  test("of a log with every field, odd texts, equal workouts and activities of its own finds no difference, counts what can't be set, and is remembered", async () => {
    const curling = await log.service.operator.addActivity(log.userId, "Curling", ["practice", "match"]);
    const filled = await fillLog(log);
    await log.service.store.addWorkout(log.userId, { activityID: curling, workoutID: 2, date: "2024-05-01" });
    const ran = await here("backup", "--drill", "--json");
    expect(ran).toMatchObject({ code: 0 });
    const [snapshot] = lines(ran, "snapshot");
    const [drill] = lines(ran, "drill");
    expect(drill).toMatchObject({
      snapshot: snapshot?.id,
      records: filled.workouts + 1 + filled.courses + filled.equipment,
      differences: 0,
      notSet: { user: 1, preference: 1, "training-plan": 1, "equipment retired": 1 },
    });
    expect(lines(ran, "difference")).toEqual([]);
    // The drill's own journal and log are gone. Those of the user are untouched.
    expect(existsSync(join(log.folder, "journal.db"))).toBe(false);
    const status = await here("status", "--json");
    expect(lines(status, "backup-status")).toMatchObject([
      { lastGood: { snapshot: snapshot?.id }, lastProven: { snapshot: snapshot?.id }, lastDrill: { differences: 0 } },
    ]);
    expect(await here("check", "--json")).toMatchObject({ code: 0 });
    expect((await here("status")).out).toMatch(
      /^Last good backup: \d+ s ago \(\w{8}\). Last one proven to restore: \d+ s ago/,
    );
  });

  longTest("of an encrypted snapshot is one too", async () => {
    const key = join(log.folder, "passphrase");
    writeFileSync(key, "correct horse battery staple\n", { mode: 0o600 });
    await log.service.store.addWorkout(log.userId, { activityID: 10, date: "2024-05-01", notes: "secret" });
    const ran = await here("backup", "--encrypt", "--passphrase-file", key, "--drill");
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toContain("1 record, 0 differences");
    const [name = ""] = readdirSync(join(repository(), "drills"));
    expect(readFileSync(join(repository(), "drills", name), "utf8")).not.toContain("secret");
    const locked = await here("check", "--drill", "--without-key");
    expect(locked.code).toBe(2);
    expect(locked.err).toContain("Cannot drill without the key");
    // A person who only watches the backups needs no key.
    const old = await here("status", "--max-age", "0");
    expect(old).toMatchObject({ code: 7 });
    expect(old.out).toContain("TOO OLD");
    expect(await here("status", "--max-age", "1h")).toMatchObject({ code: 0 });
    const back = await here("restore", "latest", "--passphrase-file", key, "-n");
    expect(back).toMatchObject({ code: 0 });
  });

  test("of a snapshot that the private log can't be made like fails with 7, names record and field, and proves nothing", async () => {
    // A kind of training of a built-in activity that no other log has.
    const record = {
      id: "w1",
      activityID: 10,
      activityName: "Run",
      workoutID: 99,
      workoutName: "Moonwalk",
      date: "2024-05-01",
    };
    const { openRepository } = await import("../connectors/repository/repository.ts");
    const { storedRecord } = await import("../connectors/repository/records.ts");
    const made = await openRepository(repository());
    await made.prepareToWrite();
    const { pieces } = await made.writeChunks("workout", "2024-05", [storedRecord(record, "00000000")]);
    const time = "2024-05-02T00:00:00.000Z";
    await made.writeSnapshot({
      format: "logferry-snapshot",
      version: 1,
      time,
      day: "2024-05-02",
      logferry: "0",
      log: { host: "http://log.example", userHash: "0", name: "demo" },
      pass: "full",
      fullAt: time,
      unread: [],
      pieces,
    });
    const ran = await here("check", "--drill");
    expect(ran.code).toBe(7);
    expect(ran.err).toContain("workout w1: workoutID came back as nothing, not 99");
    expect(ran.err).toContain("The drill failed");
    const [backups] = lines(await here("status", "--json"), "backup-status");
    expect(backups).not.toHaveProperty("lastProven");
    expect(backups).toMatchObject({ lastDrill: { differences: 1 } });
    expect((await here("status")).out).toContain("THE LAST DRILL");
  });
});

test("a drill counts for a certificate only while its backup is of this log, not dated ahead, whole, and has every record as the log has it", async () => {
  const clockOf = (ahead: number) => ({ now: () => Date.now() + ahead, sleep: async () => undefined });
  const folder = (name: string) => ["--repository", join(log.folder, name)];
  const backup = (name: string, { token = log.token, ahead = 0 } = {}) =>
    runHere(log, ["backup", "--drill", ...folder(name)], { token, clock: clockOf(ahead) });
  const path = join(log.folder, "certificate.json");
  const certified = async (name: string) => {
    const { code, out, err } = await runHere(log, ["certify", path, ...folder(name)], { clock: clockOf(0) });
    const { levels } = JSON.parse(readFileSync(path, "utf8")) as { levels: { isReached?: boolean; text: string }[] };
    const { isReached, text } = levels.at(-1) ?? { text: out + err };
    return { code, isReached, text };
  };
  await log.service.store.addWorkout(log.userId, { activityID: 10, date: "2020-02-02" });
  const other = await log.service.operator.addUser({ screenName: "other" });
  await log.service.store.addWorkout(other, { activityID: 10, date: "2020-03-03" });
  expect(await backup("ahead", { ahead: 3 * 86_400_000 })).toMatchObject({ code: 0 });
  const sheet = writeSheet(log.folder, someRuns(2));
  const words = ["import", sheet, "--settle", "1", "--zone", "UTC", "--accept", "level=restored", ...log.activities];
  expect(await runHere(log, words, { clock: clockOf(0) })).toMatchObject({ code: 0 });
  expect(await backup("another", { token: await log.service.operator.addToken(other) })).toMatchObject({ code: 0 });
  expect(await backup("own")).toMatchObject({ code: 0 });

  expect(await certified("ahead")).toMatchObject({
    code: 3,
    text: expect.stringMatching(
      /^No backup after this run .* The backup of .* doesn't count: its time is in the future/,
    ),
  });
  expect(await certified("another")).toMatchObject({
    code: 3,
    isReached: false,
    text: expect.stringContaining("are of another log, that of other at 127.0.0.1:"),
  });
  expect(await certified("own")).toMatchObject({
    code: 0,
    isReached: true,
    text: expect.stringMatching(/ 3 records were compared, and 0 fields were different\.$/),
  });
  const [first] = JSON.parse(readFileSync(path, "utf8")).records as { logId: string }[];
  await edit(log, first?.logId ?? "", { notes: "by the lake" });
  expect(await certified("own")).toMatchObject({
    isReached: false,
    text: expect.stringContaining("But 1 record of 2 is not in it as your log has it now. Make a new one"),
  });
  await edit(log, first?.logId ?? "", { notes: undefined });
  const [year = ""] = readdirSync(join(log.folder, "own", "data", "workouts"));
  const chunk = join(log.folder, "own", "data", "workouts", year);
  writeFileSync(chunk, readFileSync(chunk).fill(0, 40, 41));
  expect(await certified("own")).toMatchObject({
    code: 3,
    isReached: false,
    text: expect.stringMatching(/But it is damaged since\. .*data\/workouts\/2020-.* differs from its checksum\./),
  });
});
