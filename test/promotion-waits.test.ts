/** A promotion that waits, that a process is killed in, or that is begun twice; and one of times that nobody knows. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { jsonOf, openWorld, SAVES, summaryOf, type World } from "./matrix/world.ts";
import { atWrites } from "./support/at-write.ts";
import { runHere } from "./support/here.ts";
import { type NightClock, nightClock } from "./support/night-clock.ts";
import { distancesOf, folderOf, outOf, promote, rehearseIn, told } from "./support/promotions.ts";
import type { Ran } from "./support/rehearsal.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

const NOON = new Date(2026, 5, 1, 12).toISOString();
const LATER = new Date(2026, 5, 20, 12).toISOString();

/** A clock that does something while somebody sleeps on it for the first time. */
function busyClock(during: () => Promise<void>): NightClock {
  const clock = nightClock(NOON, LATER);
  let isDone = false;
  return {
    ...clock,
    async sleep(ms, signal) {
      if (!isDone) {
        isDone = true;
        await during();
      }
      await clock.sleep(ms, signal);
    },
  };
}

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);

/** Each run of the sheet is in the log once. */
async function expectAllOnce(world: World): Promise<void> {
  expect(sorted(await distancesOf(world))).toEqual(sorted(world.runs.map(({ km }) => km)));
}

test("while a promotion waits for its hours, status says so, and a second promotion, apply and verify leave it alone", async () => {
  await using world = await openWorld({ runs: someRuns(9) });
  await rehearseIn(world);
  const others = new Map<string, Ran>();
  const words = ["promote", ...outOf(world), "--yes"];
  const clock = busyClock(async () => {
    const own = { clock: nightClock(NOON, LATER) };
    others.set("promote", await runHere(world, words, own));
    others.set("status", await runHere(world, ["status"], own));
    others.set("history", await runHere(world, ["history"], own));
    others.set("apply", await runHere(world, ["apply"], own));
    others.set("verify", await runHere(world, ["verify", "--settle", "1"], own));
  });
  const first = await promote(world, ["--yes", "--json", "--at", "22:00-06:00"], clock);
  expect(first.code, told(first)).toBe(0);
  const [progress] = jsonOf(first.out).filter(({ waiting }) => String(waiting).startsWith("until "));
  expect(progress).toMatchObject({ type: "status", phase: "loading", done: 0, total: 9 });
  expect(others.get("promote")?.code).toBe(8);
  expect(others.get("promote")?.err).toContain(
    `another promotion of the rehearsal in ${folderOf(world)} is in progress`,
  );
  const status = others.get("status")?.out ?? "";
  expect(status).toContain("Run 1 waits, and goes on by itself about 2026-06-01 22:00 (UTC): process ");
  expect(status).not.toContain("is stopped");
  expect(status).not.toContain("logferry promote");
  expect(others.get("history")?.out).toContain(`Run 1, promotion of the rehearsal in ${folderOf(world)}, `);
  expect(others.get("apply")).toMatchObject({ code: 2 });
  expect(others.get("apply")?.err).toContain(
    `Only promote keeps to its hours and its quota: logferry promote --out ${folderOf(world)}`,
  );
  expect(others.get("verify")?.code).toBe(75);
  expect(others.get("verify")?.out).toContain(
    `9 records are still to be sent (logferry promote --out ${folderOf(world)})`,
  );
  await expectAllOnce(world);
});

longTest(
  "when the service fails for longer than the patience, a promotion with hours goes on an hour later",
  async () => {
    await using world = await openWorld({
      runs: someRuns(12),
      armed: [`status-before-commit:${SAVES}:status=503,nth=4..13`],
    });
    await rehearseIn(world);
    const clock = nightClock(new Date(2026, 5, 1, 22).toISOString(), LATER);
    const flags = ["--yes", "--json", "--at", "22:00-06:00", "--patience", "0"];
    const ran = await promote(world, flags, clock);
    expect(ran.code, told(ran)).toBe(0);
    const waits = jsonOf(ran.out).filter(({ type, goesOn }) => type === "promotion" && goesOn !== undefined);
    expect(waits[0]?.goesOn).toBe(new Date(2026, 5, 1, 23).toISOString());
    await expectAllOnce(world);
  },
);

test("records that wait for a decision are named by verify, and its exit code is 3", async () => {
  const runs = someRuns(4);
  await using world = await openWorld({ runs });
  await rehearseIn(world, [world.sheet], ["--until", "2020-01-03"]);
  writeFileSync(world.sheet, readFileSync(world.sheet, "utf8").replace(/^(2020-01-02,.*?),Run/m, "$1,Walk"));
  const ran = await promote(world);
  expect(ran.code, told(ran)).toBe(3);
  const verified = await runHere(world, ["verify"]);
  expect(verified.code, told(verified)).toBe(3);
  expect(verified.out).toContain(
    "1 record waits for your decision, not being as in the rehearsal (logferry quarantine)",
  );
});

