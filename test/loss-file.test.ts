import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { typeWorkout } from "./support/typed-workout.ts";

// Which values the log doesn't hold, one by one, and what the other copies of duplicates have. By the real command line and the real service.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const [HEADER = ""] = readFileSync(
  join(import.meta.dirname, "..", "fixtures", "strava", "c-2020-79-columns", "archive", "activities.csv"),
  "utf8",
).split("\n");

/** An export of Strava. A column that stands twice gets its value where it stands last; distances stand there in metres. */
function strava(name: string, rows: readonly Readonly<Record<string, string>>[]): string {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder, { recursive: true });
  const names = HEADER.split(",");
  const lines = rows.map((row) =>
    names
      .map((one, at) => (names.lastIndexOf(one) === at ? `"${(row[one] ?? "").replaceAll('"', '""')}"` : ""))
      .join(","),
  );
  writeFileSync(join(folder, "activities.csv"), `${HEADER}\n${lines.join("\n")}\n`);
  writeFileSync(join(folder, "shoes.csv"), "Shoe Name,Shoe Brand,Shoe Model\n");
  return folder;
}

const RIVER = {
  "Activity ID": "1",
  "Activity Date": "May 4, 2024, 5:00:10 AM",
  "Activity Name": "Along the river",
  "Activity Type": "Run",
  "Elapsed Time": "3000",
  "Moving Time": "3000",
  Distance: "10000",
  "Average Heart Rate": "150",
  "Elevation Gain": "120",
  Calories: "640",
};
const HOSTILE = {
  "Activity ID": "2",
  "Activity Date": "May 6, 2024, 5:00:00 AM",
  "Activity Name": '=HYPERLINK("http://evil.example","x")',
  "Activity Type": "Run",
  "Elapsed Time": "1800",
  "Moving Time": "1800",
  Distance: "5000",
  "Max Heart Rate": "300",
};

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  Clock: { field: time }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
  HR: { field: avgHR }
