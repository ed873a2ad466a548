import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COLUMNS as STRAVA } from "../connectors/platforms/strava/columns.ts";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// A person wrote notes for herself alone. In the log, whoever may see a workout also reads its notes. By the real command line against a log over HTTP.

let rehearsal: Rehearsal;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

const STRAVA_COLUMNS = STRAVA.map(([theirs]) => [theirs].flat()[0] ?? "");
/** By the place of the column. */
const STRAVA_ROW: Readonly<Record<number, string>> = {
  0: "101",
  1: "May 14, 2024, 6:00:00 AM",
  2: "Hills",
  3: "Run",
  4: "six of them",
  10: "knee again",
  15: "2400.0",
  16: "2400.0",
  17: "8000.0",
};

const SOURCES = {
  attackpoint: {
    file: "log-1-2024-01-01-2024-12-31.csv",
    rows: [
      "date,hour,activity,workout,keywords,time,i0,i1,i2,i3,i4,i5,distance(km),climb(m),intensity,t-intensity,ahr,mhr,controls,spiked,rhr,sleep,weight(kg),injured,sick,restday,shoes,route,description,private note",
      "2024-05-04,8,Running,,,00:40:00,,,,,,,8.0,,,,,,,,,,,,,,,,in the woods,cried on the way home",
      "2024-05-06,8,Running,,,00:30:00,,,,,,,6.0,,,,,,,,,,,,,,,,flat,",
    ],
    kept: ["in the woods\nPrivate note: cried on the way home", "flat"],
    left: ["in the woods", "flat"],
  },
  strava: {
    file: "activities.csv",
    rows: [
      STRAVA_COLUMNS.join(","),
      STRAVA_COLUMNS.map((_, place) => JSON.stringify(STRAVA_ROW[place] ?? "")).join(","),
    ],
    kept: ["Hills\n\nsix of them\n\nknee again"],
    left: ["Hills\n\nsix of them"],
  },
} as const;

test.each(Object.entries(SOURCES))(
  "private notes of %s are named before they come to the log, and stay away where a person says so",
  async (name, { file, rows, kept, left }) => {
    const path = join(rehearsal.folder, file);
    writeFileSync(path, `${rows.join("\n")}\n`);
    const journal = join(rehearsal.folder, `${name}.db`);
    const zone = ["--zone", "Europe/Vienna"];

    const planned = await rehearsal.run(["plan", path, ...zone], { journal });
    expect(planned.out.replace(/\s+/g, " ")).toContain(
      "1 private note, expected notes that everyone who sees the workout may read",
    );
    expect(planned.out).toContain("--no-private-notes");
    const without = await rehearsal.run(["import", path, ...zone, "--no-private-notes", "--json"], { journal });
    expect(jsonLines(without.out).filter(({ rule }) => rule === "table/private-notes")).toEqual([]);
    expect(await notesOf(left.length)).toEqual(left);
    // Who changes their mind gets them, as any other change at the source.
    await rehearsal.run(["import", path, ...zone], { journal });
    expect(await notesOf(left.length)).toEqual(kept);
    await rehearsal.run(["import", path, ...zone, "--no-private-notes"], { journal });
    expect(await notesOf(left.length)).toEqual(left);
  },
);

/** The notes of the latest workouts, the oldest first. */
async function notesOf(count: number): Promise<readonly unknown[]> {
  const workouts = await rehearsal.listed("/rest/logs/me/workouts");
  const latest = workouts.toSorted((one, other) => String(one.date).localeCompare(String(other.date))).slice(-count);
  const whole = await Promise.all(latest.map(({ id }) => rehearsal.get(`/rest/logs/me/workouts/${id}`)));
  return whole.map(({ workout }) => (workout as { notes?: string }).notes);
}
