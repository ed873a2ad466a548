/**
 * Where the interface document is silent: the service's behaviour for a good request there (`gaps.ts`). Its refusals are in
 * refusals.test.ts, imports are in imports.test.ts, and the sentences of the document are in conformance/.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../server.ts";
import { type Person, person, service } from "./client.ts";

let log: Service;
let ann: Person;

beforeAll(async () => {
  log = await service();
  ann = await person(log, { activities: ["Orienteering"] });
});
afterAll(() => log.close());

const WORKOUTS = "/rest/logs/me/workouts";
const COURSES = "/rest/logs/me/courses";
const EQUIPMENT = "/rest/logs/me/equipment";

/** A workout with every field of the document's table, as a save takes it. */
function fullWorkout(course: string, equipment: string) {
  return {
    activityID: 10,
    workoutID: 6,
    date: "2024-02-29",
    time: "06:05:04",
    notes: 'Tab\t, "quotes", <b>, a NUL \u0000, half a pair \ud800 and 🏃',
    course: { id: course },
    equipment: [{ id: equipment }],
    details: { distance: { unit: "mi", value: 4.1299999 }, duration: 2112.99 },
    health: { avgHR: 0, maxHR: 181, restHR: 48, weight: { unit: "lb", value: 151.2 } },
    intervalSet: {
      id: "set 7",
      name: "two and a rest",
      intervals: [
        { type: "interval", distance: { unit: "m", value: 400 }, duration: 91.79 },
        { type: "rest", duration: 0 },
        { type: "recovery", distance: { unit: "km", value: 0.4 }, duration: 131.79 },
      ],
    },
    raceStats: {
      fieldPlacement: 12,
      fieldSize: 340,
      groupMaxAge: 39,
      groupMinAge: 35,
      groupPlacement: 1,
      groupSize: 20,
    },
    ratings: { effort: 7, quality: 0 },
    weather: { conditions: { clear: true, windy: false, partlyCloudy: true }, temperature: { unit: "F", value: 0 } },
  };
}

