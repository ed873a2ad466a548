import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { longTest, test } from "./support/tier-tests.ts";

// Apple Health brings the workouts first. Strava has the same ones with more values, and comes with a command of its own. By the real command line.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

function folderOf(name: string): string {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

const DAYS = ["2024-05-04", "2024-05-06", "2024-05-08"];

/** Three runs of 5 km at 07:00 in Vienna, without names and heart rates. */
function apple(): string {
  const folder = folderOf("apple");
  const workouts = DAYS.map((day) => {
    const start = `${day} 07:00:00 +0200`;
    return `<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" totalDistance="5"
      totalDistanceUnit="km" sourceName="Watch" startDate="${start}" endDate="${start}" creationDate="${start}"><MetadataEntry
      key="HKTimeZone" value="Europe/Vienna"/></Workout>`;
  });
  writeFileSync(join(folder, "export.xml"), `<HealthData locale="de_AT">${workouts.join("")}</HealthData>`);
  return folder;
}

const gpx = (day: string) => `<?xml version="1.0"?>
<gpx version="1.1" creator="StravaGPX" xmlns="http://www.topografix.com/GPX/1/1"><trk><type>running</type><trkseg>
${Array.from({ length: 31 }, (_, at) => `<trkpt lat="${48.2 + at / 669}" lon="16.37"><time>${day}T05:${String(at).padStart(2, "0")}:00Z</time></trkpt>`).join("\n")}
</trkseg></trk></gpx>`;

const FIXTURES = join(import.meta.dirname, "..", "fixtures", "strava");
const [HEADER = ""] = readFileSync(join(FIXTURES, "c-2020-79-columns", "archive", "activities.csv"), "utf8").split(
  "\n",
);

/** A row of Strava's table: a run of half an hour and 5 km. Strava has the distance in kilometres first, and then in metres. */
function cellsOf(row: Readonly<Record<string, string>>): string {
  const all: Record<string, string> = { "Activity Type": "Run", "Elapsed Time": "1800", "Moving Time": "1800", ...row };
  const names = HEADER.split(",");
  return names
    .map((name, index) => (name === "Distance" ? (names.indexOf(name) === index ? "5.00" : "5000") : (all[name] ?? "")))
    .map((cell) => (cell.includes(",") ? `"${cell}"` : cell))
    .join(",");
}

/** The same runs. The first two have a title and a description, and the first a shoe and, if asked for, a file. */
function strava({ withFile = false } = {}): string {
  const folder = folderOf("strava");
  writeFileSync(join(folder, "shoes.csv"), "Shoe Name,Shoe Brand,Shoe Model\nNimbus,ASICS,Nimbus\n");
  const file = withFile ? "activities/1.gpx" : "";
  mkdirSync(join(folder, "activities"), { recursive: true });
  if (withFile) writeFileSync(join(folder, file), gpx("2024-05-04"));
  const rows = [
    { "Activity ID": "1", "Activity Date": "May 4, 2024, 5:00:10 AM", "Activity Name": "Along the river" },
    { "Activity ID": "2", "Activity Date": "May 6, 2024, 5:00:10 AM", "Activity Name": "Intervals" },
    { "Activity ID": "3", "Activity Date": "May 8, 2024, 5:00:10 AM" },
  ];
  const more = [
    {
      ...{ "Activity Description": "With Anna", "Activity Gear": "ASICS Nimbus", Filename: file },
      ...{ "Max Heart Rate": "171", "Average Heart Rate": "141" },
    },
    { "Max Heart Rate": "181", "Average Heart Rate": "151" },
    {},
  ];
  const lines = rows.map((row, index) => cellsOf({ ...row, ...more[index] }));
  writeFileSync(join(folder, "activities.csv"), `${HEADER}\n${lines.join("\n")}\n`);
  return folder;
}

const load = (...words: string[]): Promise<Ran> =>
  rehearsal.run(["import", "--zone", "Europe/Vienna", ...rehearsal.activities, ...words]);

async function inLog(): Promise<readonly Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  for (const { id } of await rehearsal.listed("/rest/logs/me/workouts"))
    all.push((await rehearsal.get(`/rest/logs/me/workouts/${id}`)).workout as Record<string, unknown>);
  return all.sort((a, b) => (String(a.date) < String(b.date) ? -1 : 1));
}

const LACKING =
  "2 workouts were in your log already, and lack values that only this source has: average heart rate 2, maximum heart rate 2, name and notes 2, equipment 1";
const TOGETHER = "Name the sources together, and logferry adds the values: logferry import";

