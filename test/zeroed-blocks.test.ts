/** Files with a block of zeros in them, as a copy that broke off or a bad sector leaves it. By the real command line, against a log over HTTP. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const HEADER = "Activity Type,Date,Favorite,Title,Distance,Calories,Time,Avg HR,Max HR";
const ROWS = [
  'Running,2022-01-11 09:09:52,false,"Run one","10.60","700","01:02:10","136","164"',
  'Running,2022-01-29 10:00:00,false,"Run two","15.10","900","01:23:42","121","177"',
  'Running,2022-02-03 10:00:00,false,"Run three","5.00","300","00:30:00","130","150"',
];
const TABLE = `${[HEADER, ...ROWS].join("\n")}\n`;

/** The text with zeros from one mark up to another one. */
function zeroed(text: string, from: string, to: string): string {
  const [at, end] = [text.indexOf(from), to === "" ? text.length : text.indexOf(to)];
  return text.slice(0, at) + "\0".repeat(end - at) + text.slice(end);
}

async function imported(name: string, text: string) {
  const folder = join(rehearsal.folder, "export");
  mkdirSync(folder);
  writeFileSync(join(folder, name), text);
  const ran = await rehearsal.run(["import", "--distance-unit", "km", "--zone", "Europe/Vienna", folder]);
  const { entries } = (await rehearsal.get("/rest/logs/me/workouts")) as { entries: { date: string }[] };
  const verified = await rehearsal.run(["verify"]);
  const status = await rehearsal.run(["status"]);
  const days = entries.map(({ date }) => date).sort();
  return { code: ran.code, out: ran.out, days, status: status.out, verified: verified.out };
}

test("a block of zeros over the end of a row makes no workout of two: the row is rejected with its line, and the account stays open", async () => {
  const ran = await imported("Activities.csv", zeroed(TABLE, '10.60"', '15.10"'));
  expect(ran.code, ran.out).toBe(3);
  expect(ran.days).toEqual(["2022-02-03"]);
  expect(ran.out).toMatch(/Activities\.csv line 2: \d+ NUL characters in a row/);
  expect(ran.status).toMatch(/closed\? Not yet: 1 record was rejected/);
  const advice = await rehearsal.run(["quarantine", "csv/nul-block"]);
  expect(advice.out).toContain("Take the file once more from where it came");
  writeFileSync(join(rehearsal.folder, "export", "Activities.csv"), TABLE);
  const again = await rehearsal.run([
    "import",
    "--distance-unit",
    "km",
    "--zone",
    "Europe/Vienna",
    join(rehearsal.folder, "export"),
  ]);
  expect(again.out).toContain("3 of 3 records are in your log, each once");
  await rehearsal.run(["verify"]);
  expect((await rehearsal.run(["status"])).out).toMatch(/closed\? Yes/);
});

test("a table whose end is zeros keeps the account open, and names the line where they begin", async () => {
  const ran = await imported("Activities.csv", zeroed(TABLE, "Running,2022-01-29", ""));
  expect(ran.code, ran.out).toBe(3);
  expect(ran.days).toEqual(["2022-01-11"]);
  expect(ran.out).toMatch(/Activities\.csv line 3: \d+ NUL characters in a row, to the end of the file/);
  expect(ran.status).toMatch(/closed\? Not yet: 1 record was rejected/);
});

const workout = (day: string, km: string) =>
  `<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="60" durationUnit="min" sourceName="Watch" startDate="${day} 09:00:00 +0100" endDate="${day} 10:00:00 +0100"><WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" sum="${km}" unit="km"/></Workout>`;
const HEALTH = [
  '<HealthData locale="en_AT">',
  workout("2022-01-11", "10.6"),
  workout("2022-01-29", "15.1"),
  workout("2022-02-03", "5"),
  "</HealthData>",
].join("\n");

test("a block of zeros from a tag of Apple Health into the next one's rejects this workout by name", async () => {
  const ran = await imported("export.xml", zeroed(HEALTH, 'e="2022-01-11 10:', 'e="2022-01-29 10:'));
  expect(ran.code, ran.out).toBe(3);
  expect(ran.days).toEqual(["2022-02-03"]);
  expect(ran.out).toMatch(/export\.xml record 1: \d+ NUL characters in a row, line 2 inside HealthData/);
  expect(ran.status).toMatch(/closed\? Not yet: 1 record was rejected/);
});

test("a block of zeros over a whole workout of Apple Health keeps the account open", async () => {
  const ran = await imported(
    "export.xml",
    zeroed(HEALTH, workout("2022-01-29", "15.1"), `\n${workout("2022-02-03", "5")}`),
  );
  expect(ran.code, ran.out).toBe(3);
  expect(ran.days).toEqual(["2022-01-11", "2022-02-03"]);
  expect(ran.out).toMatch(/export\.xml: \d+ NUL characters in a row, line 3 inside HealthData/);
  expect(ran.status).toMatch(/closed\? Not yet: 1 record was rejected/);
});
