import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { timesTheWork } from "../../test/support/growth.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { toFacts } from "../../transforms/duplicates.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Journal } from "./journal.ts";
import type { LineState, NewLine } from "./line.ts";
import { openJournal } from "./sqlite.ts";
import { inLog, isBalanced, leftOutside, summarise } from "./summary.ts";

const folder = temporaryFolder();
let journal: Journal;
let run: number;

beforeEach(async () => {
  journal = await openJournal(join(folder, "journal.db"));
  const options = { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} };
  run = await journal.startPlan([{ path: "/a", name: "a", connector: "test", saw: "" }], options, 1);
});
afterEach(() => journal.close());

let keys = 0;

function workout(state: LineState, value: Partial<Workout> & Pick<Workout, "start">): NewLine {
  const whole: Workout = { activity: "run", ...value };
  return {
    key: `k${++keys}`,
    kind: "workout",
    source: 0,
    origin: { connector: "test", archive: "a.zip", entry: "a.csv" },
    state,
    action: "none",
    value: whole,
    facts: toFacts(whole),
  };
}

test("workouts add up by month, activity and state; one that was merged is not counted twice", async () => {
  const km = (value: number) => ({ unit: "km", value }) as const;
  const lines = [
    workout("done", { start: { date: "2020-01-03" }, distance: km(10), duration: 3000 }),
    workout("done", { start: { date: "2020-01-30" }, distance: km(5.5), duration: 1500 }),
    workout("merged", { start: { date: "2020-01-30" }, distance: km(5.5), duration: 1500 }),
    workout("unchanged", { start: { date: "2020-01-31" }, duration: 600 }),
    workout("refused", { start: { date: "2019-12-31" }, distance: km(1), duration: 300 }),
    workout("done", { activity: "swim", start: { date: "2020-01-03" }, distance: { unit: "m", value: 750 } }),
  ];
  for (const line of lines) await journal.addLine(run, line);
  // The log has what was sent to it.
  const inBoth = (metres: number, seconds: number) => ({ metres, seconds, inLog: { metres, seconds } });
  expect(await journal.months(run)).toEqual([
    { month: "2019-12", activity: "run", state: "refused", workouts: 1, ...inBoth(1000, 300) },
    { month: "2020-01", activity: "run", state: "done", workouts: 2, ...inBoth(15_500, 4500) },
    { month: "2020-01", activity: "run", state: "unchanged", workouts: 1, ...inBoth(0, 600) },
    { month: "2020-01", activity: "swim", state: "done", workouts: 1, ...inBoth(750, 0) },
  ]);
});

test("a workout that a later run brought in is in the log as of now, and not in its run", async () => {
  const brought = workout("gone", {
    start: { date: "2020-01-03" },
    distance: { unit: "km", value: 10 },
    duration: 3000,
  });
  await journal.addLine(run, brought);
  await journal.addLine(run, workout("gone", { start: { date: "2020-02-03" } }));
  await journal.planReady(run, 2);
  const options = { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} };
  const later = await journal.startPlan([{ path: "/a", name: "a", connector: "test", saw: "" }], options, 2);
  await journal.addLine(later, { ...brought, state: "done" });
  await journal.planReady(later, 1);
  const states = async (isAsOfNow?: boolean) =>
    (await journal.months(run, isAsOfNow)).map(({ month, state, workouts }) => `${month} ${state} ${workouts}`);
  expect(await states()).toEqual(["2020-01 gone 1", "2020-02 gone 1"]);
  expect(await states(true)).toEqual(["2020-01 done 1", "2020-02 gone 1"]);
});

