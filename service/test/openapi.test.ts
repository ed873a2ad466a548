/** The description the service publishes of itself is valid OpenAPI, complete, and true. */
import Schema from "typebox/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appOver } from "../app.ts";
import { addDemoUser } from "../demo.ts";
import type { DescribedOperation, Description, JsonSchema } from "../openapi/describe.ts";
import type { Service } from "../server.ts";
import { type Answer, send, service } from "./client.ts";

let log: Service;
let answer: Answer;
let description: Description;
let operations: readonly { readonly method: string; readonly path: string; readonly operation: DescribedOperation }[];

beforeAll(async () => {
  log = await service();
  answer = await send(log.url, "GET", "/openapi.json");
  description = answer.json;
  operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
});
afterAll(() => log.close());

const named = (name: string) => {
  const found = operations.find(({ operation }) => operation.operationId === name);
  if (found === undefined) throw new Error(`there is no operation ${name}`);
  return found.operation;
};

/** The document's operations, with each import and each map type separate. Operations that it doesn't show come last. */
const DOCUMENTED = [
  ["POST", "/oauth2/token", "Exchange authorization token"],
  ["GET", "/rest/users/me", "Get user"],
  ["GET", "/rest/users/me/preference", "Get preference"],
  ["PUT", "/rest/users/me/preference", "Save preference"],
  ["GET", "/rest/logs/me/workouts/{id}", "Get workout"],
  ["POST", "/rest/logs/me/workouts", "Save new workout"],
  ["PUT", "/rest/logs/me/workouts/{id}", "Save existing workout"],
  ["POST", "/rest/logs/me/workouts/fit", "Import workouts: fit"],
  ["POST", "/rest/logs/me/workouts/gpx", "Import workouts: gpx"],
  ["POST", "/rest/logs/me/workouts/tcx", "Import workouts: tcx"],
  ["GET", "/rest/logs/me/courses/{id}", "Get course"],
  ["POST", "/rest/logs/me/courses", "Save new course"],
  ["PUT", "/rest/logs/me/courses/{id}", "Save existing course"],
  ["POST", "/rest/logs/me/courses/{id}/gpx", "Save course map: gpx"],
  ["GET", "/rest/logs/me/equipment/{id}", "Get equipment"],
  ["POST", "/rest/logs/me/equipment", "Save new equipment"],
  ["PUT", "/rest/logs/me/equipment/{id}", "Save existing equipment"],
  ["GET", "/rest/logs/me/equipment", "List equipment"],
  ["GET", "/rest/logs/me/training_plans", "List training plans"],
] as const;

const UNDOCUMENTED = [
  ["GET", "/rest/logs/me/workouts", "List workouts"],
  ["GET", "/rest/logs/me/courses", "List courses"],
  ["GET", "/rest/logs/me/activity_types", "List activity types"],
] as const;

/** Places where a schema takes a number without a minimum or a maximum, as `details.duration`. */
function unbounded(schema: JsonSchema, at = ""): readonly string[] {
  const {
    type,
    minimum,
    maximum,
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    type?: string;
    minimum?: number;
    maximum?: number;
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    anyOf?: JsonSchema[];
  };
  const isOpen = (type === "number" || type === "integer") && (minimum === undefined || maximum === undefined);
  return [
    ...(isOpen ? [at] : []),
    ...Object.entries(properties).flatMap(([name, member]) => unbounded(member, `${at}.${name}`)),
    ...(items === undefined ? [] : unbounded(items, `${at}[]`)),
    ...anyOf.flatMap((one) => unbounded(one, at)),
  ];
}

