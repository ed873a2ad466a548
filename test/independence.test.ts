/**
 * The client and the service are two readings of one document. The test runs the toolkit's client, operation by operation, against the service, both
 * as they are shipped. They share no code except the decoders of device files (house.test.ts). So both agree on everything that passes here.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as client from "../connectors/api/client.ts";
import { type Connection, openConnection } from "../connectors/api/connection.ts";
import { beginLogin, readCode } from "../connectors/api/oauth.ts";
import { ASSUMED_OPERATIONS, OPERATIONS } from "../connectors/api/operations.ts";
import { addDemoUser } from "../service/demo.ts";
import { type Service, startService } from "../service/server.ts";
import { Visitor } from "../service/test/visitor.ts";
import type { Issue } from "../transforms/model/issue.ts";

const PASSWORD = "a password for a rehearsal";
const CALLBACK = "http://localhost:4711/";
const FIT = readFileSync(join(import.meta.dirname, "../fixtures/demo/watch/Forerunner 235/2018-03-28-18-15-54.fit"));
const GPX = Buffer.from('<gpx version="1.1"><rte><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte></gpx>');
const signal = new AbortController().signal;

let service: Service;
let userId: string;
let connection: Connection;
const issues: Issue[] = [];
/** Names of the operations that were tried, to be compared with the table. */
const tried = new Set<string>();

/** Remembers the operation by its name, and gives it to be run. */
function operation<F extends (...words: never[]) => unknown>(one: F): F {
  tried.add(one.name);
  return one;
}

beforeAll(async () => {
  service = await startService({ database: ":memory:" });
  const user = await addDemoUser(service, { screenName: "ann", password: PASSWORD });
  userId = user.userId;
  connection = openConnection({
    baseUrl: service.url,
    token: user.token,
    rate: undefined,
    report: (issue) => issues.push(issue),
  });
});
afterAll(async () => {
  await connection.close();
  await service.close();
});

test("a login of the toolkit's ends with a token of the service's", async () => {
  const { clientId, clientSecret } = await service.operator.addApplication({ name: "App", redirectURIs: [CALLBACK] });
  const pending = await beginLogin({ baseUrl: service.url, clientId, redirectUri: CALLBACK });
  const visitor = new Visitor(service.url);
  await visitor.signIn("ann", PASSWORD);
  const answer = await visitor.fillIn(pending.address.slice(service.url.length), { decision: "allow", profile: "on" });
  const code = readCode(pending, new URL(String(answer.headers.location)).searchParams);
  const nobody = openConnection({ baseUrl: service.url, rate: undefined });
  const { codeVerifier, redirectUri } = pending;
  const grant = { clientId, clientSecret, code, redirectUri, codeVerifier };
  const { accessToken, tokenType } = await operation(client.exchangeAuthorizationToken)(nobody, grant, signal);
  await nobody.close();
  expect(tokenType).toBe("bearer");
  const hers = openConnection({ baseUrl: service.url, token: accessToken, rate: undefined });
  expect((await client.getUser(hers, signal)).screenName).toBe("ann");
  await hers.close();
});

