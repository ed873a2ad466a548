import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { takeRepositoryLock } from "../pipelines/journal/lock.ts";
import { jsonLines } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { runHere } from "./support/here.ts";
import { fillLog } from "./support/logged.ts";
import { rehearse } from "./support/rehearsal.ts";
import { asked, held, here, line, log, open, repository, save } from "./support/snapshots.ts";

// Backups as a person makes them, against the real service. An independent client reads the log.

beforeEach(() => open());
afterEach(() => log.close());

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

/** The form that logferry's reader gives to records: a workout's piece of equipment as a list, and flags as two lists of names, set and false. */
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
      // Asked with one entry, to see whether the service knows `fields`.
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