test("values that a second source alone has are counted by field, in the plan, the result, the verification and the status", async () => {
  expect((await load(apple())).code).toBe(0);
  const second = strava();
  const planned = await rehearsal.run(["plan", "--zone", "Europe/Vienna", ...rehearsal.activities, second]);
  // The command can be pasted: it has the whole paths, and the options of the run.
  const together = `${TOGETHER} ${join(rehearsal.folder, "apple")} ${second} --zone Europe/Vienna`;
  expect(planned.out).toContain(`  ${LACKING}\n  ${together}\n`);
  expect(planned.out).toMatch(new RegExp(`logferry explain (?:${DAYS.join("|")})$`, "m"));
  const loaded = await load(second);
  expect(loaded.code).toBe(0);
  expect(loaded.out).toMatch(new RegExp(`^Done\\. 4 of 4 records are in your log, each once\\. ${LACKING}\\.`, "m"));
  const verified = await rehearsal.run(["verify"]);
  expect(verified.out).toContain(`${LACKING}. ${together}`);
  const status = await rehearsal.run(["status"]);
  expect(status.out).toContain(`Can the old account be closed? Not yet: ${LACKING}.`);
  expect((await inLog()).map(({ notes, health }) => [notes, health])).toEqual(DAYS.map(() => [undefined, undefined]));
});

longTest("explain names each value of a workout that the log lacks", async () => {
  await load(apple());
  await load(strava());
  const { out } = await rehearsal.run(["explain", "activities.csv:2"]);
  const part = out.slice(out.indexOf("What is not added"));
  expect(part.split("\n").slice(0, 5)).toEqual([
    "What is not added, because the log had the workout already",
    "  name and notes: Along the river / With Anna",
    "  average heart rate: 141",
    "  maximum heart rate: 171",
    "  equipment: ASICS Nimbus",
  ]);
  const third = await rehearsal.run(["explain", "activities.csv:4"]);
  expect(third.out).not.toContain("What is not added");
});

longTest("the report says it and holds no folder of the machine", async () => {
  await load(apple());
  await load(strava());
  await rehearsal.run(["verify"]);
  const [page, data] = ["report.html", "report.json"].map((name) => join(rehearsal.folder, name));
  await rehearsal.run(["status", "--report", page ?? "", "--report", data ?? ""]);
  const report = JSON.parse(readFileSync(data ?? "", "utf8"));
  expect(report.verdict).toMatchObject({
    canClose: false,
    obstacles: [{ code: "not-added", count: 2, text: LACKING, todo: `${TOGETHER} apple strava --zone Europe/Vienna` }],
  });
  expect(report.notAdded).toEqual([
    { field: "average heart rate", lacking: 2, differing: 0 },
    { field: "maximum heart rate", lacking: 2, differing: 0 },
    { field: "name and notes", lacking: 2, differing: 0 },
    { field: "equipment", lacking: 1, differing: 0 },
  ]);
  expect(JSON.stringify(report)).not.toContain(rehearsal.folder);
  expect(readFileSync(page ?? "", "utf8")).toContain("What was not added");
});

longTest("both sources in one command add the values, and then the old account can be closed", async () => {
  await load(apple());
  await load(strava());
  const both = await load(apple(), strava());
  expect(both.code, both.out).toBe(0);
  expect(both.out).not.toContain("not added");
  expect((await inLog()).map(({ notes, health, equipment }) => [notes, health, Boolean(equipment)])).toEqual([
    ["Along the river\n\nWith Anna", { avgHR: 141, maxHR: 171 }, true],
    ["Intervals", { avgHR: 151, maxHR: 181 }, false],
    [undefined, undefined, false],
  ]);
  expect((await rehearsal.run(["verify"])).code).toBe(0);
  expect((await rehearsal.run(["status"])).out).toContain("Can the old account be closed? Yes");
  const again = await load("--json", strava());
  const lines = jsonLines(again.out);
  expect(lines.findLast(({ type }) => type === "summary")).toMatchObject({ ledger: { unchanged: 4 } });
  expect(lines.filter(({ type }) => type === "not-added")).toEqual([]);
});

test("a track that only the second source has is named, also after both were imported together", async () => {
  await load(apple());
  const sources = [apple(), strava({ withFile: true })];
  const both = await load(...sources);
  expect(both.code, both.out).toBe(0);
  const said = "1 workout was in your log already, and lacks values that only these sources have: track 1";
  expect(both.out).toContain(said);
  expect(both.out).toContain(
    `To have the tracks, delete these workouts in your log. Then: logferry import ${sources.join(" ")} --zone Europe/Vienna --restore-missing`,
  );
  await rehearsal.run(["verify"]);
  expect((await rehearsal.run(["status"])).out).toContain(`Can the old account be closed? Not yet: ${said}.`);
  const again = await load(strava({ withFile: true }));
  expect(again.out).toContain("lacks values that only this source has: track 1");
});

longTest("other values than the log has are named, and do not keep the old account open", async () => {
  await load(strava());
  const folder = apple();
  const path = join(folder, "export.xml");
  writeFileSync(path, readFileSync(path, "utf8").replace('duration="30"', 'duration="40"'));
  const loaded = await load(folder);
  expect(loaded.out).toContain("Your log has another value, and keeps it: duration 1\n");
  const { out: named } = await rehearsal.run(["explain", "2024-05-04"]);
  const [, id = ""] = /^ {2}(\w+) .*export\.xml/m.exec(named) ?? [];
  const { out } = await rehearsal.run(["explain", id]);
  expect(out).toContain("duration: 2400 s (the log has 1800 s)");
  await rehearsal.run(["verify"]);
  expect((await rehearsal.run(["status"])).out).toContain("Can the old account be closed? Yes");
});
