import { expect, test } from "vitest";
import { withServer } from "../../test/support/api.ts";
import { inTurn } from "../../test/support/http-server.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { ItemError } from "../errors.ts";
import { getWorkout } from "./client.ts";
import {
  decodeCourse,
  decodeEquipment,
  decodePreference,
  decodeTrainingPlan,
  decodeUser,
  decodeWorkout,
} from "./decode.ts";
import { encodeBody } from "./encode.ts";

function decoded<T>(decode: (value: unknown, remark: (issue: Issue) => void) => T, value: unknown) {
  const issues: Issue[] = [];
  return { value: decode(value, (issue) => issues.push(issue)), issues };
}

test("a workout with every field of the document is read whole", () => {
  const { value, issues } = decoded(decodeWorkout, {
    id: "w1",
    activityID: 10,
    activityName: "Run",
    workoutID: 3,
    workoutName: "Interval",
    date: "2024-02-29",
    timeOfDay: "23:59:59",
    notes: "",
    course: { id: "c1", name: "Track" },
    equipment: { id: "e1", name: "Shoe" },
    details: { distance: { unit: "mi", value: 0 }, duration: 2112.99 },
    health: { avgHR: 0, maxHR: 190, restHR: 48, weight: { unit: "lb", value: 150.5 } },
    intervalSet: {
      id: "s1",
      name: "4 x 400",
      intervals: [
        { distance: { unit: "m", value: 400 }, duration: 91.79, type: "interval" },
        { duration: 60, type: "rest" },
      ],
    },
    raceStats: { fieldPlacement: 1, fieldSize: 2, groupMaxAge: 39, groupMinAge: 30, groupPlacement: 1, groupSize: 1 },
    ratings: { effort: 7, quality: 9 },
    weather: { conditions: { clear: true, windy: true, snow: false }, temperature: { unit: "F", value: 0 } },
  });
  expect(issues).toEqual([]);
  expect(value).toEqual({
    id: "w1",
    activityID: 10,
    activityName: "Run",
    workoutID: 3,
    workoutName: "Interval",
    date: "2024-02-29",
    timeOfDay: "23:59:59",
    notes: "",
    course: { id: "c1", name: "Track" },
    equipment: [{ id: "e1", name: "Shoe" }],
    details: { distance: { unit: "mi", value: 0 }, duration: 2112.99 },
    health: { avgHR: 0, maxHR: 190, restHR: 48, weight: { unit: "lb", value: 150.5 } },
    intervalSet: {
      id: "s1",
      name: "4 x 400",
      intervals: [
        { distance: { unit: "m", value: 400 }, duration: 91.79, type: "interval" },
        { duration: 60, type: "rest" },
      ],
    },
    raceStats: { fieldPlacement: 1, fieldSize: 2, groupMaxAge: 39, groupMinAge: 30, groupPlacement: 1, groupSize: 1 },
    ratings: { effort: 7, quality: 9 },
    weather: {
      conditions: ["clear", "windy"],
      falseConditions: ["snow"],
      temperature: { unit: "F", value: 0 },
    },
  });
});

test.each([
  ["a time as `time`", { time: "06:30:00" }, { timeOfDay: "06:30:00" }],
  ["a time without seconds", { timeOfDay: "6:05" }, { timeOfDay: "06:05:00" }],
  ["an empty time", { timeOfDay: "", time: "" }, {}],
  [
    "equipment as a list",
    { equipment: [{ id: "a" }, { id: "b", name: "B" }] },
    { equipment: [{ id: "a" }, { id: "b", name: "B" }] },
  ],
  ["an empty list of equipment", { equipment: [] }, {}],
  ["conditions as names", { weather: { conditions: ["rain", "fog"] } }, { weather: { conditions: ["rain", "fog"] } }],
  [
    "conditions as 0 and 1",
    { weather: { conditions: { rain: 1, fog: 0, hail: null } } },
    { weather: { conditions: ["rain"], falseConditions: ["fog"] } },
  ],
  [
    "unknown conditions",
    { weather: { conditions: { volcanicAsh: true } } },
    { weather: { conditions: ["volcanicAsh"] } },
  ],
  ["no condition set", { weather: { conditions: { snow: false } } }, { weather: { falseConditions: ["snow"] } }],
  ["no condition said", { weather: { conditions: { snow: null } } }, {}],
  [
    "numbers as texts",
    { details: { duration: "3277" }, activityID: "10" },
    { details: { duration: 3277 }, activityID: 10 },
  ],
  ["an id as a number", { id: 42 }, { id: "42" }],
  [
    "a spelt-out unit",
    { details: { distance: { unit: "Mile", value: "3.1" } } },
    { details: { distance: { unit: "mi", value: 3.1 } } },
  ],
  [
    "Kilometer",
    { details: { distance: { unit: "Kilometer", value: 5 } } },
    { details: { distance: { unit: "km", value: 5 } } },
  ],
  ["null members", { notes: null, details: null, health: { avgHR: null } }, {}],
  ["empty objects", { details: {}, raceStats: {} }, {}],
])("%s is read", (_what, wire, expected) => {
  const { value, issues } = decoded(decodeWorkout, wire);
  expect(value).toEqual(expected);
  expect(issues).toEqual([]);
});

