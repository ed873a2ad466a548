import { expect, test } from "vitest";
import type { Issue } from "../model/issue.ts";
import type { Item, WorkoutItem } from "../model/item.ts";
import { MIDNIGHT_OR_NOON, START_IN_UTC, type Workout } from "../model/workout.ts";
import { countRetired } from "./count-retired.ts";
import { intoPreferredUnits } from "./into-preferred-units.ts";
import { keepOneEquipment } from "./keep-one-equipment.ts";
import { keepPlausibleValues } from "./keep-plausible-values.ts";
import { nameActivity } from "./name-activity.ts";
import { nameInNotes } from "./name-in-notes.ts";
import { quarantineImplausible } from "./quarantine-implausible.ts";
import { resolveLocalTime } from "./resolve-local-time.ts";
import { type Transform, through } from "./transform.ts";

const ORIGIN = { connector: "test", archive: "a.zip", entry: "a.csv", locator: "line 2" };
const INSTANT = Date.parse("2024-07-01T22:30:00Z");
const VIENNA = { lat: 48.2, lon: 16.37 };

function workout(value: Partial<Workout>): WorkoutItem {
  return { kind: "workout", key: "k", origin: ORIGIN, value: { start: { date: "2024-07-01" }, ...value } };
}

function run(step: Transform, item: Item) {
  const issues: Issue[] = [];
  const result = through([step], item, (issue) => issues.push(issue));
  return { result, issues, value: (result as WorkoutItem).value };
}

test.each([
  [
    "the source's own local time",
    { date: "2024-07-02", time: "06:00:00", instant: INSTANT, offsetMinutes: 60, position: VIENNA },
    "2024-07-02",
    "06:00:00",
    "source",
  ],
  [
    "the device's distance from UTC",
    { instant: INSTANT, offsetMinutes: 330, position: VIENNA },
    "2024-07-02",
    "04:00:00",
    "device",
  ],
  ["the zone at the first position", { instant: INSTANT, position: VIENNA }, "2024-07-02", "00:30:00", "position"],
  ["the zone a person named", { instant: INSTANT }, "2024-07-01", "16:30:00", "named zone"],
] as const)("local time comes from %s before all that is less sure", (_what, start, date, time, basis) => {
  const { value } = run(resolveLocalTime({ zone: "America/Denver", utcOffset: -5 }), workout({ start }));
  expect(value.start).toMatchObject({ date, time, basis });
});

test.each([
  ["a zone that is not UTC then", VIENNA, "2024-07-02", "00:30:00", "position"],
  ["a zone that is UTC then", { lat: 64.15, lon: -21.94 }, "2024-07-01", "22:30:00", "device"],
  ["no known place", undefined, "2024-07-01", "22:30:00", "device"],
] as const)("a device's distance of 0 from UTC is believed according to the first position: %s", (...row) => {
  const [, position, date, time, basis] = row;
  const start = { instant: INSTANT, offsetMinutes: 0, ...(position !== undefined && { position }) };
  expect(run(resolveLocalTime({}), workout({ start })).value.start).toMatchObject({ date, time, basis });
});

test("of the days that a source has values for, a workout gets those of its own day, unless it has its own", () => {
  const possibleDays = [
    { date: "2024-07-01", restHR: 50, weight: { unit: "kg", value: 70 } },
    { date: "2024-07-02", restHR: 51 },
  ] as const;
  const start = { instant: INSTANT };
  const east = run(
    resolveLocalTime({ zone: "Europe/Vienna" }),
    workout({ start, possibleDays, health: { avgHR: 140 } }),
  );
  expect([east.value.health, east.value.possibleDays]).toEqual([{ restHR: 51, avgHR: 140 }, undefined]);
  const west = run(
    resolveLocalTime({ zone: "America/Denver" }),
    workout({ start, possibleDays, health: { restHR: 44 } }),
  );
  expect(west.value.health).toEqual({ restHR: 44, weight: { unit: "kg", value: 70 } });
});

test("an instant that stands for a day gives the day in its zone, and no time", () => {
  const start = { instant: Date.UTC(2024, 6, 1, 22), untimed: true } as const;
  const { value } = run(resolveLocalTime({ zone: "Europe/Vienna" }), workout({ start }));
  expect(value.start).toEqual({ date: "2024-07-02", basis: "named zone" });
});

