/**
 * GPX files that name no sport, among files that do: in a real folder, by the real command line. An unknown sport matches any sport, and the known
 * one wins.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fitFile, once } from "./support/fit-bytes.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

/** 2020-09-13T06:00:00Z. */
const START = Date.parse("2020-09-13T06:00:00Z");
const FIT_EPOCH = 631_065_600;
const CYCLING = 2;

/** A line to the north at a steady pace, an hour long. A degree of a meridian is 111.195 km. */
function gpx(hours: number, km: number, type?: string): string {
  const at = (minutes: number) => new Date(START + (hours * 60 + minutes) * 60_000).toISOString();
  const points = [0, 20, 40, 60].map((minutes) => {
    const lat = 48 + (km * (minutes / 60)) / 111.195;
    return `<trkpt lat="${lat}" lon="16.37"><time>${at(minutes)}</time></trkpt>`;
  });
  const sport = type === undefined ? "" : `<type>${type}</type>`;
  return `<?xml version="1.0"?><gpx version="1.1"><trk>${sport}<trkseg>${points.join("")}</trkseg></trk></gpx>`;
}

function fitRide(hours: number, km: number): Uint8Array {
  const start = START / 1000 - FIT_EPOCH + hours * 3600;
  return fitFile([
    once(0, 0, [
      [0, "enum", 4],
      [1, "uint16", 1],
      [3, "uint32z", 77],
      [4, "uint32", start],
    ]),
    once(2, 18, [
      [253, "uint32", start + 3600],
      [2, "uint32", start],
      [5, "enum", CYCLING],
      [8, "uint32", 3_600_000],
      [9, "uint32", km * 100_000],
    ]),
    once(4, 34, [
      [253, "uint32", start + 3600],
      [5, "uint32", start + 3600 + 7200],
    ]),
  ]);
}

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse("kilometres", { utcOffset: 2 });
});
afterEach(() => rehearsal.close());

function folderOf(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return folder;
}

/** `activityID km` of every workout of the log. */
async function logged(): Promise<string[]> {
  const workouts = await rehearsal.listed("/rest/logs/me/workouts");
  const km = ({ details }: Record<string, unknown>) =>
    Math.round((details as { distance: { value: number } }).distance.value);
  return workouts.map((workout) => `${workout.activityID} ${km(workout)}`).toSorted();
}

const RUN = 10;
const BIKE = 11;
const WALK = 12;

/** A ride as the watch and the phone have it, and two walks. One of the walks names its sport. */
const ride = (phone: string) => ({ "m.fit": fitRide(0, 30), [phone]: gpx(0, 30.2) });

test.each(["a.gpx", "z.gpx"])(
  "a GPX without a sport is the ride it is a duplicate of: %s beside m.fit",
  async (phone) => {
    const folder = folderOf("mixed", { ...ride(phone), "named.gpx": gpx(4, 5, "walking"), "nameless.gpx": gpx(8, 10) });
    const first = await rehearsal.run(["import", folder, ...rehearsal.activities]);
    expect(first).toMatchObject({ code: 3 });
    expect(first.out).toMatch(/1 record: the source names no sport.*\n.*nameless\.gpx/);
    expect(first.out).toMatch(/merged +1 /);
    expect(await logged()).toHaveLength(2);

    // `--sport =run` covers all files that name no sport. It applies to the ones that are left.
    expect(await rehearsal.run(["import", folder, ...rehearsal.activities, "--sport", "=run"])).toMatchObject({
      code: 0,
    });
    const walk = rehearsal.activities.find((pair) => pair.startsWith("walk="))?.slice("walk=".length) ?? WALK;
    expect(await logged()).toEqual([`${BIKE} 30`, `${RUN} 10`, `${walk} 5`].toSorted());
  },
);

test("a GPX without a sport is the ride that the log has already, whatever --sport says of the others", async () => {
  const watch = folderOf("watch", { "m.fit": fitRide(0, 30) });
  expect(await rehearsal.run(["import", watch, ...rehearsal.activities])).toMatchObject({ code: 0 });
  const phone = folderOf("phone", { "a.gpx": gpx(0, 30.2), "b.gpx": gpx(8, 10) });
  const second = await rehearsal.run(["import", phone, ...rehearsal.activities, "--sport", "=run"]);
  expect(second).toMatchObject({ code: 0 });
  expect(await logged()).toEqual([`${BIKE} 30`, `${RUN} 10`].toSorted());
});

test("of two GPX files without a sport that are one workout, one is loaded, as what the owner says", async () => {
  const folder = folderOf("phone", { "a.gpx": gpx(0, 10), "b.gpx": gpx(0, 10.1) });
  const ran = await rehearsal.run(["import", folder, ...rehearsal.activities, "--sport", "=run"]);
  expect(ran).toMatchObject({ code: 0 });
  expect(await logged()).toEqual([`${RUN} 10`]);
});
