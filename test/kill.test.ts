import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { expectInvariants } from "./support/invariants.ts";
import { killed } from "./support/kills.ts";
import { randomOf, SEED } from "./support/random.ts";
import { type Ran, type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";
import { requestLog } from "./support/request-log.ts";
import { inputs } from "./support/tiers.ts";

// An import ended by SIGKILL at a random moment, as by a power cut, and then resumed. The log must hold what an undisturbed import puts into another
// one.

const DEMO = join(ROOT, "fixtures", "demo");
const WHOLE = ["export_24680135.zip", "watch", "log-2012-2015.csv"].map((name) => join(DEMO, name));
const WATCH = WHOLE.slice(1, 2);
const WATCH_AND_SHEET = WHOLE.slice(1);

/** Rounds, each with its kills. `npm run kills` goes through them all. */
const ROUNDS: readonly (readonly string[])[] =
  process.env.LOGFERRY_TEST_KILLS === "all"
    ? [WATCH, WATCH, WATCH, WATCH, WATCH_AND_SHEET, WATCH_AND_SHEET, WATCH_AND_SHEET, WATCH_AND_SHEET, WHOLE, WHOLE]
    : [WATCH, WHOLE, WATCH_AND_SHEET, WATCH_AND_SHEET].slice(0, inputs({ first: 1, long: 4 }));

function words(rehearsal: Rehearsal, sources: readonly string[]): string[] {
  return ["import", "--json", "--settle", "1", ...sources, "--zone", "Europe/Vienna", ...rehearsal.activities];
}

type Json = Record<string, unknown>;

/** The content of a log, read by plain requests and without ids: every workout in full, sorted. */
interface Contents {
  readonly workouts: readonly string[];
  readonly equipment: readonly string[];
  readonly courses: readonly string[];
}

async function contentsOf(rehearsal: Rehearsal): Promise<Contents> {
  const listed = await rehearsal.listed("/rest/logs/me/workouts");
  const workouts: string[] = [];
  for (let at = 0; at < listed.length; at += 8) {
    const some = listed.slice(at, at + 8).map(async ({ id }) => {
      const { workout } = await rehearsal.get(`/rest/logs/me/workouts/${id}`);
      const { id: _id, equipment, course, ...rest } = workout as Json;
      return JSON.stringify({ ...rest, equipment: (equipment as Json)?.name, course: course !== undefined });
    });
    workouts.push(...(await Promise.all(some)));
  }
  const named = (entries: readonly Json[]) => entries.map(({ id: _id, ...rest }) => JSON.stringify(rest)).sort();
  return {
    workouts: workouts.sort(),
    equipment: named(await rehearsal.listed("/rest/logs/me/equipment")),
    courses: named(await rehearsal.listed("/rest/logs/me/courses")),
  };
}

/** The last summary a command printed. */
function ledgerOf(ran: Ran): { ledger: Record<string, number>; balanced: boolean } {
  const lines = ran.out.trim().split("\n");
  return lines.map((line) => JSON.parse(line)).findLast(({ type }) => type === "summary");
}

/** The output of a command besides its issues, for the message of a failure. */
function said({ out }: Ran): string {
  const lines = out.split("\n").filter((line) => !line.includes(`"type":"issue"`));
  return lines.join("\n").slice(-3000);
}

/** The result of an undisturbed import: the log it leaves, its exit, and its time. */
interface Undisturbed {
  readonly contents: Contents;
  readonly code: number | null;
  readonly ms: number;
}

async function undisturbed(sources: readonly string[]): Promise<Undisturbed> {
  const rehearsal = await rehearse();
  try {
    const start = performance.now();
    const { code, err } = await rehearsal.run(words(rehearsal, sources));
    const ms = performance.now() - start;
    expect(err).toBe("");
    return { contents: await contentsOf(rehearsal), code, ms };
  } finally {
    await rehearsal.close();
  }
}

describe(`an import killed with SIGKILL (LOGFERRY_TEST_SEED=${SEED})`, () => {
  const expected = new Map<readonly string[], Undisturbed>();

  beforeAll(async () => {
    for (const sources of new Set(ROUNDS)) expected.set(sources, await undisturbed(sources));
  });

  test.each(ROUNDS.map((sources, round) => ({ round, sources })))(
    "round $round: resumed, the log holds every workout once, as if nothing had happened",
    async ({ round, sources }) => {
      const { contents, code, ms } = expected.get(sources) as Undisturbed;
      const random = randomOf(SEED + round * 7919);
      const log = requestLog();
      const rehearsal = await rehearse("kilometres", { log });
      try {
        const importWords = words(rehearsal, sources);
        const applyWords = ["apply", "--json", "--settle", "1"];
        await killed(rehearsal.start(importWords), ms * (0.3 + 0.7 * random()));
        if (random() < 0.4) {
          await killed(rehearsal.start(round % 2 === 0 ? importWords : applyWords), ms * (0.2 + 0.6 * random()));
        }
        let resumed = await rehearsal.run(round % 2 === 0 ? importWords : applyWords);
        // Killed before there was a plan, there is nothing to apply.
        if (resumed.code === 2) resumed = await rehearsal.run(importWords);
        expect(resumed.err).toBe("");
        expectInvariants(rehearsal, { ran: [resumed], asked: log.all });
        expect(resumed.code, said(resumed)).toBe(code);
        const { ledger, balanced } = ledgerOf(resumed);
        expect(balanced).toBe(true);
        expect(ledger).toMatchObject({ left: 0, failed: 0, refused: 0, inDoubt: 0 });

        const found = await contentsOf(rehearsal);
        expect(found.workouts).toHaveLength(contents.workouts.length);
        expect(found).toEqual(contents);
        const verified = await rehearsal.run(["verify", "--quiet"]);
        expect(verified.err).toBe("");
        expect(verified.code).toBe(0);
      } finally {
        await rehearsal.close();
      }
    },
  );
});
