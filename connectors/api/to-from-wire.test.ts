import fc from "fast-check";
import { expect, test } from "vitest";
import type { Preference } from "../../transforms/model/account.ts";
import type { Course } from "../../transforms/model/course.ts";
import type { Equipment } from "../../transforms/model/equipment.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import {
  decodeCourse,
  decodeEquipment,
  decodePreference,
  decodeTrainingPlan,
  decodeUser,
  decodeWorkout,
} from "./decode.ts";
import { encodeBody } from "./encode.ts";
import { courseFromWire, equipmentFromWire, preferenceFromWire, workoutFromWire } from "./from-wire.ts";
import {
  courseToSaveFrom,
  courseToWire,
  equipmentToSaveFrom,
  equipmentToWire,
  unsavable,
  workoutToSaveFrom,
  workoutToWire,
} from "./to-wire.ts";

// The document's tables of fields, written by hand. "both": the field can be saved and read. "got": the log gives the field, and it can't be saved.
// "saved": the name that only a save uses.
const DOCUMENT: Readonly<Record<string, Readonly<Record<string, "both" | "got" | "saved">>>> = {
  workout: {
    id: "got",
    activityID: "both",
    activityName: "got",
    workoutID: "both",
    workoutName: "got",
    date: "both",
    time: "saved",
    timeOfDay: "got",
    notes: "both",
    "course.id": "both",
    "course.name": "got",
    "equipment.id": "got",
    "equipment.name": "got",
    "equipment.0.id": "saved",
    "details.distance": "both",
    "details.duration": "both",
    "health.avgHR": "both",
    "health.maxHR": "both",
    "health.restHR": "both",
    "health.weight": "both",
    "intervalSet.id": "got",
    "intervalSet.name": "both",
    "intervalSet.intervals.0.distance": "both",
    "intervalSet.intervals.0.duration": "both",
    "intervalSet.intervals.0.type": "both",
    "raceStats.fieldPlacement": "both",
    "raceStats.fieldSize": "both",
    "raceStats.groupMaxAge": "both",
    "raceStats.groupMinAge": "both",
    "raceStats.groupPlacement": "both",
    "raceStats.groupSize": "both",
    "ratings.effort": "both",
    "ratings.quality": "both",
    "weather.conditions": "both",
    "weather.temperature": "both",
  },
  course: { id: "got", name: "both", notes: "both", distance: "both", surfaces: "both" },
  equipment: {
    id: "got",
    activityID: "both",
    brandID: "got",
    brandName: "both",
    modelID: "got",
    modelName: "both",
    serial: "both",
    gender: "both",
    notes: "both",
    "ratings.avgRating": "both",
    distance: "got",
    purchaseDate: "both",
    price: "both",
  },
  preference: { utcOffset: "both", distanceUnit: "both", weightUnit: "both", temperatureUnit: "both" },
};

