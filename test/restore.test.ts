import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { canonicalJson } from "../transforms/text/canonical.ts";
import { jsonLines } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { runHere } from "./support/here.ts";
import { fillLog } from "./support/logged.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { type RequestLog, requestLog } from "./support/request-log.ts";

// A person puts a snapshot back, against the real service. An independent client reads the log.

let log: Rehearsal;
let asked: RequestLog;

beforeEach(async () => {
  asked = requestLog();
  log = await rehearse("kilometres", { log: asked });
});
afterEach(() => log.close());

const LOG = "/rest/logs/me";
const repository = () => join(log.folder, "repository");
const here = (...words: string[]): Promise<Ran> => runHere(log, [...words, "--repository", repository()]);
const restore = (...words: string[]): Promise<Ran> => here("restore", "latest", ...words);

/** The ledger that a restore ended with. */
async function ledger(...words: string[]): Promise<Record<string, unknown>> {
  const ran = await restore(...words, "--json");
  const [last] = jsonLines(ran.out)
    .filter(({ type }) => type === "summary" || type === "plan")
    .slice(-1);
  if (last === undefined) expect.unreachable(`${ran.out}${ran.err}`);
  return { ...(last.ledger as object), code: ran.code };
}

async function save(
  path: string,
  body: object,
  id?: string,
  to: Pick<Rehearsal, "service" | "token"> = log,
): Promise<string> {
  const answer = await fetch(
    `${to.service.url}${LOG}/${path}${id === undefined ? "" : `/${id}`}?access_token=${to.token}`,
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

const workout = async (id: string) => (await log.get(`${LOG}/workouts/${id}`)).workout as Record<string, unknown>;

const writes = (from: number) =>
  asked.all
    .slice(from)
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);

describe("into the log it is of", () => {
  test("a snapshot of a log that didn't change costs no POST and no PUT, however odd its records", async () => {
    await fillLog(log);
    await here("backup");
    const before = asked.all.length;
    expect(await ledger()).toMatchObject({ code: 0, unchanged: 50 - 3, skipped: 3, created: 0, updated: 0 });
    expect(writes(before)).toEqual([]);
  });

  test("what is gone is made again, what was edited is left and listed, and with --overwrite is as it was: also what was added", async () => {
    const run = {
      activityID: 10,
      date: "2024-02-10",
      time: "07:00:00",
      details: { distance: { unit: "km", value: 10 } },
    };
    const gone = await save("workouts", { ...run, notes: "gone" });
    const edited = await save("workouts", { ...run, date: "2024-02-11", notes: "before", ratings: { effort: 3 } });
    const moved = await save("workouts", { ...run, date: "2024-02-12" });
    await here("backup");
    deleteWorkout(join(log.folder, "service.db"), gone);
    await save("workouts", { ...run, date: "2024-02-11", notes: "after", health: { avgHR: 150 } }, edited);
    await save("workouts", { ...run, date: "2024-03-12" }, moved);
    const rehearsed = await restore("-n");
    expect(rehearsed).toMatchObject({ code: 0 });
    expect(rehearsed.out).toContain(
      `workout ${edited} (2024-02-11 run): restore/edited-since (notes, ratings.effort, health.avgHR)`,
    );
    expect((await log.listed(`${LOG}/workouts`)).length).toBe(2);
    const ran = await restore();
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toContain("2 records not as in the snapshot are left as they are: --overwrite puts them back.");
    expect(await workout(edited)).toMatchObject({ notes: "after" });
    const ids = (await log.listed(`${LOG}/workouts`)).map(({ id }) => String(id));
    const again = ids.filter((id) => id !== edited && id !== moved);
    expect(again).toHaveLength(1);
    expect(await workout(again[0] ?? "")).toMatchObject({ date: "2024-02-10", notes: "gone" });
    expect(await ledger("--overwrite")).toMatchObject({ code: 0, created: 0, updated: 2, unchanged: 1 });
    expect(await workout(moved)).toMatchObject({ date: "2024-02-12" });
    const back = await workout(edited);
    expect(back).toMatchObject({ date: "2024-02-11", notes: "before", ratings: { effort: 3 } });
    expect(back).not.toHaveProperty("health");
    const before = asked.all.length;
    expect(await ledger("--overwrite")).toMatchObject({ code: 0, unchanged: 3, created: 0, updated: 0 });
    expect(writes(before)).toEqual([]);
  });

  test("also without the journal nothing is made twice, nor for another record of the snapshot that looks the same", async () => {
    const run = {
      activityID: 10,
      date: "2024-02-10",
      time: "07:00:00",
      details: { distance: { unit: "km", value: 10 } },
    };
    const duplicates = [await save("workouts", run), await save("workouts", run), await save("workouts", run)] as const;
    await here("backup");
    deleteWorkout(join(log.folder, "service.db"), duplicates[1]);
    expect(await ledger("--id", duplicates[1])).toMatchObject({ code: 0, read: 1, created: 1 });
    rmSync(join(log.folder, "journal.db"));
    const before = asked.all.length;
    expect(await ledger("--id", duplicates[1])).toMatchObject({ code: 0, read: 1, unchanged: 1 });
    expect(await ledger()).toMatchObject({ code: 0, unchanged: 3, created: 0 });
    expect(writes(before)).toEqual([]);
    expect(await log.listed(`${LOG}/workouts`)).toHaveLength(3);
  });

  test("of a gone shoe, what is made again is named by the workouts that named it, where they may be written over", async () => {
    const shoe = await save("equipment", { activityID: 10, brandName: "Acme", modelName: "Fast" });
    const id = await save("workouts", { activityID: 10, date: "2024-02-10", equipment: [{ id: shoe }] });
    await here("backup");
    const { DatabaseSync } = await import("node:sqlite");
    await save("workouts", { activityID: 10, date: "2024-02-10" }, id);
    const database = new DatabaseSync(join(log.folder, "service.db"));
    const { changes } = database.prepare("DELETE FROM equipment WHERE id = ?").run(shoe);
    database.close();
    expect(changes).toBe(1);
    expect(await ledger("--overwrite")).toMatchObject({ code: 0, created: 1, updated: 1 });
    const [made] = await log.listed(`${LOG}/equipment`);
    expect(made).toMatchObject({ brandName: "Acme" });
    expect(await workout(id)).toMatchObject({ equipment: { id: made?.id } });
    expect(await ledger()).toMatchObject({ unchanged: 2, created: 0, updated: 0 });
  });

  test("--fields puts back those alone, of records that are there", async () => {
    const run = {
      activityID: 10,
      date: "2024-02-10",
      details: { distance: { unit: "km", value: 10 }, duration: 3000 },
    };
    const id = await save("workouts", { ...run, notes: "before" });
    const gone = await save("workouts", { ...run, date: "2024-02-11", notes: "gone" });
    await here("backup");
    await save(
      "workouts",
      {
        ...run,
        notes: "after",
        details: { distance: { unit: "km", value: 12 }, duration: 3100 },
        ratings: { effort: 2 },
      },
      id,
    );
    deleteWorkout(join(log.folder, "service.db"), gone);
    expect(await ledger("--fields", "notes,duration", "--overwrite")).toMatchObject({
      read: 2,
      updated: 1,
      skipped: 1,
      created: 0,
    });
    expect(await workout(id)).toMatchObject({
      notes: "before",
      details: { distance: { value: 12 }, duration: 3000 },
      ratings: { effort: 2 },
    });
    const again = await restore("--fields", "notes,duration", "--overwrite");
    expect(again.out).toContain("1 record of the snapshot is not in the log: without --fields it is made again.");
    expect(again.out).not.toContain("--overwrite puts");
    const ran = await restore("--fields", "notes,colour");
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('Cannot use --fields: there is no "colour"');
  });

  test("filters choose by kind, day, activity and id, and bring along what a workout names", async () => {
    const shoe = await save("equipment", { activityID: 10, brandName: "Acme" });
    await save("equipment", { activityID: 11, brandName: "Bike" });
    await save("workouts", { activityID: 10, date: "2023-05-01", equipment: [{ id: shoe }] });
    await save("workouts", { activityID: 11, date: "2024-05-01" });
    await save("courses", { name: "River" });
    await here("backup");
    expect(await ledger("-n", "--since", "2024")).toMatchObject({ read: 1 });
    expect(await ledger("-n", "--only", "run")).toMatchObject({ read: 2 });
    expect(await ledger("-n", "--kind", "courses,equipment")).toMatchObject({ read: 3 });
    expect(await ledger("-n", "--id", shoe)).toMatchObject({ read: 1 });
    for (const [words, message] of [
      [["--id", "nobody"], "the snapshot holds no record with the id nobody"],
      [["--only", "swim"], 'there is no "swim"'],
      [["--kind", "shoes"], 'there is no "shoes"'],
    ] as const) {
      const ran = await restore(...words);
      expect(ran.code, message).toBe(2);
      expect(ran.err).toContain(message);
    }
  });
});

describe("into another log", () => {
  /** Another user of the service, with activities of the same names under other numbers. */
  async function another(): Promise<{ readonly to: Parameters<typeof runHere>[0]; readonly userId: string }> {
    const { operator } = log.service;
    const userId = await operator.addUser({
      screenName: "other",
      preference: { distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
    });
    for (const name of ["other", "Yoga", "paragliding", "HIKE"]) await operator.addActivity(userId, name);
    const token = await operator.addToken(userId);
    return { to: { ...log, token, folder: join(log.folder, "other") }, userId };
  }

  test("everything is there once, what names what too, with the activities by their names; and a second time nothing is sent", async () => {
    await log.service.operator.addActivity(log.userId, "Paragliding");
    const filled = await fillLog(log);
    const flying = (await log.service.store.activities(log.userId)).find(({ name }) => name === "Paragliding");
    await save("workouts", { activityID: flying?.id, date: "2024-04-02", notes: "up there" });
    await here("backup");
    const { to, userId } = await another();
    const options = { journal: join(log.folder, "other.db") };
    const words = ["restore", "latest", "--into", "other", "--repository", repository()];
    const reports = ["report.html", "report.json"].map((name) => join(log.folder, name));
    const ran = await runHere(to, [...words, ...reports.flatMap((path) => ["--report", path])], options);
    expect(ran).toMatchObject({ code: 0 });
    const [html, json] = reports.map((path) => readFileSync(path, "utf8"));
    expect(html).toContain("paragliding");
    expect(JSON.parse(json ?? "")).toMatchObject({ verdict: { canClose: false } });
    expect(html).toContain("restore/cant-be-set");
    expect(ran.out).toContain("retired 1\n");
    expect(ran.out).toContain("training-plan 1x");
    const get = async (path: string, token = to.token) =>
      (
        (await (
          await fetch(`${log.service.url}${LOG}/${path}${path.includes("?") ? "&" : "?"}access_token=${token}`)
        ).json()) as { data: Record<string, unknown> }
      ).data;
    const all = async (token: string) => {
      const records = [];
      const { entries } = (await get("workouts?limit=100", token)) as { entries: { id: string }[] };
      for (const { id } of entries)
        records.push((await get(`workouts/${id}`, token)).workout as Record<string, unknown>);
      return records;
    };
    // Ids differ, and so do the numbers of the owner's own activities. Everything else is the same.
    const plain = ({
      id: _id,
      course,
      equipment,
      intervalSet,
      activityID,
      activityName,
      ...rest
    }: Record<string, unknown>) =>
      canonicalJson({
        ...rest,
        activityName: String(activityName).toLowerCase(),
        activityID: Number(activityID) < 14 ? activityID : "own",
        course: (course as { name?: string } | undefined)?.name,
        equipment: (equipment as { name?: string } | undefined)?.name,
        intervalSet: { ...(intervalSet as object), id: undefined },
      });
    const [theirs, ours] = [await all(log.token), await all(to.token)];
    expect(theirs).toHaveLength(filled.workouts + 1);
    expect(ours.map(plain).toSorted()).toEqual(theirs.map(plain).toSorted());
    // The equal workouts still name a pair each.
    const pairs = ours
      .filter(({ date }) => date === "2024-03-04")
      .map(({ equipment }) => (equipment as { id: string }).id);
    expect(new Set(pairs).size).toBe(2);
    expect((await log.service.store.activities(userId)).length).toBe(4);
    for (const journal of [options.journal, join(log.folder, "fresh.db")]) {
      const before = asked.all.length;
      expect(await runHere(to, words, { journal })).toMatchObject({ code: 0 });
      expect(writes(before)).toEqual([]);
    }
  });

  test("only by its name, typed: a token of somebody else's log is easily taken for one's own", async () => {
    await save("workouts", { activityID: 10, date: "2024-04-02" });
    await here("backup");
    const { to, userId } = await another();
    const options = { journal: join(log.folder, "other.db") };
    for (const [words, message] of [
      [[], "and this is the log of other at"],
      [["--into", "demo"], "Cannot restore into the log of demo: this is the log of other at"],
    ] as const) {
      const ran = await runHere(to, ["restore", "latest", ...words, "--repository", repository()], options);
      expect(ran.code).toBe(2);
      expect(ran.err).toContain(message);
    }
    const rehearsed = await runHere(to, ["restore", "latest", "-n", "--repository", repository()], options);
    expect(rehearsed).toMatchObject({ code: 0 });
    // The next step does exactly what this message says about it.
    expect(rehearsed.out).toContain("Without -n it is refused, because the snapshot is of the log of demo at");
    expect(rehearsed.out).toContain("To put it there all the same: --into other");
    expect(rehearsed.out).not.toContain("this is what will be done");
    const named = ["restore", "latest", "-n", "--into", "demo", "--repository", repository()];
    expect(await runHere(to, named, options)).toMatchObject({ code: 2 });
    const right = ["restore", "latest", "-n", "--into", "other", "--repository", repository()];
    expect((await runHere(to, right, options)).out).toContain("Without -n, this is what will be done.");
    expect((await log.service.store.workouts(userId, { limit: 10, offset: 0 }, [])).total).toBe(0);
    // The wrong log is refused, even when it is named.
    expect(await restore("--into", "other")).toMatchObject({ code: 2 });
  });

  test("an activity that it hasn't is asked for, and nothing else waits for it", async () => {
    const id = await log.service.operator.addActivity(log.userId, "Curling");
    await save("workouts", { activityID: id, date: "2024-04-02" });
    await save("workouts", { activityID: 10, date: "2024-04-02" });
    await here("backup");
    const { to, userId } = await another();
    const words = ["restore", "latest", "--into", "other", "--repository", repository()];
    const ran = await runHere(to, ["restore", "latest", "--into", "other", "--repository", repository()], {
      journal: join(log.folder, "other.db"),
    });
    expect(ran.code).toBe(3);
    expect(ran.out).toContain("workout/no-activity-id");
    expect(ran.out).toContain("curling");
    expect(ran.out).toContain("an activity of this name in your log: add it there, and restore again");
    const retried = await runHere(to, ["retry"], { journal: join(log.folder, "other.db") });
    expect(retried.code).toBe(2);
    expect(retried.err).toContain("Cannot retry run 1: it put a snapshot back");
    // The next command follows the advice.
    await log.service.operator.addActivity(userId, "curling");
    expect(await runHere(to, words, { journal: join(log.folder, "other.db") })).toMatchObject({ code: 0 });
    expect((await log.service.store.workouts(userId, { limit: 10, offset: 0 }, [])).total).toBe(2);
  });
});

describe("a damaged snapshot", () => {
  test("is not restored by halves: the file is named, the exit code is 7, and nothing was sent", async () => {
    await save("workouts", { activityID: 10, date: "2024-02-10" });
    await save("workouts", { activityID: 10, date: "2024-03-10" });
    await here("backup");
    const folder = join(repository(), "data", "workouts");
    const [name = ""] = readdirSync(folder).toSorted().slice(-1);
    const bytes = readFileSync(join(folder, name));
    bytes[20] = (bytes[20] ?? 0) ^ 4;
    writeFileSync(join(folder, name), bytes);
    const before = asked.all.length;
    const ran = await restore("--overwrite");
    expect(ran.code).toBe(7);
    expect(ran.err).toContain(`data/workouts/${name} differs from its checksum`);
    expect(asked.all.length).toBe(before);
    expect((await here("check", "--drill")).code).toBe(7);
  });
});
