/** The document's opening, its notation and its units. */
import { expect } from "vitest";
import { send } from "../client.ts";
import { savedAndShown } from "./fields.ts";
import {
  ann,
  COURSES,
  EQUIPMENT,
  log,
  noRule,
  PLANS,
  PREFERENCE,
  RUN,
  rule,
  someone,
  USER,
  WORKOUTS,
} from "./harness.ts";

const WORKOUT = { path: WORKOUTS, name: "workout", least: RUN };

export function introductionRules(): void {
  rule("Training Log Service Interface / (1) . 1", "it is REST over HTTP with JSON both ways", async () => {
    const answer = await ann.send("GET", PREFERENCE);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.json.code).toBe(0);
    const text = { body: JSON.stringify(RUN), headers: { "content-type": "text/plain" } };
    expect((await ann.send("POST", WORKOUTS, text)).status).toBe(415);
  });
  noRule(
    "Training Log Service Interface / (1) . 1",
    "HTTPS is for whatever stands in front: the service speaks HTTP to a proxy or to its own machine",
  );
  rule(
    ["Training Log Service Interface / (1) . 2", "What the service does / (2)"],
    "without a token that a user granted nothing is read and nothing is written",
    async () => {
      for (const query of [{}, { access_token: "x".repeat(32) }]) {
        for (const path of [WORKOUTS, COURSES, EQUIPMENT, PLANS, USER, PREFERENCE]) {
          expect((await send(log.url, "GET", path, { query })).status).toBe(401);
        }
        expect((await send(log.url, "POST", WORKOUTS, { query, body: RUN })).status).toBe(401);
        expect((await send(log.url, "PUT", PREFERENCE, { query, body: {} })).status).toBe(401);
      }
    },
  );
  rule("Training Log Service Interface / (1) . 3", "`me` is whoever owns the token", async () => {
    const [bob, cat] = [await someone({ screenName: "bob" }), await someone({ screenName: "cat" })];
    expect((await bob.send("GET", USER)).json.data.screenName).toBe("bob");
    expect((await cat.send("GET", USER)).json.data.screenName).toBe("cat");
    const id = await bob.save(WORKOUTS, RUN);
    expect((await cat.send("GET", `${WORKOUTS}/${id}`)).status).toBe(404);
  });
  noRule("Training Log Service Interface / (1) . 4", "two names for the one address the service listens on");
  noRule("What the service does / (1) . 1", "says what it is");
  rule(
    "What the service does / (1) . 2",
    "each user has workouts, equipment, courses and plans of their own",
    async () => {
      const [bob, cat] = [await someone(), await someone()];
      await bob.save(WORKOUTS, RUN);
      await bob.save(EQUIPMENT, { activityID: 10 });
      await bob.save(COURSES, { name: "his" });
      await log.operator.addTrainingPlan(bob.userId, { name: "his" });
      for (const path of [WORKOUTS, EQUIPMENT, COURSES, PLANS]) {
        expect((await bob.send("GET", path)).json.data.numEntries).toBe(1);
        expect((await cat.send("GET", path)).json.data.numEntries).toBe(0);
      }
    },
  );
  rule("What the service does / (1) . 3", "each user has a profile and a preference", async () => {
    for (const path of [USER, PREFERENCE]) expect((await ann.send("GET", path)).status).toBe(200);
  });
  noRule("What the service does / (3)", "a heading");
  rule(
    "What the service does / (10)",
    "a success is `{code: 0}`, with `data` where data is returned and nothing beside them",
    async () => {
      const got = await ann.send("GET", PREFERENCE);
      expect(Object.keys(got.json)).toEqual(["code", "data"]);
      expect(got.json.code).toBe(0);
      expect(Object.keys((await ann.send("PUT", PREFERENCE, { body: {} })).json)).toEqual(["code"]);
    },
  );

  rule("Resources and their fields / (1) . 1", "a measure has a unit and a number, and keeps both", async () => {
    const distance = { unit: "mi", value: 4.1299999 };
    expect((await savedAndShown(WORKOUT, { details: { distance } })).details).toEqual({ distance });
    for (const wrong of [{ unit: "mi" }, { value: 1 }, { unit: 1, value: 1 }, { unit: "mi", value: "1" }, 1, "1 mi"]) {
      const answer = await ann.send("POST", WORKOUTS, { body: { ...RUN, details: { distance: wrong } } });
      expect(answer.status).toBe(400);
      expect(answer.json.message).toMatch(/^details\.distance/);
    }
  });
  rule("Resources and their fields / (1) . 2", "a date is YYYY-MM-DD and a day that exists", async () => {
    expect((await savedAndShown(WORKOUT, { date: "2024-02-29" })).date).toBe("2024-02-29");
    for (const date of ["2023-02-29", "2024-2-9", "29.02.2024", "2024-02-29T00:00:00Z", "20240229", 20240229]) {
      expect((await ann.send("POST", WORKOUTS, { body: { ...RUN, date } })).json.message).toMatch(/^date: /);
    }
  });
  rule("Resources and their fields / (1) . 3", "a time of day is HH:MM:SS", async () => {
    expect((await savedAndShown(WORKOUT, { time: "23:59:59" })).timeOfDay).toBe("23:59:59");
    for (const time of ["24:00:00", "7:00:00", "07:00", "07:00:00 PM", "07:60:00", 25200]) {
      expect((await ann.send("POST", WORKOUTS, { body: { ...RUN, time } })).json.message).toMatch(/^time: /);
    }
  });
  for (const [unit, place, put] of [
    ["mi", "distance", (unit: string) => ({ details: { distance: { unit, value: 3.5 } } })],
    ["km", "distance", (unit: string) => ({ details: { distance: { unit, value: 3.5 } } })],
    ["m", "distance", (unit: string) => ({ details: { distance: { unit, value: 3.5 } } })],
    ["lb", "weight", (unit: string) => ({ health: { weight: { unit, value: 150 } } })],
    ["F", "temperature", (unit: string) => ({ weather: { temperature: { unit, value: -4 } } })],
  ] as const) {
    rule(`Measure units seen / ${place}`, `${unit} is a unit of ${place}`, async () => {
      expect(await savedAndShown(WORKOUT, put(unit))).toMatchObject(put(unit));
      const answer = await ann.send("POST", WORKOUTS, { body: { ...RUN, ...put("ell") } });
      expect(answer.json).toEqual({ code: 3, message: expect.stringMatching(/\.unit: must be one of /) });
    });
  }
}
