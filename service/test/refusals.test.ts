/** What the service does with requests it can't take: never a 500, never a guess, always the field by name. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../server.ts";
import { type Person, person, send, service } from "./client.ts";

let log: Service;
let ann: Person;

beforeAll(async () => {
  log = await service();
  ann = await person(log);
});
afterAll(() => log.close());

const WORKOUTS = "/rest/logs/me/workouts";
const COURSES = "/rest/logs/me/courses";
const EQUIPMENT = "/rest/logs/me/equipment";
const RUN = { activityID: 10, date: "2020-01-01" };

describe("O23 the token", () => {
  const ask = (query: string, headers = {}) => send(log.url, "GET", `${WORKOUTS}${query}`, { headers });

  test.each([
    ["missing", ""],
    ["empty", "?access_token="],
    ["unknown", `?access_token=${"x".repeat(32)}`],
    ["of 33 characters", `?access_token=${"x".repeat(33)}`],
    ["not text", "?access_token=%00%ff"],
    ["a pattern", "?access_token=%25"],
  ])("a token that is %s is answered 401, with the envelope and a challenge", async (_what, query) => {
    const answer = await ask(query);
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({ code: 6, message: expect.stringMatching(/^access_token: /) });
    expect(answer.headers["www-authenticate"]).toBe('Bearer realm="training log", error="invalid_token"');
  });

  test("a token given twice is ambiguous, even when both are the same: 400", async () => {
    const answer = await ask(`?access_token=${ann.token}&access_token=${ann.token}`);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ code: 2, message: '"access_token": given more than once' });
  });

  test("a token in the query and in a header at once is 400; in a header alone it is no way in", async () => {
    const headers = { authorization: `Bearer ${ann.token}` };
    expect((await ask(`?access_token=${ann.token}`, headers)).status).toBe(400);
    expect((await ask("", headers)).status).toBe(401);
  });

  test("a token that was revoked is answered like an unknown one, at once, and another user's opens that user's log alone", async () => {
    const { clientId } = await log.operator.addApplication({ name: "App", redirectURIs: ["https://app.example.com/"] });
    const token = await log.operator.addToken(ann.userId, { application: clientId });
    expect((await ask(`?access_token=${token}`)).status).toBe(200);
    expect(await log.operator.revoke(ann.userId, clientId)).toBe(1);
    const [revoked, unknown] = [await ask(`?access_token=${token}`), await ask(`?access_token=${"x".repeat(32)}`)];
    expect([revoked.status, revoked.text, revoked.headers["www-authenticate"]]).toEqual([
      401,
      unknown.text,
      unknown.headers["www-authenticate"],
    ]);
    const bob = await person(log, { screenName: "bob" });
    expect(
      (await send(log.url, "GET", "/rest/users/me", { query: { access_token: bob.token } })).json.data.screenName,
    ).toBe("bob");
  });

  test("a token's case counts, and a wrong token can't write", async () => {
    const query = { access_token: ann.token.toLowerCase() };
    expect((await send(log.url, "POST", WORKOUTS, { query, body: RUN })).status).toBe(401);
    expect((await ann.send("GET", WORKOUTS)).json.data.numEntries).toBe(0);
  });

  test("a token of 32 characters is the longest there is", async () => {
    await expect(log.operator.addToken(ann.userId, { token: "x".repeat(33) })).rejects.toThrow(RangeError);
    const token = await log.operator.addToken(ann.userId);
    expect(token).toMatch(/^[A-Za-z0-9]{32}$/);
  });
});

describe("O24 one user's ids are nobody else's", () => {
  test("for every address with an id, somebody else's is answered exactly like a missing one", async () => {
    const bob = await person(log);
    const ids = {
      [WORKOUTS]: await bob.save(WORKOUTS, RUN),
      [COURSES]: await bob.save(COURSES, { name: "his" }),
      [EQUIPMENT]: await bob.save(EQUIPMENT, { activityID: 10 }),
    };
    const bodies: Record<string, object> = {
      [WORKOUTS]: RUN,
      [COURSES]: { name: "hers" },
      [EQUIPMENT]: { activityID: 11 },
    };
    for (const [path, id] of Object.entries(ids)) {
      const missing = "0".repeat(32);
      for (const [method, sending] of [
        ["GET", {}],
        ["PUT", { body: bodies[path] ?? {} }],
      ] as const) {
        const others = await ann.send(method, `${path}/${id}`, sending);
        const none = await ann.send(method, `${path}/${missing}`, sending);
        expect([method, path, others.status, others.text]).toEqual([method, path, 404, none.text]);
      }
    }
    const gpx = { body: '<gpx version="1.1"><rte><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte></gpx>' };
    const others = await ann.send("POST", `${COURSES}/${ids[COURSES]}/gpx`, gpx);
    const none = await ann.send("POST", `${COURSES}/${"0".repeat(32)}/gpx`, gpx);
    expect([others.status, others.text]).toEqual([404, none.text]);
    expect(await log.store.courseMap(bob.userId, ids[COURSES] as string)).toBeUndefined();
    expect((await ann.send("POST", `${WORKOUTS}/${ids[WORKOUTS]}`, gpx)).status).toBe(404);
    for (const [path, id] of Object.entries(ids)) {
      for (const method of ["DELETE", "PATCH", "POST"]) {
        expect([method, (await ann.send(method, `${path}/${id}`)).text]).toEqual([
          method,
          (await bob.send(method, `${path}/${id}`)).text,
        ]);
      }
    }
    expect((await bob.send("GET", `${COURSES}/${ids[COURSES]}`)).json.data.course.name).toBe("his");
    expect((await bob.send("GET", `${EQUIPMENT}/${ids[EQUIPMENT]}`)).json.data.equipment.activityID).toBe(10);
    for (const path of Object.keys(ids)) expect((await ann.send("GET", path)).json.data.numEntries).toBe(0);
  });

  test("a workout can't point at somebody else's course, equipment or activity", async () => {
    const bob = await person(log, { activities: ["Rowing"] });
    const course = await bob.save(COURSES, { name: "his" });
    const shoe = await bob.save(EQUIPMENT, { activityID: 10 });
    for (const [body, field] of [
      [{ ...RUN, course: { id: course } }, "course.id"],
      [{ ...RUN, equipment: [{ id: shoe }] }, "equipment[0].id"],
      [{ ...RUN, activityID: 100 }, "activityID"],
    ] as const) {
      const answer = await ann.send("POST", WORKOUTS, { body });
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({ code: 4, message: expect.stringContaining(`${field}: `) });
    }
  });
});

/** Text that has a meaning somewhere on its way, or in nothing at all. */
const HOSTILE = [
  "' OR 1=1 --",
  "%",
  "_%'; DROP TABLE users; --",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\\x00",
  "$1 ? :a @b",
  "{}",
];

