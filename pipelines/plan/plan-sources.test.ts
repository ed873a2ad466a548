import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import { type MadeSource, openWorld, type World } from "../../test/support/scripted-log.ts";
import type { Item, Kind, Reading } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Line } from "../journal/line.ts";
import { summarise } from "../journal/summary.ts";

let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

function item<K extends Kind>(
  kind: K,
  key: string,
  value: Extract<Item, { kind: K }>["value"],
  archive = "made",
): Item {
  return { kind, key, value, origin: { connector: "made", archive, entry: key } } as Item;
}

/** A row of a platform: local time, name, gear. */
function row(key: string, extra: Partial<Workout> = {}): Item {
  return item("workout", key, {
    activity: "run",
    start: { date: "2024-05-01", time: "07:00:00" },
    distance: { unit: "km", value: 10 },
    duration: 3000,
    notes: `words of ${key}`,
    ...extra,
  });
}

/** The same workout as `row`, as a watch recorded it: half a minute later, a little further, and with a heart rate. */
function recording(key: string, extra: Partial<Workout> = {}): Item {
  const entry = `${key}.fit`;
  const start = Date.parse("2024-05-01T05:00:30Z");
  world.files.set(entry, [{ start, metres: 10_100, seconds: 3010 }]);
  return item("workout", key, {
    activity: "run",
    start: { instant: start, offsetMinutes: 120 },
    distance: { unit: "m", value: 10_100 },
    duration: 3010,
    health: { avgHR: 141 },
    track: { entry, format: "fit", recording: 0, recordings: 1, sha256: "0" },
    ...extra,
  });
}

const rows = (...readings: readonly Reading[]): MadeSource => ({ name: "rows.zip", connector: "rows", readings });
const watch = (...readings: readonly Reading[]): MadeSource => ({
  name: "watch",
  connector: "watch",
  recordings: true,
  readings,
});
const sheet = (...readings: readonly Reading[]): MadeSource => ({ name: "sheet.csv", connector: "sheet", readings });

/** What becomes of each record: `state action` by key. */
async function decisions(sources: readonly MadeSource[]): Promise<Record<string, string>> {
  const run = await world.plan(sources);
  if (run === undefined) throw new Error("the plan was stopped");
  const { balanced, all } = await summarise(await world.journal(), run);
  expect(balanced).toBe(true);
  expect(all.read).toBe(sources.reduce((sum, { readings }) => sum + readings.length, 0));
  return Object.fromEntries((await world.lines(run.id)).map((line) => [line.key, said(line)]));
}

function said({ state, action, uploadMethod }: Line): string {
  return state === "planned" ? [action, uploadMethod].filter((word) => word !== undefined).join(" by ") : state;
}

function inLog(): { notes: unknown; avgHR: unknown }[] {
  return world.log
    .of("workout")
    .map(({ body }) => ({ notes: body.notes, avgHR: (body.health as { avgHR?: number } | undefined)?.avgHR }));
}

test("what says that a source changed is as earlier versions wrote it, with values without a field in the log as well", async () => {
  await world.plan([rows(row("r", { unsupported: [{ field: "calories", value: "640 kcal" }] }))]);
  const value =
    '{"activity":"run","beyond":[{"field":"calories","value":"640 kcal"}],"distance":{"unit":"km","value":10},"duration":3000,' +
    '"notes":"words of r","start":{"basis":"source","date":"2024-05-01","time":"07:00:00"}}';
  const [line] = await world.lines();
  expect(line?.content).toBe(createHash("sha256").update(`["workout",${value}]`).digest("hex"));
});

