/** The listings the interface document refers to and doesn't show, as clients of such a service know them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../server.ts";
import { type Person, person, service } from "./client.ts";

let log: Service;

beforeAll(async () => {
  log = await service();
});
afterAll(() => log.close());

const WORKOUTS = "/rest/logs/me/workouts";
const COURSES = "/rest/logs/me/courses";
const EQUIPMENT = "/rest/logs/me/equipment";

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

describe("the members of an entry, by `fields`", () => {
  let dee: Person;
  let id: string;
  beforeAll(async () => {
    dee = await person(log);
    const course = await dee.save(COURSES, { name: "River" });
    const shoe = await dee.save(EQUIPMENT, { activityID: 10, modelName: "Fast" });
    id = await dee.save(WORKOUTS, {
      activityID: 10,
      workoutID: 6,
      date: "2022-04-03",
      time: "09:00:00",
      notes: "windy",
      course: { id: course },
      equipment: [{ id: shoe }],
      details: { distance: { unit: "km", value: 10 }, duration: 2400.5 },
      health: { avgHR: 170 },
      raceStats: { fieldPlacement: 1, fieldSize: 2, groupMaxAge: 44, groupMinAge: 40, groupPlacement: 3, groupSize: 4 },
    });
  });
  const entry = async (fields: string) => {
    const { data } = (await dee.send("GET", WORKOUTS, { query: { fields } })).json;
    expect(data.numEntries).toBe(1);
    return data.entries[0];
  };

  test.each([
    ["10", { activityID: 10, activityName: "Run" }],
    ["11", { workoutID: 6, workoutName: "Race" }],
    ["12", { date: "2022-04-03" }],
    ["13", { time: "09:00:00" }],
    ["20", { details: { distance: { unit: "km", value: 10 } } }],
    ["21", { details: { duration: 2400.5 } }],
    ["20,21", { details: { distance: { unit: "km", value: 10 }, duration: 2400.5 } }],
    ["22", { course: { id: expect.any(String), name: "River" } }],
    ["23", { equipment: { id: expect.any(String), name: "Fast" } }],
    ["25", { notes: "windy" }],
    ["60,61", { raceStats: { fieldPlacement: 1, fieldSize: 2 } }],
    ["62", { raceStats: { groupMaxAge: 44, groupMinAge: 40 } }],
    ["63,64,12", { raceStats: { groupPlacement: 3, groupSize: 4 }, date: "2022-04-03" }],
  ])("fields=%s lists the id and what the codes stand for, nothing else", async (fields, expected) => {
    expect(await entry(fields)).toEqual({ id, ...expected });
  });

  test("a workout without what was asked for has the rest", async () => {
    const bob = await person(log);
    const own = await bob.save(WORKOUTS, { activityID: 10, date: "2022-01-01" });
    const { data } = (await bob.send("GET", WORKOUTS, { query: { fields: "12,20,21,25,60" } })).json;
    expect(data.entries).toEqual([{ id: own, date: "2022-01-01" }]);
  });

  test.each(["", "99", "12,", "12;20", "toString", "12, 20"])(
    "codes nobody knows are refused: fields=%s",
    async (fields) => {
      const answer = await dee.send("GET", WORKOUTS, { query: { fields } });
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({ code: 2, message: expect.stringMatching(/^fields: /) });
    },
  );
});

describe("sums, by `dateMode`", () => {
  let hal: Person;
  beforeAll(async () => {
    hal = await person(log);
    for (const [date, distance, duration, activityID] of [
      // 2020-12-31 is a Thursday, 2021-01-03 a Sunday, 2021-01-04 a Monday.
      ["2020-12-31", { unit: "km", value: 5 }, 1500, 10],
      ["2021-01-03", { unit: "mi", value: 1 }, 480.5, 10],
      ["2021-01-03", { unit: "m", value: 400 }, 90, 12],
      ["2021-01-04", undefined, 60, 10],
      ["2021-02-01", { unit: "km", value: 10 }, undefined, 10],
    ] as const) {
      await hal.save(WORKOUTS, { activityID, date, details: { distance, duration } });
    }
  });
  const sums = async (query: Record<string, string | number>) => {
    const answer = await hal.send("GET", WORKOUTS, { query });
    expect(answer.status).toBe(200);
    return answer.json.data;
  };
  const sum = (date: string, numWorkouts: number, metres: number, duration: number) => ({
    date,
    numWorkouts,
    details: { distance: { unit: "m", value: metres }, duration },
  });

  test.each([
    [
      "day",
      [
        sum("2021-02-01", 1, 10000, 0),
        sum("2021-01-04", 1, 0, 60),
        // A mile is 1,609.344 m.
        sum("2021-01-03", 2, 2009.344, 570.5),
        sum("2020-12-31", 1, 5000, 1500),
      ],
    ],
    ["week", [sum("2021-02-01", 1, 10000, 0), sum("2021-01-04", 1, 0, 60), sum("2020-12-28", 3, 7009.344, 2070.5)]],
    [
      "month",
      [sum("2021-02-01", 1, 10000, 0), sum("2021-01-01", 3, 2009.344, 630.5), sum("2020-12-01", 1, 5000, 1500)],
    ],
    ["year", [sum("2021-01-01", 4, 12009.344, 630.5), sum("2020-01-01", 1, 5000, 1500)]],
  ])("dateMode=%s lists what the workouts of each period add up to, newest first", async (dateMode, expected) => {
    expect(await sums({ dateMode })).toEqual({ entries: expected, numEntries: expected.length });
  });

  test("filters hold before, limit and offset count periods", async () => {
    const filters = JSON.stringify([["activityID", "eq", 12]]);
    expect(await sums({ dateMode: "year", filters })).toEqual({
      entries: [sum("2021-01-01", 1, 400, 90)],
      numEntries: 1,
    });
    const page = await sums({ dateMode: "day", limit: 1, offset: 3 });
    expect(page).toEqual({ entries: [sum("2020-12-31", 1, 5000, 1500)], numEntries: 4 });
  });

  test("a period nobody knows is refused, and so are fields of a sum", async () => {
    for (const dateMode of ["decade", "", "Week"]) {
      const answer = await hal.send("GET", WORKOUTS, { query: { dateMode } });
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({ code: 2, message: "dateMode: must be one of day, week, month, year" });
    }
    const both = await hal.send("GET", WORKOUTS, { query: { dateMode: "day", fields: "12" } });
    expect([both.status, both.json.message.split(": ")[0]]).toEqual([400, "fields"]);
  });
});

describe("listing courses", () => {
  test("courses by name are in the order people look names up in: Zulu after alpha, and Lap 2 before Lap 10", async () => {
    const eva = await person(log);
    for (const name of ["Zulu", "alpha", "Lap 10", "émile", "lap 2", "Echo", "Fox"]) await eva.save(COURSES, { name });
    const { entries } = (await eva.send("GET", COURSES, { query: { sortBy: 1 } })).json.data;
    expect(entries.map((entry: { name: string }) => entry.name)).toEqual([
      "alpha",
      "Echo",
      "émile",
      "Fox",
      "lap 2",
      "Lap 10",
      "Zulu",
    ]);
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

test("activity types are the built-in activities and the user's own, each with its workout types by number", async () => {
  const bob = await person(log, { activities: ["Rowing"] });
  const { code, data } = (await bob.send("GET", "/rest/logs/me/activity_types")).json;
  expect(code).toBe(0);
  expect(data.numEntries).toBe(5);
  expect(
    data.entries.map((entry: { activityID: number; activityName: string }) => [entry.activityID, entry.activityName]),
  ).toEqual([
    [10, "Run"],
    [11, "Bike"],
    [12, "Swim"],
    [13, "Weight"],
    [100, "Rowing"],
  ]);
  const names = data.entries[0].workoutTypes;
  expect(names).toContainEqual({ workoutID: 1, workoutName: "Easy" });
  expect(names).toContainEqual({ workoutID: 6, workoutName: "Race" });
  expect(data.entries[4].workoutTypes).toEqual([]);
});
