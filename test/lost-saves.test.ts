/** A save that the log confirmed, and doesn't have: something on the way answered it, or the log's database forgot it. By the real command line. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { passOn, startServer } from "./support/http-server.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { addMember, type Member, rowOf, writeRoster } from "./support/team.ts";
import { changeWorkout } from "./support/typed-workout.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

/** A way to the log that answers one save of a workout itself, the first one after `losesNext` was called. */
async function wayToLog() {
  let isLost = true;
  const way = await startServer((request) => {
    const [, id] = /\/workouts\/([^/]+)$/.exec(request.path) ?? [];
    if (isLost || request.method !== "PUT" || id === undefined) return passOn(rehearsal.service.url, request);
    isLost = true;
    return { json: { code: 0, data: { id } } };
  });
  onTestFinished(() => way.close());
  const losesNext = () => {
    isLost = false;
  };
  return { url: way.url, losesNext };
}

/** All workouts of a log, as plain `fetch` reads them, without their numbers. */
async function workoutsOf({ token }: Pick<Member, "token">): Promise<readonly Record<string, unknown>[]> {
  const read = async (path: string) => {
    const answer = await fetch(`${rehearsal.service.url}${path}access_token=${token}`);
    return ((await answer.json()) as { data: Record<string, unknown> }).data;
  };
  const { entries } = (await read("/rest/logs/me/workouts?limit=100&")) as { entries: { id: string }[] };
  const all = await Promise.all(entries.map(({ id }) => read(`/rest/logs/me/workouts/${id}?`)));
  return all.map(({ workout }) => ({ ...(workout as Record<string, unknown>), id: undefined }));
}

/** Three runs as a watch records them: by the clock of UTC, with a name. @returns their folder */
function gpxFolder(): string {
  const folder = join(rehearsal.folder, "gpx");
  mkdirSync(folder);
  for (const day of [4, 11, 18]) {
    const points = Array.from({ length: 31 }, (_, minute) => {
      const time = `2024-05-${String(day).padStart(2, "0")}T11:${String(minute).padStart(2, "0")}:03Z`;
      return `<trkpt lat="${(48.2 + day / 100 + minute * 0.0015).toFixed(4)}" lon="16.4"><time>${time}</time></trkpt>`;
    });
    writeFileSync(
      join(folder, `${day}.gpx`),
      `<?xml version="1.0"?><gpx version="1.1" creator="a watch" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Lunch ${day}</name><type>running</type><trkseg>${points.join("")}</trkseg></trk></gpx>`,
    );
  }
  return folder;
}

test("of a workout from a watch is sent again by the same batch, and the old account stays open until then", async () => {
  const [ana, whole] = [
    await addMember(rehearsal.service, join(rehearsal.folder, "team"), 1),
    await addMember(rehearsal.service, join(rehearsal.folder, "team"), 2),
  ];
  const archives = gpxFolder();
  const straight = writeRoster(join(rehearsal.folder, "whole.csv"), [{ ...rowOf(whole), archives }]);
  expect((await rehearsal.run(["batch", straight, "--zone", "Europe/Vienna"])).code).toBe(0);

  const { url, losesNext } = await wayToLog();
  losesNext();
  const roster = writeRoster(join(rehearsal.folder, "ana.csv"), [{ ...rowOf(ana), archives, url }]);
  const report = join(rehearsal.folder, "results");
  const words = ["batch", roster, "--zone", "Europe/Vienna", "--report", report, "--certify"];
  const first = await rehearsal.run(words);
  expect(first.code, first.out + first.err).toBe(3);
  expect(first.out + first.err).toContain("1 of 3 records differ from what was planned");
  expect(await workoutsOf(ana)).not.toEqual(await workoutsOf(whole));
  expect(first.err).toContain(
    "the log confirmed the save of 1 of them and doesn't have it: the same batch sends it again",
  );
  expect(first.out).toContain("1 certificate was written, and 0 say yes.");

  const again = await rehearsal.run(words);
  expect(again.code, again.out + again.err).toBe(0);
  expect(again.out).toContain("1 certificate was written, and 1 says yes.");
  expect(await workoutsOf(ana)).toEqual(await workoutsOf(whole));
});

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Date: { field: date }
  Time: { field: time }
  Sport: { field: activity }
  Km: { field: distance, unit: km }
  Duration: { field: duration, format: "mm:ss" }
  Notes: { field: notes }
