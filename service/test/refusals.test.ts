/** Requests that the service can't take. It never answers 500 and never guesses. It always names the field. */
import { describe, expect, test } from "vitest";
import { send } from "./client.ts";
import { ann, COURSES, EQUIPMENT, log, RUN, WORKOUTS, withOneLog } from "./one-log.ts";

withOneLog();

describe("a bad field is refused by name", () => {
  const cases: readonly (readonly [string, object, string])[] = [
    [WORKOUTS, {}, "activityID"],
    [WORKOUTS, { activityID: 10 }, "date"],
    [WORKOUTS, { date: "2020-01-01" }, "activityID"],
    [WORKOUTS, { ...RUN, activityID: "10" }, "activityID"],
    [WORKOUTS, { ...RUN, activityID: 10.5 }, "activityID"],
    [WORKOUTS, { ...RUN, workoutID: null }, "workoutID"],
    [WORKOUTS, { ...RUN, date: "2023-02-29" }, "date"],
    [WORKOUTS, { ...RUN, date: "1900-02-29" }, "date"],
    [WORKOUTS, { ...RUN, date: "2020-00-10" }, "date"],
    [WORKOUTS, { ...RUN, date: "2020-1-1" }, "date"],
    [WORKOUTS, { ...RUN, date: "0000-01-01" }, "date"],
    [WORKOUTS, { ...RUN, date: "2020-01-01T00:00:00Z" }, "date"],
    [WORKOUTS, { ...RUN, time: "24:00:00" }, "time"],
    [WORKOUTS, { ...RUN, time: "12:00" }, "time"],
    [WORKOUTS, { ...RUN, time: 43200 }, "time"],
    [WORKOUTS, { ...RUN, timeOfDay: "12:00:00" }, "timeOfDay"],
    [WORKOUTS, { ...RUN, notes: ["a"] }, "notes"],
    [WORKOUTS, { ...RUN, nots: "a" }, "nots"],
    [WORKOUTS, { ...RUN, course: "a" }, "course"],
    [WORKOUTS, { ...RUN, course: {} }, "course.id"],
    [WORKOUTS, { ...RUN, course: { id: 7 } }, "course.id"],
    [WORKOUTS, { ...RUN, equipment: { id: "a" } }, "equipment"],
    [WORKOUTS, { ...RUN, equipment: [{ id: "a" }, { id: "b" }] }, "equipment"],
    [WORKOUTS, { ...RUN, details: { duration: -0.01 } }, "details.duration"],
    [WORKOUTS, { ...RUN, details: { duration: "30:00" } }, "details.duration"],
    [WORKOUTS, { ...RUN, details: { distance: 5 } }, "details.distance"],
    [WORKOUTS, { ...RUN, details: { distance: { value: 5 } } }, "details.distance.unit"],
    [WORKOUTS, { ...RUN, details: { distance: { unit: "km" } } }, "details.distance.value"],
    [WORKOUTS, { ...RUN, details: { distance: { unit: "mile", value: 5 } } }, "details.distance.unit"],
    [WORKOUTS, { ...RUN, details: { distance: { unit: "km", value: -1 } } }, "details.distance.value"],
    [WORKOUTS, { ...RUN, details: { pace: 5 } }, "details.pace"],
    [WORKOUTS, { ...RUN, health: { avgHR: 301 } }, "health.avgHR"],
    [WORKOUTS, { ...RUN, health: { maxHR: -1 } }, "health.maxHR"],
    [WORKOUTS, { ...RUN, health: { weight: { unit: "st", value: 11 } } }, "health.weight.unit"],
    [WORKOUTS, { ...RUN, intervalSet: { intervals: [{}, { duration: -1 }] } }, "intervalSet.intervals[1].duration"],
    [WORKOUTS, { ...RUN, intervalSet: { intervals: [{ typ: "rest" }] } }, "intervalSet.intervals[0].typ"],
    [WORKOUTS, { ...RUN, raceStats: { fieldSize: 1.5 } }, "raceStats.fieldSize"],
    [WORKOUTS, { ...RUN, ratings: { effort: 11 } }, "ratings.effort"],
    [WORKOUTS, { ...RUN, weather: { conditions: { clear: 1 } } }, "weather.conditions.clear"],
    [WORKOUTS, { ...RUN, weather: { conditions: ["clear"] } }, "weather.conditions"],
    [WORKOUTS, { ...RUN, weather: { temperature: { unit: "K", value: 280 } } }, "weather.temperature.unit"],
    [COURSES, {}, "name"],
    [COURSES, { name: "" }, "name"],
    [COURSES, { name: "a", surfaces: { asphalt: "yes" } }, "surfaces.asphalt"],
    [COURSES, { name: "a", map: {} }, "map"],
    [EQUIPMENT, {}, "activityID"],
    [EQUIPMENT, { activityID: 99 }, "activityID"],
    [EQUIPMENT, { activityID: 10, price: -1 }, "price"],
    [EQUIPMENT, { activityID: 10, purchaseDate: "yesterday" }, "purchaseDate"],
    [EQUIPMENT, { activityID: 10, retired: true }, "retired"],
    [WORKOUTS, { ...RUN, activityID: 14 }, "activityID"],
    [WORKOUTS, { ...RUN, workoutID: 0 }, "workoutID"],
    [WORKOUTS, { ...RUN, workoutID: 8 }, "workoutID"],
    [WORKOUTS, { ...RUN, course: { id: "' OR 1=1 --" } }, "course.id"],
  ];
  test.each(cases)("POST %s %j: %s", async (path, body, field) => {
    const answer = await ann.send("POST", path, { body });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBeGreaterThan(0);
    expect(answer.json.message.split(": ")[0]).toBe(field);
  });

  const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  test.each([
    ["a prototype", '{"activityID":10,"date":"2020-01-01","__proto__":{"admin":true}}', "__proto__"],
    [
      "a prototype among the flags",
      '{"activityID":10,"date":"2020-01-01","weather":{"conditions":{"__proto__":true}}}',
      "weather.conditions.__proto__",
    ],
    [
      "a constructor",
      '{"activityID":10,"date":"2020-01-01","constructor":{"prototype":{"admin":true}}}',
      "constructor",
    ],
    [
      "a number past all numbers",
      '{"activityID":10,"date":"2020-01-01","details":{"duration":1e400}}',
      "details.duration",
    ],
    ["null", "null", "body"],
    ["an array", "[]", "body"],
    ["text", '"text"', "body"],
    ["nothing", "", "body"],
    ["half an object", "{", "body"],
    ["no JSON", "NaN", "body"],
    ["100,000 arrays in each other", DEEP, "body"],
    ["the same in a field", `{"activityID":10,"date":"2020-01-01","notes":${DEEP}}`, "notes"],
  ])("a body that is or holds %s is refused", async (_what, body, field) => {
    const answer = await ann.send("POST", WORKOUTS, { body, headers: { "content-type": "application/json" } });
    expect(answer.status).toBe(400);
    expect(answer.json.message.split(": ")[0]).toBe(field);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test.each(Object.getOwnPropertyNames(Object.prototype))(
    "a member called %s is answered like any other unknown one",
    async (member) => {
      const refused = (where: string) => ({ code: 3, message: `${where}: is not a field that can be saved` });
      const send = (method: string, path: string, body: string) =>
        ann.send(method, path, { body, headers: { "content-type": "application/json" } });
      const bare = `{"${member}":{}}`;
      for (const path of [COURSES, EQUIPMENT]) {
        const required = path === COURSES ? '"name":"a"' : '"activityID":10';
        expect((await send("POST", path, `{${required},"${member}":{}}`)).json).toEqual(refused(member));
      }
      expect((await send("PUT", "/rest/users/me/preference", bare)).json).toEqual(refused(member));
      const inside = `{"activityID":10,"date":"2020-01-01","details":${bare}}`;
      expect((await send("POST", WORKOUTS, inside)).json).toEqual(refused(`details.${member}`));
    },
  );

  /** Every number of a save body, each alone in a body that is otherwise right, with its maximum. */
  const NUMBERS: readonly (readonly [string, string, (value: number) => object, number])[] = [
    [WORKOUTS, "activityID", (activityID) => ({ ...RUN, activityID }), 10],
    [WORKOUTS, "workoutID", (workoutID) => ({ ...RUN, workoutID }), 7],
    [WORKOUTS, "details.duration", (duration) => ({ ...RUN, details: { duration } }), 1e9],
    ...["mi", "km", "m"].map(
      (unit) =>
        [
          WORKOUTS,
          "details.distance.value",
          (value: number) => ({ ...RUN, details: { distance: { unit, value } } }),
          1e9,
        ] as const,
    ),
    [WORKOUTS, "health.avgHR", (avgHR) => ({ ...RUN, health: { avgHR } }), 300],
    [WORKOUTS, "health.maxHR", (maxHR) => ({ ...RUN, health: { maxHR } }), 300],
    [WORKOUTS, "health.restHR", (restHR) => ({ ...RUN, health: { restHR } }), 300],
    [WORKOUTS, "health.weight.value", (value) => ({ ...RUN, health: { weight: { unit: "kg", value } } }), 10_000],
    [
      WORKOUTS,
      "intervalSet.intervals[0].duration",
      (duration) => ({ ...RUN, intervalSet: { intervals: [{ duration }] } }),
      1e9,
    ],
    [
      WORKOUTS,
      "intervalSet.intervals[0].distance.value",
      (value) => ({ ...RUN, intervalSet: { intervals: [{ distance: { unit: "m", value } }] } }),
      1e9,
    ],
    ...["fieldPlacement", "fieldSize", "groupMaxAge", "groupMinAge", "groupPlacement", "groupSize"].map(
      (name) =>
        [
          WORKOUTS,
          `raceStats.${name}`,
          (value: number) => ({ ...RUN, raceStats: { [name]: value } }),
          2_147_483_647,
        ] as const,
    ),
    [WORKOUTS, "ratings.effort", (effort) => ({ ...RUN, ratings: { effort } }), 10],
    [WORKOUTS, "ratings.quality", (quality) => ({ ...RUN, ratings: { quality } }), 10],
    [
      WORKOUTS,
      "weather.temperature.value",
      (value) => ({ ...RUN, weather: { temperature: { unit: "C", value } } }),
      1000,
    ],
    [COURSES, "distance.value", (value) => ({ name: "a", distance: { unit: "mi", value } }), 1e9],
    [EQUIPMENT, "activityID", (activityID) => ({ activityID }), 10],
    [EQUIPMENT, "ratings.avgRating", (avgRating) => ({ activityID: 10, ratings: { avgRating } }), 10],
    [EQUIPMENT, "price", (price) => ({ activityID: 10, price }), 1e9],
  ];

  test.each(NUMBERS)("%s %s has a most, and 1e308 is past it in either direction", async (path, field, body, most) => {
    expect((await ann.send("POST", path, { body: body(most) })).status).toBe(200);
    for (const value of [1e308, -1e308, Number.MAX_SAFE_INTEGER]) {
      const answer = await ann.send("POST", path, { body: body(value) });
      expect([value, answer.status, answer.json.message.split(": ")[0]]).toEqual([value, 400, field]);
    }
  });

  test("a preference is checked like any other body", async () => {
    for (const [body, field] of [
      [{ utcOffset: "1" }, "utcOffset"],
      [{ utcOffset: 14.25 }, "utcOffset"],
      [{ utcOffset: -12.5 }, "utcOffset"],
      [{ distanceUnit: "furlong" }, "distanceUnit"],
      [{ distanceUnits: "mi" }, "distanceUnits"],
    ] as const) {
      const answer = await ann.send("PUT", "/rest/users/me/preference", { body });
      expect([answer.status, answer.json.message.split(": ")[0]]).toEqual([400, field]);
    }
  });

  test("a refused PUT leaves the record as it was", async () => {
    const id = await ann.save(WORKOUTS, { ...RUN, notes: "kept" });
    const answer = await ann.send("PUT", `${WORKOUTS}/${id}`, { body: { ...RUN, notes: 5 } });
    expect(answer.status).toBe(400);
    expect((await ann.send("GET", `${WORKOUTS}/${id}`)).json.data.workout.notes).toBe("kept");
  });
});

describe("O35 a bad parameter is refused by name", () => {
  test.each(["0", "101", "-1", "1e2", "50.5", "abc", "", " 5", "1e9", "99999999999999999999"])(
    "limit=%s is outside 1 to 100, for every listing",
    async (limit) => {
      for (const path of [WORKOUTS, COURSES, EQUIPMENT]) {
        const answer = await ann.send("GET", path, { query: { limit } });
        expect(answer.status).toBe(400);
        expect(answer.json).toEqual({ code: 2, message: "limit: must be a whole number from 1 to 100" });
      }
    },
  );

  test.each([
    ["offset", "-1"],
    ["offset", "9007199254740992"],
    ["offset", ""],
    ["activityName", "Run"],
    ["activityName", ""],
    ["showRetired", "yes"],
    ["showRetired", ""],
  ])("%s=%s", async (name, value) => {
    const answer = await ann.send("GET", EQUIPMENT, { query: { [name]: value } });
    expect(answer.status).toBe(400);
    expect(answer.json.message.split(": ")[0]).toBe(name);
  });

  test("a parameter given twice is refused, and one nobody told of is left alone", async () => {
    expect((await ann.send("GET", `${EQUIPMENT}?limit=1&limit=2`)).status).toBe(400);
    expect((await ann.send("GET", EQUIPMENT, { query: { fields: "10,11" } })).status).toBe(200);
  });
});

describe("addresses and methods", () => {
  test("an address that isn't there is 404, a method it doesn't take is 405 and says which it takes", async () => {
    expect((await ann.send("GET", "/rest/logs/me/nothing")).json).toEqual({ code: 8, message: expect.any(String) });
    const answer = await ann.send("DELETE", `${WORKOUTS}/${"0".repeat(32)}`);
    expect(answer.status).toBe(405);
    expect(answer.json.code).toBe(9);
    expect(String(answer.headers.allow).split(", ").sort()).toEqual(["GET", "HEAD", "POST", "PUT"]);
    expect((await ann.send("POST", `${WORKOUTS}/kml`, { body: "x" })).status).toBe(404);
  });

  test.each([
    ["a quote", "'"],
    ["NUL", "%00"],
    ["SQL", "%27%20OR%201=1"],
    ["99 letters", "a".repeat(99)],
    ["5,000 letters", "a".repeat(5000)],
    ["a runner", "%F0%9F%8F%83"],
    ["a way up", "..%2f.."],
  ])("an id of %s is nobody's: 404", async (_what, id) => {
    for (const path of [WORKOUTS, COURSES, EQUIPMENT])
      expect((await ann.send("GET", `${path}/${id}`)).status).toBe(404);
  });

  test("an address that can't be decoded is 400 and isn't repeated", async () => {
    const answer = await ann.send("GET", "/rest/%zz");
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe(1);
    expect(answer.text).not.toContain("zz");
  });

  test("O27 every answer, refusals too, keeps its address out of caches and referrers, leads nowhere and loads nothing", async () => {
    for (const path of ["/health", WORKOUTS, "/rest/%zz", "/nothing", `${WORKOUTS}/x`, `${WORKOUTS}?limit=0`]) {
      const { headers, status, text } = await ann.send("GET", path);
      expect(status < 300 || status >= 400).toBe(true);
      expect(headers.location).toBeUndefined();
      expect(headers.refresh).toBeUndefined();
      expect(headers.link).toBeUndefined();
      // JSON loads nothing, and no foreign address is in it.
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(text).not.toMatch(/https?:\/\//);
      expect(headers["cache-control"]).toBe("private, no-store");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  test("health needs no token and says nothing but that the service is up", async () => {
    const answer = await send(log.url, "GET", "/health");
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
  });
});
