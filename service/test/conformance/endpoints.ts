/** The document's table of operations, row by row, the parameters of the equipment listing, and the rules for saving. */
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { type Person, send } from "../client.ts";
import { FILE_ID, fitFile, session } from "../fit.ts";
import {
  ann,
  COURSES,
  describedOperations,
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
  withToken,
} from "./harness.ts";

const JSON_TYPE = { "content-type": "application/json" };
const PACKED = { "content-encoding": "gzip" };

const FIT = fitFile([FILE_ID, session("2024-03-01T23:30:00Z", 1, 1800, 5000)]);
const GPX =
  '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>' +
  '<trkpt lat="48" lon="16"><time>2024-07-01T10:00:00Z</time></trkpt>' +
  '<trkpt lat="48.001" lon="16"><time>2024-07-01T10:01:00Z</time></trkpt></trkseg></trk></gpx>';
const TCX =
  '<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>' +
  '<Activity Sport="Biking"><Id>2024-05-05T05:05:05Z</Id><Lap StartTime="2024-05-05T05:05:05Z">' +
  "<TotalTimeSeconds>600</TotalTimeSeconds><DistanceMeters>4000</DistanceMeters></Lap></Activity></Activities></TrainingCenterDatabase>";
const FILES = { fit: FIT, gpx: GPX, tcx: TCX } as const;

/** The body to save each kind of record with, and the part of it that a get must show. */
const RECORDS = [
  {
    what: "workout",
    promised: "What the service does / (6)",
    path: WORKOUTS,
    body: { ...RUN, notes: "a" },
    other: { ...RUN, notes: "b" },
  },
  { what: "course", promised: "What the service does / (7)", path: COURSES, body: { name: "a" }, other: { name: "b" } },
  {
    what: "equipment",
    promised: "What the service does / (8)",
    path: EQUIPMENT,
    body: { activityID: 10, notes: "a" },
    other: { activityID: 10, notes: "b" },
  },
] as const;

export function endpointRules(): void {
  rule("Endpoints / (1) . 1", "every data operation wants a token, in the query and as text", async () => {
    const operations = describedOperations().filter((name) => name.includes("/rest/"));
    // The document's 16, the three imports apart, and the three listings it doesn't show.
    expect(operations).toHaveLength(21);
    for (const name of operations) {
      const [method = "", path = ""] = name.replace("{id}", "0").split(" ");
      expect([name, (await send(log.url, method, path)).status]).toEqual([name, 401]);
      expect((await send(log.url, method, path, { headers: { authorization: `Bearer ${ann.token}` } })).status).toBe(
        401,
      );
    }
  });
  noRule("Endpoints / (1) . 2", "the rules below hold each path");
  rule("Endpoints / (1) . 3", "a body that isn't said to be JSON is refused where JSON is taken", async () => {
    for (const { path, body } of RECORDS) {
      expect((await ann.send("POST", path, { body: JSON.stringify(body) })).status).toBe(415);
      expect((await ann.send("POST", path, { body: JSON.stringify(body), headers: JSON_TYPE })).status).toBe(200);
      expect((await ann.send("POST", path, { body: "{", headers: JSON_TYPE })).json.code).toBe(1);
    }
  });
  userEndpoints();
  workoutEndpoints();
  courseEndpoints();
  equipmentEndpoints();
}

