import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { calm, errorOf, TOKEN, withServer } from "../../test/support/api.ts";
import { inTurn, type Received } from "../../test/support/http-server.ts";
import { FatalError, ItemError } from "../errors.ts";
import * as client from "./client.ts";
import type { Connection } from "./connection.ts";

const ID = "3F2a/ é?#";
// These paths are written by hand. They show how an id must look in a path.
const ID_IN_PATH = "3F2a%2F%20%C3%A9%3F%23";
const saved = { json: { code: 0, data: { id: ID } } };
const GPX = new TextEncoder().encode('<gpx version="1.1"></gpx>');

interface Row {
  readonly name: keyof typeof client;
  readonly call: (connection: Connection, signal: AbortSignal) => Promise<unknown>;
  readonly method: string;
  readonly path: string;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly answer: unknown;
  readonly gives: unknown;
}

// The document's table of endpoints, in its order.
const ROWS: readonly Row[] = [
  {
    name: "exchangeAuthorizationToken",
    call: (connection, signal) =>
      client.exchangeAuthorizationToken(
        connection,
        { clientId: "key", clientSecret: "s&cret", code: "c=de", redirectUri: "http://localhost:8123/back?x=1" },
        signal,
      ),
    method: "POST",
    path: "/oauth2/token",
    query: {},
    answer: { access_token: "fresh", token_type: "bearer" },
    gives: { accessToken: "fresh", tokenType: "bearer" },
  },
  {
    name: "getUser",
    call: (connection, signal) => client.getUser(connection, signal),
    method: "GET",
    path: "/rest/users/me",
    answer: { code: 0, data: { screenName: "runner", person: { givenName: "Ann" } } },
    gives: { screenName: "runner", person: { givenName: "Ann" } },
  },
  {
    name: "getPreference",
    call: (connection, signal) => client.getPreference(connection, signal),
    method: "GET",
    path: "/rest/users/me/preference",
    answer: { code: 0, data: { preference: { utcOffset: -3.5, distanceUnit: "mi" } } },
    gives: { utcOffset: -3.5, distanceUnit: "mi" },
  },
  {
    name: "savePreference",
    call: (connection, signal) => client.savePreference(connection, { utcOffset: 0, distanceUnit: "km" }, signal),
    method: "PUT",
    path: "/rest/users/me/preference",
    body: { utcOffset: 0, distanceUnit: "km" },
    answer: { code: 0 },
    gives: undefined,
  },
  {
    name: "getWorkout",
    call: (connection, signal) => client.getWorkout(connection, ID, signal),
    method: "GET",
    path: `/rest/logs/me/workouts/${ID_IN_PATH}`,
    answer: { code: 0, data: { workout: { id: ID, activityID: 10 } } },
    gives: { id: ID, activityID: 10 },
  },
  {
    name: "saveNewWorkout",
    call: (connection, signal) => client.saveNewWorkout(connection, { activityID: 10, date: "2024-02-29" }, signal),
    method: "POST",
    path: "/rest/logs/me/workouts",
    body: { activityID: 10, date: "2024-02-29" },
    answer: saved.json,
    gives: ID,
  },
  {
    name: "saveExistingWorkout",
    call: (connection, signal) =>
      client.saveExistingWorkout(connection, ID, { activityID: 10, date: "2024-02-29" }, signal),
    method: "PUT",
    path: `/rest/logs/me/workouts/${ID_IN_PATH}`,
    body: { activityID: 10, date: "2024-02-29" },
    answer: saved.json,
    gives: ID,
  },
  {
    name: "importWorkouts",
    call: (connection, signal) => client.importWorkouts(connection, "gpx", GPX, signal),
    method: "POST",
    path: "/rest/logs/me/workouts/gpx",
    answer: { code: 0, data: { ids: ["a", "b", "a"] } },
    gives: ["a", "b"],
  },
  {
    name: "getCourse",
    call: (connection, signal) => client.getCourse(connection, ID, signal),
    method: "GET",
    path: `/rest/logs/me/courses/${ID_IN_PATH}`,
    answer: { code: 0, data: { course: { id: ID, name: "Lake" } } },
    gives: { id: ID, name: "Lake" },
  },
  {
    name: "saveNewCourse",
    call: (connection, signal) => client.saveNewCourse(connection, { name: "Lake" }, signal),
    method: "POST",
    path: "/rest/logs/me/courses",
    body: { name: "Lake" },
    answer: saved.json,
    gives: ID,
  },
  {
    name: "saveExistingCourse",
    call: (connection, signal) => client.saveExistingCourse(connection, ID, { name: "Lake" }, signal),
    method: "PUT",
    path: `/rest/logs/me/courses/${ID_IN_PATH}`,
    body: { name: "Lake" },
    answer: saved.json,
    gives: ID,
  },
  {
    name: "saveCourseMap",
    call: (connection, signal) => client.saveCourseMap(connection, ID, GPX, signal),
    method: "POST",
    path: `/rest/logs/me/courses/${ID_IN_PATH}/gpx`,
    answer: { code: 0 },
    gives: undefined,
  },
  {
    name: "getEquipment",
    call: (connection, signal) => client.getEquipment(connection, ID, signal),
    method: "GET",
    path: `/rest/logs/me/equipment/${ID_IN_PATH}`,
    answer: { code: 0, data: { equipment: { id: ID, brandName: "Hoka" } } },
    gives: { id: ID, brandName: "Hoka" },
  },
  {
    name: "saveNewEquipment",
    call: (connection, signal) => client.saveNewEquipment(connection, { brandName: "Hoka" }, signal),
    method: "POST",
    path: "/rest/logs/me/equipment",
    body: { brandName: "Hoka" },
    answer: saved.json,
    gives: ID,
  },
  {
    name: "saveExistingEquipment",
    call: (connection, signal) => client.saveExistingEquipment(connection, ID, { brandName: "Hoka" }, signal),
    method: "PUT",
    path: `/rest/logs/me/equipment/${ID_IN_PATH}`,
    body: { brandName: "Hoka" },
    answer: saved.json,
    gives: ID,
  },
  {
    name: "listEquipment",
    call: (connection, signal) =>
      client.listEquipment(connection, { activityID: 10, limit: 100, offset: 0, showRetired: false }, signal),
    method: "GET",
    path: "/rest/logs/me/equipment",
    query: { activityName: "10", limit: "100", offset: "0", showRetired: "false" },
    answer: { code: 0, data: { entries: [{ id: "e1" }], numEntries: 1 } },
    gives: { entries: [{ id: "e1" }], numEntries: 1 },
  },
  {
    name: "listTrainingPlans",
    call: (connection, signal) => client.listTrainingPlans(connection, signal),
    method: "GET",
    path: "/rest/logs/me/training_plans",
    answer: { code: 0, data: { entries: [{ id: "p1", attributes: { commercial: true } }], numEntries: 1 } },
    gives: { entries: [{ id: "p1", attributes: ["commercial"] }], numEntries: 1 },
  },
];

