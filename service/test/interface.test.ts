/**
 * The interface document, sentence by sentence, over real HTTP: what every data endpoint does with a good request. The
 * names quote the document; expected values are written out by hand.
 */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../server.ts";
import { type Person, person, send, service } from "./client.ts";

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

describe("user and preference", () => {
  test("get user: `data` holds the User fields directly (screenName, person, preference)", async () => {
    const userId = await log.operator.addUser({
      screenName: "ann",
      person: {
        birthDate: "1980-05-06",
        email: "ann@example.com",
        givenName: "Ann",
        familyName: "Example",
        gender: "F",
      },
      preference: { utcOffset: -3.5, distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
    });
    const token = await log.operator.addToken(userId);
    const answer = await send(log.url, "GET", "/rest/users/me", { query: { access_token: token } });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      code: 0,
      data: {
        screenName: "ann",
        person: {
          birthDate: "1980-05-06",
          email: "ann@example.com",
          givenName: "Ann",
          familyName: "Example",
          gender: "F",
        },
        preference: { utcOffset: -3.5, distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
      },
    });
  });

  test("get user: a token without access to private information is refused with 403", async () => {
    const token = await log.operator.addToken(ann.userId, { readsProfile: false });
    const query = { access_token: token };
    const answer = await send(log.url, "GET", "/rest/users/me", { query });
    expect(answer.status).toBe(403);
    expect(answer.json).toEqual({ code: 7, message: expect.stringContaining("private information") });
    expect((await send(log.url, "GET", "/rest/users/me/preference", { query })).status).toBe(200);
  });

  test("save preference: an envelope with `code` only, no `data`; the whole preference is replaced", async () => {
    const bob = await person(log);
    const saved = await bob.send("PUT", "/rest/users/me/preference", { body: { utcOffset: 5.75, distanceUnit: "km" } });
    expect(saved.text).toBe('{"code":0}');
    const got = await bob.send("GET", "/rest/users/me/preference");
    expect(got.json).toEqual({ code: 0, data: { preference: { utcOffset: 5.75, distanceUnit: "km" } } });
  });
});