function userEndpoints(): void {
  const everything = {
    screenName: "ann",
    person: { givenName: "Ann" },
    preference: { utcOffset: -3.5, distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
  } as const;
  rule(
    [
      "Endpoints / Get user . 1",
      "Endpoints / Get user . 2",
      "Endpoints / Get user . 4",
      "Endpoints / Get user . 5",
      "What the service does / (4)",
    ],
    "the fields of the user sit in `data` itself",
    async () => {
      const userId = await log.operator.addUser(everything);
      const answer = await withToken(userId, await log.operator.addToken(userId)).send("GET", USER);
      expect([answer.status, answer.json]).toEqual([200, { code: 0, data: everything }]);
    },
  );
  rule(
    "Endpoints / Get user . 3",
    "a token without access to private information is refused, and reads the rest",
    async () => {
      const narrow = withToken(ann.userId, await log.operator.addToken(ann.userId, { readsProfile: false }));
      const answer = await narrow.send("GET", USER);
      expect(answer.status).toBe(403);
      expect(answer.json).toEqual({ code: 7, message: expect.stringContaining("private information") });
      expect((await narrow.send("GET", PREFERENCE)).status).toBe(200);
    },
  );
  rule(
    ["Endpoints / Get preference", "What the service does / (5)"],
    "`data.preference` is what was saved",
    async () => {
      const userId = await log.operator.addUser(everything);
      const answer = await withToken(userId, await log.operator.addToken(userId)).send("GET", PREFERENCE);
      expect([answer.status, answer.json]).toEqual([200, { code: 0, data: { preference: everything.preference } }]);
    },
  );
  rule(
    ["Endpoints / Save preference", "Errors / (3)", "What the service does / (5)"],
    "takes a Preference and answers with `code` alone",
    async () => {
      const saved = await ann.send("PUT", PREFERENCE, { body: { utcOffset: 5.75, distanceUnit: "km" } });
      expect([saved.status, saved.text]).toEqual([200, '{"code":0}']);
      const got = await ann.send("GET", PREFERENCE);
      expect(got.json.data.preference).toEqual({ utcOffset: 5.75, distanceUnit: "km" });
    },
  );
}

/** Rules that the three kinds of records share: get, save new, save existing. */
function recordEndpoints({ what, promised, path, body, other }: (typeof RECORDS)[number], listed: string): void {
  rule([`Endpoints / Get ${what}`, promised], `\`data.${what}\` is the ${what}, by an id of ${listed}`, async () => {
    const bob = await someone();
    await bob.save(path, body);
    const { entries } = (await bob.send("GET", path)).json.data;
    const answer = await bob.send("GET", `${path}/${entries[0].id}`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ code: 0, data: { [what]: expect.objectContaining({ ...body, id: entries[0].id }) } });
    expect((await bob.send("GET", `${path}/${"0".repeat(32)}`)).status).toBe(404);
  });
  rule([`Endpoints / Save new ${what}`, promised], `POST saves new ${what} and gives its id, as text`, async () => {
    const answer = await ann.send("POST", path, { body });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ code: 0, data: { id: expect.any(String) } });
    expect((await ann.send("GET", `${path}/${answer.json.data.id}`)).json.data[what]).toMatchObject(body);
  });
  rule(
    [`Endpoints / Save existing ${what}`, promised],
    `PUT with the id saves existing ${what} and gives the id again`,
    async () => {
      const [id, untouched] = [await ann.save(path, body), await ann.save(path, body)];
      const answer = await ann.send("PUT", `${path}/${id}`, { body: other });
      expect([answer.status, answer.json]).toEqual([200, { code: 0, data: { id } }]);
      expect((await ann.send("GET", `${path}/${id}`)).json.data[what]).toMatchObject(other);
      expect((await ann.send("GET", `${path}/${untouched}`)).json.data[what]).toMatchObject(body);
      expect((await ann.send("PUT", `${path}/${"0".repeat(32)}`, { body: other })).status).toBe(404);
    },
  );
}