test("the client has the document's 17 operations, and this test asks for each, in its order", () => {
  expect(ROWS.map(({ name }) => name)).toEqual([
    "exchangeAuthorizationToken",
    "getUser",
    "getPreference",
    "savePreference",
    "getWorkout",
    "saveNewWorkout",
    "saveExistingWorkout",
    "importWorkouts",
    "getCourse",
    "saveNewCourse",
    "saveExistingCourse",
    "saveCourseMap",
    "getEquipment",
    "saveNewEquipment",
    "saveExistingEquipment",
    "listEquipment",
    "listTrainingPlans",
  ]);
  expect(Object.keys(client).sort()).toEqual(ROWS.map(({ name }) => name).sort());
});

test.each(ROWS)("$name asks $method $path and gives what is answered", async (row) => {
  await withServer(inTurn({ json: row.answer }), async ({ server, connection, issues }) => {
    expect(await row.call(connection, calm())).toEqual(row.gives);
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests as [Received];
    expect([request.method, request.path]).toEqual([row.method, row.path]);
    // The address of a listing has a parameter that no cache has seen. The rest of the query is the document's.
    expect(request.query.has("nocache")).toBe(row.name.startsWith("list"));
    request.query.delete("nocache");
    expect(Object.fromEntries(request.query)).toEqual(
      row.query === undefined ? { access_token: TOKEN } : expectedQuery(row),
    );
    if (row.body !== undefined) {
      expect(request.headers["content-type"]).toBe("application/json");
      expect(JSON.parse(request.body.toString())).toEqual(row.body);
    }
    expect(issues).toEqual([]);
  });
});