describe("the same workout in two sources", () => {
  test.each([
    ["row first", () => [rows(row("r")), watch(recording("w"))]],
    ["recording first", () => [watch(recording("w")), rows(row("r"))]],
  ])("is one, with the row's words and the recording's track (%s)", async (_order, sources) => {
    expect(await decisions(sources())).toEqual({ r: "create by import", w: "merged" });
    const line = (await world.lines()).find(({ key }) => key === "r");
    expect(line?.value).toMatchObject({
      start: { date: "2024-05-01", time: "07:00:00" },
      distance: { unit: "km", value: 10 },
      notes: "words of r",
      health: { avgHR: 141 },
      track: { entry: "w.fit" },
    });
    const merged = (await world.lines()).find(({ key }) => key === "w");
    expect(merged?.reason).toContain("the same workout (starts 30 s apart, distances 1.0 % apart, ");
    await world.apply();
    expect(inLog()).toEqual([{ notes: "words of r", avgHR: 141 }]);
  });

  test("and in a third is still one", async () => {
    const sources = [watch(recording("w")), sheet(row("s", { notes: "in the sheet" })), rows(row("r"))];
    expect(await decisions(sources)).toEqual({ s: "create by import", w: "merged", r: "merged" });
    await world.apply();
    expect(inLog()).toEqual([{ notes: "in the sheet\n\nwords of r", avgHR: 141 }]);
  });

  test("equal workouts in one source both survive, and each takes one of the other source's", async () => {
    const sources = [rows(row("r1"), row("r2")), sheet(row("s1"), row("s2"), row("s3"))];
    expect(await decisions(sources)).toEqual({
      r1: "create by save",
      r2: "create by save",
      s1: "merged",
      s2: "merged",
      s3: "create by save",
    });
  });

  test.each([
    ["more than 200 seconds", { start: { date: "2024-05-01", time: "07:03:21" } }],
    ["more than 16 %", { distance: { unit: "km", value: 12.01 } }],
    ["an activity and a second", { activity: "bike", start: { date: "2024-05-01", time: "07:00:01" } }],
  ] as const)("is two when they are %s apart", async (_what, extra) => {
    const decided = await decisions([rows(row("r")), sheet(row("s", extra))]);
    expect(decided).toEqual({ r: "create by save", s: "create by save" });
  });

  test("is held back when nothing but the activity tells it from the other", async () => {
    const decided = await decisions([rows(row("r")), sheet(row("s", { activity: "bike" }))]);
    expect(decided).toEqual({ r: "create by save", s: "quarantined" });
  });

  test("the same archive given twice is read twice and loaded once", async () => {
    const readings = [row("a"), row("b", { start: { date: "2024-06-01" } })];
    const run = await world.plan([rows(...readings), { ...rows(...readings), name: "copy.zip" }]);
    const summary = await summarise(await world.journal(), run ?? never());
    expect(summary.balanced).toBe(true);
    expect(summary.all).toMatchObject({ read: 4, merged: 2, left: 2 });
    await world.apply();
    expect(inLog()).toHaveLength(2);
  });

  test("equipment and courses in two sources are one each", async () => {
    const shoe = (key: string) => item("equipment", key, { activity: "run", brandName: "Hoka", modelName: "Clifton" });
    const loop = (key: string) => item("course", key, { name: "Loop", distance: { unit: "km", value: 8 } });
    const sources = [
      sheet(shoe("s-shoe"), loop("s-loop"), row("s", { equipment: ["s-shoe"], course: "s-loop" })),
      rows(
        shoe("r-shoe"),
        loop("r-loop"),
        row("r", { start: { date: "2024-06-01" }, equipment: ["r-shoe"], course: "r-loop" }),
      ),
    ];
    const summary = await world.import(sources);
    expect(summary.all).toMatchObject({ created: 4, merged: 2 });
    const [equipment] = world.log.of("equipment");
    const [course] = world.log.of("course");
    for (const { body } of world.log.of("workout")) {
      expect(body).toMatchObject({ equipment: [{ id: equipment?.id }], course: { id: course?.id } });
    }
  });
});

