import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { longTest, test } from "../../test/support/tier-tests.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Journal } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";
import { openJournal } from "../journal/sqlite.ts";
import { lossText } from "./loss-file.ts";
import { countOtherCopies, readLosses } from "./losses.ts";

const folder = temporaryFolder();
let journal: Journal;
beforeEach(async () => {
  journal = await openJournal(join(folder, "journal.db"));
});
afterEach(() => journal.close());

const SOURCE = { path: "/home/ann/a.zip", name: "a.zip", connector: "test", saw: "x" };
const START = { date: "2024-05-04", time: "07:00:00" };

/** Plans pairs of a kept workout and its other copy. */
async function planOf(pairs: Iterable<readonly [kept: Workout, copy: Workout]>): Promise<Run> {
  const run = await journal.startPlan([SOURCE], { tracks: true, activityIDs: {}, workoutIDs: {} }, 1);
  let row = 0;
  for (const [kept, copy] of pairs) {
    row++;
    const origin = { connector: "test", archive: "a.zip", entry: "a.csv", locator: `line ${row}` };
    const line = { kind: "workout", source: 0, origin } as const;
    await journal.addLine(run, { ...line, key: `k${row}`, state: "planned", action: "create", value: kept });
    const merged = { state: "merged", action: "none", duplicateOf: `k${row}` } as const;
    await journal.addLine(run, { ...line, ...merged, key: `c${row}`, value: copy });
  }
  await journal.planReady(run, 2 * row);
  const planned = await journal.run(run);
  if (planned === undefined) throw new Error("the run is gone");
  return planned;
}

async function differing(kept: Workout, copy: Workout): Promise<string[]> {
  const found: string[] = [];
  for await (const { loss, field, value, kept: other } of readLosses(journal, await planOf([[kept, copy]])))
    found.push(`${loss}: ${field} ${value} / ${other ?? "nothing"}`);
  return found;
}

test("a copy that only rounds a value, or has its time on another clock, differs in nothing", async () => {
  const kept: Workout = {
    activity: "run",
    start: { ...START, time: "07:00:12", instant: 1000 },
    distance: { unit: "m", value: 10_012.4 },
    duration: 3000.6,
    health: { weight: { unit: "kg", value: 70 } },
    weather: { temperature: { unit: "F", value: 68 } },
    notes: "Along the river\n\nwith Anna",
    unsupported: [{ field: "steps", value: "5120" }],
  };
  const copy: Workout = {
    activity: "run",
    start: { date: "2024-05-04", time: "05:00:12", instant: 1000 },
    distance: { unit: "km", value: 10.01 },
    duration: 3000,
    health: { weight: { unit: "lb", value: 154.3 } },
    weather: { temperature: { unit: "C", value: 20 } },
    notes: "with Anna",
    unsupported: [{ field: "steps", value: "5120.0" }],
  };
  expect(await differing(kept, copy)).toEqual(["no field: steps 5120 / nothing"]);
  const { unsupported: _, ...held } = kept;
  expect(await differing(held, { activity: "run", start: { date: "2024-05-04" } })).toEqual([]);
});

test("a copy that says something else differs in each such field, also where the kept copy has nothing", async () => {
  const kept: Workout = {
    activity: "run",
    start: START,
    distance: { unit: "km", value: 9.62 },
    duration: 3000,
    intervalSet: { intervals: [{ type: "interval", distance: { unit: "m", value: 400 }, duration: 90 }] },
    ratings: { effort: 7 },
    notes: "easy",
  };
  const copy: Workout = {
    activity: "walk",
    start: { date: "2024-05-04", time: "07:01:30" },
    distance: { unit: "km", value: 10 },
    duration: 3010,
    intervalSet: { intervals: [{ type: "interval", distance: { unit: "m", value: 400 }, duration: 88 }] },
    ratings: { effort: 8, quality: 5 },
    weather: { temperature: { unit: "C", value: 21 } },
    notes: "tired legs",
    unsupported: [{ field: "calories", value: "640 kcal" }],
  };
  expect(await differing(kept, copy)).toEqual([
    "other copy: activity walk / run",
    "other copy: notes tired legs / easy",
    "other copy: start 2024-05-04 07:01:30 / 2024-05-04 07:00:00",
    "other copy: distance 10 km / 9.62 km",
    "other copy: duration 3010 s / 3000 s",
    "other copy: temperature 21 C / nothing",
    "other copy: effort 8 / 7",
    "other copy: quality 5 / nothing",
    "other copy: intervals interval 400 m 88 s / interval 400 m 90 s",
    "other copy: calories 640 kcal / nothing",
  ]);
});

test("of copies that were merged one after another, each is compared with the one that stays", async () => {
  const run = await journal.startPlan([SOURCE], { tracks: true, activityIDs: {}, workoutIDs: {} }, 1);
  const origin = { connector: "test", archive: "a.zip", entry: "a.csv" };
  const states = [
    { key: "a", state: "merged", action: "none", duplicateOf: "b", km: 8 },
    { key: "b", state: "merged", action: "none", duplicateOf: "c", km: 9 },
    { key: "c", state: "planned", action: "create", km: 10 },
    // Two that stand for each other have nothing to be compared with.
    { key: "d", state: "merged", action: "none", duplicateOf: "e", km: 1 },
    { key: "e", state: "merged", action: "none", duplicateOf: "d", km: 2 },
  ] as const;
  for (const { km, ...line } of states) {
    const value: Workout = { activity: "run", start: START, distance: { unit: "km", value: km } };
    await journal.addLine(run, { ...line, kind: "workout", source: 0, origin, value });
  }
  await journal.planReady(run, states.length);
  const planned = await journal.run(run);
  if (planned === undefined) throw new Error("the run is gone");
  const found: string[] = [];
  for await (const { value, kept } of readLosses(journal, planned)) found.push(`${value} / ${kept}`);
  expect(found).toEqual(["8 km / 10 km", "9 km / 10 km"]);
  expect(await countOtherCopies(journal, planned)).toEqual([{ field: "distance", count: 2 }]);
});

longTest("5,000 workouts take no more memory than 1,000", async () => {
  function* pairs(): Iterable<readonly [Workout, Workout]> {
    for (let at = 0; at < 2500; at++) {
      const unsupported = [{ field: "calories", value: `${at} kcal` }];
      const value = { activity: "run", start: START, notes: `${at} ${"x".repeat(4000)}` } as const;
      yield [
        { ...value, unsupported },
        { ...value, notes: `other ${"y".repeat(4000)} ${at}` },
      ];
    }
  }
  const run = await planOf(pairs());
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const used: number[] = [];
  let rows = 0;
  for await (const text of lossText(readLosses(journal, run))) {
    rows += text.split("\n").length - 1;
    if (rows < 1000 * (1 + 3 * used.length)) continue;
    collect();
    used.push(process.memoryUsage().heapUsed);
  }
  expect(rows).toBe(1 + 5_000);
  const [early = 0, late = 0] = used;
  expect(used).toHaveLength(2);
  expect(late - early).toBeLessThan(4_000_000);
});