describe("workouts", () => {
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

  test("a save answers with the id under `data`, as a string", async () => {
    const answer = await ann.send("POST", WORKOUTS, { body: { activityID: 12, date: "2020-01-01" } });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ code: 0, data: { id: expect.stringMatching(/^[0-9a-f]{32}$/) } });
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
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

  test("display-only names are ignored when included in a save body", async () => {
    const course = await ann.save(COURSES, { name: "Lake" });
    const shoe = await ann.save(EQUIPMENT, { activityID: 10, modelName: "Slow" });
    const id = await ann.save(WORKOUTS, {
      id: "mine",
      activityID: 10,
      activityName: "Swim",
      workoutID: 1,
      workoutName: 17,
      date: "2020-01-04",
      course: { id: course, name: "Not the lake" },
      equipment: [{ id: shoe, name: "Not slow" }],
    });
    expect(id).not.toBe("mine");
    expect((await ann.send("GET", `${WORKOUTS}/${id}`)).json.data.workout).toEqual({
      id,
      activityID: 10,
      activityName: "Run",
      workoutID: 1,
      workoutName: "Easy",
      date: "2020-01-04",
      course: { id: course, name: "Lake" },
      equipment: { id: shoe, name: "Slow" },
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

  test("an activity of the user's own is taken and named", async () => {
    const id = await ann.save(WORKOUTS, { activityID: 100, date: "2020-01-07" });
    const got = await ann.send("GET", `${WORKOUTS}/${id}`);
    expect(got.json.data.workout.activityName).toBe("Orienteering");
  });
});

describe("listing workouts", () => {
  let cat: Person;
  const ids: string[] = [];
  beforeAll(async () => {
    cat = await person(log);
    const shoe = await cat.save(EQUIPMENT, { activityID: 10, modelName: "Fast" });
    for (const workout of [
      { activityID: 10, date: "2021-03-02", time: "18:00:00", details: { duration: 60 }, notes: "evening" },
      { activityID: 10, date: "2021-03-01", details: { distance: { unit: "mi", value: 3 }, duration: 1800.5 } },
      { activityID: 12, date: "2021-03-02", time: "06:00:00", health: { avgHR: 120 } },
      { activityID: 11, workoutID: 1, date: "2020-12-31", time: "23:59:59", equipment: [{ id: shoe }] },
      { activityID: 10, date: "2021-03-02", details: { duration: 60 } },
    ]) {
      ids.push(await cat.save(WORKOUTS, workout));
    }
  });

  test("entries are summaries, newest first, with `time` for the time of day", async () => {
    const { data } = (await cat.send("GET", WORKOUTS)).json;
    expect(data.numEntries).toBe(5);
    expect(data.entries.map((entry: { id: string }) => ids.indexOf(entry.id))).toEqual([0, 2, 4, 1, 3]);
    expect(data.entries[0]).toEqual({
      id: ids[0],
      activityID: 10,
      activityName: "Run",
      date: "2021-03-02",
      time: "18:00:00",
      details: { duration: 60 },
    });
    expect(data.entries[3].details).toEqual({ distance: { unit: "mi", value: 3 }, duration: 1800.5 });
    expect(data.entries[4]).toEqual({
      id: ids[3],
      activityID: 11,
      activityName: "Bike",
      workoutID: 1,
      workoutName: "Easy",
      date: "2020-12-31",
      time: "23:59:59",
      equipment: { id: expect.any(String), name: "Fast" },
    });
  });

  test("offset is the 0-based index of the first entry; numEntries stays the total", async () => {
    const { data } = (await cat.send("GET", WORKOUTS, { query: { limit: 2, offset: 1 } })).json;
    expect(data.entries.map((entry: { id: string }) => ids.indexOf(entry.id))).toEqual([2, 4]);
    expect(data.numEntries).toBe(5);
    expect((await cat.send("GET", WORKOUTS, { query: { offset: 5 } })).json.data).toEqual({
      entries: [],
      numEntries: 5,
    });
  });

  test.each([
    [[["date", "ge", "2021-03-01"]], [0, 2, 4, 1]],
    [[["date", "gt", "2021-03-01"]], [0, 2, 4]],
    [[["date", "le", "2021-03-01"]], [1, 3]],
    [[["date", "lt", "2021-03-01"]], [3]],
    [
      [
        ["date", "eq", "2021-03-02"],
        ["activityID", "eq", 10],
      ],
      [0, 4],
    ],
    [[["duration", "ge", 60.5]], [1]],
    [[["workoutID", "eq", 1]], [3]],
    [[], [0, 2, 4, 1, 3]],
  ])("filters %j lists the workouts that pass all of them, and counts those", async (filters, expected) => {
    const { data } = (await cat.send("GET", WORKOUTS, { query: { filters: JSON.stringify(filters) } })).json;
    expect(data.entries.map((entry: { id: string }) => ids.indexOf(entry.id))).toEqual(expected);
    expect(data.numEntries).toBe(expected.length);
  });

  test.each([
    "nonsense",
    '{"date":1}',
    '[["date","ge"]]',
    '[["notes","eq","x"]]',
    '[["date","like","2020-01-01"]]',
    '[["date","eq","2020-13-01"]]',
    '[["activityID","eq","10"]]',
    '[["constructor","eq",1]]',
    "[null]",
    JSON.stringify(Array(21).fill(["activityID", "eq", 10])),
  ])("a filter that can't be understood is refused, not skipped: %s", async (filters) => {
    const answer = await cat.send("GET", WORKOUTS, { query: { filters } });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ code: 2, message: expect.stringMatching(/^filters/) });
  });
});

describe("courses", () => {
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

  test("a course body may be compressed with gzip, on both saves", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const posted = await ann.send("POST", COURSES, { body: gzipSync('{"name":"packed"}'), headers });
    expect(posted.status).toBe(200);
    const path = `${COURSES}/${posted.json.data.id}`;
    expect((await ann.send("PUT", path, { body: gzipSync('{"name":"again"}'), headers })).status).toBe(200);
    expect((await ann.send("GET", path)).json.data.course.name).toBe("again");
  });

  test("courses list by last use, by name, or by distance", async () => {
    const dan = await person(log);
    const names = ["b long", "c short", "a unmeasured"];
    const distances = [{ unit: "km", value: 10 }, { unit: "mi", value: 1 }, undefined];
    const ids: string[] = [];
    for (const [index, name] of names.entries()) {
      ids.push(await dan.save(COURSES, { name, distance: distances[index] }));
    }
    await dan.save(WORKOUTS, { activityID: 10, date: "2020-05-01", course: { id: ids[2] } });
    await dan.save(WORKOUTS, { activityID: 10, date: "2020-06-01", course: { id: ids[1] } });
    await dan.save(WORKOUTS, { activityID: 10, date: "2020-04-01", course: { id: ids[1] } });
    const listed = async (query: Record<string, number>) => {
      const { data } = (await dan.send("GET", COURSES, { query })).json;
      expect(data.numEntries).toBe(3);
      return data.entries.map((entry: { name: string }) => entry.name[0]).join("");
    };
    expect(await listed({})).toBe("cab");
    expect(await listed({ sortBy: 0 })).toBe("cab");
    expect(await listed({ sortBy: 1 })).toBe("abc");
    expect(await listed({ sortBy: 2 })).toBe("cba");
    expect(await listed({ sortBy: 1, limit: 1, offset: 1 })).toBe("b");
    expect((await dan.send("GET", COURSES, { query: { sortBy: 3 } })).status).toBe(400);
  });
});

describe("equipment", () => {
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
    const twin = await ann.save(EQUIPMENT, sent);
    const other = (await ann.send("GET", `${EQUIPMENT}/${twin}`)).json.data.equipment;
    expect(twin).not.toBe(id);
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

  test("the accumulated distance is what its workouts add up to, in metres, whatever their units", async () => {
    const shoe = await ann.save(EQUIPMENT, { activityID: 10, modelName: "Sum" });
    const run = (distance: object) => ({
      activityID: 10,
      date: "2020-02-01",
      equipment: [{ id: shoe }],
      details: { distance },
    });
    await ann.save(WORKOUTS, run({ unit: "km", value: 5 }));
    await ann.save(WORKOUTS, run({ unit: "m", value: 400 }));
    const mile = await ann.save(WORKOUTS, run({ unit: "mi", value: 1 }));
    const total = async () => (await ann.send("GET", `${EQUIPMENT}/${shoe}`)).json.data.equipment.distance;
    expect(await total()).toEqual({ unit: "m", value: 7009.344 });
    await ann.send("PUT", `${WORKOUTS}/${mile}`, { body: { activityID: 10, date: "2020-02-01" } });
    expect(await total()).toEqual({ unit: "m", value: 5400 });
  });

  test("the listing: activityName equals the activity id, retired pieces only with showRetired, total in numEntries", async () => {
    const eve = await person(log);
    const ids: string[] = [];
    for (const activityID of [10, 11, 10, 10]) ids.push(await eve.save(EQUIPMENT, { activityID }));
    await log.operator.retireEquipment(eve.userId, ids[2] as string);
    const listed = async (query: Record<string, string | number | boolean>) => {
      const { data } = (await eve.send("GET", EQUIPMENT, { query })).json;
      return [data.entries.map((entry: { id: string }) => ids.indexOf(entry.id)), data.numEntries];
    };
    expect(await listed({})).toEqual([[0, 1, 3], 3]);
    expect(await listed({ showRetired: false })).toEqual([[0, 1, 3], 3]);
    expect(await listed({ showRetired: true })).toEqual([[0, 1, 2, 3], 4]);
    expect(await listed({ activityName: 10 })).toEqual([[0, 3], 2]);
    expect(await listed({ activityName: 10, showRetired: true })).toEqual([[0, 2, 3], 3]);
    expect(await listed({ activityName: 12 })).toEqual([[], 0]);
    expect(await listed({ limit: 1, offset: 1 })).toEqual([[1], 3]);
    const retired = (await eve.send("GET", `${EQUIPMENT}/${ids[2]}`)).json.data.equipment;
    expect(retired).toEqual({ id: ids[2], activityID: 10, distance: { unit: "m", value: 0 } });
  });

  test("limit is between 1 and 100 inclusive, default 50", async () => {
    const fay = await person(log);
    for (let made = 0; made < 101; made++) await fay.save(EQUIPMENT, { activityID: 10 });
    const count = async (query: Record<string, number>) =>
      (await fay.send("GET", EQUIPMENT, { query })).json.data.entries.length;
    expect(await count({})).toBe(50);
    expect(await count({ limit: 1 })).toBe(1);
    expect(await count({ limit: 100 })).toBe(100);
  });
});

describe("training plans", () => {
  test("commercial plans of other applications are inaccessible; everything else is listed", async () => {
    const userId = await log.operator.addUser({ screenName: "gus" });
    const own = await log.operator.addToken(userId, { application: "app a" });
    const other = await log.operator.addToken(userId, { application: "app b" });
    const plan = { beginDate: "2024-01-01", endDate: "2024-04-21", numWeeks: 16 };
    const commercial = await log.operator.addTrainingPlan(userId, {
      ...plan,
      name: "Marathon",
      attributes: { commercial: true },
      application: "app a",
    });
    const secret = await log.operator.addTrainingPlan(userId, { name: "Mine", attributes: { private: true } });
    const list = async (token: string) =>
      (await send(log.url, "GET", "/rest/logs/me/training_plans", { query: { access_token: token } })).json;
    expect(await list(own)).toEqual({
      code: 0,
      data: {
        entries: [
          { id: commercial, ...plan, name: "Marathon", attributes: { commercial: true } },
          { id: secret, name: "Mine", attributes: { private: true } },
        ],
        numEntries: 2,
      },
    });
    expect((await list(other)).data.entries.map((entry: { name: string }) => entry.name)).toEqual(["Mine"]);
  });
});