test("an unknown unit is kept as it is written, and reported", () => {
  const { value, issues } = decoded(decodeWorkout, { details: { distance: { unit: "furlong", value: 8 } } });
  expect(value).toEqual({ details: { distance: { unit: "furlong", value: 8 } } });
  expect(issues).toEqual([
    {
      severity: "warning",
      rule: "api/unexpected-value",
      field: "workout.details.distance.unit",
      found: "furlong",
      expected: "a unit of distance",
    },
  ]);
});

test("members the document doesn't have are kept by their path, at every depth", () => {
  const { value, issues } = decoded(decodeWorkout, {
    id: "w",
    sleep: 7.5,
    health: { avgHR: 120, calories: 600 },
    intervalSet: { intervals: [{ type: "rest", heartRate: 99 }] },
    course: { id: "c", surface: "asphalt" },
  });
  expect(value.extra).toEqual({
    sleep: 7.5,
    "health.calories": 600,
    "intervalSet.intervals.0.heartRate": 99,
    "course.0.surface": "asphalt",
  });
  expect(issues).toEqual([]);
});

test.each([
  ["date", "2024-02-30", "a date, YYYY-MM-DD"],
  ["timeOfDay", "7:30 am", "a time of day, HH:MM:SS"],
  ["timeOfDay", "24:00:00", "a time of day, HH:MM:SS"],
  ["activityID", "ten", "a number"],
  ["activityID", "", "a number"],
  ["notes", { text: "x" }, "a text"],
  ["details", "5 km", "an object"],
  ["id", "", "an id of 1 to 64 characters"],
])("a %s of %j is kept aside and reported, and the rest is read", (field, wrong, expected) => {
  const { value, issues } = decoded(decodeWorkout, { workoutID: 1, [field]: wrong });
  expect(value).toEqual({ workoutID: 1, extra: { [field]: wrong } });
  expect(issues).toHaveLength(1);
  expect(issues[0]).toMatchObject({ rule: "api/unexpected-value", field: `workout.${field}`, expected });
});

test("a value that is no object has no members, and is reported", () => {
  for (const wrong of [null, 7, "x", []]) expect(decoded(decodeCourse, wrong).value).toEqual({});
  expect(decoded(decodeCourse, 7).issues).toEqual([
    { severity: "warning", rule: "api/unexpected-value", field: "course", found: "7", expected: "an object" },
  ]);
});

test("an answer can't reach a prototype", () => {
  const wire = JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"details":{"__proto__":{"duration":5}},"weather":{"conditions":{"__proto__":true}}}',
  );
  const { value } = decoded(decodeWorkout, wire);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.getPrototypeOf({ ...value.extra })).toBe(Object.prototype);
  expect(Object.keys(value.extra ?? {})).toEqual(["constructor"]);
  expect(value.details).toBeUndefined();
});

