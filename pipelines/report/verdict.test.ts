import { expect, test } from "vitest";
import type { ReasonRow } from "../journal/counts.ts";
import type { Run, VerifiedRun } from "../journal/run.ts";
import { LEDGER_COLUMNS, type Ledger, type LedgerColumn, type RunSummary } from "../journal/summary.ts";
import { judgeRun } from "./verdict.ts";

const RUN: Run = {
  id: 1,
  state: "finished",
  createdAt: 1000,
  finishedAt: 2000,
  requests: 10,
  sources: [],
  options: { tracks: true, activityIDs: {}, workoutIDs: {} },
  read: 10,
};
const VERIFIED: VerifiedRun = {
  at: 3000,
  checked: 10,
  present: 0,
  differing: 0,
  claimedTwice: 0,
  doubled: 0,
  edited: 0,
  unread: 0,
  metres: { planned: 0, found: 0 },
  seconds: { planned: 0, found: 0 },
  examples: [],
};

function ledger(columns: Partial<Ledger>): Ledger {
  const none = Object.fromEntries(LEDGER_COLUMNS.map((column) => [column, 0])) as Record<LedgerColumn, number>;
  return { ...none, toUpdate: 0, read: 10, ...columns };
}

/** Of workouts alone. */
function summaryOf(columns: Partial<Ledger>, run: Run = RUN, balanced = true): RunSummary {
  const all = ledger(columns);
  const none = { ...ledger({}), read: 0 };
  const byKind = { workout: all, equipment: none, course: none, "set-aside": none };
  return { run, all, bySource: [], byKind, balanced };
}

function verdict({
  columns = { created: 10 },
  verified = VERIFIED,
  reasons = [],
  run = RUN,
  balanced = true,
  undone = 0,
}: {
  columns?: Partial<Ledger>;
  verified?: VerifiedRun | undefined;
  reasons?: readonly ReasonRow[];
  run?: Run;
  balanced?: boolean;
  undone?: number;
} = {}) {
  return judgeRun({ summary: summaryOf(columns, run, balanced), verified, reasons, undone });
}

test("the old account can be closed when all is there, was read back since, and nothing stayed out", () => {
  expect(verdict()).toMatchObject({ isDone: true, isGood: true, canClose: true, obstacles: [] });
  expect(verdict().sentence).toMatch(/^Yes, as far as these sources go/);
});

test.each<[string, Parameters<typeof verdict>[0], string]>([
  ["a record was rejected", { columns: { created: 9, quarantined: 1 } }, "rejected"],
  [
    "the file of a workout was damaged",
    { columns: { created: 10, lostFiles: { missing: 0, damaged: 1, cut: 0 } } },
    "without-file",
  ],
  ["a record was refused", { columns: { created: 9, refused: 1 } }, "refused"],
  ["a record could not be sent", { columns: { created: 9, failed: 1 } }, "failed"],
  ["an answer was lost", { columns: { created: 9, inDoubt: 1 } }, "in-doubt"],
  ["a loaded record is gone", { columns: { created: 9, gone: 1 } }, "gone"],
  ["something is left to do", { columns: { created: 9, left: 1 } }, "left"],
  [
    "the person left out years",
    { columns: { created: 9, skipped: 1 }, reasons: [{ state: "skipped", rule: "plan/outside-dates", count: 1 }] },
    "outside-dates",
  ],
  ["a field differs", { verified: { ...VERIFIED, differing: 1 } }, "differs"],
  ["two workouts stand for one", { verified: { ...VERIFIED, claimedTwice: 1 } }, "claimed-twice"],
  [
    "the log has records of the run twice, by their values",
    { verified: { ...VERIFIED, doubled: 1 } },
    "more-than-once",
  ],
  ["the log refused to show a record", { verified: { ...VERIFIED, unread: 1 } }, "unread"],
  ["the run went on since it was verified", { verified: { ...VERIFIED, at: 1999 } }, "verified-too-early"],
  ["the run ended once more, by a clock behind", { verified: { ...VERIFIED, runEndedAt: 2001 } }, "verified-too-early"],
  ["a later plan replaced the run", { run: { ...RUN, state: "superseded" } }, "superseded"],
  [
    "the run retried single records of another",
    { run: { ...RUN, options: { ...RUN.options, retryOf: 1 } } },
    "part-of-a-run",
  ],
  ["the run was undone", { undone: 2 }, "undone"],
  ["it was a rehearsal", { run: { ...RUN, options: { ...RUN.options, rehearsedIn: "/home/kim/r" } } }, "a-rehearsal"],
  ["the ledger doesn't balance", { balanced: false }, "unbalanced"],
])("it can't when %s, and that is what holds it back", (_what, evidence, code) => {
  const { canClose, obstacles, sentence } = verdict(evidence);
  expect(canClose).toBe(false);
  expect(obstacles.map((one) => one.code)).toContain(code);
  expect(sentence).toMatch(/^Not yet/);
});

test("it can when the run ended by a clock that was ahead, and was read back since", () => {
  expect(verdict({ verified: { ...VERIFIED, at: 1999, runEndedAt: 2000 } })).toMatchObject({ canClose: true });
});

const RULED = (...accepts: string[]): Run => ({ ...RUN, options: { ...RUN.options, accepts } });