describe("O35 hostile text", () => {
  /** Every field that takes any text: where it goes, and what must come back there. */
  const FIELDS: readonly (readonly [string, string, (text: string) => object])[] = [
    [WORKOUTS, "workout", (text) => ({ ...RUN, notes: text })],
    [WORKOUTS, "workout", (text) => ({ ...RUN, intervalSet: { id: text, name: text, intervals: [{ type: text }] } })],
    [COURSES, "course", (text) => ({ name: text, notes: text })],
    [
      EQUIPMENT,
      "equipment",
      (text) => ({ activityID: 10, brandName: text, modelName: text, serial: text, gender: text, notes: text }),
    ],
  ];

  test("in any text field of any record is kept to the letter, by POST and by PUT, and listed", async () => {
    const bob = await person(log);
    for (const [path, name, body] of FIELDS) {
      const id = await bob.save(path, body("plain"));
      for (const text of HOSTILE) {
        expect((await bob.send("PUT", `${path}/${id}`, { body: body(text) })).status).toBe(200);
        expect((await bob.send("GET", `${path}/${id}`)).json.data[name]).toMatchObject(body(text));
        const saved = await bob.save(path, body(text));
        expect((await bob.send("GET", `${path}/${saved}`)).json.data[name]).toMatchObject(body(text));
        expect((await bob.send("GET", path, { query: { limit: 100 } })).status).toBe(200);
      }
    }
  });

  test("as the name of what a workout points at is shown with it", async () => {
    const bob = await person(log);
    for (const text of HOSTILE) {
      const course = await bob.save(COURSES, { name: text });
      const equipment = await bob.save(EQUIPMENT, { activityID: 10, modelName: text });
      const id = await bob.save(WORKOUTS, { ...RUN, course: { id: course }, equipment: [{ id: equipment }] });
      expect((await bob.send("GET", `${WORKOUTS}/${id}`)).json.data.workout).toMatchObject({
        course: { id: course, name: text },
        equipment: { id: equipment, name: text },
      });
    }
  });

  test("as an id in a body or an address is nobody's, and as a date, time, unit or flag is refused by name", async () => {
    for (const text of HOSTILE) {
      for (const [body, field] of [
        [{ ...RUN, course: { id: text } }, "course.id"],
        [{ ...RUN, equipment: [{ id: text }] }, "equipment[0].id"],
        [{ ...RUN, date: text }, "date"],
        [{ ...RUN, time: text }, "time"],
        [{ ...RUN, details: { distance: { unit: text, value: 1 } } }, "details.distance.unit"],
      ] as const) {
        const answer = await ann.send("POST", WORKOUTS, { body });
        expect([text, answer.status, answer.json.message.split(": ")[0]]).toEqual([text, 400, field]);
      }
      const flag = await ann.send("POST", COURSES, { body: { name: "a", surfaces: { [text]: true } } });
      expect([text, flag.status]).toEqual([text, 400]);
      if (text.isWellFormed()) {
        for (const path of [WORKOUTS, COURSES, EQUIPMENT]) {
          const id = encodeURIComponent(text);
          expect([text, (await ann.send("GET", `${path}/${id}`)).status]).toEqual([text, 404]);
          expect([text, (await ann.send("PUT", `${path}/${id}`, { body: {} })).status]).toEqual([text, 400]);
        }
        const answer = await ann.send("GET", WORKOUTS, { query: { filters: JSON.stringify([["date", "eq", text]]) } });
        expect(answer.status).toBe(400);
      }
    }
  });
});

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

  /** Every number of a save body, each alone in a body that is right otherwise, and the most it may be. */
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