test("places are known to a hundredth of a degree and no finer, and only of the states asked for", async () => {
  const at = (lat: number, lon: number) => ({ start: { date: "2020-01-03", position: { lat, lon } } });
  const lines = [
    workout("done", at(48.214_095_002, 16.402_311)),
    workout("done", at(48.2139, 16.3999)),
    workout("done", at(-33.9249, -70.6693)),
    workout("refused", at(1, 1)),
    workout("done", { start: { date: "2020-01-04" } }),
  ];
  for (const line of lines) await journal.addLine(run, line);
  expect(await journal.places(run, ["done", "unchanged"])).toEqual([
    { lat: -33.92, lon: -70.67, workouts: 1 },
    { lat: 48.21, lon: 16.4, workouts: 2 },
  ]);
});

test("a verification is remembered with its run, and the next one takes its place", async () => {
  const found = {
    at: 1_700_000_000_000,
    checked: 10,
    present: 2,
    differing: 1,
    claimedTwice: 0,
    doubled: 3,
    edited: 0,
    unread: 2,
    metres: { planned: 12.5, found: 12.5 },
    seconds: { planned: 60, found: 61 },
    examples: [
      {
        kind: "workout" as const,
        id: "7",
        origin: { connector: "test", archive: "a.zip", entry: "a.csv", locator: "line 3" },
        differences: [{ field: "notes", expected: "a", found: "b" }],
      },
    ],
  };
  expect(await journal.verified(run)).toBeUndefined();
  await journal.setVerified(run, found);
  await journal.close();
  journal = await openJournal(join(folder, "journal.db"));
  expect(await journal.verified(run)).toEqual(found);
  await journal.setVerified(run, { ...found, at: 2, differing: 0, examples: [] });
  expect(await journal.verified(run)).toMatchObject({ at: 2, differing: 0, examples: [] });
});

test("a workout whose file was imported before a cut-off is in the log, and left", async () => {
  const options = { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} };
  const half = await journal.startPlan([{ path: "/c", name: "c", connector: "test", saw: "" }], options, 3);
  const imported: NewLine = { ...workout("planned", { start: { date: "2020-01-04" } }), action: "create" };
  await journal.addLine(half, imported);
  await journal.patchLine(half, 1, { remoteId: "77" });
  await journal.addLine(half, { ...workout("merged", { start: { date: "2020-01-04" } }), duplicateOf: imported.key });
  await journal.addLine(half, workout("planned", { start: { date: "2020-01-05" } }));
  const planned = await journal.run(half);
  if (planned === undefined) throw new Error("the run");
  const { all } = await summarise(journal, { ...planned, read: 3 });
  expect(all).toMatchObject({ read: 3, left: 2, leftThere: 1, merged: 1, created: 0 });
  expect([inLog(all), leftOutside(all), isBalanced(all)]).toEqual([2, 1, true]);
});

test("whose log it is can be read once it was bound", async () => {
  const account = { baseUrl: "log.example", userHash: "h", name: "ann" };
  expect(await journal.account()).toBeUndefined();
  await journal.bindAccount(account);
  expect(await journal.account()).toEqual(account);
});

test("counting four times as many duplicates takes about four times as long, and not the square of it", async () => {
  const start = { date: "2020-01-03" };
  /** A run of so many workouts that are planned, each with a duplicate. */
  const runOf = async (count: number) => {
    const made = await journal.startPlan(
      [{ path: "/b", name: "b", connector: "test", saw: "" }],
      { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} },
      2,
    );
    for (let at = 0; at < count; at++) {
      const planned = workout("planned", { start });
      await journal.addLine(made, planned);
      await journal.addLine(made, { ...workout("merged", { start }), duplicateOf: planned.key });
    }
    return made;
  };
  const [few, many] = [await runOf(500), await runOf(2_000)];
  expect((await journal.tally(many)).map(({ state, count, there }) => [state, count, there])).toEqual([
    ["merged", 2_000, 0],
    ["planned", 2_000, 0],
  ]);
  // The square would be 16.
  expect(
    await timesTheWork(
      () => journal.tally(many),
      () => journal.tally(few),
      8,
    ),
  ).toBeLessThan(8);
});
