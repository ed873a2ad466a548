import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { openJournal } from "../../pipelines/journal/sqlite.ts";
import * as rules from "./invariants.ts";
import { killAt } from "./kills.ts";
import { rehearse } from "./rehearsal.ts";
import { type Asked, requestLog } from "./request-log.ts";
import { someRuns, writeSheet } from "./small-sources.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { longTest, test } from "./tier-tests.ts";

// A rule that can't be broken checks nothing. So each rule gets a record that keeps it, and one that breaks it.

const folder = temporaryFolder();

const EMPTY: rules.JournalRecord = { lines: [], events: [], runs: [], accounts: 1, damage: [] };

function events(...states: readonly string[]): Pick<rules.JournalRecord, "events"> {
  return {
    events: states
      .slice(1)
      .map((to, index) => ({ id: index, run: 1, seq: 1, at: 100 + index, from: states[index], to })),
  };
}

function asked(at: number, method = "POST", status = 200): Asked {
  return { method, path: "/rest/logs/me/workouts", at, status };
}

test("I1: a request without an intent from before it", () => {
  const journal = { ...EMPTY, ...events("planned", "in-flight", "done") };
  expect(rules.withoutIntent(journal, [asked(100, "POST", 429), asked(101)])).toEqual([]);
  expect(rules.withoutIntent(journal, [asked(99)])).toHaveLength(1);
  expect(rules.withoutIntent(journal, [asked(101), asked(102)])).toHaveLength(1);
});

test("I1: a request that leaves before its intent, or before it is synced", () => {
  const sent = "sent POST /w committed synced wal";
  expect(rules.sentUnwritten(["in-flight", sent, "done", "in-flight", sent])).toEqual([]);
  expect(rules.sentUnwritten([sent, "in-flight"])).toEqual(["POST /w left before its intent"]);
  expect(rules.sentUnwritten(["in-flight", sent, "done", sent])).toEqual(["POST /w left before its intent"]);
  expect(rules.sentUnwritten(["in-flight", sent.replace("committed", "uncommitted")])).toHaveLength(1);
  expect(rules.sentUnwritten(["in-flight", sent.replace("synced", "unsynced")])).toHaveLength(1);
});

test("I2 and I3: one too many, and one too few", () => {
  expect([...rules.doubled(["a", "a"], ["a", "b", "a"], ["b"]), ...rules.lost(["a", "a"], ["a", "a"])]).toEqual([]);
  expect(rules.doubled(["a"], ["a", "a"])).toEqual(["in the log once too often: a"]);
  expect(rules.doubled(["a"], ["a", "b"])).toEqual(["in the log once too often: b"]);
  expect(rules.lost(["a", "a"], ["a"])).toEqual(["not in the log: a"]);
});

test("I4: a record without a line, a line without a word, a printed ledger that doesn't add up", () => {
  const line = { run: 1, seq: 1, state: "done", reason: null };
  const sound = { ...EMPTY, runs: [{ id: 1, state: "finished", read: 1 }], lines: [line] };
  const printed = (read: number, balanced = true) => ({
    out: JSON.stringify({ type: "summary", run: 1, balanced, ledger: { read, toUpdate: 7, created: 1, left: 0 } }),
  });
  expect(rules.unbalanced(sound, { out: printed(1).out.replace("{", '{"type":"summary",') })).toEqual([]);
  expect(rules.unbalanced({ ...sound, lines: [] })).toHaveLength(1);
  expect(rules.unbalanced({ ...sound, lines: [{ ...line, state: "in-doubt" }] })).toEqual([
    "line 1 is in-doubt and doesn't say why",
  ]);
  const merged = (key: string, twin: string) => ({ ...line, state: "merged", reason: "the same", key, twin });
  const circle = { ...sound, lines: [merged("a", "b"), merged("b", "a")], runs: [{ ...sound.runs[0], read: 2 }] };
  expect(rules.unbalanced(circle)).toHaveLength(2);
  expect(rules.unbalanced({ ...circle, lines: [merged("a", "b"), { ...line, key: "b" }] })).toEqual([]);
  expect(rules.unbalanced(sound, printed(2)).length).toBeGreaterThan(0);
  expect(rules.unbalanced(sound, printed(1, false))).toHaveLength(1);
});

