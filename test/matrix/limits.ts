/** Rows 24, 25 and 31 to 36: a service that is late, unwell or busy. */
import { expect } from "vitest";
import { atWrites } from "../support/at-write.ts";
import type { Asked } from "../support/request-log.ts";
import { someRuns } from "../support/small-sources.ts";
import { virtualTime } from "../support/virtual-time.ts";
import { importHere } from "./in-process.ts";
import type { Row } from "./row.ts";
import {
  errorsOf,
  expectDone,
  expectEachOnce,
  expectFaultsHit,
  heldBy,
  jsonOf,
  lacking,
  markOf,
  openWorld,
  played,
  SAVES,
  savesOf,
  type World,
} from "./world.ts";

const ONE_AT_A_TIME = ["--concurrency", "1"];
/** The time a server may take, at its default: a minute of the test's own clock. */
const SETTLE_MS = 60_000;

/** Loads while the service does the third save late. `share` is the delay after its sender gave up, as a share of the settle time. */
async function committedLate(share: number, check: (world: World) => Promise<void>): Promise<void> {
  const time = virtualTime();
  await using world = await openWorld({
    armed: [`latency:${SAVES}:ms=${share * SETTLE_MS},nth=3`],
    sleep: time.serviceSleep,
  });
  atWrites(world.service, { after: () => time.isDone() });
  const ledger = await importHere(world, time, SETTLE_MS);
  expect(ledger).toMatchObject({ created: world.runs.length, left: 0, inDoubt: 0 });
  // Does the requests that are still due after the run.
  await time.clock.sleep(10 * SETTLE_MS, new AbortController().signal);
  expectFaultsHit(world);
  await check(world);
}

/** Milliseconds from the first refusal with 429 to the request after it. */
function gapAfter429(all: readonly Asked[]): number {
  const at = all.findIndex(({ status }) => status === 429);
  return (all[at + 1]?.at ?? Number.NaN) - (all[at]?.at ?? Number.NaN);
}

/** The most of these requests in any second. */
function mostInASecond(all: readonly Asked[]): number {
  return Math.max(...all.map(({ at }) => all.filter((one) => one.at >= at && one.at < at + 1000).length));
}

