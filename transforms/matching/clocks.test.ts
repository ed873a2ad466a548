import { expect, test } from "vitest";
import { clocksBetween } from "./clocks.ts";

const HOUR_MS = 3_600_000;
const isSummer = (month: number) => month >= 4 && month <= 9;

/** A run a month for some years, at times and lengths that differ. */
const runs = (years: number) =>
  Array.from({ length: years * 12 }, (_, index) => ({
    month: (index % 12) + 1,
    activity: "run" as const,
    wall: Date.UTC(2019 + Math.floor(index / 12), index % 12, 12, 6, (index * 37) % 240),
    metres: 5_000 + ((index * 1_370) % 9_000),
    seconds: 1_500 + ((index * 411) % 2_700),
  }));

/** The same runs by a clock that is so many hours early in summer. */
const early = (all: ReturnType<typeof runs>, hours: number) =>
  all.map((run) => ({ ...run, wall: run.wall - (isSummer(run.month) ? hours * HOUR_MS : 0) }));

const ofSummer = (all: ReturnType<typeof runs>) => all.filter(({ month }) => isSummer(month));
const [july, january] = [Date.UTC(2020, 6, 1, 9), Date.UTC(2020, 0, 15, 9)];

test("a clock that ignores summer time shows it over the years, where no weeks have enough workouts", () => {
  const all = runs(3);
  const winter = all.filter(({ month }) => !isSummer(month)).map(({ wall }) => wall);
  const apart = clocksBetween(ofSummer(all), ofSummer(early(all, 1)), winter);
  expect(apart.around(july)).toBeUndefined();
  expect(apart.inSeason(july)).toBe(HOUR_MS);
  expect(apart.inSeason(january)).toBeUndefined();
});

test.each([
  ["too few summers", runs(3).slice(0, 7), []],
  ["as many workouts of summer agree", runs(3), ofSummer(runs(3)).map(({ wall }) => wall)],
  ["all at one time of day", runs(3).map((run) => ({ ...run, wall: run.wall - (run.wall % (24 * HOUR_MS)) })), []],
])("it shows nothing with %s", (_, all, agreeing) => {
  expect(clocksBetween(ofSummer(all), ofSummer(early(all, 1)), agreeing).inSeason(july)).toBeUndefined();
});

/** Runs of some weeks of each spring that a phone has at local times and a watch 4.5 hours later, as at home. Each year has three of them. */
const journeys = Array.from({ length: 6 }, (_, index) => ({
  activity: "run" as const,
  wall: Date.UTC(2019 + Math.floor(index / 3), 2, 18 + 3 * (index % 3), 7, 11 * index),
  metres: 6_000 + 700 * index,
  seconds: 2_000 + 190 * index,
}));
const byWatch = journeys.map((run) => ({ ...run, wall: run.wall + 4.5 * HOUR_MS }));
const atHome = runs(3).map(({ wall }) => wall);

test("journeys to one zone show it together, where none has enough workouts", () => {
  const apart = clocksBetween(byWatch, journeys, atHome);
  expect(apart.around(Date.UTC(2020, 2, 20))).toBeUndefined();
  expect(apart.ever).toEqual([4.5 * HOUR_MS]);
});

test.each([
  ["too few workouts", byWatch.slice(0, 4), atHome],
  ["workouts at home in the same days", byWatch, [...atHome, ...journeys.map(({ wall }) => wall + 20 * HOUR_MS)]],
  ["as many pairs some minutes beside", spreadOut(), atHome],
  ["no usual clock", byWatch, []],
])("they show nothing with %s", (_, ofWatch, agreeing) => {
  expect(clocksBetween(ofWatch, journeys, agreeing).ever).toEqual([]);
});

/** The same, and for each workout another one like it that begins ten minutes later. */
function spreadOut() {
  return [...byWatch, ...byWatch.map((run) => ({ ...run, wall: run.wall + HOUR_MS / 6 }))];
}