function expectedQuery({ name, query }: Row): Record<string, string> {
  return name === "exchangeAuthorizationToken" ? {} : { ...query, access_token: TOKEN };
}

test("an address with a path keeps it before every path", async () => {
  await withServer(inTurn({ json: { code: 0, data: {} } }), async ({ server }) => {
    const { openConnection } = await import("./connection.ts");
    const connection = openConnection({ baseUrl: `${server.url}/api/v1/`, token: TOKEN });
    await client.getUser(connection, calm());
    expect(server.requests[0]?.path).toBe("/api/v1/rest/users/me");
    await connection.close();
  });
});

test("the token endpoint gets a form with its five members and no access token", async () => {
  await withServer(inTurn({ json: { access_token: "t", token_type: "bearer" } }), async ({ server, connection }) => {
    await ROWS[0]?.call(connection, calm());
    const [request] = server.requests as [Received];
    expect(request.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(request.body.toString()).not.toContain(encodeURIComponent(TOKEN));
    expect(Object.fromEntries(new URLSearchParams(request.body.toString()))).toEqual({
      client_id: "key",
      client_secret: "s&cret",
      code: "c=de",
      redirect_uri: "http://localhost:8123/back?x=1",
      grant_type: "authorization_code",
    });
  });
});

test("a refused authorization token is a matter of logging in; neither code nor secret is repeated", async () => {
  const reply = { status: 400, json: { error: "access_denied", error_description: "c=de and s&cret are wrong" } };
  await withServer(inTurn(reply), async ({ connection }) => {
    const error = await errorOf(ROWS[0]?.call(connection, calm()) ?? Promise.resolve());
    expect(error).toBeInstanceOf(FatalError);
    expect(error).toMatchObject({ reason: "login", code: "api/http-400" });
    expect(error.message).toContain("access_denied: [redacted] and [redacted] are wrong");
  });
});

test("bodies above 10 kB are packed where the document allows it, and only there", async () => {
  const big = new Uint8Array(10_001).fill(0x20);
  const notes = "n".repeat(11_000);
  const calls: readonly [string, boolean, (connection: Connection) => Promise<unknown>][] = [
    ["import", true, (connection) => client.importWorkouts(connection, "fit", big, calm())],
    ["map", true, (connection) => client.saveCourseMap(connection, "c", big, calm())],
    ["new course", true, (connection) => client.saveNewCourse(connection, { name: "x", notes }, calm())],
    ["old course", true, (connection) => client.saveExistingCourse(connection, "c", { name: "x", notes }, calm())],
    [
      "workout",
      false,
      (connection) => client.saveNewWorkout(connection, { activityID: 1, date: "2024-01-01", notes }, calm()),
    ],
    ["equipment", false, (connection) => client.saveNewEquipment(connection, { notes }, calm())],
    [
      "import of 10,000 bytes",
      false,
      (connection) => client.importWorkouts(connection, "fit", big.subarray(1), calm()),
    ],
  ];
  const answer = { json: { code: 0, data: { id: "a", ids: ["a"] } } };
  for (const [what, isPacked, call] of calls) {
    await withServer(inTurn(answer), async ({ server, connection }) => {
      await call(connection);
      const [{ headers, body }] = server.requests as [Received];
      expect([what, headers["content-encoding"]]).toEqual([what, isPacked ? "gzip" : undefined]);
      const plain = (isPacked ? gunzipSync(body) : body).toString("latin1");
      expect(plain.includes(notes) || plain.startsWith(" ".repeat(10_000))).toBe(true);
    });
  }
});

test("a file arrives byte for byte", async () => {
  const file = randomBytes(300_000);
  await withServer(inTurn({ json: { code: 0, data: { ids: [] } } }), async ({ server, connection }) => {
    expect(await client.importWorkouts(connection, "fit", file, calm())).toEqual([]);
    const [{ body }] = server.requests as [Received];
    expect(gunzipSync(body).equals(file)).toBe(true);
  });
});

test.each([
  ["data.ids", { code: 0, data: { ids: ["a", "b"] } }],
  ["ids", { code: 0, ids: ["a", "b"] }],
  ["data.workoutIds", { code: 0, data: { workoutIds: ["a", "b"] } }],
])("ids of an import are read at %s", async (_place, json) => {
  await withServer(inTurn({ json }), async ({ connection }) => {
    expect(await client.importWorkouts(connection, "tcx", GPX, calm())).toEqual(["a", "b"]);
  });
});

test.each([
  { code: 0 },
  { code: 0, data: { ids: "a" } },
  { code: 0, data: { ids: ["a", 7] } },
  { code: 0, data: { ids: [""] } },
])("an import answered with %j made something unknown", async (json) => {
  await withServer(inTurn({ json }), async ({ server, connection }) => {
    expect(await errorOf(client.importWorkouts(connection, "tcx", GPX, calm()))).toMatchObject({ code: "api/no-id" });
    expect(server.requests).toHaveLength(1);
  });
});

test("an id at the top level is read, and a PUT without one keeps its own", async () => {
  await withServer(inTurn({ json: { code: 0, id: "top" } }, { json: { code: 0 } }), async ({ connection }) => {
    expect(await client.saveNewEquipment(connection, {}, calm())).toBe("top");
    expect(await client.saveExistingEquipment(connection, "mine", {}, calm())).toBe("mine");
  });
});

test("a PUT that answers with another id is reported", async () => {
  await withServer(inTurn({ json: { code: 0, data: { id: "other" } } }), async ({ server, connection, issues }) => {
    expect(await client.saveExistingEquipment(connection, "mine", {}, calm())).toBe("other");
    expect(issues).toEqual([
      {
        severity: "warning",
        rule: "api/other-id",
        origin: { connector: "log", archive: new URL(server.url).host, entry: "/rest/logs/me/equipment/mine" },
        field: "id",
        found: "other",
        expected: "mine",
      },
    ]);
  });
});

test.each(["", ".", "..", "x".repeat(65), "\ud800"])(
  "the id %j names no record, and nothing is sent for it",
  async (id) => {
    await withServer(inTurn(saved), async ({ server, connection }) => {
      const error = await errorOf(client.getWorkout(connection, id, calm()));
      expect(error).toBeInstanceOf(ItemError);
      expect(error).toMatchObject({ code: "api/bad-id" });
      expect(server.requests).toEqual([]);
    });
  },
);

test("success without the resource is an error of that record", async () => {
  await withServer(inTurn({ json: { code: 0, data: {} } }), async ({ connection }) => {
    expect(await errorOf(client.getWorkout(connection, "a", calm()))).toMatchObject({ code: "api/no-data" });
    expect(await errorOf(client.listTrainingPlans(connection, calm()))).toMatchObject({ code: "api/no-data" });
  });
});

test.each([{}, { id: null, date: null }, { notes: "of nobody" }])(
  "a workout of %j doesn't show that the log has the one that was asked for",
  async (workout) => {
    await withServer(inTurn({ json: { code: 0, data: { workout } } }), async ({ connection }) => {
      expect(await errorOf(client.getWorkout(connection, "a", calm()))).toMatchObject({ code: "api/no-data" });
    });
  },
);

test("a user is read under data, data.user and at the top", async () => {
  for (const json of [
    { data: { screenName: "a" } },
    { data: { user: { screenName: "a" } } },
    { user: { screenName: "a" } },
  ]) {
    await withServer(inTurn({ json }), async ({ connection }) => {
      expect(await client.getUser(connection, calm())).toEqual({ screenName: "a" });
    });
  }
});
