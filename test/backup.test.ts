import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { takeRepositoryLock } from "../pipelines/journal/lock.ts";
import { jsonLines } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { runHere } from "./support/here.ts";
import { fillLog } from "./support/logged.ts";
import { type Ran, type Rehearsal, type RehearsalOptions, rehearse } from "./support/rehearsal.ts";
import { type RequestLog, requestLog } from "./support/request-log.ts";

// Backups as a person makes them, against the real service. What the log holds is read by a client that shares nothing with ours.

let log: Rehearsal;
let asked: RequestLog;

async function open(options: RehearsalOptions = {}): Promise<void> {
  asked = requestLog();
  log = await rehearse("kilometres", { log: asked, ...options });
}
beforeEach(() => open());
afterEach(() => log.close());

const repository = () => join(log.folder, "repository");

/** A command with the repository, in this process. */
const here = (...words: string[]): Promise<Ran> => runHere(log, [...words, "--repository", repository()]);

/** The one JSON line of a type that a command printed. */
async function line(type: string, ...words: string[]): Promise<Record<string, unknown>> {
  const ran = await here(...words, "--json");
  const [only, ...others] = jsonLines(ran.out).filter((one) => one.type === type);
  if (only === undefined || others.length > 0) expect.unreachable(`${ran.out}${ran.err}`);
  return { ...only, code: ran.code };
}

async function save(path: string, body: object, id?: string): Promise<string> {
  const answer = await fetch(
    `${log.service.url}/rest/logs/me/${path}${id === undefined ? "" : `/${id}`}?access_token=${log.token}`,
    {
      method: id === undefined ? "POST" : "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    },
  );
  const { code, data } = (await answer.json()) as { code: number; data: { id: string } };
  expect(code).toBe(0);
  return data.id;
}

/** The records of the last snapshot of the repository, by the kind's folder: by what its page says, without our reader. */
function held(): Record<string, Record<string, unknown>[]> {
  const name = readdirSync(join(repository(), "snapshots")).toSorted().at(-1) ?? "";
  const { pieces } = JSON.parse(readFileSync(join(repository(), "snapshots", name), "utf8")) as {
    pieces: { file: string }[];
  };
  const records = pieces.flatMap(({ file }) =>
    zstdDecompressSync(readFileSync(join(repository(), file)))
      .toString()
      .trimEnd()
      .split("\n")
      .map((text) => ({ folder: file.split("/")[1] ?? "", value: JSON.parse(text).value as Record<string, unknown> })),
  );
  const byFolder = Object.groupBy(records, ({ folder }) => folder);
  return Object.fromEntries(
    Object.entries(byFolder).map(([folder, some = []]) => [folder, some.map(({ value }) => value)]),
  );
}

const LOG = "/rest/logs/me";

/** Every record of a listing in full, each as the interface gives it. */
async function inFull(path: string, member: string): Promise<Record<string, unknown>[]> {
  const records = [];
  for (const { id } of await log.listed(`${LOG}/${path}`)) {
    records.push((await log.get(`${LOG}/${path}/${id}`))[member] as Record<string, unknown>);
  }
  return records;
}

const byId = (records: readonly Record<string, unknown>[] = []) =>
  records.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));

