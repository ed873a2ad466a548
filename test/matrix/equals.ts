/** Rows 45 to 50: equal records, and unreliable listings. */
import { expect } from "vitest";
import type { Ran } from "../support/rehearsal.ts";
import { someRuns } from "../support/small-sources.ts";
import type { Row } from "./row.ts";
import {
  errorsOf,
  expectDone,
  expectEachOnce,
  expectFaultsHit,
  heldBy,
  issuesOf,
  lacking,
  markOf,
  openWorld,
  played,
  SAVES,
  savesOf,
  summaryOf,
  type World,
} from "./world.ts";

const ONE_AT_A_TIME = ["--concurrency", "1"];
const LISTING = "GET /rest/logs/me/workouts";

/** Types runs into a log by hand, past the interface. */
async function typeIn({ service, userId }: World, runs: World["runs"]): Promise<void> {
  for (const { date, time, km, seconds } of runs) {
    const distance = { unit: "km", value: km } as const;
    await service.store.addWorkout(userId, {
      activityID: 10,
      date,
      time: `${time}:00`,
      details: { distance, duration: seconds },
    });
  }
}

export const EQUALS: readonly Row[] = [
  {
    number: 45,
    fault: "of three equal workouts of a sheet the answers of two are lost",
    injected: "`reset-after-commit` for one, `reset-before-commit` for another",
    expected: "three records",
    firstTierHas: "test/repeated-requests.test.ts: equal workouts whose saves are repeated or lost",
    async run() {
      const [one] = someRuns(1);
      if (one === undefined) throw new RangeError("no run");
      const runs = [one, one, one, ...someRuns(2, "2021-01-01")];
      await played([`reset-after-commit:${SAVES}:nth=3`, `reset-before-commit:${SAVES}:nth=4`], { runs });
    },
  },
  {
    number: 46,
    fault: "an equal record is in the log already",
    injected: "the store, as its owner would",
    expected: "recognised, and not put there again",
    async run() {
      await using world = await openWorld();
      await typeIn(world, world.runs.slice(1, 3));
      const ran = await world.import();
      expectDone([ran]);
      expect(summaryOf(ran).ledger).toMatchObject({ created: world.runs.length - 2 });
      expect(savesOf(world)).toBe(world.runs.length - 2);
      await expectEachOnce(world);
    },
  },
  {
    number: 47,
    fault: "its owner types an equal record while ours is in doubt",
    injected: "`save-twice` and `reset-after-commit` for one save",
    expected: "one is ours, the other stays theirs, and both are named",
    async run() {
      await using world = await openWorld({
        armed: [`save-twice:${SAVES}:nth=3`, `reset-after-commit:${SAVES}:nth=3`],
      });
      expectDone([await world.import({ flags: ONE_AT_A_TIME })], 7);
      expectFaultsHit(world);
      expect(savesOf(world)).toBe(world.runs.length);
      const held = await heldBy(world);
      expect(lacking(world.runs.map(markOf), held)).toEqual([]);
      expect(held).toHaveLength(world.runs.length + 1);
      expect(await issuesOf(world)).toContain("load/equal-records");
    },
  },
  {
    number: 48,
    fault: "the listing shifts between two of its pages",
    injected: "`insert-workout` for the second page, in a log of 230 workouts",
    expected: "nothing is overlooked: what is there is not put there again",
    async run() {
      const runs = someRuns(230, "2019-01-01");
      await using world = await openWorld({ runs, armed: [`insert-workout:${LISTING}:nth=2`] });
      await typeIn(world, runs);
      const ran = await world.import();
      expectDone([ran]);
      expectFaultsHit(world);
      expect(savesOf(world)).toBe(0);
      expect(lacking(runs.map(markOf), await heldBy(world))).toEqual([]);
      expect(await heldBy(world)).toHaveLength(231);
    },
  },
  {
    number: 49,
    fault: "the listing comes out of a cache",
    injected: "`stale-listing`, older than the time to settle",
    expected: "nothing is concluded from a listing that lacks what was put there",
    scale: "up to 12 s old, 1 s to settle",
    firstTierHas: "test/caches.test.ts: a cache that obeys nobody is not believed",
    async run() {
      // The cache catches up by the service's clock. Each command that ends moves that clock by three seconds.
      let ahead = 0;
      const now = () => Date.now() + ahead;
      const untilDone = async (one: World) => {
        const runs: Ran[] = [];
        do {
          runs.push(await one.import({ flags: ONE_AT_A_TIME }));
          ahead += 3000;
        } while (runs.at(-1)?.code !== 0 && runs.length < 20);
        expectDone(runs);
        await expectEachOnce(one);
        expect(savesOf(one)).toBe(one.runs.length);
        return runs;
      };
      await using world = await openWorld({
        now,
        armed: [`stale-listing:${LISTING}:seconds=12,nth=1..`, `reset-after-commit:${SAVES}:nth=3`],
      });
      await untilDone(world);
      expectFaultsHit(world);

      // The save was done, and the answer calls it a failure. A plan from an older listing would send it again.
      await using other = await openWorld({
        now,
        armed: [`code-after-commit:${SAVES}:nth=3`, `stale-listing:${LISTING}:seconds=12,nth=1..`],
      });
      expect((await other.import({ flags: ONE_AT_A_TIME })).code).toBe(3);
      const [first] = await untilDone(other);
      expect(errorsOf(first as Ran)[0]).toMatch(/out of date.*again in a minute/);
    },
  },
  {
    number: 50,
    fault: "the listing itself is refused while an answer is looked up",
    injected: "`status-before-commit` 500 and 429 for the listings that follow the lost answer",
    expected: "postponed: it stays in doubt, the exit says so, and nothing is sent a second time",
    firstTierHas: "test/answers-of-others.test.ts: where the log can't be looked at then, the save stays in doubt",
    async run() {
      for (const status of [500, 429]) {
        await using world = await openWorld({
          armed: [
            `reset-after-commit:${SAVES}:nth=3`,
            // By then a plan has read the listing once. The listings after the loss fail until the run gives up.
            `status-before-commit:${LISTING}:status=${status}${status === 429 ? ",retry-after=7200" : ""},nth=2..8`,
          ],
        });
        const stopped = await world.import({ flags: ONE_AT_A_TIME });
        expect([6, 75], `${stopped.out}${stopped.err}`).toContain(stopped.code);
        expect(savesOf(world)).toBeLessThanOrEqual(world.runs.length);
        expectDone(await world.carry({ command: "apply" }));
        expectFaultsHit(world);
        await expectEachOnce(world);
        expect(savesOf(world)).toBe(world.runs.length);
      }
    },
  },
];