test.each([
  // Midnight and noon of Vienna in summer, and six in the evening.
  [22, "Europe/Vienna", { date: "2024-07-02", basis: "named zone" }],
  [10, "Europe/Vienna", { date: "2024-07-01", basis: "named zone" }],
  [
    16,
    "Europe/Vienna",
    { date: "2024-07-01", time: "18:00:00", instant: Date.UTC(2024, 6, 1, 16), basis: "named zone" },
  ],
  // Nobody knows where the athlete was, so no whole hour is a time.
  [16, undefined, { date: "2024-07-01", basis: "utcOffset" }],
])("an instant that stands for a day at midnight or noon, at %i:00 UTC in %s", (hour, zone, expected) => {
  const start = { instant: Date.UTC(2024, 6, 1, hour), untimed: MIDNIGHT_OR_NOON } as const;
  const settings = zone === undefined ? { utcOffset: 0 } : { zone };
  expect(run(resolveLocalTime(settings), workout({ start })).value.start).toEqual(expected);
});

test("a day with an instant gets its time of day in the zone that a person named, if it is the same day there", () => {
  const unsupported = [{ field: START_IN_UTC, value: "2024-07-01T22:30:00.000Z" }];
  const start = { date: "2024-07-01", instant: INSTANT } as const;
  const timed = (zone: string) => run(resolveLocalTime({ zone }), workout({ start, unsupported })).value;
  expect(timed("America/New_York")).toMatchObject({ start: { date: "2024-07-01", time: "18:30:00" } });
  expect(timed("America/New_York")).not.toHaveProperty("unsupported");
  expect(timed("Europe/Vienna")).toMatchObject({ start: { date: "2024-07-01" }, unsupported });
  expect(timed("Europe/Vienna")).not.toHaveProperty("start.time");
});

test("without any zone, local time comes from the preference's fixed offset, half hours included", () => {
  const { value } = run(resolveLocalTime({ utcOffset: 5.5 }), workout({ start: { instant: INSTANT } }));
  expect(value.start).toMatchObject({ date: "2024-07-02", time: "04:00:00", basis: "utcOffset" });
});

test("an instant with no zone at all is rejected, asking for one", () => {
  const { result } = run(resolveLocalTime({}), workout({ start: { instant: INSTANT } }));
  expect(result).toMatchObject({
    kind: "set-aside",
    as: "quarantined",
    issue: { rule: "workout/no-date", found: "2024-07-01 22:30 UTC", origin: ORIGIN },
  });
  expect(JSON.stringify(result)).toContain("--zone");
});

test("a workout without any date is rejected", () => {
  expect(run(resolveLocalTime({ zone: "UTC" }), workout({ start: {} })).result.kind).toBe("set-aside");
});

test("a source with a date and no time stays untimed: it is not moved to midnight", () => {
  const { value } = run(resolveLocalTime({ zone: "UTC" }), workout({ start: { date: "2012-05-01" } }));
  expect(value.start).toEqual({ date: "2012-05-01", basis: "source" });
});

test("an unknown sport is rejected with the setting that would let it in, never guessed", () => {
  const { result } = run(
    nameActivity({ sports: new Map(), activityIDs: { run: 10 } }),
    workout({ sport: "Quidditch" }),
  );
  expect(result).toMatchObject({ kind: "set-aside", issue: { rule: "workout/unknown-sport", found: "Quidditch" } });
});

test("the owner's own table names a sport, over the built-in one, whatever its case", () => {
  const settings = { sports: new Map([["nordicwalking", "hike" as const]]), activityIDs: { hike: 15 } };
  expect(run(nameActivity(settings), workout({ sport: "Nordic Walking", activity: "walk" })).value.activity).toBe(
    "hike",
  );
});

test("a source that names no sport is rejected, and let in by the empty name: --sport =run", () => {
  const activityIDs = { run: 10 };
  const { result } = run(nameActivity({ sports: new Map(), activityIDs }), workout({}));
  expect(JSON.stringify(result)).toContain("=ACTIVITY");
  expect(run(nameActivity({ sports: new Map([["", "run"]]), activityIDs }), workout({})).value.activity).toBe("run");
  const known = nameActivity({ sports: new Map([["", "run"]]), activityIDs: { ...activityIDs, bike: 11 } });
  expect(run(known, workout({ activity: "bike" })).value.activity).toBe("bike");
});

test("an activity the log has no number for is rejected", () => {
  const { result } = run(nameActivity({ sports: new Map(), activityIDs: { run: 10 } }), workout({ activity: "yoga" }));
  expect(result).toMatchObject({ kind: "set-aside", issue: { rule: "workout/no-activity-id", found: "yoga" } });
});

