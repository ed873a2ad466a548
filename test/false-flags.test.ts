import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { runHere } from "./support/here.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

// A log can say that it was not windy. Every copy of a log must carry that too. The test compares the copy with the raw answers of the first log's
// interface, and not with logferry's reading of them.

const LOG = "/rest/logs/me";

const WORKOUTS = [
  { activityID: 10, date: "2024-05-01", time: "07:00:00", weather: { conditions: { clear: true, windy: false } } },
  { activityID: 10, date: "2024-05-02", time: "07:00:00", weather: { conditions: { snow: false, windy: false } } },
  { activityID: 10, date: "2024-05-03", time: "07:00:00", weather: { conditions: { overcast: true } } },
];
const COURSES = [
  { name: "River", surfaces: { asphalt: true, gravel: false } },
  { name: "Wood", surfaces: { asphalt: false } },
];

/** A log, and another user's at the same service. */
let from: Rehearsal;
let to: Rehearsal;

beforeEach(async () => {
  from = await rehearse();
  const userId = await from.service.operator.addUser({
    screenName: "other",
    preference: { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" },
  });
  const token = await from.service.operator.addToken(userId);
  to = { ...from, userId, token, folder: join(from.folder, "other") };
  for (const body of WORKOUTS) await post("workouts", body);
  for (const body of COURSES) await post("courses", body);
});
afterEach(async () => {
  await from.close();
});

async function post(what: string, body: object): Promise<void> {
  const answer = await fetch(`${from.service.url}${LOG}/${what}?access_token=${from.token}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

/** The flags of a log, as its interface gives them. */
async function flagsOf({ token }: Rehearsal) {
  const get = async (path: string) => {
    const separator = path.includes("?") ? "&" : "?";
    const answer = await fetch(`${from.service.url}${LOG}/${path}${separator}access_token=${token}`);
    return ((await answer.json()) as { data: Record<string, unknown> }).data;
  };
  const listed = async (path: string) => (await get(`${path}?limit=100`)).entries as { id: string }[];
  const workouts = [];
  for (const { id } of await listed("workouts")) {
    const { workout } = (await get(`workouts/${id}`)) as {
      workout: { date: string; weather?: { conditions?: object } };
    };
    workouts.push({ date: workout.date, conditions: workout.weather?.conditions });
  }
  const courses = [];
  for (const { id } of await listed("courses")) {
    const { course } = (await get(`courses/${id}`)) as { course: { name: string; surfaces?: object } };
    courses.push({ name: course.name, surfaces: course.surfaces });
  }
  return { workouts, courses: courses.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

const EXPECTED = {
  workouts: WORKOUTS.toReversed().map(({ date, weather }) => ({ date, conditions: weather.conditions })),
  courses: COURSES,
};

test("a restore into an empty log brings back flags that are false", async () => {
  expect(await flagsOf(from)).toEqual(EXPECTED);
  const repository = join(from.folder, "repository");
  const backedUp = await runHere(from, ["backup", "--repository", repository, "--drill"]);
  expect(backedUp).toMatchObject({ code: 0 });
  const restored = await runHere(to, ["restore", "latest", "--repository", repository, "--into", "other"], {
    journal: join(from.folder, "other.db"),
  });
  expect(restored).toMatchObject({ code: 0 });
  expect(await flagsOf(to)).toEqual(EXPECTED);
});

/** A service in front of the log's own. Its first answer about each workout leaves a flag out, as a faulty reader could. */
async function forgetful(): Promise<{ readonly url: string; readonly server: Server }> {
  const told = new Set<string>();
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${from.service.url}${request.url}`);
    const path = (request.url ?? "").split("?")[0] ?? "";
    const isFirst = /\/workouts\/[^/]+$/.test(path) && !told.has(path);
    told.add(path);
    const text = await answer.text();
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(isFirst ? text.replaceAll(',"windy":false', "") : text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test("a drill after a backup asks the log itself, and so finds what the snapshot lacks", async () => {
  const { url, server } = await forgetful();
  const through = { ...from, service: { ...from.service, url } };
  const words = ["backup", "--repository", join(from.folder, "repository"), "--drill", "--json"];
  const ran = await runHere(through, words);
  server.close();
  const differences = jsonLines(ran.out).filter(({ type }) => type === "difference");
  expect(differences).toMatchObject([
    { kind: "workout", differences: [{ field: "weather.conditions.windy", expected: "not set" }] },
  ]);
  expect(ran.code).not.toBe(0);
});

rowTest.each(firstOf(1, ["json", "ndjson", "csv"]))(
  "an export as %s and its import bring over flags that are false",
  async (format) => {
    const folder = join(from.folder, "export");
    expect(await runHere(from, ["export", "--out", folder, "--format", format])).toMatchObject({ code: 0 });
    const imported = await runHere(to, ["import", folder], { journal: join(from.folder, "other.db") });
    expect(imported).toMatchObject({ code: 0 });
    expect(await flagsOf(to)).toEqual(EXPECTED);
  },
);
