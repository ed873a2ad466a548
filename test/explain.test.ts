import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// The history of a record, as a person asks for it after an import. One workout is in a sheet and in a watch file, another one of the same day is a
// different workout, and one was rejected. The expected history was worked out by hand from the files written here.

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  Clock: { field: time }
  Sport: { field: activity }
  Distance: { field: distance, unit: mi }
  Time: { field: duration, format: "h:mm:ss" }
  Notes: { field: notes }
  Calories: { field: unsupported, label: calories }
`;

type Json = Record<string, unknown>;

let rehearsal: Rehearsal;
let sheet: string;
let watch: string;

/** 06:00 UTC at 48.2 north, 16.37 east: 08:00 in Vienna in summer. A step of 0.01 degrees of latitude is 1.112 km. */
function gpx(hour: string, steps: number): string {
  const points = Array.from({ length: steps + 1 }, (_, at) => {
    const time = new Date(Date.parse(`2019-06-01T${hour}:00Z`) + at * 300_000).toISOString();
    return `<trkpt lat="${(48.2 + at * 0.01).toFixed(2)}" lon="16.37"><time>${time}</time></trkpt>`;
  });
  return `<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><type>running</type><trkseg>${points.join("")}</trkseg></trk></gpx>`;
}

beforeAll(async () => {
  rehearsal = await rehearse();
  sheet = join(rehearsal.folder, "log.csv");
  watch = join(rehearsal.folder, "watch");
  mkdirSync(watch);
  writeFileSync(join(rehearsal.folder, "log.map.yaml"), MAPPING);
  writeFileSync(
    sheet,
    [
      "Day,Clock,Sport,Distance,Time,Notes,Calories",
      // 4.15 mi is 6.679 km: six steps of 1.112 km are 6.67.
      "2019-06-01,08:00:30,run,4.15,0:30:00,to the river,510",
      "2019-06-01,09:30:00,run,1,0:10:00,back,",
      "2019-06-31,08:00,run,3,0:20:00,no such day,",
    ].join("\n"),
  );
  writeFileSync(join(watch, "a.gpx"), gpx("06:00", 6));
  const ran = await rehearsal.run(["import", sheet, watch, "--quiet"]);
  expect(ran.code, ran.err).toBe(3);
});
afterAll(() => rehearsal.close());

async function told(...words: readonly string[]): Promise<string> {
  const ran = await rehearsal.run(["explain", ...words]);
  expect(ran, words.join(" ")).toMatchObject({ code: 0, err: "" });
  return ran.out;
}

async function json(type: string, ...words: readonly string[]): Promise<Json[]> {
  const ran = await rehearsal.run(["explain", ...words, "--json"]);
  return jsonLines(ran.out).filter((line) => line.type === type);
}

test("a row's history: what was read, local time, activity, units, the duplicate, what was sent and answered, what is lost", async () => {
  const text = await told("log.csv:2");
  expect(text).toMatch(/^[0-9a-f]{6}: workout from log\.csv line 2$/m);
  expect(text).toContain(`${sheet}, read as csv`);
  expect(text).toMatch(/start: 2019-06-01, 08:00:30\n/);
  expect(text).toMatch(/distance: 4\.15 mi\n/);
  expect(text).toMatch(/local time 2019-06-01 08:00:30, as the source itself has it/);
  expect(text).toMatch(/activity run: "run" in the built-in table/);
  expect(text).toMatch(/distance 4\.15 mi is written as 6\.679 km/);
  expect(text).toMatch(
    /the same: [0-9a-f]{6} watch a\.gpx: .*starts 30 s apart, distances 0\.\d % apart, durations 0\.0 % apart, score 24; 9 is enough/,
  );
  expect(text).toMatch(/decided: create by import, now done/);
  expect(text).toMatch(/one with [0-9a-f]{6}, watch a\.gpx/);
  expect(text).toMatch(/UTC: sent\n/);
  expect(text).toMatch(/UTC: answered: done/);
  expect(text).toMatch(/What is not put in the log\n\s+calories: 510/);
  const listed = await rehearsal.listed("/rest/logs/me/workouts");
  const read = await Promise.all(listed.map(({ id }) => rehearsal.get(`/rest/logs/me/workouts/${id}`)));
  const found = read.map(({ workout }) => workout as Json).find(({ notes }) => notes === "to the river");
  expect(text).toContain(`It stands in your log as workout ${found?.id}, put there by run 1.`);
  // The same by the log's id.
  expect(await told(String(found?.id))).toBe(text);
});

test("a file's history goes on as the row it is one with, and says how its local time came about", async () => {
  const text = await told("a.gpx");
  expect(text).toMatch(/start: 2019-06-01T06:00:00Z, at 48\.20, 16\.37/);
  expect(text).toMatch(/local time 2019-06-01 08:00:00, by the zone at the first position: Europe\/Vienna, UTC\+2/);
  expect(text).toMatch(/decided: merged: the same workout/);
  expect(text).toMatch(/As [0-9a-f]{6}, which it is one with: run 1/);
  expect(text).toMatch(/It stands in your log as workout /);
  const [history, whole] = await json("history", join(watch, "a.gpx"));
  expect(history).toMatchObject({
    state: "merged",
    read: { sport: "running", start: { instant: Date.parse("2019-06-01T06:00:00Z") } },
  });
  expect(history?.goesOnAs).toMatchObject({ id: whole?.id });
  expect(whole).toMatchObject({ state: "done", remoteRecord: { run: 1, finished: true } });
});

test("another workout of the day is named with what tells the two apart", async () => {
  const [history] = await json("history", "log.csv", "line", "3");
  const others = history?.comparedWith as { isSame: boolean; why: string; origin: { entry: string } }[];
  expect(others.map(({ isSame }) => isSame)).toEqual([false, false]);
  expect(others.find(({ origin }) => origin.entry === "a.gpx")?.why).toMatch(
    /^starts 5400 s apart \(200 s at most\), distances 7\d\.\d % apart \(16 % at most\), durations 66\.7 % apart \(35 % at most\)$/,
  );
});

test("a record that was rejected says why, and that it is not in the log", async () => {
  const text = await told("log.csv:4");
  expect(text).toMatch(
    /csv\/no-such-day \(Day is "2019-06-31", expected a day that exists: the month ends on 2019-06-30\)/,
  );
  expect(text).toMatch(/It is not in your log: quarantined, csv\/no-such-day/);
});

test("words that name several records list them, with ids that name one", async () => {
  const text = await told("2019-06-01");
  expect(text).toMatch(/3 records are called so:/);
  const matches = await json("match", "2019-06-01");
  expect(matches).toHaveLength(3);
  for (const { id, key } of matches) {
    const [history] = await json("history", String(id));
    expect(history?.key).toBe(key);
  }
});

test("words that name nothing are a mistake in the command", async () => {
  const ran = await rehearsal.run(["explain", "no-such-file.fit"]);
  expect(ran).toMatchObject({
    code: 2,
    err: expect.stringMatching(/Cannot find "no-such-file.fit" in the journal.* a whole key \(strava:workout:/),
  });
});

test("asked to check, it says how the record stands now: as it was sent, edited, or gone on to a later run", async () => {
  expect(await told("log.csv:3", "--check")).toMatch(/put there by run 1, as it was sent\./);
  const [history] = await json("history", "log.csv:3");
  const { id } = (history as { remoteRecord: { id: string } }).remoteRecord;
  const { workout } = await rehearsal.get(`/rest/logs/me/workouts/${id}`);
  const { id: _id, timeOfDay, ...rest } = workout as Json;
  const body = { ...rest, time: timeOfDay, notes: "back, slowly" };
  const answer = await fetch(`${rehearsal.service.url}/rest/logs/me/workouts/${id}?access_token=${rehearsal.token}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(await answer.json()).toMatchObject({ code: 0 });
  expect(await told("log.csv:3", "--check")).toMatch(/edited since: notes is "back, slowly", sent was "back"\./);
  const [checked] = await json("history", "log.csv:3", "--check");
  expect(checked?.now).toMatchObject({ there: true, differences: [{ field: "notes", found: "back, slowly" }] });
  await rehearsal.run(["import", sheet, watch, "--quiet"]);
  expect(await told("log.csv:3")).toMatch(/Run 2, .* UTC\n\s+decided: unchanged: put there by run 1/);
});