function workoutEndpoints(): void {
  recordEndpoints(RECORDS[0], "the workout listing");
  rule(
    ["Endpoints / Import workouts . 1", "Endpoints / Import workouts . 2", "What the service does / (6)"],
    "fit, gpx and tcx are imported, each under its name and no other",
    async () => {
      for (const [type, file] of Object.entries(FILES)) {
        for (const name of Object.keys(FILES)) {
          const answer = await ann.send("POST", `${WORKOUTS}/${name}`, { body: file });
          expect([type, name, answer.status]).toEqual([type, name, type === name ? 200 : 400]);
        }
        expect((await ann.send("POST", `${WORKOUTS}/kml`, { body: file })).status).toBe(404);
      }
    },
  );
  rule("Endpoints / Import workouts . 3", "the body is the file's content, packed with gzip or not", async () => {
    for (const [type, file] of Object.entries(FILES)) {
      const plain = await ann.send("POST", `${WORKOUTS}/${type}`, { body: file });
      const packed = await ann.send("POST", `${WORKOUTS}/${type}`, { body: gzipSync(file), headers: PACKED });
      const shown = async (id: string) => {
        const { id: _id, ...rest } = (await ann.send("GET", `${WORKOUTS}/${id}`)).json.data.workout;
        return rest;
      };
      expect(await shown(packed.json.data.ids[0])).toEqual(await shown(plain.json.data.ids[0]));
    }
  });
  rule("Endpoints / Import workouts . 4", "`ids` are those of the workouts the file became", async () => {
    const file = fitFile([
      FILE_ID,
      session("2024-03-01T08:00:00Z", 1, 900, 750),
      session("2024-03-01T09:00:00Z", 2, 1800, 20000),
    ]);
    const answer = await ann.send("POST", `${WORKOUTS}/fit`, { body: file });
    expect(answer.json).toEqual({ code: 0, data: { ids: [expect.any(String), expect.any(String)] } });
    const workouts = [];
    for (const id of answer.json.data.ids)
      workouts.push((await ann.send("GET", `${WORKOUTS}/${id}`)).json.data.workout);
    expect(workouts).toMatchObject([
      { activityID: 10, date: "2024-03-01", details: { distance: { unit: "m", value: 750 }, duration: 900 } },
      { activityID: 11, date: "2024-03-01", details: { distance: { unit: "m", value: 20000 }, duration: 1800 } },
    ]);
  });
}

function courseEndpoints(): void {
  recordEndpoints(RECORDS[1], "the course listing");
  rule(
    ["Endpoints / Save new course . 2", "Endpoints / Save existing course . 2"],
    "the body may be packed with gzip",
    async () => {
      const headers = { ...JSON_TYPE, ...PACKED };
      const posted = await ann.send("POST", COURSES, { body: gzipSync('{"name":"packed"}'), headers });
      expect(posted.status).toBe(200);
      const path = `${COURSES}/${posted.json.data.id}`;
      expect((await ann.send("PUT", path, { body: gzipSync('{"name":"again"}'), headers })).status).toBe(200);
      expect((await ann.send("GET", path)).json.data.course.name).toBe("again");
    },
  );
  const line = (version: string) =>
    `<gpx version="${version}"><rte><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte></gpx>`;
  rule(
    ["Endpoints / Save course map . 1", "Endpoints / Save course map . 2", "What the service does / (7)"],
    "gpx 1.0 and 1.1 are taken; another version and another type are not",
    async () => {
      const id = await ann.save(COURSES, { name: "mapped" });
      const put = async (type: string, body: string) =>
        (await ann.send("POST", `${COURSES}/${id}/${type}`, { body })).status;
      expect([await put("gpx", line("1.0")), await put("gpx", line("1.1"))]).toEqual([200, 200]);
      expect([await put("gpx", line("2.0")), await put("kml", line("1.1")), await put("fit", line("1.1"))]).toEqual([
        400, 404, 404,
      ]);
    },
  );
  rule("Endpoints / Save course map . 3", "the body is the file's content, packed with gzip or not", async () => {
    const id = await ann.save(COURSES, { name: "mapped" });
    for (const sending of [{ body: line("1.1") }, { body: gzipSync(line("1.1")), headers: PACKED }]) {
      expect((await ann.send("POST", `${COURSES}/${id}/gpx`, sending)).status).toBe(200);
    }
  });
  rule(
    ["Endpoints / Save course map . 4", "Errors / (2) . 2"],
    "a map that is saved is answered with code 0",
    async () => {
      const id = await ann.save(COURSES, { name: "mapped" });
      const answer = await ann.send("POST", `${COURSES}/${id}/gpx`, { body: line("1.0") });
      expect([answer.status, answer.text]).toEqual([200, '{"code":0}']);
    },
  );
}

