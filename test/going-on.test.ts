import { join } from "node:path";
import { expect, test } from "vitest";
import { heldBy, lacking, markOf, openWorld, summaryOf, type World } from "./matrix/world.ts";
import { jsonLines } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { someRuns } from "./support/small-sources.ts";
import { longTest } from "./support/tier-tests.ts";
import { inputs } from "./support/tiers.ts";

// A long run that was killed is resumed. logferry checks for changes in the log while it sends, and not before.

const RUNS = someRuns(inputs({ first: 300, long: 600 }));
/** The entries of a page of the listing. */
const PAGE = 100;
/** Runs of another year that the listing also holds. */
const BEFORE = someRuns(300, "2015-01-01");

/** A world with a sheet that was half loaded when its process was killed. */
async function halfDone(): Promise<World> {
  const world = await openWorld({ runs: RUNS, databaseFile: true });
  for (const { date, time, km, seconds } of BEFORE)
    await world.service.store.addWorkout(world.userId, workoutOf(date, time, km, seconds));
  const { child, ended } = world.start(world.importWords({ flags: ["--concurrency", "8"] }));
  const timer = setInterval(() => {
    if (world.asked.ending("POST", "/workouts").length >= RUNS.length / 2) child.kill("SIGKILL");
  }, 5);
  expect(await ended).toMatchObject({ signal: "SIGKILL" });
  clearInterval(timer);
  return world;
}

const workoutOf = (date: string, time: string, km: number, seconds: number) => ({
  activityID: 10,
  date,
  time: `${time}:00`,
  details: { distance: { unit: "km" as const, value: km }, duration: seconds },
});

/** The requests of `apply`, in order, as method and the last part of the path. */
async function appliedTo(world: World, flags: readonly string[] = []) {
  const from = world.asked.all.length;
  const ran = await world.run(["apply", "--settle", "2", "--concurrency", "8", "--json", ...flags]);
  const asked = world.asked.all.slice(from).map(({ method, path }) => `${method} ${path.split("/").at(-1)}`);
  const firstSave = asked.indexOf("POST workouts");
  return { ran, pagesBefore: asked.slice(0, firstSave).filter((one) => one === "GET workouts").length, asked };
}

longTest(
  "it sends again after three pages of a longer listing, and looks its lost answers up when a server had its time",
  async () => {
    await using world = await halfDone();
    const status = await world.run(["status", "--quiet"]);
    expect(status.out).toMatch(
      /^Run 1 was cut off \(killed, or the power failed\)\. Next: \d+ records still to do \(logferry apply\)/,
    );
    const { ran, pagesBefore } = await appliedTo(world);
    expect(ran, ran.err).toMatchObject({ code: 0 });
    expect(pagesBefore).toBeLessThanOrEqual(3);
    expect(summaryOf(ran)).toMatchObject({ balanced: true, ledger: { left: 0, inDoubt: 0, failed: 0 } });
    expect((await heldBy(world)).toSorted()).toEqual([...BEFORE, ...RUNS].map(markOf).toSorted());
  },
);

longTest(
  "what its owner typed meanwhile in place of what they took out is not sent, and everything else is",
  async () => {
    await using world = await halfDone();
    const typed = RUNS[100];
    if (typed === undefined) expect.unreachable();
    const held = await world.service.store.workouts(world.userId, { limit: 100_000, offset: 0 }, []);
    const gone = held.entries[400];
    deleteWorkout(join(world.folder, "service.db"), gone?.id ?? "");
    const { date, time, km, seconds } = typed;
    const id = await world.service.store.addWorkout(world.userId, workoutOf(date, time, km, seconds));
    const { ran } = await appliedTo(world);
    expect(ran, ran.err).toMatchObject({ code: 3 });
    expect(summaryOf(ran)).toMatchObject({ balanced: true, ledger: { left: 0, inDoubt: 0, failed: 1 } });
    const [failed] = jsonLines(ran.out).filter(({ type, state }) => type === "record" && state === "failed");
    expect(String(failed?.reason)).toMatch(/^plan\/log-changed: since the plan was made, the log has /);
    expect(String(failed?.reason)).toContain(id);
    const wanted = [...BEFORE, ...RUNS].map(markOf);
    const found = await heldBy(world);
    expect({ lost: lacking(wanted, found), doubled: lacking(found, wanted) }).toEqual({
      lost: [
        markOf({
          date: gone?.date ?? "",
          time: gone?.time?.slice(0, 5) ?? "",
          km: gone?.details?.distance?.value ?? 0,
          seconds: gone?.details?.duration ?? 0,
        }),
      ],
      doubled: [],
    });
  },
);

test("with bounds on what it may use up, it looks up first what was lost", async () => {
  await using world = await halfDone();
  const { ran, pagesBefore } = await appliedTo(world, ["--max-requests", "100"]);
  expect(ran, ran.err).toMatchObject({ code: 75 });
  expect(pagesBefore).toBeGreaterThan((BEFORE.length + RUNS.length / 2) / PAGE);
  expect(summaryOf(ran)).toMatchObject({ ledger: { inDoubt: 0 } });
});