test("I5: an edge that is none, a gap, and a line that stands elsewhere", () => {
  const lines = (state: string) => [{ run: 1, seq: 1, state }];
  expect(
    rules.wrongEdges({
      ...EMPTY,
      ...events("planned", "in-flight", "in-doubt", "planned", "in-flight", "done"),
      lines: lines("done"),
    }),
  ).toEqual([]);
  expect(rules.wrongEdges({ ...EMPTY, ...events("planned", "done"), lines: lines("done") })).toHaveLength(1);
  expect(
    rules.wrongEdges({ ...EMPTY, ...events("planned", "in-flight", "done", "planned"), lines: lines("planned") }),
  ).toHaveLength(1);
  expect(rules.wrongEdges({ ...EMPTY, ...events("in-flight", "done"), lines: lines("done") })).toHaveLength(1);
  expect(rules.wrongEdges({ ...EMPTY, ...events("planned", "in-flight"), lines: lines("done") })).toHaveLength(1);
});

test("I6: an edit that was written over", () => {
  const edits = [{ id: "1", field: "notes", value: "mine" }];
  expect(rules.writtenOver(edits, () => ({ notes: "mine" }))).toEqual([]);
  expect(rules.writtenOver(edits, () => ({ notes: "theirs" }))).toHaveLength(1);
  expect(rules.writtenOver(edits, () => undefined)).toHaveLength(1);
});

test("I7: a window too full, and a request that came too soon", () => {
  const five = [0, 250, 500, 750, 1000].map((at) => asked(at));
  expect(rules.tooMany(five, 4, 1000)).toEqual([]);
  expect(rules.tooMany([...five, asked(999)], 4, 1000).length).toBeGreaterThan(0);
  const turnedAway = asked(0, "POST", 429);
  expect(rules.tooSoon([turnedAway, asked(3000)], 3000, 1)).toEqual([]);
  expect(rules.tooSoon([turnedAway, asked(2999)], 3000, 1)).toHaveLength(1);
  expect(rules.tooSoon([turnedAway, asked(10)], 3000, 2)).toEqual([]);
});

test("I8: a line that was tried too often", () => {
  const journal = { ...EMPTY, ...events("planned", "in-flight", "planned", "in-flight", "in-flight", "done") };
  expect(rules.triedTooOften(journal, 2)).toEqual([]);
  expect(rules.triedTooOften(journal, 1)).toEqual(["line 1 of run 1 was tried 2 times"]);
});

describe("I9: a secret", () => {
  const secret = "c4naryT0ken/+=c4naryT0ken";
  const forms: readonly [string, string][] = [
    ["as it is", secret],
    ["URL-encoded", encodeURIComponent(secret)],
    ["in hexadecimal", Buffer.from(secret).toString("hex")],
    ...["", "x", "xy", "xyz"].map((before): [string, string] => [
      `in base64 after ${before.length} bytes`,
      Buffer.from(`${before}${secret} and more`).toString("base64"),
    ]),
    ["in base64url", Buffer.from(`~?${secret}`).toString("base64url")],
  ];

  test.each(forms)("%s is found in a file and in what was printed", (_how, text) => {
    mkdirSync(join(folder, "deep"));
    writeFileSync(join(folder, "deep", "file"), Buffer.concat([Buffer.from([0, 255, 128]), Buffer.from(text)]));
    expect(rules.leaked([secret], folder, []).length).toBeGreaterThan(0);
    rmSync(join(folder, "deep"), { recursive: true });
    expect(rules.leaked([secret], folder, [`before ${text} after`]).length).toBeGreaterThan(0);
  });

  test("that is nowhere isn't found", () => {
    writeFileSync(join(folder, "file"), Buffer.from("c4nary T0ken").toString("base64"));
    expect(rules.leaked([secret], folder, ["c4naryT0ke", ""])).toEqual([]);
  });
});

test("I10: a run with nothing to do that writes, or reads without end", () => {
  const reads = (count: number) => Array.from({ length: count }, () => asked(0, "GET"));
  expect(rules.busyForNothing(reads(14), 100)).toEqual([]);
  expect(rules.busyForNothing([...reads(3), asked(0)], 100)).toEqual(["POST /rest/logs/me/workouts"]);
  expect(rules.busyForNothing(reads(15), 100)).toHaveLength(1);
});

