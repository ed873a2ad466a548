import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { NUMBERED_ROWS } from "./support/small-sources.ts";

// A log over HTTP refuses to show records that it has. Nothing may say that such a record is gone: loading it again would make it twice.

const READS = "status-before-commit:GET /rest/logs/me/workouts/*:status=422";
/** A listing that a service doesn't have, so that records in doubt stay so. */
const NO_LISTING = "status-before-commit:GET /rest/logs/me/workouts:status=404";

interface Refusing extends Rehearsal {
  readonly sheet: string;
  /** Imports the sheet with this note in each row. */
  load(word: string, rows: number): Promise<number | null>;
  /** From now on the service is 600 s older: faults with `from=600` begin. */
  later(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

async function openRefusing(...armed: readonly string[]): Promise<Refusing> {
  let lateMs = 0;
  const rehearsal = await rehearse("kilometres", {
    faults: { armed, seed: 1 },
    now: () => Date.now() + lateMs,
  });
  const sheet = join(rehearsal.folder, "log.csv");
  writeFileSync(join(rehearsal.folder, "log.map.yaml"), NUMBERED_ROWS);
  return {
    ...rehearsal,
    sheet,
    async load(word, rows) {
      const lines = Array.from({ length: rows }, (_, at) => `${at + 1},2019-05-0${at + 1},run,10,${word}`);
      writeFileSync(sheet, ["No,Day,Sport,Distance,Notes", ...lines].join("\n"));
      return (await rehearsal.run(["import", sheet, "--quiet"])).code;
    },
    later() {
      lateMs = 600_000;
    },
    [Symbol.asyncDispose]: () => rehearsal.close(),
  };
}

test("a verification names a record that the log refuses to show, doesn't call it missing, and isn't good until it was read", async () => {
  await using log = await openRefusing(`${READS},from=600,times=3`);
  expect(await log.load("first", 3)).toBe(0);
  log.later();
  const report = join(log.folder, "report.json");
  const one = await log.run(["verify", "--report", report]);
  expect(one.code, one.out + one.err).toBe(3);
  expect(one.out).toContain(
    "3 records of run 1 could not be read back: the log refused to show them, and they may be there. Try again with: logferry verify.\n",
  );
  expect(one.err).toMatch(/log\.csv line 2 \(workout \S+\): it could not be read: .*422/);
  expect(one.out + one.err).not.toMatch(/missing from the log|no longer in the log|Verified:/);
  const { verification, verdict } = JSON.parse(readFileSync(report, "utf8"));
  expect(verification).toMatchObject({ checked: 0, differing: 0, unread: 3 });
  expect(verdict).toMatchObject({ isGood: false, canClose: false, obstacles: [{ code: "unread", count: 3 }] });
  const status = await log.run(["status"]);
  expect(status.out).toContain("3 records could not be read back (logferry verify)");
  expect(status.out).not.toContain("missing from the log");

  const again = await log.run(["verify"]);
  expect(again.code, again.out + again.err).toBe(0);
  expect(again.out).toContain("Verified: all 3 records of run 1 are in the log");
  expect((await log.run(["status"])).out).not.toContain("could not be read back");
});

test("a verification gives a program each record that was refused, and counts the others as read", async () => {
  await using log = await openRefusing(`${READS},from=600,times=1`);
  expect(await log.load("first", 3)).toBe(0);
  log.later();
  const ran = await log.run(["verify", "--json"]);
  expect(ran.code).toBe(3);
  const lines = jsonLines(ran.out);
  expect(lines.filter(({ type }) => type === "unread")).toMatchObject([
    { kind: "workout", reason: expect.stringContaining("the service answered 422") },
  ]);
  expect(lines.find(({ type }) => type === "verification")).toMatchObject({ checked: 2, differing: 0, unread: 1 });
});

test("an undo leaves a record that the log refuses to show alone, and says why instead of calling it gone", async () => {
  await using log = await openRefusing(`${READS},from=600,times=4`);
  expect(await log.load("first", 2)).toBe(0);
  expect(await log.load("second", 2)).toBe(0);
  log.later();
  const dry = await log.run(["undo", "2", "--dry-run"]);
  expect(dry.code, dry.out + dry.err).toBe(3);
  expect(dry.out).toMatch(/Could not be read: .*\n {2}workout \S+, log\.csv line 2: .*the service answered 422/);
  expect(dry.out).not.toContain("No longer in the log");
  const undone = await log.run(["undo", "2", "--json"]);
  expect(undone.code).toBe(3);
  expect(jsonLines(undone.out).filter(({ type }) => type === "undone")).toMatchObject([
    { verdict: "unread", reason: expect.stringContaining("422") },
    { verdict: "unread", reason: expect.stringContaining("422") },
  ]);
  // The log shows them again, so the same command puts them back.
  const then = await log.run(["undo", "2"]);
  expect(then.code, then.out + then.err).toBe(0);
  expect(then.out).toMatch(/Run 2 is undone\. 2 put back/);
});

test("an undo says so when the log refuses to show a record that was just put back", async () => {
  // The second import reads the workout once. The undo reads it before it writes, and after.
  await using log = await openRefusing(`${READS},nth=3`);
  expect(await log.load("first", 1)).toBe(0);
  expect(await log.load("second", 1)).toBe(0);
  const undone = await log.run(["undo", "2"]);
  expect(undone.code, undone.out + undone.err).toBe(3);
  expect(undone.out).toMatch(/Put back, but could not be read again: .*\n {2}workout \S+, log\.csv line 2: .*422/);
  expect(undone.out).toMatch(/Run 2 is undone\. 0 put back; 1 left alone or not wholly put back/);
});

test("explain --check says that the record could not be read, not that it is gone", async () => {
  await using log = await openRefusing(`${READS},from=600`);
  expect(await log.load("first", 1)).toBe(0);
  log.later();
  const ran = await log.run(["explain", "log.csv:2", "--check"]);
  expect(ran.out).toMatch(/It stood in your log as workout \S+, put there by run 1\. It could not be read now: .*422/);
  expect(ran.out).not.toContain("no longer there");
  const [history] = jsonLines((await log.run(["explain", "log.csv:2", "--check", "--json"])).out);
  expect(history?.now).toEqual({ differences: [], reason: expect.stringContaining("422") });
});

test("a person's word about a record in doubt isn't called wrong when the log refuses to show the record", async () => {
  await using log = await openRefusing(
    `${READS},from=600`,
    NO_LISTING,
    "reset-after-commit:POST /rest/logs/me/workouts",
  );
  await log.load("first", 1);
  const doubt = await log.run(["retry"]);
  const [, id] = /In doubt still: ([0-9a-f]{6})/.exec(doubt.err) ?? [];
  expect(id, doubt.err).toBeDefined();
  log.later();
  const ran = await log.run(["retry", "--assume-done", `${id}=1`]);
  expect(ran.code).toBe(2);
  expect(ran.err).toMatch(/Cannot use --assume-done: workout 1 could not be read: .*422/);
  expect(ran.err).not.toContain("the log has no workout");
});