`;

function sheet(name: string, rows: readonly string[]): string {
  const path = join(rehearsal.folder, `${name}.csv`);
  writeFileSync(path, `Day,Clock,Sport,Distance,Time,HR\n${rows.join("\n")}\n`);
  writeFileSync(join(rehearsal.folder, `${name}.map.yaml`), MAPPING);
  return path;
}

const HEAD = "\ufeffloss,source,file,place,kind,date,title,field,value,kept,why,id,log id";

/** The rows of a file without its head, and without the ids, which are hashes (`'7e8225` where one looks like a number) or the log's own. */
function rowsOf(path: string): string[] {
  const [head, ...rows] = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(head).toBe(HEAD);
  return rows.map((row) => {
    expect(row).toMatch(/,'?[0-9a-f]{6},[^,]*$/);
    return row.replace(/,'?[0-9a-f]{6},[^,]*$/, "");
  });
}

test("each value that the log doesn't hold has a row, and so has each value of a duplicate that differs from the kept one", async () => {
  const export_ = strava("strava", [RIVER, HOSTILE]);
  const diary = sheet("diary", ["2024-05-04,07:01,Run,9.82,0:49:30,152", "2024-05-06,07:00,Run,5.0,0:30:00,"]);
  const file = join(rehearsal.folder, "loss.csv");
  const words = [export_, diary, "--zone", "Europe/Vienna"];
  const planned = await rehearsal.run(["plan", ...words, "--report", file]);
  expect(planned.code, planned.err).toBe(0);
  const rows = [
    `no field,strava,activities.csv,line 3,workout,2024-05-06,"'=HYPERLINK(""http://evil.example"",""x"")",maxHR,300 a minute,,it can't be true`,
    "no field,strava,activities.csv,line 2,workout,2024-05-04,Along the river,elevation gain,120 m,,the log has no field for it",
    "no field,strava,activities.csv,line 2,workout,2024-05-04,Along the river,calories,640 kcal,,the log has no field for it",
    "other copy,diary.csv,diary.csv,line 2,workout,2024-05-04,,distance,9.82 km,10 km,another copy of it is kept: strava activities.csv line 2",
    "other copy,diary.csv,diary.csv,line 2,workout,2024-05-04,,duration,2970 s,3000 s,another copy of it is kept: strava activities.csv line 2",
    "other copy,diary.csv,diary.csv,line 2,workout,2024-05-04,,average heart rate,152,150,another copy of it is kept: strava activities.csv line 2",
  ];
  expect(rowsOf(file)).toEqual(rows);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  for (const line of [
    "2 values are not put in the log, because the log has no field for them: calories 1, elevation gain 1",
    "1 value is not put in the log, because it can't be true: maxHR 1",
    "3 values of duplicates' other copies differ from what is kept: average heart rate 1, distance 1, duration 1",
    "logferry status --run 1 --report loss.csv",
  ])
    expect(planned.out).toContain(line);

  // The file of the loaded run names the log's ids, and the JSON report and --json have the same numbers.
  const report = join(rehearsal.folder, "report.json");
  const page = join(rehearsal.folder, "report.html");
  const applied = await rehearsal.run(["apply", ...[file, report, page].flatMap((path) => ["--report", path])]);
  expect(applied.code, applied.err).toBe(0);
  expect(rowsOf(file)).toEqual(rows);
  const ids = (await rehearsal.listed("/rest/logs/me/workouts")).map(({ id }) => String(id));
  expect(ids).toContain(/,([^,]+)$/.exec(readFileSync(file, "utf8").split("\n")[2] ?? "")?.[1]);
  const losses = [
    { field: "calories", count: 1, because: "no field" },
    { field: "elevation gain", count: 1, because: "no field" },
    { field: "maxHR", count: 1, because: "not true" },
  ];
  const copies = [
    { field: "average heart rate", count: 1 },
    { field: "distance", count: 1 },
    { field: "duration", count: 1 },
  ];
  expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ losses, otherCopies: copies });
  for (const words of [
    "2 values stayed in your archives",
    "1 value stayed in your archives",
    "3 values of duplicates' other copies differ",
  ])
    expect(readFileSync(page, "utf8").replaceAll("&#39;", "'")).toContain(words);
  const status = await rehearsal.run(["status", "--json"]);
  const otherCopies = { fields: copies, values: 3 };
  expect(jsonLines(status.out)).toContainEqual({ type: "loss", fields: losses, values: 3, otherCopies });
  expect(readFileSync(file, "utf8")).not.toContain(rehearsal.token);
});

const gpx = (name: string) => `<?xml version="1.0"?>
<gpx version="1.1" creator="Watch" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>${name}</name><type>running</type><trkseg>
${Array.from({ length: 31 }, (_, at) => `<trkpt lat="${48.2 + at / 669}" lon="16.37"><time>2024-05-08T05:${String(at).padStart(2, "0")}:00Z</time></trkpt>`).join("\n")}
</trkseg></trk></gpx>`;

