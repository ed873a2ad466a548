import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAULT_KINDS, type FaultName } from "../service/faults/kinds.ts";
import { expectInvariants } from "./support/invariants.ts";
import { type Ran, type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";
import { requestLog } from "./support/request-log.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { chosenRows, inputs } from "./support/tiers.ts";

// An import into a service that misbehaves in every way it can, by count and by chance. When it has been run until it is done, the log must hold each
// workout once. The test reads the store, which no fault touches. test/matrix/ has each kind by count on a small sheet: so the first tier tries two here.

const FIXTURES = join(ROOT, "fixtures");
/** Rows of the spreadsheet that are saved. */
const ROWS = inputs({ first: 8, long: 40 });
/** The spreadsheet's folder. */
const SHEET = temporaryFolder("file");
/** Saves from a spreadsheet, and imports: seven files with one workout, and a triathlon. */
const SOURCES = [
  SHEET,
  ...["device-files/fit", "device-files/fit-multisport"].map((name) => join(FIXTURES, name, "archive")),
];
/** By their `expected.jsonl`. */
const WORKOUTS = ROWS + 7 + 3;
/** Two pairs of shoes are in the sheet, the second from row 21 on. */
const SHOES = ROWS > 20 ? 2 : 1;

const SAVES = "POST /rest/logs/me/workouts";
const WRITES = "POST /rest/logs/**";
const IMPORTS = "POST /rest/logs/me/workouts/*";

beforeAll(() => {
  const [from, name] = [join(FIXTURES, "csv/us/archive"), "training"];
  const lines = readFileSync(join(from, `${name}.csv`), "utf8").split("\n");
  const kept = ROWS === 40 ? lines : [...lines.slice(0, ROWS + 1), ""];
  writeFileSync(join(SHEET, `${name}.csv`), kept.join("\n"));
  copyFileSync(join(from, `${name}.map.yaml`), join(SHEET, `${name}.map.yaml`));
});

/** The faults of one kind, and its other settings. */
interface Case {
  readonly kind: FaultName;
  readonly armed: readonly string[];
  /** Flags besides the usual ones. */
  readonly flags?: readonly string[];
  /** Workouts that the fault itself puts into the log, as if the user had. */
  readonly added?: (hits: number) => number;
}

/** The same requests get the fault by count (the third) and by chance. */
function both(kind: FaultName, target: string, ...settings: readonly string[]): Case {
  const spec = (...more: readonly string[]) => `${kind}:${target}:${[...settings, ...more].join(",")}`;
  return { kind, armed: [spec("nth=3"), spec("rate=0.1")] };
}

/** A timeout is waited out, so a few are enough. A busy service gets more time to finish before the record is looked up. */
const PATIENT = ["--timeout", "5", "--settle", "5"];

const CASES: readonly Case[] = [
  both("bad-id", SAVES),
  both("clock-skew", "* /rest/**", "seconds=-90000"),
  both("close-idle", "* /rest/**"),
  both("code-after-commit", SAVES),
  both("code-before-commit", SAVES),
  both("cut-body", "* /rest/**"),
  both("gzip-answer", WRITES, "mebibytes=2"),
  { ...both("hang-after-commit", WRITES, "times=1"), flags: PATIENT },
  { ...both("hang-before-commit", WRITES, "times=1"), flags: PATIENT },
  both("html-after-commit", WRITES),
  both("html-before-commit", "* /rest/**"),
  both("huge-answer", WRITES, "mebibytes=3"),
  { kind: "import-ids", armed: ["import-ids:nth=1..2", `import-ids:${IMPORTS}:ids=more,rate=0.3`] },
  {
    kind: "insert-workout",
    armed: ["insert-workout:nth=2", "insert-workout:rate=0.4", `reset-after-commit:${SAVES}:nth=5`],
    added: (hits) => hits,
  },
  both("latency", "* /rest/**", "ms=30"),
  { kind: "part-import", armed: ["part-import:nth=1..2", "part-import:rate=0.3"] },
  // Each has a case of its own, since the first one slows down the requests that the other counts. The limits are low enough for any machine to meet.
  ...["rate-limit:per-second=10", `rate-limit:${IMPORTS}:per-second=1,retry-after=1`].map(
    (armed): Case => ({ kind: "rate-limit", armed: [armed] }),
  ),
  both("reset-after-commit", WRITES),
  both("reset-before-commit", "* /rest/**"),
  both("revoke-token", "* /rest/**", "times=1"),
  { ...both("save-twice", SAVES), added: (hits) => hits },
  // Each has a case of its own. Few listings are asked for twice, and the first of two faults would answer them all. The copies are kept for longer than
  // a slow machine takes to ask again.
  ...["rate=0.9", "nth=1.."].map(
    (when): Case => ({
      kind: "stale-listing",
      armed: [`stale-listing:seconds=3600,${when}`, `status-after-commit:${SAVES}:status=502,nth=7`],
      flags: ["--settle", "5"],
    }),
  ),
  both("status-after-commit", WRITES, "status=500"),
  // Each is waited for, so a few are enough.
  both("status-before-commit", "* /rest/**", "status=429", "retry-after=1", "times=3"),
];

/** Any request at all is lost, and each import answers with other ids: a run meets these wherever it is. */
const IN_FIRST_TIER: readonly FaultName[] = ["reset-before-commit"];

test("every kind of fault is rehearsed, armed by count and by chance", () => {
  expect([...new Set(CASES.map(({ kind }) => kind))]).toEqual(FAULT_KINDS.map(({ name }) => name));
  for (const { name: kind } of FAULT_KINDS) {
    if (kind === "rate-limit") continue;
    const armed = CASES.filter((one) => one.kind === kind).flatMap((one) => one.armed);
    expect(
      armed.some((spec) => spec.startsWith(kind) && /nth=/.test(spec)),
      kind,
    ).toBe(true);
    expect(
      armed.some((spec) => spec.startsWith(kind) && /rate=/.test(spec)),
      kind,
    ).toBe(true);
  }
});

/** The members that tell one workout from another. Equal workouts are as often there as in the sources. */
async function workoutsOf(rehearsal: Rehearsal): Promise<string[]> {
  const { entries, total } = await rehearsal.service.store.workouts(rehearsal.userId, { limit: 1000, offset: 0 }, []);
  expect(entries).toHaveLength(total);
  return entries
    .map(({ activityID, date, time, details }) => JSON.stringify({ activityID, date, time, details }))
    .toSorted();
}

/** Imports until it is done, as a person would: again after a stop or a refusal, and with a new token when the old one is refused. */
async function importAll(rehearsal: Rehearsal, flags: readonly string[]): Promise<readonly Ran[]> {
  const words = ["import", "--json", "--settle", "1", ...SOURCES, "--zone", "Europe/Vienna", ...rehearsal.activities];
  const usual = flags.includes("--settle") ? words.filter((word) => word !== "--settle" && word !== "1") : words;
  const runs: Ran[] = [];
  let token = rehearsal.token;
  while (runs.length < 20) {
    const ran = await rehearsal.run([...usual, ...flags], { env: { LOGFERRY_TOKEN: token } });
    runs.push(ran);
    if (ran.code === 4) token = await rehearsal.service.operator.addToken(rehearsal.userId);
    else if (ran.code !== 6 && ran.code !== 75 && summaryOf(ran).ledger.refused === 0) break;
  }
  return runs;
}

function summaryOf({ out }: Ran): { ledger: Record<string, number>; balanced: boolean } {
  const lines = out.trim().split("\n");
  return lines.map((line) => JSON.parse(line)).findLast(({ type }) => type === "summary");
}

/** The output of the runs, for the message of a failure. */
function said(runs: readonly Ran[]): string {
  return runs
    .map(({ code, out, err }) => {
      const lines = out.split("\n").filter((line) => /"type":"(error|summary)"/.test(line));
      return `exit ${code}\n${lines.slice(-2).join("\n")}\n${err}`;
    })
    .join("\n")
    .slice(-4000);
}

describe("an import into a service that misbehaves", () => {
  let expected: string[];
  let undisturbed: Rehearsal;

  beforeAll(async () => {
    undisturbed = await rehearse();
    const runs = await importAll(undisturbed, []);
    expect(runs, said(runs)).toHaveLength(1);
    expected = await workoutsOf(undisturbed);
  });
  afterAll(() => undisturbed.close());

  test("has something to carry: without a fault the log holds what the fixtures say", () => {
    expect(expected).toHaveLength(WORKOUTS);
  });

  // Each case has a service of its own, and mostly waits.
  test.concurrent.each(chosenRows(CASES, ({ kind }) => IN_FIRST_TIER.includes(kind)))(
    "$kind: the log holds each workout once",
    async ({ armed, flags = [], added = () => 0 }) => {
      const log = requestLog();
      const rehearsal = await rehearse("kilometres", { log, faults: { armed, seed: 11 } });
      try {
        const runs = await importAll(rehearsal, flags);
        expectInvariants(rehearsal, { ran: runs, asked: log.all });
        const hits = rehearsal.service.faults.hits();
        const found = await workoutsOf(rehearsal);
        const free = [...found];
        const missing = expected.filter((one) => {
          const at = free.indexOf(one);
          if (at !== -1) free.splice(at, 1);
          return at === -1;
        });
        expect(missing, said(runs)).toEqual([]);
        const ours = hits.filter(({ fault }) => /^(insert-workout|save-twice)/.test(fault));
        expect(free, said(runs)).toHaveLength(added(ours.reduce((sum, one) => sum + one.hits, 0)));
        const shoes = await rehearsal.service.store.equipments(
          rehearsal.userId,
          { limit: 100, offset: 0 },
          { activityID: undefined, showRetired: true },
        );
        expect(shoes.total, said(runs)).toBe(SHOES);
      } finally {
        await rehearsal.close();
      }
    },
  );
});
