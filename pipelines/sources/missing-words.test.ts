import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { findMissingWords, type SaidWords } from "./missing-words.ts";

const folder = temporaryFolder();

const GARMIN = "Activity Type,Date,Favorite,Title,Distance,Time";
const STRONG =
  "Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,Workout Notes,RPE";
const FILES = {
  "Activities.csv": `${GARMIN}\nRunning,2025-02-06 17:06:03,false,x,5.48,00:31:24\nPool Swim,2025-02-07 17:06:03,false,x,"1,200",00:31:24\n`,
  "strong.csv": `${STRONG}\n3/10/2024 17:05,Legs,45m,Squat,1,60,8,0,0,,,\n`,
  "sound.csv": `${STRONG}\n2024-03-10 17:05:00,Legs,45m,Squat,1,60,8,0,0,,,\n`,
  "unknown.csv": "a,b\n1,2\n",
};

const limits = { ms: 1, now: () => 0, signal: new AbortController().signal };

function find(names: readonly (keyof typeof FILES)[], said: SaidWords = {}, more: Partial<typeof limits> = {}) {
  for (const name of names) writeFileSync(join(folder, name), FILES[name]);
  return findMissingWords(
    names.map((name) => join(folder, name)),
    said,
    { ...limits, ...more },
  );
}

test.each([
  [["Activities.csv"], {}, { unit: true, order: false }],
  // Swims are in metres or in yards where runs are in miles.
  [["Activities.csv"], { distanceUnits: ["mi"] }, { unit: true, order: false }],
  [["Activities.csv"], { distanceUnits: ["mi", "yd"] }, { unit: false, order: false }],
  [["strong.csv"], {}, { unit: false, order: true }],
  [["strong.csv"], { dateOrder: "mdy" }, { unit: false, order: false }],
  [["Activities.csv", "strong.csv"], {}, { unit: true, order: true }],
  [["sound.csv"], {}, { unit: false, order: false }],
  [["unknown.csv"], {}, { unit: false, order: false }],
] as const)("of %j with %j, what a plan would ask for is found", async (names, said, missing) => {
  expect(await find(names, said)).toEqual(missing);
});

test("the look ends when its time is over", async () => {
  let at = 0;
  const now = () => at++ * 1000;
  expect(await find(["sound.csv", "strong.csv"], {}, { now })).toEqual({ unit: false, order: false, isCut: true });
});

test("a small table is read before a large export, so that its question is not lost", async () => {
  writeFileSync(
    join(folder, "large.csv"),
    `${FILES["sound.csv"]}${`${"2024-03-10 17:05:00,Legs,45m,Squat,1,60,8,0,0,,,"}\n`.repeat(500)}`,
  );
  let at = 0;
  const paths = ["large.csv", "strong.csv"].map((name) => join(folder, name));
  writeFileSync(join(folder, "strong.csv"), FILES["strong.csv"]);
  expect(await findMissingWords(paths, {}, { ...limits, ms: 20, now: () => at++ })).toMatchObject({ order: true });
});
