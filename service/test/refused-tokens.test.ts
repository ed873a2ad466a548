/** Answers to a request without a token, or with another user's token. Also text that has a special meaning elsewhere. */
import { describe, expect, test } from "vitest";
import { person, send } from "./client.ts";
import { ann, COURSES, EQUIPMENT, log, RUN, WORKOUTS, withOneLog } from "./one-log.ts";

withOneLog();

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

/** Text that has a special meaning somewhere on its way, or none anywhere. */
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
  /** Every field that takes any text: its place in the body, and the text that must come back there. */
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