test("I11: a journal of two accounts, and a record in somebody else's log", () => {
  expect(rules.astray(EMPTY, ["theirs"], ["theirs"])).toEqual([]);
  expect(rules.astray({ ...EMPTY, accounts: 2 }, [], [])).toHaveLength(1);
  expect(rules.astray(EMPTY, ["theirs"], ["theirs", "ours"])).toHaveLength(1);
  expect(rules.astray(EMPTY, ["theirs"], [])).toHaveLength(1);
});

test("I12: a journal with a page that was written over", async () => {
  const path = join(folder, "journal.db");
  const journal = await openJournal(path);
  const run = await journal.startPlan([], { tracks: true, activityIDs: {}, workoutIDs: {} }, 1);
  await journal.planReady(run, 0);
  await journal.close();
  expect(rules.damaged(rules.readJournal(path))).toEqual([]);
  const bytes = readFileSync(path);
  // The second page and all after it: pages are of 4,096 bytes.
  writeFileSync(path, bytes.fill(0x55, 4096));
  expect(rules.damaged(rules.readJournal(path))).toHaveLength(1);
});

test("I13, I14 and I15: memory, requests sent again, and a fault nobody met", () => {
  expect(rules.grown(50e6, 60e6)).toEqual([]);
  expect(rules.grown(50e6, 80e6)).toHaveLength(1);
  const known = { planned: 2, deaths: 1, inFlight: 1 };
  expect(rules.repeatedTooOften([asked(0), asked(1), asked(2)], known)).toEqual([]);
  expect(rules.repeatedTooOften([asked(0), asked(1), asked(2), asked(3)], known)).toHaveLength(1);
  expect(rules.unmet([{ fault: "a", hits: 1 }])).toEqual([]);
  expect(rules.unmet([{ fault: "a", hits: 0 }])).toEqual(["a was never met"]);
});

longTest(
  "a load under faults keeps them, and its intents are on the disk before a byte of a request leaves",
  async () => {
    const log = requestLog();
    const armed = [
      "reset-after-commit:POST /rest/logs/me/workouts:nth=2",
      "status-before-commit:POST /rest/logs/me/workouts:status=429,nth=4",
    ];
    const rehearsal = await rehearse("kilometres", { log, faults: { armed, seed: 1 } });
    try {
      const sheet = writeSheet(
        rehearsal.folder,
        someRuns(6).map((run) => ({ ...run, shoe: "Pegasus" })),
      );
      const order = join(rehearsal.folder, "order.txt");
      const env = killAt(undefined, order);
      const ran = await rehearsal.run(
        [
          "import",
          "--json",
          "--settle",
          "1",
          "--concurrency",
          "1",
          sheet,
          "--zone",
          "Europe/Vienna",
          ...rehearsal.activities,
        ],
        {
          env: { ...env, NODE_OPTIONS: `${env.NODE_OPTIONS} --import=${join(import.meta.dirname, "record-order.ts")}` },
        },
      );
      expect(ran.code, `${ran.out}${ran.err}`).toBe(0);
      rules.expectInvariants(rehearsal, { ran: [ran], asked: log.all });
      const lines = rules.linesOf(order);
      expect(lines.filter((line) => line.startsWith("sent POST"))).toHaveLength(1 + 6 + 1);
      // The request that was turned away is repeated under the intent it has.
      expect(rules.sentUnwritten(lines)).toEqual(["POST /rest/logs/me/workouts left before its intent"]);
      const journal = rules.readJournal(join(rehearsal.folder, "journal.db"));
      expect(rules.withoutIntent({ ...journal, events: [] }, log.all).length).toBeGreaterThan(6);
      const held = await rehearsal.service.store.workouts(rehearsal.userId, { limit: 100, offset: 0 }, []);
      expect(held.total).toBe(6);
      const before = log.all.length;
      await rehearsal.run(["import", "--settle", "1", sheet, "--zone", "Europe/Vienna", ...rehearsal.activities]);
      expect(rules.busyForNothing(log.all.slice(before), 7)).toEqual([]);
      expect(rules.repeatedTooOften(log.all, { planned: 7, deaths: 0, inFlight: 1 })).toEqual([]);
      expect(rules.triedTooOften(journal, 2)).toEqual([]);
    } finally {
      await rehearsal.close();
    }
  },
);