function equipmentEndpoints(): void {
  recordEndpoints(RECORDS[2], "the equipment listing");
  rule(
    ["Endpoints / List equipment", "What the service does / (8)"],
    "`data.entries` are pieces of equipment, `data.numEntries` is how many there are in all",
    async () => {
      const bob = await someone();
      const ids = [
        await bob.save(EQUIPMENT, { activityID: 10, modelName: "a" }),
        await bob.save(EQUIPMENT, { activityID: 11 }),
      ];
      const answer = await bob.send("GET", EQUIPMENT, { query: { limit: 1 } });
      const { equipment } = (await bob.send("GET", `${EQUIPMENT}/${ids[0]}`)).json.data;
      expect([answer.status, answer.json]).toEqual([200, { code: 0, data: { entries: [equipment], numEntries: 2 } }]);
    },
  );
  rule(
    ["Endpoints / List training plans", "What the service does / (9)"],
    "`data.entries` are plans, `data.numEntries` is how many there are in all",
    async () => {
      const bob = await someone();
      const plans = [{ name: "one", numWeeks: 16 }, { name: "two" }];
      for (const plan of plans) await log.operator.addTrainingPlan(bob.userId, plan);
      const answer = await bob.send("GET", PLANS);
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual({
        code: 0,
        data: { entries: plans.map((plan) => ({ ...plan, id: expect.any(String) })), numEntries: 2 },
      });
    },
  );
}

export function listingRules(): void {
  const status = async (query: Record<string, string | number | boolean>) =>
    (await ann.send("GET", EQUIPMENT, { query })).status;
  rule("List equipment query parameters / access_token", "required", async () => {
    expect((await send(log.url, "GET", EQUIPMENT)).status).toBe(401);
    expect((await send(log.url, "GET", EQUIPMENT, { query: { access_token: "" } })).status).toBe(401);
    expect(await status({})).toBe(200);
  });
  rule(
    "List equipment query parameters / activityName",
    "a whole number; only equipment of that activity id is listed",
    async () => {
      const bob = await someone();
      for (const activityID of [10, 11, 10]) await bob.save(EQUIPMENT, { activityID });
      const listed = async (activityName: number) => {
        const { entries, numEntries } = (await bob.send("GET", EQUIPMENT, { query: { activityName } })).json.data;
        return [entries.map((entry: { activityID: number }) => entry.activityID), numEntries];
      };
      expect([await listed(10), await listed(11), await listed(12)]).toEqual([
        [[10, 10], 2],
        [[11], 1],
        [[], 0],
      ]);
      for (const activityName of ["Run", "", "10.5", "-1"]) expect(await status({ activityName })).toBe(400);
    },
  );
  manyPieces();
  rule(
    "List equipment query parameters / showRetired",
    "true lists retired pieces too; false and absent don't",
    async () => {
      const bob = await someone();
      const ids: string[] = [];
      for (let made = 0; made < 3; made++) ids.push(await bob.save(EQUIPMENT, { activityID: 10 }));
      await log.operator.retireEquipment(bob.userId, ids[1] as string);
      const listed = async (query: Record<string, boolean>) => {
        const { entries, numEntries } = (await bob.send("GET", EQUIPMENT, { query })).json.data;
        return [entries.map((entry: { id: string }) => ids.indexOf(entry.id)), numEntries];
      };
      expect(await listed({ showRetired: true })).toEqual([[0, 1, 2], 3]);
      expect(await listed({ showRetired: false })).toEqual([[0, 2], 2]);
      expect(await listed({})).toEqual([[0, 2], 2]);
      for (const showRetired of ["yes", "1", ""]) expect(await status({ showRetired })).toBe(400);
    },
  );
}