test("course, equipment, user, preference and plan are read with every field of the document", () => {
  const course = {
    id: "c",
    name: "Lake",
    notes: "n",
    distance: { unit: "km", value: 5 },
    surfaces: ["asphalt", "trail"],
  };
  expect(decoded(decodeCourse, { ...course, surfaces: { asphalt: true, trail: true } })).toEqual({
    value: course,
    issues: [],
  });
  expect(decoded(decodeCourse, course)).toEqual({ value: course, issues: [] });
  const equipment = {
    id: "e",
    activityID: 10,
    brandID: "b",
    brandName: "Hoka",
    modelID: "m",
    modelName: "Clifton",
    serial: "007",
    gender: "F",
    notes: "",
    ratings: { avgRating: 4.5 },
    distance: { unit: "m", value: 123456.7 },
    purchaseDate: "2020-01-31",
    price: 0,
  };
  expect(decoded(decodeEquipment, equipment)).toEqual({ value: equipment, issues: [] });
  const user = {
    screenName: "runner",
    person: { birthDate: "1980-05-05", email: "a@b.example", givenName: "A", familyName: "B", gender: "F" },
    preference: { utcOffset: 5.75, distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
  };
  expect(decoded(decodeUser, user)).toEqual({ value: user, issues: [] });
  expect(decoded(decodePreference, user.preference)).toEqual({ value: user.preference, issues: [] });
  const plan = {
    id: "p",
    name: "Marathon",
    beginDate: "2024-01-01",
    endDate: "2024-04-28",
    numWeeks: 17,
    attributes: ["private"],
    falseAttributes: ["commercial"],
  };
  expect(decoded(decodeTrainingPlan, { ...plan, attributes: { private: true, commercial: false } })).toEqual({
    value: plan,
    issues: [],
  });
});

test("a remark about an answer names the service and the path, and not the token", async () => {
  const answer = { json: { code: 0, data: { workout: { date: "yesterday" } } } };
  await withServer(inTurn(answer), async ({ server, connection, issues }) => {
    await getWorkout(connection, "w 1", new AbortController().signal);
    expect(issues).toEqual([
      {
        severity: "warning",
        rule: "api/unexpected-value",
        origin: { connector: "log", archive: new URL(server.url).host, entry: "/rest/logs/me/workouts/w%201" },
        field: "workout.date",
        found: "yesterday",
        expected: "a date, YYYY-MM-DD",
      },
    ]);
  });
});

test("what is only shown never leaves: names, the record's id, accumulated distance", () => {
  const workout = {
    id: "w",
    activityID: 10,
    activityName: "Run",
    workoutName: "Easy",
    date: "2024-01-01",
    time: undefined,
    course: { id: "c", name: "Lake" },
    equipment: [{ id: "e", name: "Shoe" }],
    extra: { sleep: 7 },
  };
  expect(encodeBody("workout", workout)).toEqual({
    activityID: 10,
    date: "2024-01-01",
    course: { id: "c" },
    equipment: [{ id: "e" }],
  });
  expect(
    encodeBody("equipment", { id: "e", brandID: "b", modelID: "m", distance: { unit: "m", value: 1 }, price: 0 }),
  ).toEqual({
    price: 0,
  });
});

test.each([
  ["workout", { date: "2024-02-30" }, "workout.date"],
  ["workout", { date: "2024-02-03", time: "7:30" }, "workout.time"],
  ["workout", { details: { duration: Number.NaN } }, "workout.details.duration"],
  ["workout", { details: { distance: { unit: "yd", value: 25 } } }, "workout.details.distance"],
  ["workout", { details: { distance: { unit: "mi", value: 1, note: 1 } } }, "workout.details.distance"],
  ["workout", { health: { avgHR: 141.5 } }, "workout.health.avgHR"],
  ["workout", { intervalSet: { intervals: [{ type: "rest" }, { type: 2 }] } }, "workout.intervalSet.intervals.1.type"],
  ["workout", { weather: { conditions: ["snow"] } }, "workout.weather.conditions"],
  ["workout", { notes: null }, "workout.notes"],
  ["course", { name: 5 }, "course.name"],
  ["equipment", { price: Number.POSITIVE_INFINITY }, "equipment.price"],
  ["preference", { utcOffset: "5" }, "preference.utcOffset"],
] as const)("a %s of %j is refused before it leaves, naming %s", (resource, body, path) => {
  let caught: unknown;
  try {
    encodeBody(resource, body);
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(ItemError);
  expect(caught).toMatchObject({ code: "api/bad-value" });
  expect(String(caught)).toContain(`${path} is `);
});

test("two pieces of equipment are one too many", () => {
  expect(() => encodeBody("workout", { equipment: [{ id: "a" }, { id: "b" }] })).toThrow(
    /takes 1 piece of equipment, it has 2/,
  );
});