test("the other title of an older export, the start of another sheet and the notes of a recording are in the file", async () => {
  const first = sheet("first", ["2024-06-01,18:00:10,Run,8.00,0:40:00,140"]);
  const second = sheet("second", ["2024-06-01,18:01:05,Run,8.00,0:40:00,140"]);
  const park = { ...HOSTILE, "Activity ID": "3", "Activity Name": "Park", "Max Heart Rate": "171" };
  const newer = strava("newer", [RIVER, { ...park, "Activity Date": "May 8, 2024, 5:00:00 AM" }]);
  const older = strava("older", [{ ...RIVER, "Activity Name": "+ Morning Run", Calories: "610" }]);
  const watch = join(rehearsal.folder, "watch");
  mkdirSync(watch);
  writeFileSync(join(watch, "a.gpx"), gpx("Track of 8 May"));
  const file = join(rehearsal.folder, "loss.csv");
  const words = [first, second, newer, older, watch, "--zone", "Europe/Vienna", "--report", file];
  const planned = await rehearsal.run(["plan", ...words]);
  expect(planned.code, planned.err).toBe(0);
  const ofExport = "another copy of it is kept: newer activities.csv line 2";
  expect(rowsOf(file)).toEqual([
    `other copy,second.csv,second.csv,line 2,workout,2024-06-01,,start,'2024-06-01 18:01:05,'2024-06-01 18:00:10,another copy of it is kept: first.csv line 2`,
    'no field,watch,a.gpx,,workout,2024-05-08,Park,notes of the recording,Track of 8 May,,"they are a device\'s own words, and the notes of the other copy are kept"',
    "other copy,watch,a.gpx,,workout,2024-05-08,Track of 8 May,distance,4986.326 m,5 km,another copy of it is kept: newer activities.csv line 3",
    "no field,newer,activities.csv,line 2,workout,2024-05-04,Along the river,elevation gain,120 m,,the log has no field for it",
    "no field,newer,activities.csv,line 2,workout,2024-05-04,Along the river,calories,640 kcal,,the log has no field for it",
    `other copy,older,activities.csv,line 2,workout,2024-05-04,'+ Morning Run,title,'+ Morning Run,Along the river,${ofExport}`,
    `other copy,older,activities.csv,line 2,workout,2024-05-04,'+ Morning Run,calories,610 kcal,640 kcal,${ofExport}`,
  ]);
});

test("a workout that the log had already, with other values, has a row for each", async () => {
  const first = sheet("first", ["2024-06-01,18:00:10,Run,8.00,0:40:00,140"]);
  expect((await rehearsal.run(["import", first])).code).toBe(0);
  const second = sheet("second", ["2024-06-01,18:00:10,Run,8.00,0:40:00,148"]);
  const file = join(rehearsal.folder, "loss.csv");
  const planned = await rehearsal.run(["plan", second, "--report", file]);
  expect(rowsOf(file)).toEqual([
    'not added,second.csv,second.csv,line 2,workout,2024-06-01,,average heart rate,148,140,"your log had this workout already, and keeps what it has"',
  ]);
  expect(planned.out).toContain("See the values of all: logferry status --run 2 --report loss.csv");
});

test("a workout that somebody typed into the log keeps its values, and each value of the source has a row", async () => {
  const details = { distance: { unit: "km", value: 8.3 } };
  await typeWorkout(rehearsal, { activityID: 10, date: "2024-06-01", time: "18:00:00", details });
  const diary = sheet("diary", ["2024-06-01,18:00:10,Run,8.00,0:40:00,148"]);
  const file = join(rehearsal.folder, "loss.csv");
  const [report, page] = [join(rehearsal.folder, "report.json"), join(rehearsal.folder, "report.html")];
  const ran = await rehearsal.run(["import", diary, ...[file, report, page].flatMap((path) => ["--report", path])]);
  expect(ran.code, ran.err).toBe(0);
  const start = "not added,diary.csv,diary.csv,line 2,workout,2024-06-01,";
  const why = "your log had this workout already, and keeps what it has";
  expect(rowsOf(file)).toEqual([
    `${start},distance,8 km,8.3 km,"${why}"`,
    `${start},duration,2400 s,,"${why}"`,
    `${start},average heart rate,148,,"${why}. A listing doesn't show whether it has this"`,
  ]);
  expect(ran.out).toContain("Your log has another value, and keeps it: distance 1");
  // The log has 8.3 km, and no duration.
  const { totals, notAdded } = JSON.parse(readFileSync(report, "utf8"));
  expect(totals).toEqual({
    read: { workouts: 1, metres: 8_000, seconds: 2_400 },
    inLog: { workouts: 1, metres: 8_300, seconds: 0 },
  });
  expect(notAdded).toEqual([
    { field: "duration", lacking: 1, differing: 0 },
    { field: "distance", lacking: 0, differing: 1 },
  ]);
  // The whole path: the command works from any folder.
  expect(ran.out).toMatch(/To fill only what is blank in your log: logferry import \/\S*\/diary\.csv --enrich\n/);
  expect(readFileSync(page, "utf8")).toMatch(/<dt>Distance<\/dt><dd>8\.3\skm<\/dd>/);

  // With --enrich the blank duration is filled, and the row of the distance stays.
  const enriched = await rehearsal.run(["import", diary, "--enrich", "--report", file, "--report", report]);
  expect(enriched.code, enriched.err).toBe(0);
  expect(rowsOf(file)).toEqual([`${start},distance,8 km,8.3 km,"${why}"`]);
  expect(JSON.parse(readFileSync(report, "utf8")).totals.inLog).toEqual({ workouts: 1, metres: 8_300, seconds: 2_400 });
});

