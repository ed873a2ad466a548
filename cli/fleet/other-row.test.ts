import { expect, test } from "vitest";
import type { AthleteNow } from "../../pipelines/fleet/athletes.ts";
import type { Athlete } from "../batch/roster.ts";
import { isByOther, isByOtherLimits, isByOtherRow } from "./other-row.ts";
import type { FleetSettings } from "./settings.ts";

const ATHLETE: Athlete = {
  ...{ name: "Xena", key: "xena", line: 2, archives: ["a1.zip"] },
  ...{ expects: { email: "x@example.org", screenName: "xena" }, token: { from: "token-file", is: "xena.txt" } },
  options: { since: "2015", map: "own.yaml" },
};
const SETTINGS: FleetSettings = {
  ...{ options: { zone: "Europe/Vienna", hostRate: 20 }, roster: "club.csv", folder: "/srv/club", isPlan: false },
  tables: { sports: [["Nordic", "walk"]], activityIDs: { walk: 7, run: 3 }, workoutIDs: {} },
};

/** The athlete as PostgreSQL gives them back: with the members in another order. */
function stored(athlete: Partial<Athlete>, settings: Partial<FleetSettings>): AthleteNow {
  const turned = (value: object): object => Object.fromEntries(Object.entries(value).toReversed());
  const [row, of] = [
    { ...ATHLETE, ...athlete },
    { ...SETTINGS, ...settings },
  ];
  const json = JSON.stringify([turned(row), turned({ ...of, tables: turned(of.tables) })]);
  const [asRow, asSettings] = JSON.parse(json);
  return {
    ...{
      key: "xena",
      step: "done",
      wasDone: false,
      isCancelled: false,
      isBegun: false,
      away: undefined,
      left: undefined,
      worker: undefined,
    },
    ...{ outcome: undefined, planned: undefined, athlete: asRow, settings: asSettings },
  };
}

test.each<[string, Partial<Athlete>, Partial<FleetSettings>, boolean, boolean]>([
  ["the same row", {}, {}, false, false],
  ["another archive", { archives: ["a1.zip", "a1b.zip"] }, {}, true, true],
  ["the same path, spelt out", { archives: ["/srv/club/a1.zip"] }, {}, false, false],
  ["another folder", {}, { folder: "/srv/other" }, true, true],
  ["a new signature of an address", { archives: ["https://s.example/a.zip?sig=1"] }, {}, true, true],
  ["without since", { options: { map: "own.yaml" } }, {}, true, true],
  [
    "another pace",
    { options: { ...ATHLETE.options, rate: 3 } },
    { options: { ...SETTINGS.options, hostRate: 5 } },
    false,
    false,
  ],
  ["another owner", { expects: { screenName: "xena2" } }, {}, true, true],
  [
    "an address that came with a sealed token",
    { options: { ...ATHLETE.options, url: "https://log.example" } },
    {},
    true,
    false,
  ],
  ["another zone for all", {}, { options: { zone: "UTC" } }, true, false],
  ["other sports for all", {}, { tables: { ...SETTINGS.tables, sports: [] } }, true, false],
  ["a plan alone", {}, { isPlan: true }, true, false],
  ["another name and place of the token", { name: "X.", token: { from: "profile", is: "x" } }, {}, false, false],
])("%s", (_name, athlete, settings, byOther, byOtherRow) => {
  const now = stored(athlete, settings);
  expect(isByOther(now, ATHLETE, SETTINGS)).toBe(byOther);
  expect(isByOtherRow(now, ATHLETE, SETTINGS.folder)).toBe(byOtherRow);
});

test("a load counts for a plan, and two signatures of one address are one archive", () => {
  expect(isByOther(stored({}, {}), ATHLETE, { ...SETTINGS, isPlan: true })).toBe(false);
  const signed = (signature: number) => [`https://s.example/a.zip?sig=${signature}`];
  const now = stored({ archives: signed(1) }, {});
  expect(isByOtherRow(now, { ...ATHLETE, archives: signed(2) }, SETTINGS.folder)).toBe(false);
});

test("a limit that a batch sets is told from the one that is held, and one that it leaves out is not", () => {
  const set = (options: Athlete["options"], shared: FleetSettings["options"] = {}, isPlan = false) =>
    isByOtherLimits(
      stored({ options: { maxRequests: 5 } }, {}),
      { ...ATHLETE, options },
      { ...SETTINGS, options: { ...SETTINGS.options, ...shared }, isPlan },
    );
  expect(set({ maxRequests: 5 })).toBe(false);
  expect(set({})).toBe(false);
  expect(set({ maxRequests: 6 })).toBe(true);
  expect(set({}, { rate: 3 })).toBe(true);
  expect(set({}, { hostRate: 5 })).toBe(true);
  expect(set({ maxRequests: 5 }, { maxRequests: 9 })).toBe(false);
  expect(set({}, { rate: 3 }, true)).toBe(false);
});