/** What our reader makes regular: a workout's piece of equipment as a list, flags as the names of those that are set and of those that are false. */
function regular({ weather, equipment, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const { conditions, temperature } = (weather ?? {}) as { conditions?: object; temperature?: object };
  return {
    ...rest,
    ...(equipment !== undefined && { equipment: [equipment].flat() }),
    ...(conditions !== undefined && { weather: { ...namesOf(conditions), temperature } }),
  };
}

function namesOf(flags: object): Record<string, readonly string[]> {
  const names = (wanted: boolean) => Object.entries(flags).flatMap(([name, flag]) => (flag === wanted ? [name] : []));
  return Object.fromEntries(
    [
      ["conditions", names(true)],
      ["falseConditions", names(false)],
    ].filter(([, list]) => list?.length !== 0),
  );
}

describe("a snapshot", () => {
  test("holds the whole log: workouts in full, courses, equipment with what is retired, plans, user and preference", async () => {
    const filled = await fillLog(log);
    expect(await line("snapshot", "backup")).toMatchObject({
      code: 0,
      pass: "full",
      records: { user: 1, preference: 1, equipment: 4, course: 3, "training-plan": 1, workout: filled.workouts },
      unread: [],
    });
    const { workouts, courses, equipment, user, preference, ...plans } = held();
    expect(byId(workouts)).toEqual(byId((await inFull("workouts", "workout")).map(regular)));
    expect(courses?.map(({ name, notes, surfaces }) => [name, notes, surfaces]).toSorted()).toEqual(
      [
        ["River, and back", undefined, undefined],
        ["River, and back", "flat\nmostly", ["asphalt", "singleTrack"]],
        ["no length", undefined, undefined],
      ].toSorted(),
    );
    expect(equipment?.map(({ modelName, retired }) => [modelName ?? "", retired]).toSorted()).toEqual([
      ["", false],
      ["", false],
      ["=Fast", true],
      ["Goggles", false],
    ]);
    expect(plans["training-plans"]).toMatchObject([{ name: "Marathon", numWeeks: 16, beginDate: "2024-01-01" }]);
    expect(user).toMatchObject([{ screenName: "demo" }]);
    expect(preference).toMatchObject([{ distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" }]);
  });

  test("of an unchanged log costs the listings, the user and the preference, and no file of data", async () => {
    for (let day = 1; day <= 28; day++)
      await save("workouts", { activityID: 10, date: `2024-02-${String(day).padStart(2, "0")}` });
    await save("courses", { name: "River" });
    await here("backup");
    const files = readdirSync(join(repository(), "data"), { recursive: true }).length;
    const before = asked.all.length;
    expect(await line("snapshot", "backup")).toMatchObject({ code: 0, pass: "changes", readInFull: 0, written: 0 });
    expect(
      asked.all
        .slice(before)
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    ).toEqual([
      `GET ${LOG}/courses`,
      `GET ${LOG}/equipment`,
      `GET ${LOG}/equipment`,
      `GET ${LOG}/training_plans`,
      `GET ${LOG}/workouts`,
      // Asked with one entry, whether the service knows `fields`.
      `GET ${LOG}/workouts`,
      "GET /rest/users/me",
      "GET /rest/users/me/preference",
    ]);
    expect(readdirSync(join(repository(), "data"), { recursive: true })).toHaveLength(files);
  });

  test("after edits reads what is new or shows otherwise; an edit that no listing shows waits for the full pass", async () => {
    const run = { activityID: 10, date: "2024-02-10", details: { distance: { unit: "km", value: 10 } } };
    const [kept, noted, longer, moved, gone, effort] = (await Promise.all(
      Array.from({ length: 6 }, () => save("workouts", run)),
    )) as [string, string, string, string, string, string];
    await here("backup");
    await save("workouts", { ...run, notes: "it rained" }, noted);
    await save("workouts", { ...run, details: { distance: { unit: "km", value: 12 } } }, longer);
    await save("workouts", { ...run, date: "2023-12-31" }, moved);
    await save("workouts", { ...run, ratings: { effort: 7 } }, effort);
    deleteWorkout(join(log.folder, "service.db"), gone);
    const added = await save("workouts", { ...run, date: "2024-03-01" });
    const before = asked.all.length;
    expect(await line("snapshot", "backup")).toMatchObject({ code: 0, readInFull: 4, records: { workout: 6 } });
    const read = asked.all.slice(before).flatMap(({ path }) => /workouts\/(\w+)$/.exec(path)?.[1] ?? []);
    expect(read.toSorted()).toEqual([noted, longer, moved, added].toSorted());
    const shown = () => Object.fromEntries((held().workouts ?? []).map(({ id, ratings }) => [id, ratings]));
    expect(Object.keys(shown()).toSorted()).toEqual([kept, noted, longer, moved, effort, added].toSorted());
    expect(shown()[effort]).toBeUndefined();
    expect(await line("snapshot", "backup", "--full-every", "7")).toMatchObject({ pass: "changes", readInFull: 0 });
    expect(await line("snapshot", "backup", "--full-every", "0")).toMatchObject({ pass: "full", readInFull: 6 });
    expect(shown()[effort]).toEqual({ effort: 7 });
    expect(await line("repository", "check")).toMatchObject({ code: 0, damaged: 0, snapshots: 4 });
  });

  test("of an empty log is one too", async () => {
    expect(await line("snapshot", "backup")).toMatchObject({ code: 0, records: { user: 1, preference: 1 } });
    expect(await line("repository", "check")).toMatchObject({ code: 0, records: 2, damaged: 0 });
  });
});

describe("a service that misbehaves", () => {
  test("answers that are lost, cut, refused or late leave no gap", async () => {
    await log.close();
    const armed = [
      "reset-after-commit:GET /rest/**:every=17",
      "cut-body:GET /rest/**:every=19",
      "status-before-commit:GET /rest/**:status=503,every=13",
      "status-before-commit:GET /rest/**:status=429,retry-after=0,every=23",
    ];
    await open({ faults: { armed } });
    const filled = await fillLog(log);
    expect(await line("snapshot", "backup")).toMatchObject({
      code: 0,
      records: { workout: filled.workouts },
      unread: [],
    });
    expect(log.service.faults.hits().every(({ hits }) => hits > 0)).toBe(true);
    expect(await line("repository", "check")).toMatchObject({ code: 0, damaged: 0 });
  });

  test("a listing that shifts while it is read is read again: nobody is missing who was there all along", async () => {
    const { store } = log.service;
    const ids: string[] = [];
    for (let index = 0; index < 250; index++) {
      const month = String(1 + Math.floor(index / 25)).padStart(2, "0");
      const day = String(1 + (index % 25)).padStart(2, "0");
      ids.push(await store.addWorkout(log.userId, { activityID: 10, date: `2024-${month}-${day}` }));
    }
    // While the second page is asked for, one of the first is taken out and one is added that is older than all: the total stays.
    const list = store.workouts.bind(store);
    let isDone = false;
    let old = "";
    store.workouts = async (userId, slice, ...rest) => {
      if (slice.offset > 0 && !isDone) {
        isDone = true;
        deleteWorkout(join(log.folder, "service.db"), ids[249] ?? "");
        old = await store.addWorkout(log.userId, { activityID: 10, date: "1999-01-01" });
      }
      return list(userId, slice, ...rest);
    };
    expect(await line("snapshot", "backup")).toMatchObject({ code: 0, records: { workout: 250 } });
    expect(isDone).toBe(true);
    expect((held().workouts ?? []).map(({ id }) => id).toSorted()).toEqual([...ids.slice(0, 249), old].toSorted());
  });

  test("a listing that never holds still ends the backup with 75, and there is no snapshot", async () => {
    await log.close();
    await open({ faults: { armed: ["insert-workout:GET /rest/logs/me/workouts"] } });
    for (let day = 0; day < 110; day++)
      await log.service.store.addWorkout(log.userId, { activityID: 10, date: "2024-01-01" });
    const ran = await here("backup");
    expect(ran.code).toBe(75);
    expect(ran.err).toContain("Cannot list the workouts: the list changed each of the 5 times it was read");
    expect(readdirSync(join(repository(), "snapshots"))).toEqual([]);
  });

  test("a record that can't be read keeps its older copy, is named, and the exit code is 3", async () => {
    const id = await save("workouts", { activityID: 10, date: "2024-02-10", notes: "before" });
    await here("backup");
    await save("workouts", { activityID: 10, date: "2024-02-10", notes: "after" }, id);
    const lost = await save("workouts", { activityID: 10, date: "2024-02-11" });
    const read = log.service.store.workout.bind(log.service.store);
    const { Refusal } = await import("../service/http/refusals.ts");
    log.service.store.workout = async (userId, one) => {
      if (one === id || one === lost) throw new Refusal("bad-parameter", "no");
      return read(userId, one);
    };
    const ran = await here("backup");
    expect(ran).toMatchObject({ code: 3 });
    expect(ran.err).toContain(`The workout ${id} could not be read: its older copy is kept`);
    expect(ran.err).toContain(`The workout ${lost} could not be read: it is not in the snapshot`);
    expect(ran.out).toContain("2 could not be read.");
    expect(held().workouts).toMatchObject([{ id, notes: "before" }]);
    log.service.store.workout = read;
    expect(await line("snapshot", "backup")).toMatchObject({ code: 0, records: { workout: 2 }, unread: [] });
    expect(held().workouts).toMatchObject([{ notes: "after" }, { id: lost }]);
  });

  test("a record that is denied while it is still listed is unread, and not gone; one that was taken out is gone", async () => {
    const denied = await save("workouts", { activityID: 10, date: "2024-02-10", ratings: { effort: 3 } });
    const fresh = await save("workouts", { activityID: 10, date: "2024-02-11" });
    const removed = await save("workouts", { activityID: 10, date: "2024-02-12" });
    const course = await save("courses", { name: "River" });
    await here("backup");
    await save("workouts", { activityID: 10, date: "2024-02-10", ratings: { effort: 5 } }, denied);
    const { Refusal } = await import("../service/http/refusals.ts");
    const { store } = log.service;
    const [workout, readCourse] = [store.workout.bind(store), store.course.bind(store)];
    store.workout = async (userId, one) => {
      if (one === removed) deleteWorkout(join(log.folder, "service.db"), removed);
      if (one === denied) throw new Refusal("not-found", "no such workout");
      return workout(userId, one);
    };
    store.course = async () => {
      throw new Refusal("not-found", "no such course");
    };
    const ran = await here("backup", "--full");
    Object.assign(store, { workout, course: readCourse });
    expect(ran).toMatchObject({ code: 3 });
    expect(ran.err).toContain(`The workout ${denied} could not be read: its older copy is kept`);
    expect(ran.err).toContain(`The course ${course} could not be read: its older copy is kept`);
    expect(held().workouts).toMatchObject([{ id: denied, ratings: { effort: 3 } }, { id: fresh }]);
    // No listing shows an effort: it is read again because it could not be read before.
    expect(await line("snapshot", "backup")).toMatchObject({ code: 0, pass: "changes", readInFull: 2, unread: [] });
    expect(held().workouts).toMatchObject([{ id: denied, ratings: { effort: 5 } }, { id: fresh }]);
  });
});

test("a log that lost half its records is said once, and takes no older snapshot with it", async () => {
  const ids = await Promise.all(
    Array.from({ length: 40 }, () => save("workouts", { activityID: 10, date: "2024-02-10" })),
  );
  await here("backup");
  const goes = (some: readonly string[]) => {
    for (const id of some) deleteWorkout(join(log.folder, "service.db"), id);
  };
  goes(ids.slice(0, 19));
  expect(await here("backup", "--keep-last", "1")).toMatchObject({ code: 0 });
  goes(ids.slice(19));
  const ran = await here("backup", "--keep-last", "1");
  expect(ran).toMatchObject({ code: 3 });
  expect(ran.out).toContain("the log lists 0 workouts, and the snapshot before holds 21: look whether that is so.");
  expect(readdirSync(join(repository(), "snapshots"))).toHaveLength(2);
  expect(await here("backup", "--keep-last", "1")).toMatchObject({ code: 0 });
});

describe("damage", () => {
  test("is named by check with 7, stops forget, and what the log still holds is written anew by the next backup", async () => {
    await save("workouts", { activityID: 10, date: "2024-02-10" });
    await save("workouts", { activityID: 10, date: "2025-03-10" });
    await here("backup");
    await here("backup");
    const folder = join(repository(), "data", "workouts");
    const [name = ""] = readdirSync(folder);
    const bytes = readFileSync(join(folder, name));
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(join(folder, name), bytes);
    expect(await line("damage", "check")).toMatchObject({
      code: 7,
      file: `data/workouts/${name}`,
      found: "differs from its checksum",
    });
    const forgetting = await here("forget", "--keep-last", "1");
    expect(forgetting.code).toBe(7);
    expect(forgetting.err).toContain(`Cannot forget anything: data/workouts/${name} differs from its checksum`);
    expect(readdirSync(join(repository(), "snapshots"))).toHaveLength(2);
    const mended = await here("backup");
    expect(mended.code).toBe(3);
    expect(mended.err).toContain(`data/workouts/${name} differs from its checksum`);
    expect(await line("repository", "check")).toMatchObject({ code: 0, damaged: 0, snapshots: 3 });
    expect(await here("backup")).toMatchObject({ code: 0 });
  });

  test("of a snapshot leaves the others, is named by every command, and stops forget", async () => {
    await here("backup");
    await here("backup");
    const folder = join(repository(), "snapshots");
    const [name = ""] = readdirSync(folder);
    writeFileSync(join(folder, name), readFileSync(join(folder, name), "utf8").replace("demo", "dem0"));
    const listed = await here("snapshots");
    expect(listed).toMatchObject({ code: 7 });
    expect(listed.out).toContain("1 snapshot of the log of demo; 1 more can't be read.");
    expect(listed.err).toContain(`snapshots/${name} differs from its checksum`);
    expect(await here("check")).toMatchObject({ code: 7 });
    expect(await here("forget", "--keep-last", "1")).toMatchObject({ code: 7 });
    expect(await here("backup")).toMatchObject({ code: 3 });
  });

  test("that no backup mends is given up by forget --drop-damaged, and the last whole snapshot never is", async () => {
    const id = await save("workouts", { activityID: 10, date: "2024-02-10" });
    await save("workouts", { activityID: 10, date: "2025-03-10" });
    await here("backup");
    const [old = ""] = readdirSync(join(repository(), "data", "workouts"));
    const path = join(repository(), "data", "workouts", old);
    writeFileSync(path, readFileSync(path).subarray(1));
    expect(await here("forget", "--drop-damaged")).toMatchObject({
      code: 7,
      err: expect.stringContaining("Cannot give up what is damaged: no snapshot is whole. Make a backup first"),
    });
    // The log doesn't hold any more what was damaged.
    deleteWorkout(join(log.folder, "service.db"), id);
    await here("backup");
    await here("backup");
    const snapshots = () => readdirSync(join(repository(), "snapshots")).toSorted();
    const [incomplete = "", broken = "", whole = ""] = snapshots();
    writeFileSync(join(repository(), "snapshots", broken), "{}");
    const rehearsed = await here("forget", "--drop-damaged", "--dry-run");
    expect(rehearsed.code).toBe(0);
    expect(rehearsed.out).toContain(`would go snapshots/${broken}, which differs from its checksum`);
    expect(rehearsed.out).toContain("2 damaged files and snapshots would be given up; 1 snapshot whole.");
    expect(snapshots()).toEqual([incomplete, broken, whole]);
    expect(await here("forget", "--drop-damaged", "--keep-last", "3")).toMatchObject({ code: 2 });
    expect((await here("forget", "--drop-damaged")).out).toContain(
      "2 damaged files and snapshots given up; 1 snapshot whole.",
    );
    expect(snapshots()).toEqual([whole]);
    expect(await line("repository", "check")).toMatchObject({ code: 0, damaged: 0, unused: [] });
    expect(await here("forget", "--keep-last", "1")).toMatchObject({ code: 0 });
  });
});

describe("diff", () => {
  test("speaks in the log's own terms", async () => {
    const shoe = await save("equipment", { activityID: 10, brandName: "Acme", modelName: "Fast" });
    const run = { activityID: 10, date: "2024-02-10", equipment: [{ id: shoe }] };
    const [first = "", second = "", third = ""] = [
      await save("workouts", { ...run, details: { distance: { unit: "km", value: 5 } } }),
      await save("workouts", run),
      await save("workouts", { activityID: 10, date: "2024-01-10" }),
    ];
    await save("courses", { name: "River" });
    await here("backup");
    await save("workouts", { ...run, details: { distance: { unit: "km", value: 5 } }, notes: "one" }, first);
    await save("workouts", { ...run, notes: "two", details: { distance: { unit: "km", value: 21.1 } } }, second);
    deleteWorkout(join(log.folder, "service.db"), third);
    for (const day of ["01", "02", "03"]) await save("workouts", { activityID: 11, date: `2024-03-${day}` });
    await here("backup");
    const ran = await here("diff", "latest~1", "latest");
    expect(ran.code).toBe(0);
    expect(ran.out.split("\n").slice(0, -2)).toEqual([
      "Acme Fast: +21.1 km",
      "3 workouts added",
      "1 workout removed",
      "details of 1 workout changed",
      "notes of 2 workouts changed",
    ]);
    expect(ran.out).toMatch(/\n7 records differ between [0-9a-f]{8} \(.*\) and [0-9a-f]{8} \(.*\)\.\n$/);
    const changes = jsonLines((await here("diff", "latest~1", "latest", "--json")).out).filter(
      ({ type }) => type === "change",
    );
    expect(changes.find(({ id }) => id === first)).toMatchObject({
      kind: "workout",
      change: "changed",
      fields: [{ field: "notes", after: "one" }],
    });
    expect(changes.find(({ id }) => id === shoe)).toMatchObject({ name: "Acme Fast", metres: 21_100 });
    expect((await here("diff", "latest", "latest")).out).toMatch(/^Nothing changed between/);
    expect(await here("diff", "latest~9", "latest")).toMatchObject({ code: 2 });
  });
});

describe("forget", () => {
  test("refuses a policy that keeps nothing, rehearses with --dry-run, and keeps what it says", async () => {
    await here("backup");
    await save("workouts", { activityID: 10, date: "2024-02-10" });
    await here("backup");
    for (const words of [[], ["--keep-last", "0", "--keep-daily", "0"]]) {
      const refused = await here("forget", ...words);
      expect(refused).toMatchObject({ code: 2, out: "" });
      expect(refused.err).toMatch(/^Cannot forget: say what to keep/);
    }
    expect((await here("forget", "--keep-daily", "3", "--dry-run")).out).toContain(
      "1 snapshot would be forgotten. 1 would stay.",
    );
    expect(readdirSync(join(repository(), "snapshots"))).toHaveLength(2);
    expect((await here("forget", "--keep-daily", "3")).out).toContain(
      "1 snapshot forgotten, and 0 files of unused data",
    );
    expect(held().workouts).toHaveLength(1);
    expect(await line("repository", "check")).toMatchObject({ code: 0, snapshots: 1, unused: [] });
  });
});

describe("a clock that was years ahead for a night", () => {
  const at = (time: string) => ({ now: () => Date.parse(time), sleep: async () => undefined });
  const by = (time: string, ...words: string[]) =>
    runHere(log, [...words, "--repository", repository()], { clock: at(time) });

  test("hides no silence, keeps no backup from being due, and takes none away", async () => {
    await by("2026-11-20T02:30:00Z", "backup");
    await save("workouts", { activityID: 10, date: "2024-02-10" });
    expect(await by("2099-01-01T00:00:00Z", "backup", "--drill")).toMatchObject({ code: 0 });
    const ahead = readdirSync(join(repository(), "snapshots")).toSorted().at(-1) ?? "";
    const silent = await by("2026-11-22T02:30:00Z", "status", "--max-age", "26h");
    expect(silent).toMatchObject({ code: 7 });
    expect(`${silent.out}${silent.err}`).toContain(
      "Last good backup: 48 h 0 min ago (" +
        `${(await snapshotIds())[0]?.slice(0, 8)}) (TOO OLD: it may be 26h). Last one proven to restore: none yet (logferry backup --drill). THE CLOCK IS OR WAS WRONG: a snapshot is of 2099-01-01T00:00:00.000Z, in the future.`,
    );
    const due = await by(
      "2026-11-22T02:31:00Z",
      "backup",
      "--if-due",
      "24h",
      "--drill-every",
      "7d",
      "--keep-last",
      "1",
    );
    expect(due).toMatchObject({ code: 3 });
    expect(due.out).toContain("1 read in full");
    expect(due.out).toContain("was restored into a private log");
    expect(due.out).toContain(
      `there is a snapshot of 2099-01-01T00:00:00.000Z, still to come: set the clock; where it was wrong then, delete snapshots/${ahead} in the repository`,
    );
    const kept = await by("2026-11-22T02:32:00Z", "forget", "--keep-last", "1");
    expect(kept).toMatchObject({ code: 2 });
    expect(kept.err).toContain("Cannot forget anything: the snapshot ");
    expect(readdirSync(join(repository(), "snapshots"))).toHaveLength(3);
    rmSync(join(repository(), "snapshots", ahead));
    expect(await by("2026-11-22T02:33:00Z", "backup", "--keep-last", "2")).toMatchObject({ code: 0 });
    expect(await by("2026-11-22T02:34:00Z", "status", "--max-age", "26h")).toMatchObject({ code: 0 });
  });

  const snapshotIds = async () =>
    jsonLines((await here("snapshots", "--json")).out).flatMap(({ type, id }) =>
      type === "snapshot" ? [String(id)] : [],
    );
});

describe("as a person or a nightly job runs it", () => {
  const words = (...more: string[]) => [...more, "--repository", repository()];

  test("quiet when all is well; the token is nowhere in the repository", async () => {
    await fillLog(log);
    for (const command of ["backup", "backup", "check"]) {
      expect(await log.run(words(command, "--quiet")), command).toMatchObject({ code: 0, out: "", err: "" });
    }
    for (const name of readdirSync(repository(), { recursive: true, encoding: "utf8" })) {
      const path = join(repository(), name);
      if (!statSync(path).isFile()) continue;
      const bytes = readFileSync(path);
      const text = (name.endsWith(".zst") ? zstdDecompressSync(bytes) : bytes).toString("latin1");
      expect(text, name).not.toContain(log.token);
    }
  });

  test("a second one at the same time is refused with 8, and told who is first", async () => {
    await here("backup");
    const lock = takeRepositoryLock(repository());
    try {
      for (const command of [["backup"], ["check"], ["forget", "--keep-last", "1"]]) {
        const ran = await log.run(words(...command, "--quiet"));
        expect(ran, command[0]).toMatchObject({ code: 8, out: "" });
        expect(ran.err).toContain(`another logferry works on it (process ${process.pid} on `);
      }
      // Looking needs no lock.
      expect(await log.run(words("snapshots"))).toMatchObject({ code: 0 });
    } finally {
      lock.release();
    }
  });

  test("a revoked token is 4, one message, and no snapshot", async () => {
    await here("backup");
    const ran = await log.run(words("backup", "--quiet"), { env: { LOGFERRY_TOKEN: "not-a-token" } });
    expect(ran).toMatchObject({ code: 4, out: "" });
    expect(ran.err).toContain("The access token may be mistyped or cut short, or it was revoked");
    expect(readdirSync(join(repository(), "snapshots"))).toHaveLength(1);
  });

  test.each([
    ["snapshots", []],
    ["check", []],
    ["diff", ["latest", "latest"]],
    ["forget", ["--keep-last", "1"]],
  ])("%s of a folder that isn't there is 2, and makes none", async (command, more) => {
    const ran = await here(command, ...more);
    expect(ran).toMatchObject({
      code: 2,
      err: expect.stringContaining(`There is no snapshot repository at ${repository()}`),
    });
    expect(existsSync(repository())).toBe(false);
  });

  test.each([
    ["by no option", []],
    ["by a variable that isn't set", ["--repository", ""]],
  ])("a folder that is named %s is asked for", async (_how, more) => {
    const ran = await runHere(log, ["backup", ...more]);
    expect(ran).toMatchObject({
      code: 2,
      err: "Cannot back up: say where the snapshots are, with --repository FOLDER\n",
    });
  });

  test("what a system puts into folders by itself is no damage, and no other folder", async () => {
    mkdirSync(join(repository(), "lost+found"), { recursive: true });
    writeFileSync(join(repository(), ".DS_Store"), "x");
    expect(await here("backup")).toMatchObject({ code: 0 });
    for (const name of ["snapshots/.DS_Store", "data/Thumbs.db", "data/user/desktop.ini", "tmp/.nfs0001"])
      writeFileSync(join(repository(), name), "x");
    expect(await here("backup", "--drill", "--keep-last", "1")).toMatchObject({ code: 0 });
    expect(await line("repository", "check")).toMatchObject({ code: 0, damaged: 0, unused: [] });
    expect(await here("forget", "--keep-last", "1")).toMatchObject({ code: 0 });
    const home = join(log.folder, "home");
    mkdirSync(home);
    writeFileSync(join(home, ".bashrc"), "");
    expect(await runHere(log, ["backup", "--repository", home])).toMatchObject({ code: 2 });
  });

  test("somebody else's log is not put into it", async () => {
    await here("backup");
    const other = await rehearse();
    try {
      const ran = await runHere(other, ["backup", "--repository", repository()]);
      expect(ran.code).toBe(2);
      expect(ran.err).toContain("Cannot back up the log of demo");
      expect(readdirSync(join(repository(), "snapshots"))).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  test("a backup that is stopped by Ctrl-C is 130 and leaves no snapshot; so does a folder that is gone", async () => {
    await log.close();
    await open({ faults: { armed: ["hang-before-commit:GET /rest/logs/me/workouts/*"] } });
    await save("workouts", { activityID: 10, date: "2024-02-10" });
    const { child, ended } = log.start(words("backup"));
    while (!asked.all.some(({ path }) => /workouts\/\w+$/.test(path))) await new Promise((go) => setTimeout(go, 20));
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(readdirSync(join(repository(), "snapshots"))).toEqual([]);
    rmSync(repository(), { recursive: true });
    writeFileSync(repository(), "a file");
    expect(await here("backup")).toMatchObject({ code: 2 });
  });
});