/** Rules that need more pieces than a page holds. */
function manyPieces(): void {
  let collector: Person | undefined;
  const order: string[] = [];
  const listed = async (query: Record<string, number | string>) => {
    if (collector === undefined) {
      collector = await someone();
      for (let made = 0; made < 101; made++) order.push(await collector.save(EQUIPMENT, { activityID: 10 }));
    }
    const answer = await collector.send("GET", EQUIPMENT, { query });
    return {
      status: answer.status,
      ids: answer.json.data?.entries.map((entry: { id: string }) => entry.id),
      json: answer.json,
    };
  };
  rule(
    [
      "List equipment query parameters / limit . 1",
      "List equipment query parameters / limit . 2",
      "List equipment query parameters / limit . 3",
      "Limits / limit parameter . 1",
      "Limits / limit parameter . 3",
    ],
    "a whole number of records from 1 to 100; outside it is refused by name",
    async () => {
      for (const limit of [1, 2, 99, 100]) expect((await listed({ limit })).ids).toEqual(order.slice(0, limit));
      for (const limit of [0, 101, -1, 1e9, "abc", "50.5", ""]) {
        const { status, json } = await listed({ limit });
        expect([limit, status, json]).toEqual([
          limit,
          400,
          { code: 2, message: "limit: must be a whole number from 1 to 100" },
        ]);
      }
    },
  );
  rule(
    ["List equipment query parameters / limit . 4", "Limits / limit parameter . 2"],
    "50 records where nothing is said",
    async () => expect((await listed({})).ids).toEqual(order.slice(0, 50)),
  );
  rule(
    "List equipment query parameters / offset",
    "a whole number: how many come before the first item returned",
    async () => {
      expect((await listed({ offset: 0, limit: 2 })).ids).toEqual(order.slice(0, 2));
      expect((await listed({ offset: 100, limit: 2 })).ids).toEqual(order.slice(100));
      const { ids, json } = await listed({ offset: 101 });
      expect([ids, json.data.numEntries]).toEqual([[], 101]);
      for (const offset of ["-1", "1.5", "a", ""]) expect((await listed({ offset })).status).toBe(400);
    },
  );
}