describe("each operation says and hears what the other means", () => {
  test("the user and the preference", async () => {
    expect(await operation(client.getUser)(connection, signal)).toMatchObject({
      screenName: "ann",
      person: { givenName: "Demo", familyName: "Runner" },
    });
    const preference = { utcOffset: 5.75, distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" } as const;
    await operation(client.savePreference)(connection, preference, signal);
    expect(await operation(client.getPreference)(connection, signal)).toMatchObject(preference);
  });

  test("a workout, made, read, written over and read again", async () => {
    const course = await operation(client.saveNewCourse)(connection, { name: "River" }, signal);
    const shoe = await operation(client.saveNewEquipment)(connection, { activityID: 10, brandName: "Acme" }, signal);
    const workout = {
      activityID: 10,
      workoutID: 6,
      date: "2024-02-29",
      time: "06:05:04",
      notes: "windy",
      course: { id: course },
      equipment: [{ id: shoe }],
      details: { distance: { unit: "km", value: 10.25 }, duration: 2112.99 },
      health: { avgHR: 160, maxHR: 181, restHR: 48, weight: { unit: "kg", value: 61.5 } },
      intervalSet: {
        name: "two",
        intervals: [
          { type: "interval", duration: 91.79 },
          { type: "rest", duration: 60 },
        ],
      },
      raceStats: { fieldPlacement: 12, fieldSize: 340 },
      ratings: { effort: 7, quality: 8 },
      weather: { conditions: { clear: true }, temperature: { unit: "C", value: -1.5 } },
    } as const satisfies Parameters<typeof client.saveNewWorkout>[1];
    const id = await operation(client.saveNewWorkout)(connection, workout as never, signal);
    const { time, course: _course, equipment: _equipment, ...same } = workout;
    expect(await operation(client.getWorkout)(connection, id, signal)).toMatchObject({
      ...same,
      weather: { ...workout.weather, conditions: ["clear"] },
      id,
      timeOfDay: time,
      course: { id: course, name: "River" },
      equipment: [{ id: shoe, name: "Acme" }],
    });
    const changed = { activityID: 11, date: "2024-03-01" } as const;
    expect(await operation(client.saveExistingWorkout)(connection, id, changed as never, signal)).toBe(id);
    expect(await client.getWorkout(connection, id, signal)).toMatchObject(changed);
  });

  test("an import, of a device's file", async () => {
    const ids = await operation(client.importWorkouts)(connection, "fit", FIT, signal);
    expect(ids).toHaveLength(1);
    expect((await client.getWorkout(connection, ids[0] as string, signal)).date).toBe("2018-03-28");
  });

  test("a course, with its map", async () => {
    const course = {
      name: "Hill",
      notes: "up",
      distance: { unit: "mi", value: 6.2 },
      surfaces: { asphalt: true },
    } as const;
    const id = await operation(client.saveNewCourse)(connection, course, signal);
    expect(await operation(client.getCourse)(connection, id, signal)).toMatchObject({
      ...course,
      surfaces: ["asphalt"],
      id,
    });
    expect(await operation(client.saveExistingCourse)(connection, id, { name: "Hill 2" }, signal)).toBe(id);
    await operation(client.saveCourseMap)(connection, id, GPX, signal);
    expect((await service.store.courseMap(userId, id))?.format).toBe("gpx");
  });

  test("a piece of equipment, and the list of them", async () => {
    const piece = {
      activityID: 12,
      brandName: "Acme",
      modelName: "Fins",
      price: 19.5,
      ratings: { avgRating: 4.5 },
    } as const;
    const id = await operation(client.saveNewEquipment)(connection, piece, signal);
    expect(await operation(client.getEquipment)(connection, id, signal)).toMatchObject({ ...piece, id });
    expect(
      await operation(client.saveExistingEquipment)(connection, id, { activityID: 12, notes: "blue" }, signal),
    ).toBe(id);
    await service.operator.retireEquipment(userId, id);
    const listed = async (showRetired: boolean) =>
      (
        await operation(client.listEquipment)(
          connection,
          { activityID: 12, limit: 100, offset: 0, showRetired },
          signal,
        )
      ).entries;
    expect(await listed(false)).toEqual([]);
    expect(await listed(true)).toMatchObject([{ id, activityID: 12, notes: "blue" }]);
  });

  test("the training plans", async () => {
    await service.operator.addTrainingPlan(userId, { name: "Marathon", numWeeks: 16, beginDate: "2024-01-01" });
    const { entries } = await operation(client.listTrainingPlans)(connection, signal);
    expect(entries).toMatchObject([{ name: "Marathon", numWeeks: 16, beginDate: "2024-01-01" }]);
  });
});

test("no operation of the document was left out, and the client had nothing to remark on", () => {
  expect([...tried].toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
  expect(Object.keys(OPERATIONS)).toHaveLength(17);
  expect(issues).toEqual([]);
});

test("the service has every address of the client's table, those the document doesn't show too", async () => {
  const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  for (const { method, path } of [...Object.values(OPERATIONS), ...Object.values(ASSUMED_OPERATIONS)]) {
    const concrete = path.replace("{type}", path.includes("courses") ? "gpx" : "fit");
    expect([concrete, Object.keys(paths[concrete] ?? {})]).toEqual([
      concrete,
      expect.arrayContaining([method.toLowerCase()]),
    ]);
  }
});