test.each<[string, Parameters<typeof verdict>[0], boolean]>([
  ["1 of 10 rejected, and 10 % accepted", { columns: { quarantined: 1 }, run: RULED("rejected=10%") }, true],
  ["2 of 10 rejected, and 10 % accepted", { columns: { quarantined: 2 }, run: RULED("rejected=10%") }, false],
  ["2 rejected, and 2 accepted", { columns: { quarantined: 2 }, run: RULED("rejected=2") }, true],
  ["1 rejected, and only refused ones accepted", { columns: { quarantined: 1 }, run: RULED("refused=2") }, false],
  [
    "1 could not be sent, and all else is accepted",
    { columns: { failed: 1 }, run: RULED("rejected=9", "dates") },
    false,
  ],
  [
    "a track lost, and that is accepted",
    { columns: { created: 10, lostFiles: { missing: 0, damaged: 1, cut: 0 } }, run: RULED("lost-files") },
    true,
  ],
])("by a person's own rule, stated before: %s", (_what, evidence, canClose) => {
  const found = verdict(evidence);
  expect(found.canClose).toBe(canClose);
  // What is accepted is still said.
  if (canClose) expect(found.sentence).toMatch(/Your own rule accepts: .*(rejected|damaged)/);
});

test("without a verification nothing is proven, however well it went", () => {
  const found = judgeRun({ summary: summaryOf({ created: 10 }), verified: undefined, reasons: [], undone: 0 });
  expect(found).toMatchObject({ isDone: true, isGood: false, canClose: false });
  expect(found.obstacles).toEqual([
    expect.objectContaining({ code: "not-verified", todo: expect.stringContaining("logferry verify") }),
  ]);
});

test("what a rule left out is no reason to keep the account: rest rows and settings files", () => {
  const reasons: ReasonRow[] = [{ state: "skipped", rule: "csv/skipped-row", count: 3 }];
  expect(verdict({ columns: { created: 7, skipped: 3 }, reasons }).canClose).toBe(true);
});

test("the account stays open where rules left out every record, unless a person or the dates did", () => {
  const reasons: ReasonRow[] = [{ state: "skipped", rule: "table/skipped-row", count: 10 }];
  const [only] = verdict({ columns: { skipped: 10 }, reasons }).obstacles;
  expect(only).toMatchObject({ code: "nothing-of-it", count: 10 });
  expect(verdict({ columns: { skipped: 10, dropped: 10 } }).canClose).toBe(true);
  const outside: ReasonRow[] = [{ state: "skipped", rule: "plan/outside-dates", count: 10 }];
  const codes = verdict({ columns: { skipped: 10 }, reasons: outside }).obstacles.map(({ code }) => code);
  expect(codes).toEqual(["outside-dates"]);
});

test("a device file that changed since the plan is planned again, and a record that failed otherwise is retried", () => {
  const todoOf = (rule: string) => {
    const reasons: readonly ReasonRow[] = [{ state: "failed", rule, count: 1 }];
    return verdict({ columns: { created: 9, failed: 1 }, reasons }).obstacles[0]?.todo;
  };
  expect(todoOf("source/changed")).toContain("Plan again: logferry plan");
  expect(todoOf("api/failed")).toMatch(/^The reasons say what went wrong.* logferry retry$/);
});

test("what another run left out is dropped by its ids, and the page says which command lists them", () => {
  const others = [{ run: 3, count: 2, quarantined: 2, again: "logferry import log.csv" }];
  const facts = { summary: summaryOf({ created: 10 }), verified: undefined, reasons: [], undone: 0, others };
  const left = judgeRun(facts).obstacles.find(({ code }) => code === "left-by-others");
  expect(left?.todo).toContain("their ids: logferry quarantine --run 3");
  expect(left?.todo).not.toContain("drop --run");
  expect(left?.todo).toContain("Send them again: logferry import log.csv.");
});

test("a log that has a workout twice by a person's own word is no yes", () => {
  const saidTwice = { count: 1, found: "a.csv line 2 and b.csv line 2 are one workout (2026-05-01)" };
  const { canClose, sentence } = judgeRun({
    summary: { ...summaryOf({ created: 10 }), saidTwice },
    verified: VERIFIED,
    reasons: [],
    undone: 0,
  });
  expect(canClose).toBe(false);
  expect(sentence).toBe(`Not yet: 1 workout is in the log twice, as you said: ${saidTwice.found}.`);
});

test.each([
  [["promote/would-change"], "3 records wait for your decision"],
  [["csv/bad-date"], "3 records were rejected"],
  [["promote/would-change", "csv/bad-date"], "3 records were rejected, or wait for your decision"],
])("records kept out by %j: %s", (rules, text) => {
  const reasons = rules.map((rule): ReasonRow => ({ state: "quarantined", rule, count: 1 }));
  expect(verdict({ columns: { created: 7, quarantined: 3 }, reasons }).obstacles[0]?.text).toBe(text);
});

test("sources without any record say nothing about the account", () => {
  const { canClose, obstacles } = verdict({ columns: { read: 0 } });
  expect([canClose, obstacles.map(({ text }) => text)]).toEqual([false, ["these sources have no record"]]);
});