describe("planning again", () => {
  const sources = () => [watch(recording("w")), rows(row("r"), row("r2", { start: { date: "2024-06-01" } }))];

  test("finds everything unchanged", async () => {
    await world.import(sources());
    expect(await decisions(sources())).toEqual({ r: "unchanged", r2: "unchanged", w: "merged" });
    const calls = world.log.calls.length;
    await world.apply();
    expect(world.log.calls.slice(calls)).toEqual([]);
    expect((await world.verify()).discrepancies).toEqual([]);
  });

  test.each([
    ["the recordings alone", () => [watch(recording("w"))], { w: "unchanged" }],
    ["the rows alone", () => [rows(row("r"))], { r: "unchanged" }],
  ])("with %s changes nothing of what both made", async (_which, some, expected) => {
    await world.import(sources());
    const before = inLog();
    expect(await decisions(some())).toEqual(expected);
    await world.apply();
    expect(inLog()).toEqual(before);
    const { discrepancies, claimedTwice } = await world.verify();
    expect([...discrepancies, ...claimedTwice]).toEqual([]);
  });

  test("a record its owner took out of the log stays out", async () => {
    await world.import(sources());
    const [first] = world.log.of("workout");
    world.log.records.delete(`workout ${first?.id}`);
    const decided = await decisions(sources());
    expect(Object.values(decided).sort()).toEqual(["gone", "merged", "unchanged"]);
    await world.apply();
    expect(inLog()).toHaveLength(1);
  });

  test("a record changed at its source is brought up to date, and what its owner changed in the log stays", async () => {
    await world.import([rows(row("r"))]);
    const [record] = world.log.of("workout");
    const duration = { distance: { unit: "km", value: 10 }, duration: 3000 };
    if (record !== undefined) {
      record.body = { ...record.body, notes: "my own words", ratings: { effort: 8 }, details: duration };
    }
    const changed = row("r", { notes: "new words of r", duration: 3100 });
    expect(await decisions([rows(changed)])).toEqual({ r: "update by save" });
    const summary = await world.apply();
    expect(summary.all).toMatchObject({ updated: 1, created: 0 });
    expect(world.log.of("workout").map(({ body }) => body)).toEqual([
      {
        activityID: 10,
        date: "2024-05-01",
        time: "07:00:00",
        notes: "my own words",
        ratings: { effort: 8 },
        details: { distance: { unit: "km", value: 10 }, duration: 3100 },
      },
    ]);
    expect(world.issues.filter(({ rule }) => rule === "load/edit-kept")).toMatchObject([
      { found: "notes", expected: expect.stringContaining("your edits stay") },
    ]);
  });

  test("the number a log gives to intervals is no edit: changed intervals are brought up to date", async () => {
    const withIntervals = (seconds: number) =>
      row("r", { intervalSet: { name: "track", intervals: [{ type: "interval", duration: seconds }] } });
    await world.import([rows(withIntervals(60))]);
    const [record] = world.log.of("workout");
    if (record !== undefined) {
      record.body = { ...record.body, intervalSet: { id: "set-1", ...(record.body.intervalSet as object) } };
    }
    await world.import([rows(withIntervals(61))]);
    expect(record?.body.intervalSet).toMatchObject({ intervals: [{ type: "interval", duration: 61 }] });
    expect(world.issues.filter(({ rule }) => rule === "load/edit-kept")).toEqual([]);
  });
});