test("each distance and time that can't be read has a row, and the old account stays open", async () => {
  const rows = [
    "2024-06-01,18:00,Run,8;5,0:40:00,",
    "2024-06-02,18:00,Run,four,0:40:00,",
    "2024-06-03,18:00,Run,8,soon,",
    "2024-06-05,25:99,Run,8,0:40:00,",
    "2024-06-06,morning,Run,8,0:40:00,high",
  ];
  const diary = sheet("diary", [...rows, "2024-06-04,18:00,Run,8,0:40:00,"]);
  const [file, report] = [join(rehearsal.folder, "loss.csv"), join(rehearsal.folder, "report.json")];
  const ran = await rehearsal.run(["import", diary, "--report", file, "--report", report]);
  expect(ran.code, ran.err).toBe(3);
  // How many, and the first of each kind with its place.
  expect(ran.out).toContain(
    `4 distances or times can't be read, such as distance "8;5" (diary.csv line 2), duration "soon" (diary.csv line 4) and time of day "25:99" (diary.csv line 5).`,
  );
  expect(ran.out).toContain(
    "5 values are not put in the log, because logferry can't read them: distance 2, avgHR 1, duration 1, time of day 1",
  );
  // A later run that is shown in full leaves one line to this one, which counts them too.
  await rehearsal.run(["import", sheet("next", ["2024-07-01,18:00,Run,8,0:40:00,"])]);
  expect((await rehearsal.run(["status"])).out).toMatch(
    /^Run 1, .*: 6 read, 6 created, 0 updated, 4 to look at, 0 left$/m,
  );
  expect(rowsOf(file).toSorted()).toEqual([
    "no field,diary.csv,diary.csv,line 2,workout,2024-06-01,,distance,8;5,,logferry can't read it",
    "no field,diary.csv,diary.csv,line 3,workout,2024-06-02,,distance,four,,logferry can't read it",
    "no field,diary.csv,diary.csv,line 4,workout,2024-06-03,,duration,soon,,logferry can't read it",
    "no field,diary.csv,diary.csv,line 5,workout,2024-06-05,,time of day,'25:99,,logferry can't read it",
    "no field,diary.csv,diary.csv,line 6,workout,2024-06-06,,avgHR,high,,logferry can't read it",
  ]);
  const { canClose, obstacles } = JSON.parse(readFileSync(report, "utf8")).verdict;
  expect(canClose).toBe(false);
  expect(obstacles).toContainEqual(expect.objectContaining({ code: "unread-values", count: 4 }));
});

test("the file replaces an older one of its kind and nothing else, before anything is done", async () => {
  const diary = sheet("diary", ["2024-05-04,07:01,Run,9.82,0:49:30,152"]);
  const file = join(rehearsal.folder, "loss.csv");
  for (const _ of [1, 2]) expect((await rehearsal.run(["plan", diary, "--report", file])).code).toBe(0);
  expect(rowsOf(file)).toEqual([]);
  const refused = await rehearsal.run(["plan", diary, "--report", diary]);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("something is there that is no report of logferry");
  expect(readFileSync(diary, "utf8")).toContain("2024-05-04,07:01,Run");
});