const WORKOUT: Workout = {
  activity: "run",
  type: "interval",
  start: { date: "2024-02-29", time: "06:07:08" },
  notes: "Easy, then not",
  course: "c1",
  equipment: ["e1"],
  distance: { unit: "mi", value: 6.21 },
  duration: 2112.99,
  health: { avgHR: 141, maxHR: 0, restHR: 48, weight: { unit: "kg", value: 70.1 } },
  intervalSet: {
    name: "4 x 400",
    intervals: [{ type: "interval", distance: { unit: "m", value: 400 }, duration: 91.79 }],
  },
  raceStats: { fieldPlacement: 12, fieldSize: 100, groupMinAge: 30, groupMaxAge: 39, groupPlacement: 3, groupSize: 20 },
  ratings: { effort: 7, quality: 9 },
  weather: { conditions: ["clear", "windy"], temperature: { unit: "C", value: 0 } },
};
const REFERENCES = { activityID: 10, workoutID: 3, courseId: "c1", equipmentId: "e1" };
const COURSE: Course = {
  name: "Lake",
  notes: "flat",
  distance: { unit: "km", value: 5 },
  surfaces: ["asphalt", "trail"],
};
const EQUIPMENT: Equipment = {
  activity: "run",
  brandName: "Hoka",
  modelName: "Clifton",
  serial: "007",
  gender: "F",
  notes: "left one squeaks",
  ratings: { avgRating: 4.5 },
  purchaseDate: "2020-01-31",
  price: 0,
};
const PREFERENCE: Preference = { utcOffset: -3.5, distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" };

/** Dotted paths of the leaves. A measure and a set of flags count as leaves. */
function paths(value: unknown, prefix = ""): string[] {
  const isLeaf =
    typeof value !== "object" || value === null || "unit" in value || /(conditions|surfaces)\.$/.test(prefix);
  if (isLeaf) return [prefix.slice(0, -1)];
  return Object.entries(value).flatMap(([name, member]) => paths(member, `${prefix}${name}.`));
}

const saved = (resource: string) =>
  Object.entries(DOCUMENT[resource] ?? {})
    .flatMap(([path, when]) => (when === "got" ? [] : [path]))
    .sort();

test("every field of the document that can be saved has its place in what we save, and nothing else is there", () => {
  const bodies = {
    workout: encodeBody("workout", workoutToWire(WORKOUT, REFERENCES)),
    course: encodeBody("course", courseToWire(COURSE)),
    equipment: encodeBody("equipment", equipmentToWire(EQUIPMENT, { activityID: 10 })),
    preference: encodeBody("preference", PREFERENCE),
  };
  for (const [resource, body] of Object.entries(bodies)) expect(paths(body).sort()).toEqual(saved(resource));
});

test("a workout on the wire is exactly the document's form", () => {
  expect(workoutToWire(WORKOUT, REFERENCES)).toEqual({
    activityID: 10,
    workoutID: 3,
    date: "2024-02-29",
    time: "06:07:08",
    notes: "Easy, then not",
    course: { id: "c1" },
    equipment: [{ id: "e1" }],
    details: { distance: { unit: "mi", value: 6.21 }, duration: 2112.99 },
    health: { avgHR: 141, maxHR: 0, restHR: 48, weight: { unit: "kg", value: 70.1 } },
    intervalSet: {
      name: "4 x 400",
      intervals: [{ distance: { unit: "m", value: 400 }, duration: 91.79, type: "interval" }],
    },
    raceStats: {
      fieldPlacement: 12,
      fieldSize: 100,
      groupMinAge: 30,
      groupMaxAge: 39,
      groupPlacement: 3,
      groupSize: 20,
    },
    ratings: { effort: 7, quality: 9 },
    weather: { conditions: { clear: true, windy: true }, temperature: { unit: "C", value: 0 } },
  });
  expect(courseToWire(COURSE).surfaces).toEqual({ asphalt: true, trail: true });
});

test("a workout with a date alone is a body of two members", () => {
  expect(workoutToWire({ start: { date: "2024-01-01" } }, { activityID: 10, workoutID: undefined })).toEqual({
    activityID: 10,
    date: "2024-01-01",
  });
});

test("yards, which the log was never seen to take, are written in metres", () => {
  const body = workoutToWire(
    { start: { date: "2024-01-01" }, distance: { unit: "yd", value: 25 } },
    { activityID: 12 },
  );
  expect(body.details?.distance?.unit).toBe("m");
  expect(body.details?.distance?.value).toBeCloseTo(22.86, 10);
});

// The service's answers to a get, with every field of the document.
const GOT = {
  workout: {
    ...workoutToWire(WORKOUT, REFERENCES),
    time: undefined,
    timeOfDay: "06:07:08",
    id: "w1",
    activityName: "Run",
    workoutName: "Interval",
    course: { id: "c1", name: "Lake" },
    equipment: { id: "e1", name: "Hoka Clifton" },
    intervalSet: {
      id: "s1",
      name: "4 x 400",
      intervals: [{ distance: { unit: "m", value: 400 }, duration: 91.79, type: "interval" }],
    },
  },
  course: { ...courseToWire(COURSE), id: "c1" },
  equipment: {
    ...equipmentToWire(EQUIPMENT, { activityID: 10 }),
    id: "e1",
    brandID: "b1",
    modelID: "m1",
    distance: { unit: "m", value: 123456.7 },
  },
};

test("the answers used here hold every field the document has in an answer", () => {
  const got = (resource: string) =>
    Object.entries(DOCUMENT[resource] ?? {})
      .flatMap(([path, when]) => (when === "saved" ? [] : [path]))
      .sort();
  for (const [resource, answer] of Object.entries(GOT)) {
    expect(paths(JSON.parse(JSON.stringify(answer))).sort()).toEqual(got(resource));
  }
});

const quiet = () => undefined;

test("every field of an answer survives the way into our words", () => {
  const logged = workoutFromWire(decodeWorkout(GOT.workout, quiet));
  expect(logged).toEqual({
    id: "w1",
    activityID: 10,
    activityName: "Run",
    workoutID: 3,
    workoutName: "Interval",
    names: new Map([
      ["c1", "Lake"],
      ["e1", "Hoka Clifton"],
    ]),
    intervalSetId: "s1",
    workout: WORKOUT,
  });
  expect(courseFromWire(decodeCourse(GOT.course, quiet))).toEqual({ id: "c1", course: COURSE });
  expect(equipmentFromWire(decodeEquipment(GOT.equipment, quiet), undefined, true)).toEqual({
    id: "e1",
    activityID: 10,
    brandID: "b1",
    modelID: "m1",
    equipment: { ...EQUIPMENT, distance: { unit: "m", value: 123456.7 }, retired: true },
  });
  expect(preferenceFromWire(decodePreference(PREFERENCE, quiet), quiet)).toEqual(PREFERENCE);
});

test("a number the tables don't have is no activity and no type, and its name is kept", () => {
  const { workout, activityID, workoutID } = workoutFromWire({
    activityID: 99,
    activityName: "Juggling",
    workoutID: 1,
  });
  expect([workout.activity, workout.type, workout.sport, activityID, workoutID]).toEqual([
    undefined,
    undefined,
    "Juggling",
    99,
    1,
  ]);
});

test("the owner's own numbers are used where they are given", () => {
  const numbers = { activityIDs: { hike: 99 }, workoutIDs: { hike: { long: 4 } } };
  const { workout } = workoutFromWire({ activityID: 99, workoutID: 4 }, numbers);
  expect([workout.activity, workout.type]).toEqual(["hike", "long"]);
});

test("a measure in an unknown unit, and what the document doesn't have, are counted as unsupported", () => {
  const read = decodeWorkout({ details: { distance: { unit: "furlong", value: 8 } }, sleep: 7.5, mood: "good" }, quiet);
  expect(workoutFromWire(read).workout.unsupported).toEqual([
    { field: "distance", value: "8 furlong" },
    { field: "sleep", value: "7.5" },
    { field: "mood", value: "good" },
  ]);
});

test("a preference without units, or with unknown ones, is taken for miles, pounds and Fahrenheit, and says so", () => {
  const issues: Issue[] = [];
  const preference = preferenceFromWire({ distanceUnit: "league", weightUnit: "Kilograms" }, (issue) =>
    issues.push(issue),
  );
  expect(preference).toEqual({ distanceUnit: "mi", weightUnit: "kg", temperatureUnit: "F" });
  expect(issues.map(({ field, found }) => [field, found])).toEqual([
    ["distanceUnit", "league"],
    ["temperatureUnit", undefined],
  ]);
});

test("a record that is read and written back is what was saved, with the interval set's id", () => {
  expect(workoutToSaveFrom(decodeWorkout(GOT.workout, quiet))).toEqual({
    ...workoutToWire(WORKOUT, REFERENCES),
    intervalSet: GOT.workout.intervalSet,
  });
  expect(courseToSaveFrom(decodeCourse(GOT.course, quiet))).toEqual(courseToWire(COURSE));
  expect(equipmentToSaveFrom(decodeEquipment(GOT.equipment, quiet))).toEqual(
    equipmentToWire(EQUIPMENT, { activityID: 10 }),
  );
});

test("values that can't be sent back as they are have a name: unknown units, yards that become metres, a second shoe", () => {
  const read = decodeWorkout(
    {
      details: { distance: { unit: "furlong", value: 25 }, duration: 1800 },
      health: { avgHR: 141, weight: { unit: "stone", value: 11 } },
      equipment: [{ id: "1" }, { id: "2" }],
      intervalSet: { intervals: [{ distance: { unit: "yd", value: 100 } }] },
      weather: { temperature: { unit: "F", value: 50 } },
    },
    quiet,
  );
  expect(unsavable(read)).toEqual(["details.distance", "health.weight", "intervalSet", "equipment"]);
  expect(unsavable(decodeWorkout(GOT.workout, quiet))).toEqual([]);
});

test("whatever JSON a service answers, reading it neither throws nor gives what can't be written back", () => {
  // The answers are random JSON, and random JSON under the names that matter.
  const names = Object.keys(GOT.workout);
  const answers = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...names, "__proto__", "details"), fc.jsonValue()),
  );
  fc.assert(
    fc.property(answers, (answer) => {
      const read = decodeWorkout(answer, quiet);
      workoutFromWire(read);
      for (const decode of [decodeCourse, decodeEquipment, decodePreference, decodeTrainingPlan, decodeUser]) {
        decode(answer, quiet);
      }
      encodeBody("course", courseToSaveFrom(decodeCourse(answer, quiet)));
    }),
    { numRuns: 300, seed: 20240229 },
  );
});