test("a value that another source adds to a loaded workout waits in each promotion until it is accepted", async () => {
  const runs = someRuns(3);
  await using world = await openWorld({ runs });
  await rehearseIn(world);
  expect((await promote(world)).code).toBe(0);
  const [first] = runs;
  const diary = writeSheet(join(world.folder, "diary"), first === undefined ? [] : [{ ...first, notes: "windy" }]);
  await rehearseIn(world, [world.sheet, diary]);
  const notes = async () => {
    const listed = await world.listed("/rest/logs/me/workouts");
    const read = await Promise.all(listed.map(({ id }) => world.get(`/rest/logs/me/workouts/${id}`)));
    return read.flatMap(({ workout }) => (workout as { notes?: string }).notes ?? []);
  };
  for (const _ of [1, 2]) {
    const ran = await promote(world);
    expect(ran.code, told(ran)).toBe(3);
    expect(ran.out).toContain("found in another source since run 1");
  }
  expect(await notes()).toEqual([]);
  const accepted = await promote(world, ["--yes", "--accept-differences"]);
  expect(accepted.code, told(accepted)).toBe(0);
  expect(await notes()).toEqual(["windy"]);
});

longTest(
  "a promotion that is killed while it sends, and then begun twice at once: nothing is lost or doubled",
  async () => {
    await using world = await openWorld({ runs: someRuns(14), armed: [`latency:${SAVES}:ms=100`] });
    await rehearseIn(world);
    const words = ["promote", ...outOf(world), "--settle", "1", ...world.activities, "--yes", "--json"];
    let killAt = { when: "before" as "before" | "after", write: 2 };
    let child: ReturnType<World["start"]>["child"] | undefined;
    let writes = 0;
    const kill = (when: "before" | "after") => () => {
      if (when === "before") writes++;
      if (child === undefined || killAt.when !== when || writes < killAt.write) return;
      child.kill("SIGKILL");
      child = undefined;
    };
    atWrites(world.service, { before: kill("before"), after: kill("after") });
    for (const point of [{ when: "before", write: 2 } as const, { when: "after", write: 7 } as const]) {
      killAt = point;
      const started = world.start(words);
      child = started.child;
      const ran = await started.ended;
      expect(ran.signal, told(ran)).toBe("SIGKILL");
    }
    const both = await Promise.all([world.start(words).ended, world.start(words).ended]);
    expect(both.map(({ code }) => code).toSorted(), both.map(told).join("\n")).toEqual([0, 8]);
    const whole = both.find(({ code }) => code === 0) as Ran;
    expect(summaryOf(whole).ledger).toMatchObject({ left: 0, inDoubt: 0 });
    await expectAllOnce(world);
    expect(existsSync(join(folderOf(world), "promotion.holder"))).toBe(false);
  },
);

const LAP = `<Lap StartTime="2021-07-01T08:00:00Z"><TotalTimeSeconds>3600</TotalTimeSeconds><DistanceMeters>10000</DistanceMeters><Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod><Track><Trackpoint><Time>2021-07-01T08:00:00Z</Time><DistanceMeters>0</DistanceMeters></Trackpoint><Trackpoint><Time>2021-07-01T09:00:00Z</Time><DistanceMeters>10000</DistanceMeters></Trackpoint></Track></Lap>`;
const NO_PLACE = `<?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running"><Id>2021-07-01T08:00:00Z</Id>${LAP}</Activity></Activities></TrainingCenterDatabase>`;

longTest(
  "without --zone, what the rehearsal left out for its unknown local time stays out, and its copies are sent as they were seen",
  async () => {
    // The log is two hours ahead of UTC. A private log has no offset, so the file of the treadmill has no local day there.
    await using world = await openWorld({ utcOffset: 2 });
    const treadmill = join(world.folder, "treadmill");
    mkdirSync(treadmill);
    writeFileSync(join(treadmill, "run.tcx"), NO_PLACE);
    const sheet = writeSheet(join(world.folder, "own"), [{ date: "2021-07-01", time: "10:00", km: 10, seconds: 3600 }]);
    const out = ["--out", folderOf(world), "--no-pages", "--json"];
    const rehearsed = await runHere(world, ["rehearse", treadmill, sheet, ...out]);
    expect(summaryOf(rehearsed).ledger).toMatchObject({ created: 1, quarantined: 1, merged: 0 });
    const ran = await promote(world);
    expect(jsonOf(ran.out).filter(({ type }) => type === "difference")).toEqual([]);
    expect(summaryOf(ran).ledger).toMatchObject({ created: 1, quarantined: 1, merged: 0 });
    expect(ran.code, told(ran)).toBe(3);
    expect(await distancesOf(world)).toEqual([10]);
  },
);