test.each([
  [{ name: "Prater loop", notes: "windy" }, "Prater loop\n\nwindy"],
  [{ name: "Prater loop" }, "Prater loop"],
  [{ name: "Prater loop", notes: "Prater loop" }, "Prater loop"],
  [{ name: "Prater", notes: "Prater loop" }, "Prater\n\nPrater loop"],
  [{ name: "  ", notes: "windy" }, "windy"],
])("of %o the notes are %j", (value, notes) => {
  const result = run(nameInNotes, workout(value)).value;
  expect(result.notes).toBe(notes);
  expect(result.name).toBeUndefined();
});

test("of two shoes the first is kept and the second is counted as unsupported", () => {
  const { value } = run(keepOneEquipment, workout({ equipment: ["a", "b"] }));
  expect(value.equipment).toEqual(["a"]);
  expect(value.unsupported).toEqual([{ field: "second equipment", value: "b" }]);
});

test.each([
  [true, [{ field: "retired", value: "yes" }]],
  [false, undefined],
])(
  "a shoe whose retired mark is %s loses nothing without a count: no log can be told of it",
  (retired, unsupported) => {
    const shoe: Item = { kind: "equipment", key: "s", origin: ORIGIN, value: { activity: "run", retired } };
    expect(run(countRetired, shoe).result).toMatchObject({ value: { retired } });
    expect((run(countRetired, shoe).result as typeof shoe).value.unsupported).toEqual(unsupported);
  },
);

test("a heart rate of 0 is not a measurement, one of 300 is named and left out, one of 138.74 is 139", () => {
  const { value, issues } = run(keepPlausibleValues, workout({ health: { avgHR: 138.74, maxHR: 300, restHR: 0 } }));
  expect(value.health).toEqual({ avgHR: 139 });
  // A cell of another column: an effort of 6 in the place of the heart rate. The lowest heart rate at rest on record is 26.
  const shifted = run(keepPlausibleValues, workout({ health: { avgHR: 6, restHR: 26 } }));
  expect([shifted.value.health, shifted.issues[0]?.expected]).toEqual([{ restHR: 26 }, "25 to 250 beats a minute"]);
  expect(value.unsupported).toEqual([{ field: "maxHR", value: "300 a minute" }]);
  expect(issues).toMatchObject([{ rule: "workout/implausible", field: "maxHR", found: "300", origin: ORIGIN }]);
});

test("cells that can't be read and values that can't be true each need their own permission", () => {
  const unread: Issue = { severity: "error", rule: "table/unreadable-column", found: "8,05" };
  const long = workout({ duration: 55 * 24 * 3600, doubts: [{ issue: unread, about: ["distance"], isUnread: true }] });
  const rejectedFor = (settings: Parameters<typeof quarantineImplausible>[0]) => {
    const { result } = run(quarantineImplausible(settings), long);
    return result.kind === "set-aside" ? result.issue.rule : undefined;
  };
  expect(rejectedFor({})).toBe("table/unreadable-column");
  expect(rejectedFor({ allow: true })).toBe("table/unreadable-column");
  expect(rejectedFor({ allowUnread: true })).toBe("workout/implausible-duration");
  expect(rejectedFor({ allow: true, allowUnread: true })).toBeUndefined();
});

test("an average heart rate above the highest is named and left out with it, since nobody knows which is wrong", () => {
  const { value, issues } = run(keepPlausibleValues, workout({ health: { avgHR: 172, maxHR: 147, restHR: 50 } }));
  expect(value.health).toEqual({ restHR: 50 });
  expect(value.unsupported).toEqual([
    { field: "avgHR", value: "172 a minute" },
    { field: "maxHR", value: "147 a minute" },
  ]);
  expect(issues.map(({ field, found, expected }) => [field, found, expected])).toEqual([
    ["avgHR", "172", "up to the highest heart rate, 147"],
    ["maxHR", "147", "from the average heart rate on, 172"],
  ]);
  expect(run(keepPlausibleValues, workout({ health: { avgHR: 150.4, maxHR: 150 } })).value.health).toEqual({
    avgHR: 150,
    maxHR: 150,
  });
});

test("a weight that nobody has and a temperature that the air never had are left out, and said", () => {
  const { value, issues } = run(
    keepPlausibleValues,
    workout({
      health: { weight: { unit: "lb", value: 22_000 } },
      weather: { temperature: { unit: "F", value: -460 }, conditions: ["clear"] },
    }),
  );
  expect(value.health).toBeUndefined();
  expect(value.weather).toEqual({ conditions: ["clear"] });
  expect(issues.map(({ field, found }) => [field, found])).toEqual([
    ["weight", "22000"],
    ["temperature", "-460"],
  ]);
});