describe("one source today, another tomorrow", () => {
  test("a row joins the recording that was loaded before: one workout, with the row's words and the watch's heart rate", async () => {
    await world.import([watch(recording("w"))]);
    expect(await decisions([rows(row("r"))])).toEqual({ r: "update by save" });
    await world.apply();
    expect(inLog()).toEqual([{ notes: "words of r", avgHR: 141 }]);
    expect(await decisions([rows(row("r"))])).toEqual({ r: "unchanged" });
    expect(await decisions([watch(recording("w"))])).toEqual({ w: "unchanged" });
    expect(await decisions([watch(recording("w")), rows(row("r"))])).toEqual({ r: "unchanged", w: "merged" });
  });

  test("and keeps what the owner wrote there in between", async () => {
    await world.import([watch(recording("w", { notes: "Afternoon Run" }))]);
    const [record] = world.log.of("workout");
    if (record !== undefined) record.body = { ...record.body, notes: "my own words" };
    await world.import([rows(row("r"))]);
    expect(inLog()).toEqual([{ notes: "my own words", avgHR: 141 }]);
  });

  test("a recording joins the row that was loaded before, and changes nothing", async () => {
    await world.import([rows(row("r"))]);
    expect(await decisions([watch(recording("w"))])).toEqual({ w: "unchanged" });
    await world.apply();
    expect(inLog()).toEqual([{ notes: "words of r", avgHR: undefined }]);
    expect((await world.verify()).discrepancies).toEqual([]);
  });

  test("the recording of yesterday and its row, both given today, are the one workout of yesterday", async () => {
    await world.import([watch(recording("w"))]);
    expect(await decisions([rows(row("r")), watch(recording("w"))])).toEqual({ r: "update by save", w: "merged" });
    await world.apply();
    expect(inLog()).toEqual([{ notes: "words of r", avgHR: 141 }]);
  });

  test("the row of yesterday, given today with its recording, gets what the recording adds", async () => {
    await world.import([rows(row("r"))]);
    const both = [rows(row("r")), watch(recording("w"))];
    expect(await decisions(both)).toEqual({ r: "update by save", w: "merged" });
    await world.apply();
    expect(inLog()).toEqual([{ notes: "words of r", avgHR: 141 }]);
    expect((await world.verify()).discrepancies).toEqual([]);
    expect(await decisions(both)).toEqual({ r: "unchanged", w: "merged" });
  });

  test("two rows of different platforms are one, and the first one's words stay", async () => {
    await world.import([sheet(row("s"))]);
    expect(await decisions([rows(row("r"))])).toEqual({ r: "unchanged" });
    await world.apply();
    expect(inLog()).toEqual([{ notes: "words of s", avgHR: undefined }]);
  });

  test("equal workouts of today's source don't both become yesterday's one record", async () => {
    await world.import([sheet(row("s"))]);
    expect(await decisions([rows(row("r1"), row("r2"))])).toEqual({ r1: "unchanged", r2: "create by save" });
  });

  test("a new equal row in the source of yesterday is new: yesterday's record is taken", async () => {
    await world.import([rows(row("r1"))]);
    expect(await decisions([rows(row("r1"), row("r2"))])).toEqual({ r1: "unchanged", r2: "create by save" });
  });

  test("nor when yesterday's record was put there under another source's key", async () => {
    await world.import([sheet(row("s")), rows(row("r1"))]);
    expect(await decisions([rows(row("r1"), row("r2"))])).toEqual({ r1: "unchanged", r2: "create by save" });
  });

  test("a row whose words changed, known by its content alone, is brought up to date and not made again", async () => {
    await world.import([sheet(row("content-1"))]);
    expect(await decisions([sheet(row("content-2"))])).toEqual({ "content-2": "update by save" });
    await world.apply();
    expect(inLog()).toEqual([{ notes: "words of content-2", avgHR: undefined }]);
  });

  test("equipment and courses of yesterday are not made again under another key", async () => {
    const shoe = (key: string) => item("equipment", key, { activity: "run", brandName: "Hoka", modelName: "Clifton" });
    const loop = (key: string) => item("course", key, { name: "Loop", distance: { unit: "km", value: 8 } });
    await world.import([sheet(shoe("s-shoe"), loop("s-loop"))]);
    const today = rows(shoe("r-shoe"), loop("r-loop"), row("r", { equipment: ["r-shoe"], course: "r-loop" }));
    expect(await decisions([today])).toEqual({ "r-shoe": "unchanged", "r-loop": "unchanged", r: "create by save" });
    await world.apply();
    expect(world.log.of("equipment")).toHaveLength(1);
    expect(world.log.of("course")).toHaveLength(1);
    const [equipment] = world.log.of("equipment");
    const [course] = world.log.of("course");
    expect(world.log.of("workout")[0]?.body).toMatchObject({
      equipment: [{ id: equipment?.id }],
      course: { id: course?.id },
    });
    const both = [today, sheet(shoe("s-shoe"), loop("s-loop"))];
    expect(await decisions(both)).toMatchObject({ "r-shoe": "unchanged", "r-loop": "unchanged" });
    await world.apply();
    expect(world.log.of("equipment")).toHaveLength(1);
  });
});

