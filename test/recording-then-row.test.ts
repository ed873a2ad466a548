import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deleteWorkout } from "./support/delete-workout.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { writeSheet } from "./support/small-sources.ts";
import { startsInLog } from "./support/starts-in-log.ts";

// The recordings of a watch are in the log. Then comes a table with the same workouts, by the real command line.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const run = async (...words: readonly string[]) => {
  const ran = await rehearsal.run(words);
  expect(ran.code, ran.out + ran.err).toBe(0);
  return ran.out;
};
const log = () => startsInLog(rehearsal);

/** What a watch recorded in Berlin on 2024-06-16. */
interface Recorded {
  readonly name: string;
  /** Hours and minutes of UTC. */
  readonly at: string;
  readonly km: number;
  readonly minutes: number;
}

const TEN: Recorded = { name: "one", at: "07:00", km: 10, minutes: 60 };

/** A folder with GPX files, out and back along a meridian. Each starts 13 s past its minute. @returns the folder */
function watch(...all: readonly Recorded[]): string {
  const folder = join(rehearsal.folder, "watch");
  mkdirSync(folder);
  for (const { name, at, km, minutes } of all.length === 0 ? [TEN] : all) {
    const point = (minute: number) => {
      const metres = Math.min(minute, minutes - minute) * ((km * 1_000) / minutes);
      const time = new Date(Date.parse(`2024-06-16T${at}:13Z`) + minute * 60_000).toISOString();
      return `<trkpt lat="${(52.5 + metres / 111_195).toFixed(7)}" lon="13.35"><time>${time}</time></trkpt>`;
    };
    const points = Array.from({ length: minutes + 1 }, (_, minute) => point(minute)).join("");
    writeFileSync(
      join(folder, `${name}.gpx`),
      `<?xml version="1.0"?><gpx version="1.1" creator="watch" xmlns="http://www.topografix.com/GPX/1/1"><trk><type>running</type><trkseg>${points}</trkseg></trk></gpx>`,
    );
  }
  return folder;
}

const phone = (time: string, km: number, seconds: number) =>
  writeSheet(join(rehearsal.folder, "phone"), [{ date: "2024-06-16", time, km, seconds, notes: "by phone" }], "phone");

/** Both at the same time, and too different to be one by their values. The watch's run is in the log. @returns the pair's name */
async function planBoth(table: string): Promise<string> {
  await run("import", watch());
  const planned = await run("plan", table);
  const [, pair = ""] = /\((\w+\+\w+)\)/.exec(planned) ?? [];
  expect(pair, planned).not.toBe("");
  return pair;
}

test("a row that a person calls one with a recording in the log changes no value there, and two once they say so", async () => {
  const table = phone("09:09:41", 8.6, 3_020);
  const pair = await planBoth(table);
  await run("plan", "review", "--answer", `${pair}=one`);
  await run("apply");
  expect(await log()).toEqual(["09:00 10"]);
  expect(await run("import", table)).toContain("Nothing to do");
  const said = await run("plan", "review", "--answer", `${pair}=two`);
  expect(said).not.toContain("Both are in your log as one workout");
  await run("import", table);
  expect(await log()).toEqual(["09:00 10", "09:09 8.6"]);
  expect(await run("import", table)).toContain("Nothing to do");
  expect(await run("import", join(rehearsal.folder, "watch"))).toContain("Nothing to do");
  expect(await log()).toEqual(["09:00 10", "09:09 8.6"]);
});

test("a row that joined a recording by its values becomes a workout of its own once a person says that they are two", async () => {
  const table = phone("09:00:40", 10.1, 3_610);
  await run("import", watch());
  await run("import", table);
  expect(await log()).toEqual(["09:00 10.1"]);
  const said = await run("plan", "review", "--answer", "phone.csv:2+one.gpx=two");
  expect(said).toContain("Both are in your log as one workout");
  // The log's workout is the row's. The watch's is made anew.
  await run("import", table);
  expect(await log()).toEqual(["09:00 10.1"]);
  await run("import", join(rehearsal.folder, "watch"));
  expect(await log()).toEqual(["09:00 10", "09:00 10.1"]);
  for (const source of [table, join(rehearsal.folder, "watch")])
    expect(await run("import", source)).toContain("Nothing to do");
});

test("a row that joined a recording is loaded beside it once they are two and its run is undone", async () => {
  const table = phone("09:00:40", 10.1, 3_610);
  await run("import", watch());
  await run("import", table);
  await run("plan", "review", "--answer", "phone.csv:2+one.gpx=two");
  await run("undo", "2");
  expect(await log()).toEqual(["09:00 10"]);
  await run("import", table);
  expect(await log()).toEqual(["09:00 10", "09:00 10.1"]);
  expect(await run("import", "--again", table)).toContain("Of these sources, in your log: 1 workout, 10.1 km");
  expect(await log()).toEqual(["09:00 10", "09:00 10.1"]);
  for (const source of [table, join(rehearsal.folder, "watch")])
    expect(await run("import", source)).toContain("Nothing to do");
});

test("a row that joins a recording is told as what it is, and no option is said to have moved its start", async () => {
  const table = phone("09:00:40", 10.1, 3_610);
  await run("import", watch());
  const joined = await run("import", "--zone", "Europe/Berlin", table);
  expect(joined).not.toContain("plan/starts-would-move");
  expect(await run("explain", "phone.csv:2")).toContain(
    "the row phone.csv line 2 comes to the recording watch one.gpx, which run 1 loaded: what a person wrote counts first",
  );
});

test("a track that came with the recording isn't missing once both are named together", async () => {
  const table = phone("09:00:40", 10.1, 3_610);
  const folder = watch();
  await run("import", folder);
  await run("import", table);
  expect(await run("import", table, folder)).not.toContain("track 1");
});

test("what an undo took back is filled again by --enrich --again, and no other value of the recording changes", async () => {
  const table = phone("09:00:40", 10.1, 3_610);
  await run("import", watch());
  await run("import", "--enrich", table);
  await run("undo", "2");
  await run("import", "--enrich", "--again", table);
  const [entry] = await rehearsal.listed("/rest/logs/me/workouts");
  const { workout } = await rehearsal.get(`/rest/logs/me/workouts/${entry?.id}`);
  expect(workout).toMatchObject({ timeOfDay: "09:00:13", notes: "by phone", details: { duration: 3_600 } });
});

test("a whole that was deleted comes back as the parts that have tracks, once what is missing is asked for", async () => {
  const whole = phone("09:00:13", 11, 4_800);
  const folder = watch(
    { name: "before", at: "07:00", km: 6, minutes: 40 },
    { name: "after", at: "07:55", km: 5, minutes: 40 },
  );
  await run("import", whole);
  await run("import", folder);
  expect(await log()).toEqual(["09:00 11"]);
  const [entry] = await rehearsal.listed("/rest/logs/me/workouts");
  deleteWorkout(join(rehearsal.folder, "service.db"), String(entry?.id));
  await run("import", whole, folder, "--restore-missing");
  expect(await log()).toEqual(["09:00 6", "09:55 5"]);
});
