import { expect, test } from "vitest";
import { calm, errorOf, type Rig, withServer } from "../../test/support/api.ts";
import type { Received, Reply } from "../../test/support/http-server.ts";
import { type LogRecord, type ReadProgress, readLog } from "./source.ts";

const LISTS: Readonly<Record<string, (request: Received) => readonly string[]>> = {
  "/rest/logs/me/equipment": ({ query }) => (query.get("showRetired") === "true" ? ["e1", "e2"] : ["e2"]),
  "/rest/logs/me/courses": () => ["c1"],
  "/rest/logs/me/training_plans": () => ["p1"],
  "/rest/logs/me/workouts": () => Array.from({ length: 12 }, (_, i) => `w${i}`),
};

/** A small log. `faults` are answers that replace its own, by path. */
function smallLog(faults: Readonly<Record<string, Reply>> = {}) {
  return (request: Received): Reply => {
    const { path } = request;
    const fault = faults[path];
    if (fault !== undefined) return fault;
    const list = LISTS[path]?.(request);
    if (list !== undefined) {
      return { json: { code: 0, data: { entries: list.map((id) => ({ id })), numEntries: list.length } } };
    }
    if (path === "/rest/users/me") return { json: { code: 0, data: { screenName: "runner" } } };
    if (path === "/rest/users/me/preference") {
      return { json: { code: 0, data: { preference: { distanceUnit: "km" } } } };
    }
    const [, kind, id] = /\/rest\/logs\/me\/(course|workout)s\/(.+)$/.exec(path) ?? [];
    return { json: { code: 0, data: { [kind ?? ""]: { id, notes: `all of ${id}` } } } };
  };
}

async function readAll({ connection }: Rig, onProgress?: (progress: ReadProgress) => void): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const record of readLog(connection, calm(), onProgress)) records.push(record);
  return records;
}

test("the whole log is read: user, preference, equipment with what is retired, courses, plans, then workouts in full, in order", async () => {
  await withServer(smallLog(), async (rig) => {
    const records = await readAll(rig);
    expect(records.slice(0, 6)).toEqual([
      { kind: "user", id: "me", value: { screenName: "runner" } },
      { kind: "preference", id: "me", value: { distanceUnit: "km" } },
      { kind: "equipment", id: "e1", value: { id: "e1", retired: true } },
      { kind: "equipment", id: "e2", value: { id: "e2", retired: false } },
      { kind: "course", id: "c1", value: { id: "c1", notes: "all of c1" } },
      { kind: "training-plan", id: "p1", value: { id: "p1" } },
    ]);
    expect(records.slice(6)).toEqual(
      Array.from({ length: 12 }, (_, i) => ({
        kind: "workout",
        id: `w${i}`,
        value: { id: `w${i}`, notes: `all of w${i}` },
      })),
    );
    expect(rig.issues).toEqual([]);
  });
});

test("a workout that is listed and gone is recorded and passed over", async () => {
  const faults = {
    "/rest/logs/me/workouts/w3": { status: 404 },
    "/rest/logs/me/workouts/w5": { json: { code: 12 } },
  };
  await withServer(smallLog(faults), async (rig) => {
    const progress: ReadProgress[] = [];
    const workouts = (await readAll(rig, (now) => progress.push(now))).filter(({ kind }) => kind === "workout");
    expect(workouts.map(({ id }) => id)).toEqual(["w0", "w1", "w2", "w4", "w6", "w7", "w8", "w9", "w10", "w11"]);
    expect(rig.issues.map(({ rule, origin }) => [rule, origin?.entry])).toEqual([
      ["api/gone", "/rest/logs/me/workouts/w3"],
      ["api/code-12", "/rest/logs/me/workouts/w5"],
    ]);
    expect(progress.at(-1)).toEqual({ kind: "workout", done: 10, passedOver: 2, total: 12, waiting: undefined });
  });
});

test("what the service doesn't list is said, and the rest is read", async () => {
  const faults = {
    "/rest/logs/me/workouts": { status: 404 },
    "/rest/logs/me/courses": { status: 404 },
    "/rest/users/me": { status: 403 },
  };
  await withServer(smallLog(faults), async (rig) => {
    expect((await readAll(rig)).map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      "preference me",
      "equipment e1",
      "equipment e2",
      "training-plan p1",
    ]);
    expect(rig.issues.map(({ rule, origin }) => [rule, origin?.entry])).toEqual([
      ["api/http-403", "/rest/users/me"],
      ["api/no-listing", "/rest/logs/me/courses"],
      ["api/no-listing", "/rest/logs/me/workouts"],
    ]);
  });
});

test("a token that is refused half way ends the reading", async () => {
  await withServer(smallLog({ "/rest/logs/me/workouts/w6": { status: 401 } }), async (rig) => {
    expect(await errorOf(readAll(rig))).toMatchObject({ code: "api/http-401", reason: "login" });
  });
});

test("whoever leaves early leaves no request behind", async () => {
  await withServer(smallLog(), async ({ connection, server }) => {
    for await (const { id } of readLog(connection, calm())) if (id === "w1") break;
    const asked = server.requests.length;
    expect(connection.pacing.counts).toMatchObject({ running: 0, waiting: 0 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.requests.length).toBe(asked);
    expect(server.requests.some(({ path }) => path.endsWith("/w11"))).toBe(false);
  });
});
