import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// The command line's advice for a sheet whose mapping names a wrong unit, by the real process. A person who follows the advice must get only real
// workouts into the log.

let rehearsal: Rehearsal;
let count = 0;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

/** Kilometres and seconds of workouts as people do them. */
const WORKOUTS = {
  run: [
    [4.29, 1458],
    [6.89, 2344],
    [10.02, 3010],
    [21.1, 7450],
    [8.3, 2780],
  ],
  ride: [
    [19.28, 2891],
    [71.23, 10_685],
    [40.1, 5200],
    [25.5, 3900],
    [33, 4480],
  ],
  swim: [
    [0.71, 926],
    [1.42, 1843],
    [2.1, 2900],
    [1, 1330],
    [1.8, 2405],
  ],
} as const;

type Sport = keyof typeof WORKOUTS;
const SPORTS = Object.keys(WORKOUTS) as Sport[];

interface Sheet {
  readonly unit: string;
  readonly format: string;
  readonly metres?: number;
  readonly seconds?: number;
  /** A further column of the mapping, which stays empty. */
  readonly more?: string;
}

/** Writes the workouts of a sport in units of so many metres and seconds. @returns what `inspect` says of them */
async function inspected(sport: Sport, { unit, format, metres = 1000, seconds = 1, more = "" }: Sheet) {
  const folder = join(rehearsal.folder, `sheet-${++count}`);
  mkdirSync(folder);
  const rows = WORKOUTS[sport].map(
    ([km, s], index) =>
      `2015-01-0${index + 1},${sport},${(km * 1000) / metres},${Number.isNaN(seconds) ? "" : s / seconds},`,
  );
  writeFileSync(join(folder, "log.csv"), ["Day,Sport,Dist,Dur,More", ...rows].join("\n"));
  writeFileSync(
    join(folder, "log.map.yaml"),
    `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  Sport: { field: activity }
  Dist: { field: distance, unit: ${unit} }
  Dur: { field: duration, format: ${format} }
${more}`,
  );
  const ran = await rehearsal.run(["inspect", join(folder, "log.csv")], { journal: join(folder, "journal.db") });
  expect([0, 3], ran.err).toContain(ran.code);
  return ran.out.replace(/\s+/g, " ");
}

const TIME = "the format of columns.Dur in log.map.yaml, and plan again";
const LENGTH = "the unit of columns.Dist in log.map.yaml, and plan again";
const WRONG: readonly { readonly name: string; readonly sheet: Sheet; readonly says: string }[] = [
  {
    name: "seconds declared milliseconds",
    sheet: { unit: "km", format: "milliseconds" },
    says: `"Dur" read as milliseconds: LINE seconds, which is likely: say seconds as ${TIME}`,
  },
  {
    name: "milliseconds declared seconds",
    sheet: { unit: "km", format: "seconds", seconds: 0.001 },
    says: `"Dur" read as seconds: LINE milliseconds, which is likely: say milliseconds as ${TIME}`,
  },
  {
    name: "minutes declared seconds",
    sheet: { unit: "km", format: "seconds", seconds: 60 },
    says: `"Dur" read as seconds: LINE minutes, which is likely: say minutes as ${TIME}`,
  },
  {
    name: "kilometres declared metres",
    sheet: { unit: "m", format: "seconds" },
    says: `"Dist" read as m: LINE km or mi, each of which fits: say the right one as ${LENGTH}`,
  },
  {
    name: "kilometres declared metres beside a weight in pounds",
    sheet: { unit: "m", format: "seconds", more: "  More: { field: weight, unit: lb }\n" },
    says: `"Dist" read as m: LINE mi or km, each of which fits: say the right one as ${LENGTH}`,
  },
  {
    name: "metres declared kilometres",
    sheet: { unit: "km", format: "seconds", metres: 1 },
    says: `"Dist" read as km: LINE m or yd, each of which fits: say the right one as ${LENGTH}`,
  },
];

test.each(WRONG)("$name are named in runs, rides and swims, and nothing else is", async ({ sheet, says }) => {
  const [begin = "", end = ""] = says.split("LINE");
  const said = await Promise.all(SPORTS.map((sport) => inspected(sport, sheet)));
  for (const out of said) {
    expect(out).toContain(`5 of 5 rows can't be true with the column ${begin.trim()}`);
    expect(out).toContain(`expected ${end.trim()}`);
    expect(out.match(/read as/g)).toHaveLength(1);
    expect(out).not.toContain("most likely");
  }
});

test("where every row is possible, or no unit of one column makes usual workouts, no unit is named", async () => {
  const possible = await inspected("run", { unit: "yd", format: "seconds", metres: 1 });
  expect(possible).not.toContain("read as");
  const timeless = await inspected("run", { unit: "km", format: "seconds", metres: 1, seconds: Number.NaN });
  expect(timeless).not.toContain('"Dur"');
  const both = await inspected("ride", { unit: "km", format: "hours", metres: 1, seconds: 60 });
  expect(both).not.toContain("read as");
  expect(both).toContain("5 workouts can't be true, and a plan holds them back.");
});