describe("what is in the log by hand", () => {
  const byHand = { activityID: 10, date: "2024-05-01", time: "07:01:00", notes: "by hand" };
  const details = { distance: { unit: "mi", value: 6.21 }, duration: 3005 };

  test("is recognised one to one: of two alike in the source, one is unchanged and one is made", async () => {
    world.log.put("workout", { ...byHand, details });
    expect(await decisions([rows(row("r1"), row("r2"))])).toEqual({ r1: "unchanged", r2: "create by save" });
    await world.apply();
    expect(inLog().map(({ notes }) => notes)).toEqual(["by hand", "words of r2"]);
    expect((await world.verify()).claimedTwice).toEqual([]);
  });

  test("is not confused with a record of another kind that has the same id", async () => {
    const loop = { name: "Loop", distance: { unit: "km", value: 8 } };
    const workoutId = world.log.put("workout", { ...byHand, details });
    const course = { kind: "course" as const, id: workoutId, body: { ...loop }, maps: 0 };
    world.log.records.set(`course ${workoutId}`, course);
    const made = rows(row("r"), item("course", "loop", { name: "Loop", distance: { unit: "km", value: 8 } }));
    expect(await decisions([made])).toEqual({ r: "unchanged", loop: "unchanged" });
  });

  test("is recognised again with a new journal, after an import as after typing it", async () => {
    const made = [watch(recording("w")), rows(row("r"))];
    await world.import(made);
    const fresh = openWorld();
    try {
      for (const [key, record] of world.log.records) fresh.log.records.set(key, record);
      const summary = await fresh.import(made);
      expect(summary.all).toMatchObject({ created: 0, updated: 0, unchanged: 1, merged: 1 });
      expect(fresh.log.of("workout")).toHaveLength(1);
    } finally {
      await fresh.close();
    }
  });
});

describe("what is left out", () => {
  test("workouts before --since and after --until are skipped, and counted", async () => {
    world.settings.since = "2024-05-01";
    world.settings.until = "2024-05-02";
    const on = (date: string) => row(date, { start: { date } });
    const decided = await decisions([rows(on("2024-04-30"), on("2024-05-01"), on("2024-05-02"), on("2024-05-03"))]);
    expect(decided).toEqual({
      "2024-04-30": "skipped",
      "2024-05-01": "create by save",
      "2024-05-02": "create by save",
      "2024-05-03": "skipped",
    });
  });

  test("--no-tracks sends every workout by save", async () => {
    world.settings.tracks = false;
    expect(await decisions([watch(recording("w"))])).toEqual({ w: "create by save" });
    await world.apply();
    expect(world.log.calls).toEqual(["create workout"]);
  });

  test("a sport nobody knows, and one the log has no number for, are quarantined with the setting that lets them in", async () => {
    const unknown = item("workout", "u", { sport: "Kubb", start: { date: "2024-05-01" } });
    const unnumbered = item("workout", "n", { activity: "row", start: { date: "2024-05-01" } });
    expect(await decisions([rows(unknown, unnumbered)])).toEqual({ u: "quarantined", n: "quarantined" });
    const reasons = (await world.lines()).map(({ reason }) => reason ?? "").join("\n");
    expect(reasons).toContain("Kubb=ACTIVITY");
    expect(reasons).toContain("--activity row=NUMBER");
  });

  test("what a connector rejects has a line and is counted", async () => {
    const rejected = (key: string, as: "skipped" | "quarantined"): Reading => ({
      kind: "set-aside",
      key,
      origin: { connector: "rows", archive: "rows.zip", entry: key },
      as,
      issue: { severity: "warning", rule: "rows/odd" },
    });
    expect(await decisions([rows(rejected("q", "quarantined"), row("r"), rejected("s", "skipped"))])).toEqual({
      q: "quarantined",
      r: "create by save",
      s: "skipped",
    });
    expect(world.issues.map(({ rule }) => rule)).toEqual(["rows/odd", "rows/odd"]);
  });

  test("a file with a wrong time doesn't go to the log itself: its recording goes as a file of its own", async () => {
    const run = recording("run", {
      start: { instant: Date.parse("2024-05-01T05:00:00Z"), offsetMinutes: 120 },
      track: { entry: "run.tcx", format: "tcx", recording: 0, recordings: 1, sha256: "0", corrected: true },
    });
    expect(await decisions([watch(run)])).toEqual({ run: "create by import" });
    expect(world.issues).toMatchObject([{ rule: "plan/recording-alone", found: "a file with a wrong time" }]);
    expect((await world.lines())[0]?.value).toMatchObject({ track: { alone: true } });
  });

  test("of a file of several recordings one that is in the log makes the others go as files of their own", async () => {
    const both = [0, 1].map((leg) =>
      recording(`leg-${leg}`, {
        start: { instant: Date.parse("2024-05-01T05:00:00Z") + leg * 7_200_000, offsetMinutes: 120 },
        track: { entry: "both.fit", format: "fit", recording: leg, recordings: 2, sha256: "0" },
      }),
    );
    const details = { distance: { unit: "km", value: 10.1 }, duration: 3010 };
    world.log.put("workout", { activityID: 10, date: "2024-05-01", time: "07:00:00", details });
    expect(await decisions([watch(...both)])).toEqual({ "leg-0": "unchanged", "leg-1": "create by import" });
    expect(world.issues.map(({ rule }) => rule)).toContain("plan/recording-alone");
    const leg = (await world.lines()).find(({ key }) => key === "leg-1");
    expect(leg?.value).toMatchObject({ track: { recording: 1, recordings: 2, alone: true } });
  });
});