describe("O36 media types, encodings and sizes", () => {
  const JSON_TYPE = { "content-type": "application/json" };

  test.each([
    ["none at all", {}],
    ["text", { "content-type": "text/plain" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["a tab before the parameter", { "content-type": "application/json\t; x" }],
    ["garbage after the type", { "content-type": "application/json garbage" }],
    ["another charset", { "content-type": "application/json; charset=utf-16" }],
    ["two types", { "content-type": "application/json, text/plain" }],
    ["a longer type", { "content-type": "application/jsonx" }],
    ["a JSON of some kind", { "content-type": "application/problem+json" }],
  ])("a save with a Content-Type of %s is 415", async (_what, headers) => {
    const answer = await ann.send("POST", WORKOUTS, { body: JSON.stringify(RUN), headers });
    expect(answer.status).toBe(415);
    expect(answer.json.code).toBe(11);
  });

  test.each(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "%s is a Content-Type of a save",
    async (type) => {
      const headers = { "content-type": type };
      expect((await ann.send("POST", WORKOUTS, { body: JSON.stringify(RUN), headers })).status).toBe(200);
    },
  );

  test("gzip is taken where rule 4 says so and nowhere else; no other encoding anywhere", async () => {
    const packed = (encoding: string, body: object) => ({
      body: gzipSync(JSON.stringify(body)),
      headers: { ...JSON_TYPE, "content-encoding": encoding },
    });
    expect((await ann.send("POST", WORKOUTS, packed("gzip", RUN))).status).toBe(415);
    expect((await ann.send("POST", EQUIPMENT, packed("gzip", { activityID: 10 }))).status).toBe(415);
    expect((await ann.send("PUT", "/rest/users/me/preference", packed("gzip", {}))).status).toBe(415);
    expect((await ann.send("POST", COURSES, packed("gzip", { name: "a" }))).status).toBe(200);
    for (const encoding of ["br", "deflate", "gzip, gzip", "gzip,br", "x"]) {
      expect((await ann.send("POST", COURSES, packed(encoding, { name: "a" }))).status).toBe(415);
    }
  });

  test.each(["GZIP", "Gzip", "x-gzip", "X-GZip"])("%s is gzip by another name", async (encoding) => {
    const headers = { ...JSON_TYPE, "content-encoding": encoding };
    const body = gzipSync(JSON.stringify({ name: `packed as ${encoding}` }));
    const saved = await ann.send("POST", COURSES, { body, headers });
    expect([saved.status, saved.json.message]).toEqual([200, undefined]);
    const { course } = (await ann.send("GET", `${COURSES}/${saved.json.data.id}`)).json.data;
    expect(course.name).toBe(`packed as ${encoding}`);
    const map = gzipSync('<gpx version="1.1"><rte><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte></gpx>');
    const drawn = await ann.send("POST", `${COURSES}/${saved.json.data.id}/gpx`, {
      body: map,
      headers: { "content-encoding": encoding },
    });
    expect(drawn.json).toEqual({ code: 0 });
    expect((await log.store.courseMap(ann.userId, saved.json.data.id))?.packed).toEqual(new Uint8Array(map));
    expect((await ann.send("POST", WORKOUTS, { body: gzipSync(JSON.stringify(RUN)), headers })).status).toBe(415);
  });

  test.each(["identity", "IDENTITY"])("%s is no encoding at all, for every kind of body", async (encoding) => {
    const headers = { ...JSON_TYPE, "content-encoding": encoding };
    expect((await ann.send("POST", COURSES, { body: '{"name":"a"}', headers })).status).toBe(200);
    expect((await ann.send("POST", WORKOUTS, { body: JSON.stringify(RUN), headers })).status).toBe(200);
  });

  test("a body that says gzip and isn't, or is cut, is 400", async () => {
    const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
    const whole = gzipSync(JSON.stringify({ name: "a" }));
    for (const body of ['{"name":"a"}', whole.subarray(0, 20)]) {
      const answer = await ann.send("POST", COURSES, { body, headers });
      expect(answer.status).toBe(400);
      expect(answer.json.code).toBe(1);
    }
  });

  test("a JSON body of 1 MiB is taken, a byte more is 413, and so is what unpacks to more", async () => {
    const sized = (bytes: number) => {
      const frame = JSON.stringify({ name: "a", id: "" }).length;
      return JSON.stringify({ name: "a", id: "x".repeat(bytes - frame) });
    };
    const MiB = 2 ** 20;
    expect((await ann.send("POST", COURSES, { body: sized(MiB), headers: JSON_TYPE })).status).toBe(200);
    expect((await ann.send("POST", COURSES, { body: sized(MiB + 1), headers: JSON_TYPE })).status).toBe(413);
    const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
    expect((await ann.send("POST", COURSES, { body: gzipSync(sized(MiB)), headers })).status).toBe(200);
    const bomb = await ann.send("POST", COURSES, { body: gzipSync(sized(MiB + 1)), headers });
    expect([bomb.status, bomb.json.code]).toEqual([413, 10]);
  });

  test("bytes that aren't UTF-8 are refused, a byte order mark is not", async () => {
    const name = Buffer.from([0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]);
    expect((await ann.send("POST", COURSES, { body: name, headers: JSON_TYPE })).status).toBe(400);
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"name":"a"}')]);
    expect((await ann.send("POST", COURSES, { body: marked, headers: JSON_TYPE })).status).toBe(200);
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
      // JSON loads nothing, and nothing in it is an address of somebody else's.
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