export const LIMITS: readonly Row[] = [
  {
    number: 24,
    fault: "a save is done after its sender gave up, within the time to settle",
    injected: "`latency` of nine tenths of that time, by a clock of the test's own",
    expected: "waited for, found, and not sent again",
    firstTierHas: "row 25: a save that is done after its sender gave up",
    run: () =>
      committedLate(0.9, async (world) => {
        await expectEachOnce(world, false);
        expect(savesOf(world)).toBe(world.runs.length);
      }),
  },
  {
    number: 25,
    fault: "a save is done after its sender gave up, later than anybody promised",
    injected: "`latency` of one and a half of the time to settle, by a clock of the test's own",
    expected: "it is there twice, and verify names it",
    run: () =>
      committedLate(1.5, async (world) => {
        expect(savesOf(world)).toBe(world.runs.length + 1);
        const doubled = lacking(await heldBy(world), world.runs.map(markOf));
        expect(doubled).toHaveLength(1);
        const verified = await world.run(["verify", "--json"]);
        expect(verified.code, verified.out).toBe(7);
        const { equal } = jsonOf(verified.out).find(({ type }) => type === "verification") as {
          equal: { id: string; like: string }[];
        };
        expect(equal).toHaveLength(1);
        const { entries } = await world.service.store.workouts(world.userId, { limit: 100, offset: 0 }, []);
        const [one, other] = [equal[0]?.id, equal[0]?.like].map((id) => entries.find((entry) => entry.id === id));
        expect({ ...one, id: "" }).toEqual({ ...other, id: "" });
        expect(doubled[0]).toContain(`${one?.date} ${one?.time?.slice(0, 5)}`);
      }),
  },
  {
    number: 31,
    fault: "502, 503 and 504 from a proxy, for a while",
    injected: "`status-before-commit` for every save from the third on",
    expected: "it stops asking after a few, says so once, and goes on when asked again",
    firstTierHas: "connectors/api/connection.test.ts: a service that stays unwell is asked five times",
    async run() {
      for (const status of [502, 503, 504]) {
        await using world = await openWorld({
          runs: someRuns(12),
          armed: [`status-before-commit:${SAVES}:status=${status},nth=3..20`],
        });
        const stopped = await world.import({ flags: ONE_AT_A_TIME });
        expect(stopped.code, stopped.err).toBe(75);
        expect(errorsOf(stopped)).toHaveLength(1);
        expect(savesOf(world)).toBeLessThanOrEqual(2 + 12);
        expectDone(await world.carry({ flags: ONE_AT_A_TIME }));
        await expectEachOnce(world);
      }
    },
  },
  {
    number: 32,
    fault: "429 with Retry-After: 3",
    injected: "`status-before-commit`",
    expected: "nothing is asked for three seconds, then no burst",
    run: () =>
      played(
        [`status-before-commit:${SAVES}:status=429,retry-after=3,nth=3`],
        { flags: [...ONE_AT_A_TIME, "--rate", "20"] },
        ({ asked, runs }) => {
          expect(gapAfter429(asked.all)).toBeGreaterThanOrEqual(2_990);
          expect(mostInASecond(asked.all)).toBeLessThanOrEqual(20);
          expect(asked.ending("POST", "/workouts")).toHaveLength(runs.length + 1);
        },
      ),
  },
  {
    number: 33,
    fault: "429 with a date, by a clock that is an hour ahead or behind",
    injected: "`clock-skew` and `status-before-commit`",
    expected: "waits by the service's own clock",
    firstTierHas: "row 32; connectors/api/connection.test.ts: the time that the service named",
    async run() {
      await Promise.all(
        [3600, -3600].map((seconds) =>
          played(
            [
              `clock-skew:* /rest/**:seconds=${seconds}`,
              `status-before-commit:${SAVES}:status=429,retry-after-date=3,nth=3`,
            ],
            {},
            ({ asked }) => {
              // A date has no fractions of a second: up to one is lost.
              expect(gapAfter429(asked.all)).toBeGreaterThanOrEqual(1_900);
            },
          ),
        ),
      );
    },
  },
  {
    number: 34,
    fault: "429 without a word, ten times",
    injected: "`status-before-commit`, by a clock of the test's own",
    expected: "waits longer and longer, never more than a minute, and gets there",
    async run() {
      const time = virtualTime();
      await using world = await openWorld({ armed: [`status-before-commit:${SAVES}:status=429,nth=3..12`] });
      const ledger = await importHere(world, time, SETTLE_MS);
      expect(ledger).toMatchObject({ created: world.runs.length, left: 0, inDoubt: 0 });
      expect(world.asked.all.filter(({ status }) => status === 429)).toHaveLength(10);
      expect(Math.max(...time.slept)).toBeLessThanOrEqual(60_000);
      expect(Math.max(...time.slept)).toBeGreaterThan(5_000);
      expect(time.slept.length).toBeGreaterThanOrEqual(10);
      await expectEachOnce(world, false);
    },
  },
  {
    number: 35,
    fault: "429 with a Retry-After of eleven days, of less than nothing, or of no number",
    injected: "`status-before-commit`",
    expected: "days: it stops and says until when; nonsense: it waits a little",
    async run() {
      await using world = await openWorld({
        armed: [`status-before-commit:${SAVES}:status=429,retry-after=999999,nth=3`],
      });
      const stopped = await world.import({ flags: ONE_AT_A_TIME });
      expect([6, 75], stopped.err).toContain(stopped.code);
      expect(errorsOf(stopped)).toHaveLength(1);
      expect(savesOf(world)).toBe(3);
      expectDone(await world.carry({ command: "apply" }));
      await expectEachOnce(world);
      for (const nonsense of ["-5", "soon"]) {
        await played([`status-before-commit:${SAVES}:status=429,retry-after=${nonsense},nth=3`], {}, (other) =>
          expect(savesOf(other)).toBe(other.runs.length + 1),
        );
      }
    },
  },
  {
    number: 36,
    fault: "the service's limit is lower than ours",
    injected: "`rate-limit` of 20 a second, against --rate 50",
    expected: "it slows down: of what is asked little is refused, and everything gets there",
    firstTierHas: "connectors/api/pacing.test.ts: asked for 50 a second, at a service that takes 20",
    scale: "120 runs; that it settles near the limit is held by the pacing's own tests, with their clock",
    async run() {
      await played(
        ["rate-limit:* /rest/**:per-second=20"],
        { runs: someRuns(120), flags: ["--rate", "50"] },
        ({ asked }) => {
          const saves = asked.ending("POST", "/workouts");
          // A client that goes on at fifty a second is refused three times out of five.
          expect(saves.filter(({ status }) => status === 429).length).toBeLessThan(0.3 * saves.length);
        },
      );
    },
  },
];