describe("a service without listings", () => {
  beforeEach(() => {
    world.lists = { workout: false, course: false };
  });

  test("is planned for by the journal alone: what was put there is unchanged", async () => {
    const sources = [rows(row("r"), item("course", "c", { name: "Loop" }))];
    await world.import(sources);
    expect(await decisions(sources)).toEqual({ r: "unchanged", c: "unchanged" });
  });

  test("a record taken out of it can't be missed", async () => {
    await world.import([rows(row("r"))]);
    world.log.records.clear();
    expect(await decisions([rows(row("r"))])).toEqual({ r: "unchanged" });
  });
});

describe("a plan that can't be made", () => {
  const broken = (): MadeSource => ({
    name: "broken",
    get readings(): readonly Reading[] {
      throw new FatalError("source/unreadable", "source", "Cannot read broken: it ends half-way");
    },
  });

  test("leaves the last plan, which can still be applied", async () => {
    await world.plan([rows(row("r"))]);
    await expect(world.plan([broken()])).rejects.toMatchObject({ reason: "source" });
    const summary = await world.apply();
    expect(summary.all).toMatchObject({ created: 1 });
  });

  test("for want of a listing leaves what was known of the log: a lost answer isn't looked for among old records", async () => {
    // One of two alike is in the log by hand; the other is planned.
    const body = { activityID: 10, date: "2024-05-01", time: "07:00:00", notes: "by hand" };
    world.log.put("workout", { ...body, details: { distance: { unit: "km", value: 10 }, duration: 3000 } });
    await world.plan([rows(row("r1"), row("r2"))]);
    const list = world.log.list.bind(world.log);
    world.log.list = async function* () {
      yield* [];
      throw new FatalError("api/http-401", "login", "Cannot list: the service answered 401");
    };
    await expect(world.plan([rows(row("r1"), row("r2"))])).rejects.toMatchObject({ reason: "login" });
    world.log.list = list;
    let creates = 0;
    world.log.script = (operation) => (operation === "create" && ++creates === 1 ? "lost before" : undefined);
    await world.apply();
    expect(inLog().map(({ notes }) => notes)).toEqual(["by hand", "words of r2"]);
  });
});

function never(): never {
  throw new Error("the plan was stopped");
}