`;

/** A sheet of three runs. @param notes those of the second */
function writeSheet(folder: string, notes: string): string {
  mkdirSync(folder, { recursive: true });
  const days = ["2024-05-04", "2024-05-06", "2024-05-08"];
  const rows = days.map((day, at) => `${day},07:00,run,${5 + at},30:00,${at === 1 ? notes : `day ${at}`}`);
  writeFileSync(join(folder, "diary.csv"), `Date,Time,Sport,Km,Duration,Notes\n${rows.join("\n")}\n`);
  writeFileSync(join(folder, "diary.map.yaml"), MAPPING);
  return join(folder, "diary.csv");
}

/** Imports a sheet of a new athlete, and once more after the notes of its second row changed. @param isLost whether the log never gets that save */
async function changedSheet(number: number, isLost: boolean) {
  const athlete = await addMember(rehearsal.service, join(rehearsal.folder, "team"), number);
  const folder = join(rehearsal.folder, athlete.screenName);
  const { url, losesNext } = await wayToLog();
  const run = (...words: readonly string[]) => {
    const flags = ["--url", url, "--token-file", athlete.tokenFile, "--journal", join(folder, "own.db")];
    return rehearsal.run([...words, ...flags]);
  };
  const imported = await run("import", writeSheet(folder, "easy"));
  expect(imported.code, imported.out + imported.err).toBe(0);
  const [, second] = (await entriesOf(athlete)).toReversed();
  const change = async (values: Record<string, unknown>) => {
    const answer = await fetch(`${url}/rest/logs/me/workouts/${second}?access_token=${athlete.token}`);
    const { data } = (await answer.json()) as { data: { workout: Record<string, unknown> } };
    const { timeOfDay: time, ...rest } = data.workout;
    await changeWorkout({ service: rehearsal.service, token: athlete.token }, second ?? "", {
      ...rest,
      time,
      ...values,
    });
  };
  const sheet = writeSheet(folder, "hard");
  if (isLost) losesNext();
  expect((await run("import", sheet)).code).toBe(0);
  const notes = async () => (await workoutsOf(athlete)).map((one) => one.notes).toSorted();
  return { run, sheet, change, notes };
}

async function entriesOf({ token }: Member): Promise<readonly string[]> {
  const answer = await fetch(`${rehearsal.service.url}/rest/logs/me/workouts?limit=100&access_token=${token}`);
  const { data } = (await answer.json()) as { data: { entries: { id: string }[] } };
  return data.entries.map(({ id }) => id);
}

test("of a changed row is named by each check, and sent again by the next import", async () => {
  const { run, sheet, notes } = await changedSheet(11, true);
  expect(await notes()).toEqual(["day 0", "day 2", "easy"]);
  for (const _ of [1, 2]) {
    const checked = await run("verify");
    expect(checked.code).toBe(7);
    expect(checked.out).toContain(
      "The log confirmed the save of 1 of them, and doesn't have it. The same import sends it again.",
    );
  }
  expect((await run("import", sheet)).code).toBe(0);
  expect(await notes()).toEqual(["day 0", "day 2", "hard"]);
  expect((await run("verify")).code).toBe(0);
});

test("of a row whose owner edits the same value before it is sent again is over then, and the edit stays", async () => {
  const { run, sheet, change, notes } = await changedSheet(13, true);
  expect((await run("verify")).code).toBe(7);
  await change({ notes: "my own" });
  expect((await run("import", sheet)).code).toBe(0);
  expect(await notes()).toEqual(["day 0", "day 2", "my own"]);
  const checked = await run("verify");
  expect([checked.code, checked.out]).toEqual([0, expect.stringContaining("Edited in your log, and kept")]);
});

test("is told from the edit of an owner who takes back an update that a check saw", async () => {
  const { run, sheet, change, notes } = await changedSheet(12, false);
  expect((await run("verify")).code).toBe(0);
  await change({ notes: "easy" });
  expect((await run("verify")).code).toBe(7);
  expect((await run("import", sheet)).code).toBe(0);
  expect(await notes()).toEqual(["day 0", "day 2", "easy"]);
  const checked = await run("verify");
  expect([checked.code, checked.out]).toEqual([0, expect.stringContaining("Edited in your log, and kept")]);
});