describe("records", () => {
  test("every field of a workout comes back as it was saved, in the form of a get", async () => {
    const course = await ann.save(COURSES, { name: "River" });
    const shoe = await ann.save(EQUIPMENT, { activityID: 10, brandName: "Acme", modelName: "Fast 3" });
    const sent = fullWorkout(course, shoe);
    const id = await ann.save(WORKOUTS, sent);
    const { time, ...rest } = sent;
    expect((await ann.send("GET", `${WORKOUTS}/${id}`)).json).toEqual({
      code: 0,
      data: {
        workout: {
          ...rest,
          id,
          activityName: "Run",
          workoutName: "Race",
          timeOfDay: "06:05:04",
          course: { id: course, name: "River" },
          equipment: { id: shoe, name: "Acme Fast 3" },
        },
      },
    });
    expect(time).toBe("06:05:04");
  });

  test("a workout with neither time, duration nor distance is a record, and what is absent stays absent", async () => {
    const id = await ann.save(WORKOUTS, { activityID: 10, date: "2020-01-02", notes: "rest day" });
    expect((await ann.send("GET", `${WORKOUTS}/${id}`)).json.data.workout).toEqual({
      id,
      activityID: 10,
      activityName: "Run",
      date: "2020-01-02",
      notes: "rest day",
    });
  });

  test("empty properties are left out; 0 and false are not empty", async () => {
    const id = await ann.save(WORKOUTS, {
      activityID: 10,
      date: "2020-01-03",
      notes: "",
      details: { duration: 0, distance: { unit: "km", value: 0 } },
      health: {},
      intervalSet: { name: "", intervals: [] },
      weather: { conditions: { snow: false } },
      equipment: [],
    });
    expect((await ann.send("GET", `${WORKOUTS}/${id}`)).json.data.workout).toEqual({
      id,
      activityID: 10,
      activityName: "Run",
      date: "2020-01-03",
      details: { duration: 0, distance: { unit: "km", value: 0 } },
      weather: { conditions: { snow: false } },
    });
  });

  test("PUT with the id in the path updates: the record is replaced, its id kept", async () => {
    const id = await ann.save(WORKOUTS, { activityID: 10, date: "2020-01-05", time: "07:00:00", notes: "before" });
    const answer = await ann.send("PUT", `${WORKOUTS}/${id}`, { body: { activityID: 11, date: "2020-01-06" } });
    expect(answer.json).toEqual({ code: 0, data: { id } });
    expect((await ann.send("GET", `${WORKOUTS}/${id}`)).json.data.workout).toEqual({
      id,
      activityID: 11,
      activityName: "Bike",
      date: "2020-01-06",
    });
  });

  test("an activity of the user's own is taken and named, and a page names it beside a built-in one", async () => {
    await ann.save(WORKOUTS, { activityID: 10, date: "2020-01-07" });
    const id = await ann.save(WORKOUTS, { activityID: 100, date: "2020-01-07" });
    const got = await ann.send("GET", `${WORKOUTS}/${id}`);
    expect(got.json.data.workout.activityName).toBe("Orienteering");
    const listed = await ann.send("GET", WORKOUTS, { query: { filters: '[["date","eq","2020-01-07"]]' } });
    const names = listed.json.data.entries.map((entry: { activityName: string }) => entry.activityName);
    expect(names).toEqual(["Orienteering", "Run"]);
  });

  test("a preference is replaced whole, like any other record", async () => {
    const bob = await person(log);
    await bob.send("PUT", "/rest/users/me/preference", { body: { utcOffset: 5.75, distanceUnit: "km" } });
    await bob.send("PUT", "/rest/users/me/preference", { body: { weightUnit: "kg" } });
    const got = await bob.send("GET", "/rest/users/me/preference");
    expect(got.json).toEqual({ code: 0, data: { preference: { weightUnit: "kg" } } });
  });

  test("every field of a course comes back as it was saved; notes and unknown surfaces too", async () => {
    const sent = {
      name: "Hill",
      notes: "up",
      distance: { unit: "km", value: 10.25 },
      surfaces: { asphalt: true, trail: false },
    };
    const id = await ann.save(COURSES, { ...sent, id: "ignored" });
    expect((await ann.send("GET", `${COURSES}/${id}`)).json).toEqual({ code: 0, data: { course: { id, ...sent } } });
    const put = await ann.send("PUT", `${COURSES}/${id}`, { body: { name: "Hill 2" } });
    expect(put.json).toEqual({ code: 0, data: { id } });
    expect((await ann.send("GET", `${COURSES}/${id}`)).json.data.course).toEqual({ id, name: "Hill 2" });
  });

  test("every field of a piece comes back as it was saved, with the ids and the distance of a get", async () => {
    const sent = {
      activityID: 10,
      brandName: "Acme",
      modelName: "Fast 3",
      serial: "no. 2",
      gender: "F",
      notes: "blue",
      ratings: { avgRating: 4.5 },
      purchaseDate: "2019-12-31",
      price: 119.95,
    };
    const id = await ann.save(EQUIPMENT, { ...sent, id: 1, brandID: [], modelID: null, distance: "ignored" });
    const { equipment } = (await ann.send("GET", `${EQUIPMENT}/${id}`)).json.data;
    expect(equipment).toEqual({
      ...sent,
      id,
      brandID: expect.stringMatching(/^[0-9a-f]{32}$/),
      modelID: expect.stringMatching(/^[0-9a-f]{32}$/),
      distance: { unit: "m", value: 0 },
    });
    const duplicate = await ann.save(EQUIPMENT, sent);
    const other = (await ann.send("GET", `${EQUIPMENT}/${duplicate}`)).json.data.equipment;
    expect(duplicate).not.toBe(id);
    expect([other.brandID, other.modelID]).toEqual([equipment.brandID, equipment.modelID]);
    expect((await ann.send("PUT", `${EQUIPMENT}/${id}`, { body: { activityID: 11 } })).json).toEqual({
      code: 0,
      data: { id },
    });
    expect((await ann.send("GET", `${EQUIPMENT}/${id}`)).json.data.equipment).toEqual({
      id,
      activityID: 11,
      distance: { unit: "m", value: 0 },
    });
  });

  test("a retired piece says nothing of it by a field", async () => {
    const id = await ann.save(EQUIPMENT, { activityID: 10 });
    await log.operator.retireEquipment(ann.userId, id);
    const retired = (await ann.send("GET", `${EQUIPMENT}/${id}`)).json.data.equipment;
    expect(retired).toEqual({ id, activityID: 10, distance: { unit: "m", value: 0 } });
  });
});