/** Places where a schema takes a text of any length. A date, a pattern or one of a few words has a limit of its own. */
function endless(schema: JsonSchema, at = ""): readonly string[] {
  const described = schema as { type?: string; maxLength?: number; format?: string; pattern?: string; enum?: unknown };
  const { properties = {}, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
  const { type, maxLength, format, pattern } = described;
  const isEndless = type === "string" && (maxLength ?? format ?? pattern ?? described.enum) === undefined;
  return [
    ...(isEndless ? [at] : []),
    ...Object.entries(properties).flatMap(([name, member]) => endless(member, `${at}.${name}`)),
    ...(items === undefined ? [] : endless(items, `${at}[]`)),
  ];
}

test("every text that a save takes has a most, so that a page of a listing has one", () => {
  const bodies = operations
    .filter(({ path }) => path.startsWith("/rest/"))
    .flatMap(({ operation }) => operation.requestBody?.content["application/json"]?.schema ?? []);
  expect(bodies.length).toBeGreaterThanOrEqual(7);
  expect(bodies.flatMap((schema) => endless(schema))).toEqual([]);
});

test("every number that a save takes has a least and a most, so that no sum of them runs over", () => {
  const bodies = operations.flatMap(
    ({ operation }) => operation.requestBody?.content["application/json"]?.schema ?? [],
  );
  expect(bodies.length).toBeGreaterThanOrEqual(7);
  expect(bodies.flatMap((schema) => unbounded(schema))).toEqual([]);
});

describe("as OpenAPI", () => {
  test("it is JSON, of version 3.1, with a title and a version, and needs no token", () => {
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(description.openapi).toMatch(/^3\.1\.\d$/);
    expect(description.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  });

  test("every operation has a name of its own, a summary, and answers that are described", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { operation } of operations) {
      expect(operation.operationId).toMatch(/^[a-z]\w*$/i);
      expect(operation.summary.length).toBeGreaterThan(3);
      const statuses = Object.keys(operation.responses);
      expect(statuses).toContain("200");
      for (const status of statuses) {
        expect(status).toMatch(/^[1-5]\d\d$/);
        expect(operation.responses[status]?.description).toMatch(/\w/);
      }
    }
  });

  test("the parameters of a path are those between its braces, and no two paths are the same but for names", () => {
    for (const { path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      for (const parameter of inPath) expect(parameter.required).toBe(true);
      for (const { name, in: where, schema } of operation.parameters ?? []) {
        expect([name, ["query", "path", "header"].includes(where), typeof schema]).toEqual([name, true, "object"]);
      }
    }
    const shapes = Object.keys(description.paths).map((path) => path.replace(/\{\w+\}/g, "{}"));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test("every schema is JSON Schema that a validator takes, and no reference leads nowhere", () => {
    expect(answer.text).not.toContain('"$ref"');
    const schemas = operations.flatMap(({ operation }) => [
      ...(operation.parameters ?? []).map(({ schema }) => schema),
      ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
      ...Object.values(operation.responses).flatMap(({ content }) =>
        Object.values(content ?? {}).map(({ schema }) => schema),
      ),
    ]);
    expect(schemas.length).toBeGreaterThan(100);
    for (const schema of schemas) Schema.Compile(schema as object);
    const keywords = new Set(schemas.flatMap(keywordsOf));
    const known =
      "type enum const format pattern minimum maximum minLength maxLength maxItems maxProperties default description examples required properties additionalProperties items anyOf";
    expect([...keywords].filter((keyword) => !known.split(" ").includes(keyword))).toEqual([]);
  });

  test("data operations are secured by the token in the query, which OAuth gives; nothing else is", () => {
    expect(description.components).toMatchObject({
      securitySchemes: {
        accessToken: { type: "apiKey", in: "query", name: "access_token" },
        oauth: {
          type: "oauth2",
          flows: {
            authorizationCode: { authorizationUrl: "/oauth2/authorize", tokenUrl: "/oauth2/token", scopes: {} },
          },
        },
      },
    });
    for (const { path, operation } of operations) {
      const isData = path.startsWith("/rest/");
      const { security } = operation as unknown as { security: object[] };
      expect([path, security]).toEqual([path, isData ? [{ accessToken: [] }, { oauth: [] }] : []]);
    }
  });
});

/** Keywords of a schema at any depth. Names of properties are no keywords. */
function keywordsOf(schema: JsonSchema): readonly string[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(schema.anyOf ?? []),
  ];
  return [...Object.keys(schema), ...inner.flatMap(keywordsOf)];
}

/** The addresses in fastify's drawing of its routes, with parameters as `:`. */
function addressesIn(drawing: string): readonly string[] {
  const parents: string[] = [];
  return drawing.split("\n").flatMap((line) => {
    const found = /^([│ ]*)[├└]── (\S+) \(/.exec(line);
    if (found === null) return [];
    const depth = (found[1] as string).length / 4;
    const address = (parents[depth - 1] ?? "") + (found[2] as string).replace(/:[\w|:]+/g, ":");
    parents[depth] = address;
    return [address];
  });
}

describe("is whole and true", () => {
  test("every operation of the document is in it, and what the document doesn't show is marked so and no other", () => {
    const found = operations.map(({ method, path, operation }) => [method.toUpperCase(), path, operation.summary]);
    for (const row of [...DOCUMENTED, ...UNDOCUMENTED]) expect(found).toContainEqual([...row]);
    const others = found.filter(([, path]) => path?.startsWith("/rest/"));
    expect(others).toHaveLength(DOCUMENTED.length - 1 + UNDOCUMENTED.length);
    for (const { path, method, operation } of operations) {
      const isShown = !UNDOCUMENTED.some(([verb, address]) => verb === method.toUpperCase() && address === path);
      expect([path, method, operation["x-undocumented"] === true]).toEqual([path, method, !isShown]);
      if (!isShown) expect(operation.description).toMatch(/^Not shown by the interface document/);
    }
  });

  test("every parameter that the document doesn't show is marked so", () => {
    const marked = operations.flatMap(({ operation }) =>
      (operation.parameters ?? [])
        .filter((parameter) => parameter["x-undocumented"] === true)
        .map(({ name, description: says }) => {
          expect(says).toMatch(/^Not shown by the interface document/);
          return `${operation.operationId} ${name}`;
        }),
    );
    expect(marked.toSorted()).toEqual([
      "listCourses sortBy",
      "listWorkouts dateMode",
      "listWorkouts fields",
      "listWorkouts filters",
    ]);
  });

  test("every address below /rest and /oauth2 that the service has is in it, with every method it takes", async () => {
    const app = appOver({ store: log.store, accounts: {} } as never);
    await app.ready();
    const served = addressesIn(app.printRoutes({ commonPrefix: false }));
    await app.close();
    const described = new Map<string, Set<string>>();
    for (const { method, path } of operations) {
      const address = path.replace(/\/(\{\w+\}|fit|gpx|tcx)(?=\/|$)/g, "/:");
      described.set(address, (described.get(address) ?? new Set()).add(method.toUpperCase()));
    }
    expect([...described.keys()].toSorted()).toEqual(
      served.filter((path) => /^\/(rest|oauth2)\//.test(path)).toSorted(),
    );
    const { token } = await addDemoUser(log);
    for (const [address, methods] of described) {
      if (!address.startsWith("/rest/")) continue;
      const refused = await send(log.url, "DELETE", address.replaceAll("/:", "/x"), { query: { access_token: token } });
      expect(refused.status).toBe(405);
      const allowed = String(refused.headers.allow).split(", ");
      expect([address, allowed.filter((method) => method !== "HEAD").toSorted()]).toEqual([
        address,
        [...methods].toSorted(),
      ]);
    }
  });

  test("the listing's parameters are those of the document, with its ranges and defaults", () => {
    const byName = Object.fromEntries((named("listEquipment").parameters ?? []).map((one) => [one.name, one]));
    expect(Object.keys(byName).toSorted()).toEqual(["activityName", "limit", "offset", "showRetired"]);
    expect(byName.limit?.schema).toEqual({ type: "integer", minimum: 1, maximum: 100, default: 50 });
    expect(byName.offset?.schema).toMatchObject({ type: "integer", minimum: 0 });
    expect(byName.activityName?.schema.type).toBe("integer");
    expect(byName.showRetired?.schema.type).toBe("boolean");
    for (const parameter of Object.values(byName)) expect(parameter.required).not.toBe(true);
  });

  test("a body that may be compressed says so, and no other", () => {
    const packable = operations
      .filter(({ operation }) => operation.parameters?.some(({ name }) => name === "Content-Encoding"))
      .map(({ operation }) => operation.operationId);
    expect(packable.toSorted()).toEqual([
      "importWorkouts_fit",
      "importWorkouts_gpx",
      "importWorkouts_tcx",
      "saveCourseMap_gpx",
      "saveExistingCourse",
      "saveNewCourse",
    ]);
  });

  test("the fields of a workout's save body are those of the document", () => {
    const { schema } = named("saveNewWorkout").requestBody?.content["application/json"] ?? {};
    expect(Object.keys(schema?.properties ?? {}).toSorted()).toEqual(
      "activityID activityName course date details equipment health id intervalSet notes raceStats ratings time weather workoutID workoutName".split(
        " ",
      ),
    );
    expect(schema?.required?.toSorted()).toEqual(["activityID", "date"]);
  });
});

describe("the page for people", () => {
  test("it names every operation with its method and path, marks what the document doesn't show, and has no script", async () => {
    const page = await send(log.url, "GET", "/docs");
    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    for (const { method, path } of operations)
      expect(page.text).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
    expect(page.text.split("not shown by the interface document</span>")).toHaveLength(1 + 3 + 4);
    expect(page.text).not.toMatch(/<script|https?:\/\//);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
  });
});