export function savingRules(): void {
  rule("Rules for saving / 1", "POST creates and PUT updates, and both take the same body", async () => {
    for (const { what, path, body, other } of RECORDS) {
      const bob = await someone();
      const id = await bob.save(path, body);
      const shown = async () => (await bob.send("GET", `${path}/${id}`)).json.data[what];
      const first = await shown();
      expect((await bob.send("PUT", `${path}/${id}`, { body: other })).status).toBe(200);
      expect((await bob.send("PUT", `${path}/${id}`, { body })).status).toBe(200);
      expect(await shown()).toEqual(first);
      expect((await bob.send("GET", path)).json.data.numEntries).toBe(1);
      await bob.save(path, body);
      expect((await bob.send("GET", path)).json.data.numEntries).toBe(2);
      expect((await bob.send("PUT", path, { body })).status).toBe(405);
      expect((await bob.send("POST", `${path}/${id}`, { body })).status).not.toBe(200);
    }
  });
  rule(
    ["Rules for saving / 4", "Limits / Compression"],
    "gzip with its header where a course, a file or a map is sent, and nowhere else; without the header it is refused",
    async () => {
      const packed = (body: object) => ({ body: gzipSync(JSON.stringify(body)), headers: { ...JSON_TYPE, ...PACKED } });
      const unsaid = (body: object) => ({ body: gzipSync(JSON.stringify(body)), headers: JSON_TYPE });
      const course = await ann.save(COURSES, { name: "a" });
      const [workout, piece] = [await ann.save(WORKOUTS, RUN), await ann.save(EQUIPMENT, { activityID: 10 })];
      const answered = async (method: string, path: string, sending: object) =>
        (await ann.send(method, path, sending)).status;
      expect(await answered("POST", COURSES, packed({ name: "b" }))).toBe(200);
      expect(await answered("PUT", `${COURSES}/${course}`, packed({ name: "b" }))).toBe(200);
      expect(await answered("POST", COURSES, unsaid({ name: "b" }))).toBe(400);
      expect(await answered("POST", `${WORKOUTS}/fit`, { body: gzipSync(FIT), headers: PACKED })).toBe(200);
      expect(await answered("POST", `${WORKOUTS}/fit`, { body: gzipSync(FIT) })).toBe(400);
      expect(await answered("POST", `${COURSES}/${course}/gpx`, { body: gzipSync(GPX), headers: PACKED })).toBe(200);
      expect(await answered("POST", `${COURSES}/${course}/gpx`, { body: gzipSync(GPX) })).toBe(400);
      for (const [method, path, body] of [
        ["POST", WORKOUTS, RUN],
        ["PUT", `${WORKOUTS}/${workout}`, RUN],
        ["POST", EQUIPMENT, { activityID: 10 }],
        ["PUT", `${EQUIPMENT}/${piece}`, { activityID: 10 }],
        ["PUT", PREFERENCE, {}],
      ] as const) {
        expect([method, path, await answered(method, path, packed(body))]).toEqual([method, path, 415]);
      }
    },
  );
  rule(
    "Rules for saving / 5",
    "commercial plans of other applications are left out and not counted; all others are listed",
    async () => {
      const userId = await log.operator.addUser({ screenName: "gus" });
      const plan = (name: string, attributes: object, application?: string) =>
        log.operator.addTrainingPlan(userId, { name, attributes, ...(application !== undefined && { application }) });
      await plan("commercial of a", { commercial: true }, "a");
      await plan("commercial of b", { commercial: true }, "b");
      await plan("private of b", { private: true }, "b");
      await plan("plain of a", {}, "a");
      await plan("own", {});
      await plan("own commercial", { commercial: true });
      const listed = async (application?: string) => {
        const token = await log.operator.addToken(userId, application === undefined ? {} : { application });
        const { entries, numEntries } = (await withToken(userId, token).send("GET", PLANS)).json.data;
        expect(numEntries).toBe(entries.length);
        return entries.map((entry: { name: string }) => entry.name);
      };
      expect(await listed("a")).toEqual(["commercial of a", "private of b", "plain of a", "own"]);
      expect(await listed("b")).toEqual(["commercial of b", "private of b", "plain of a", "own"]);
    },
  );
  noRule(
    [1, 2, 3].map((item) => `Gaps in the endpoints / (${item})`),
    "the document says that it is silent here; what the service does instead is in `service/gaps.ts`",
  );
}

export function closingRules(): void {
  const SILENT = "the document says that it is silent here; what the service does instead is in `service/gaps.ts`";
  noRule("Events / (1)", "there is none to hold");
  rule("Errors / (2) . 1", "every data operation that succeeds is answered with code 0", async () => {
    const bob = await someone();
    for (const path of [USER, PREFERENCE, WORKOUTS, COURSES, EQUIPMENT, PLANS]) {
      expect((await bob.send("GET", path)).json.code).toBe(0);
    }
    for (const { path, body } of RECORDS) expect((await bob.send("POST", path, { body })).json.code).toBe(0);
  });
  noRule(["Errors / (4)", "Errors / (5)", "Errors / (6)", "Limits / (1)"], SILENT);
  rule("Versioning / (1)", "no path, header or parameter names a version", async () => {
    for (const name of describedOperations()) expect(name).not.toMatch(/\/v\d/);
    const { headers } = await ann.send("GET", PREFERENCE, { query: { version: "7" } });
    expect(Object.keys(headers).filter((name) => name.includes("version"))).toEqual([]);
  });
}