test.each([
  ["a child", { unit: "kg", value: 14 }],
  ["the heaviest person on record", { unit: "kg", value: 635 }],
] as const)("the weight of %s is kept", (_who, weight) => {
  expect(run(keepPlausibleValues, workout({ health: { weight } })).value.health).toEqual({ weight });
});

test.each([-89.2, 56.7])("air of %d degrees is kept", (value) => {
  const weather = { temperature: { unit: "C", value } } as const;
  expect(run(keepPlausibleValues, workout({ weather })).value.weather).toEqual(weather);
});

test("a temperature of 0 degrees survives, and so does a distance of 0", () => {
  const weather = { temperature: { unit: "C", value: 0 } } as const;
  const { value, issues } = run(keepPlausibleValues, workout({ weather, distance: { unit: "km", value: 0 } }));
  expect(value.weather).toEqual(weather);
  expect(value.distance).toEqual({ unit: "km", value: 0 });
  expect(issues).toEqual([]);
});

test("a negative or endless duration is left out, and said", () => {
  expect(run(keepPlausibleValues, workout({ duration: -5 })).issues).toHaveLength(1);
  expect(run(keepPlausibleValues, workout({ duration: Number.POSITIVE_INFINITY })).value.duration).toBeUndefined();
});

test("every measure is written in the owner's units", () => {
  const step = intoPreferredUnits({ distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" });
  const { value } = run(
    step,
    workout({
      distance: { unit: "km", value: 42.195 },
      health: { weight: { unit: "kg", value: 70 } },
      weather: { temperature: { unit: "C", value: 0 } },
      intervalSet: {
        intervals: [
          { type: "interval", distance: { unit: "m", value: 400 } },
          { type: "interval", distance: { unit: "km", value: 5 } },
          { type: "rest", duration: 60 },
        ],
      },
    }),
  );
  expect(value.distance).toEqual({ unit: "mi", value: 26.219 });
  expect(value.health?.weight).toEqual({ unit: "lb", value: 154.3 });
  expect(value.weather?.temperature).toEqual({ unit: "F", value: 32 });
  expect(value.intervalSet?.intervals).toEqual([
    { type: "interval", distance: { unit: "m", value: 400 } },
    { type: "interval", distance: { unit: "mi", value: 3.107 } },
    { type: "rest", duration: 60 },
  ]);
});

test.each([
  ["km", { unit: "m", value: 1475 }, { unit: "km", value: 1.475 }],
  ["mi", { unit: "m", value: 1475 }, { unit: "m", value: 1475 }],
  ["mi", { unit: "m", value: 1650 }, { unit: "mi", value: 1.025 }],
  ["km", { unit: "m", value: 32 }, { unit: "m", value: 32 }],
  ["mi", { unit: "km", value: 0.032 }, { unit: "m", value: 32 }],
  ["km", { unit: "yd", value: 500 }, { unit: "m", value: 457 }],
  ["km", { unit: "mi", value: 26.21875 }, { unit: "km", value: 42.195 }],
] as const)("in a log of %s, %o is written as %o: of a workout, a course and an interval alike", (unit, from, to) => {
  const step = intoPreferredUnits({ distanceUnit: unit, weightUnit: "kg", temperatureUnit: "C" });
  const { value } = run(step, workout({ distance: from, intervalSet: { intervals: [{ distance: from }] } }));
  expect(value.distance).toEqual(to);
  expect(value.intervalSet?.intervals[0]?.distance).toEqual(to);
  const course = { kind: "course", key: "c", origin: ORIGIN, value: { name: "Lap", distance: from } } as const;
  expect(run(step, course).result).toMatchObject({ value: { distance: to } });
});

test("whatever the log counts in, a distance read back is within half a metre, or in miles 81 centimetres, of what the source had", () => {
  const metres = [1, 32, 457, 999.6, 1475, 1609, 1609.4, 3333.3, 42_195, 1_200_123.4];
  for (const [unit, half] of [
    ["km", 0.5],
    ["mi", 0.81],
    ["m", 0.5],
  ] as const) {
    const step = intoPreferredUnits({ distanceUnit: unit, weightUnit: "kg", temperatureUnit: "C" });
    for (const value of metres) {
      const written = run(step, workout({ distance: { unit: "m", value } })).value.distance;
      const factor = { km: 1000, mi: 1609.344, m: 1, yd: 0.9144 }[written?.unit ?? "m"];
      expect(Math.abs((written?.value ?? 0) * factor - value), `${value} m in ${unit}`).toBeLessThanOrEqual(half);
    }
  }
});
