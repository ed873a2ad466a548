import { expect, test } from "vitest";
import type { Issue } from "../model/issue.ts";
import type { Item, WorkoutItem } from "../model/item.ts";
import type { Workout } from "../model/workout.ts";
import { intoPreferredUnits } from "./into-preferred-units.ts";
import { keepOneEquipment } from "./keep-one-equipment.ts";
import { keepPlausibleValues } from "./keep-plausible-values.ts";
import { nameActivity } from "./name-activity.ts";
import { nameInNotes } from "./name-in-notes.ts";
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

test("without any zone, local time comes from the preference's fixed offset, half hours included", () => {
  const { value } = run(resolveLocalTime({ utcOffset: 5.5 }), workout({ start: { instant: INSTANT } }));
  expect(value.start).toMatchObject({ date: "2024-07-02", time: "04:00:00", basis: "utcOffset" });
});

test("an instant with no zone at all is set aside, asking for one", () => {
  const { result } = run(resolveLocalTime({}), workout({ start: { instant: INSTANT } }));
  expect(result).toMatchObject({
    kind: "set-aside",
    as: "quarantined",
    issue: { rule: "workout/no-date", origin: ORIGIN },
  });
  expect(JSON.stringify(result)).toContain("--zone");
});

test("a workout without any date is set aside", () => {
  expect(run(resolveLocalTime({ zone: "UTC" }), workout({ start: {} })).result.kind).toBe("set-aside");
});

test("a source with a date and no time stays untimed: it is not moved to midnight", () => {
  const { value } = run(resolveLocalTime({ zone: "UTC" }), workout({ start: { date: "2012-05-01" } }));
  expect(value.start).toEqual({ date: "2012-05-01", basis: "source" });
});

test("an unknown sport is set aside with the setting that would let it in, never guessed", () => {
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

test("a source that names no sport is set aside, and let in by the empty name: --sport =run", () => {
  const activityIDs = { run: 10 };
  const { result } = run(nameActivity({ sports: new Map(), activityIDs }), workout({}));
  expect(JSON.stringify(result)).toContain("=ACTIVITY");
  expect(run(nameActivity({ sports: new Map([["", "run"]]), activityIDs }), workout({})).value.activity).toBe("run");
  const known = nameActivity({ sports: new Map([["", "run"]]), activityIDs: { ...activityIDs, bike: 11 } });
  expect(run(known, workout({ activity: "bike" })).value.activity).toBe("bike");
});

test("an activity the log has no number for is set aside", () => {
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

test("of two shoes the first is kept and the second is counted as beyond the log", () => {
  const { value } = run(keepOneEquipment, workout({ equipment: ["a", "b"] }));
  expect(value.equipment).toEqual(["a"]);
  expect(value.beyond).toEqual([{ field: "second equipment", value: "b" }]);
});

test("a heart rate of 0 is not a measurement, one of 300 is named and left out, one of 138.74 is 139", () => {
  const { value, issues } = run(keepPlausibleValues, workout({ health: { avgHR: 138.74, maxHR: 300, restHR: 0 } }));
  expect(value.health).toEqual({ avgHR: 139 });
  expect(value.beyond).toEqual([{ field: "maxHR", value: "300" }]);
  expect(issues).toMatchObject([{ rule: "workout/implausible", field: "maxHR", found: "300", origin: ORIGIN }]);
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

test("every measure is written in the owner's units, short intervals in metres", () => {
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
  expect(value.distance).toEqual({ unit: "mi", value: 26.22 });
  expect(value.health?.weight).toEqual({ unit: "lb", value: 154.3 });
  expect(value.weather?.temperature).toEqual({ unit: "F", value: 32 });
  expect(value.intervalSet?.intervals).toEqual([
    { type: "interval", distance: { unit: "m", value: 400 } },
    { type: "interval", distance: { unit: "mi", value: 3.11 } },
    { type: "rest", duration: 60 },
  ]);
});
