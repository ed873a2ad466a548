import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { RUNKEEPER_HEADER } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

// `--link-courses`, by the real command line into a real log. A course is a straight line of 3 km along a meridian, with a corner of 1 km.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const METRES = 111_195;
const LINE = Array.from({ length: 401 }, (_, n) =>
  n <= 300 ? ([n * 10, 0] as const) : ([3_000, (n - 300) * 10] as const),
);

const position = ([north, east]: readonly [number, number]) =>
  `lat="${(47 + north / METRES).toFixed(6)}" lon="${(11 + east / (METRES * Math.cos((47 * Math.PI) / 180))).toFixed(6)}"`;

function gpx(content: string): string {
  return `<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">${content}</gpx>`;
}

function route(name: string, spots: typeof LINE): string {
  return gpx(`<rte><name>${name}</name>${spots.map((spot) => `<rtept ${position(spot)}/>`).join("")}</rte>`);
}

/** A run with a point every four seconds, which a receiver shows some metres beside the way. */
function track(start: string, spots: typeof LINE): string {
  const points = spots.map(([north, east], n) => {
    const time = new Date(Date.parse(start) + n * 4_000).toISOString();
    return `<trkpt ${position([north + 5 * Math.sin(n / 9), east + 5 * Math.cos(n / 7)])}><time>${time}</time></trkpt>`;
  });
  return gpx(`<trk><type>running</type><trkseg>${points.join("")}</trkseg></trk>`);
}

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(rehearsal.folder, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

const AHEAD: typeof LINE = LINE;
const LONGER = [...Array.from({ length: 200 }, (_, n) => [(n - 200) * 10, 0] as const), ...AHEAD];

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Date: { field: date }
  Time: { field: time }
  Sport: { field: activity }
  Km: { field: distance, unit: km }
  Duration: { field: duration, format: [h:mm:ss] }
  Course: { field: course }
`;

/** The courses of the log's workouts, day by day. */
async function coursesInLog(): Promise<Readonly<Record<string, string | undefined>>> {
  const workouts = await rehearsal.listed("/rest/logs/me/workouts");
  return Object.fromEntries(
    workouts.map(({ date, course }) => [String(date), (course as { name: string } | undefined)?.name]),
  );
}

const issue = (out: string, rule: string) =>
  jsonLines(out).find((line) => line.type === "issue" && line.rule === rule)?.example as { found: string } | undefined;

test("a workout gets the course that its track follows, when asked to, also after it was loaded", async () => {
  const archive = folder("watch", {
    "lake.gpx": route("Lake", LINE),
    "follows.gpx": track("2024-05-01T07:00:00Z", AHEAD),
    "back.gpx": track("2024-05-02T07:00:00Z", AHEAD.toReversed()),
    "longer.gpx": track("2024-05-03T07:00:00Z", LONGER),
    "half.gpx": track("2024-05-04T07:00:00Z", AHEAD.slice(0, 200)),
  });
  const words = ["--zone", "Europe/Vienna", "--json"];
  await rehearsal.run(["import", archive, ...words]);
  const none = { "2024-05-01": undefined, "2024-05-02": undefined, "2024-05-03": undefined, "2024-05-04": undefined };
  expect(await coursesInLog()).toEqual(none);

  const linked = await rehearsal.run(["import", archive, ...words, "--link-courses"]);
  expect(linked.code, linked.out).toBe(0);
  expect(await coursesInLog()).toEqual({ ...none, "2024-05-01": "Lake" });
  expect(issue(linked.out, "plan/courses-linked")?.found).toBe(
    "1 workout follows a course of these sources (1 course with a line): Lake 1",
  );
  const doubtful = jsonLines(linked.out).filter(({ rule }) => rule === "plan/doubtful-course");
  expect(JSON.stringify(doubtful)).toContain("back.gpx (2024-05-02), Lake: the same line in the other direction");
  expect(JSON.stringify(doubtful)).toContain("longer.gpx (2024-05-03), Lake: only a part of the workout");
  expect(JSON.stringify(doubtful)).not.toContain("half.gpx");
  const explained = await rehearsal.run(["explain", "2024-05-01"]);
  expect(explained.out).toMatch(
    /course Lake, because its track follows it \(--link-courses\): the same line, \d m apart on average and \d+ m at most; the course has 4\.0 km, the track 4\.\d km/,
  );
  const other = await rehearsal.run(["explain", "2024-05-02"]);
  expect(other.out).toContain("not linked with the course Lake: the same line in the other direction");
  expect((await rehearsal.run(["verify"])).code).toBe(0);

  // A later import without the words keeps the link, and so does one that has nothing new.
  const again = await rehearsal.run(["import", archive, ...words, "--link-courses"]);
  expect(jsonLines(again.out).find(({ type }) => type === "summary")).toMatchObject({
    ledger: { updated: 0, created: 0 },
  });
  await rehearsal.run(["import", archive, ...words]);
  expect(await coursesInLog()).toEqual({ ...none, "2024-05-01": "Lake" });
});

longTest("an edited row keeps the course that its track follows, also where a later import doesn't look", async () => {
  const rows = (notes: string) => ({
    "cardioActivities.csv": `${RUNKEEPER_HEADER}\n2024-05-01 07:00:00,Running,,4.00,26:40,6:40,9.0,,30,,${notes},run.gpx\n`,
    "run.gpx": track("2024-05-01T05:00:00Z", AHEAD),
  });
  const routes = folder("routes", { "lake.gpx": route("Lake", LINE) });
  const words = ["--zone", "Europe/Vienna", "--json"];
  await rehearsal.run(["import", folder("export", rows("warm")), routes, ...words, "--link-courses"]);
  expect(await coursesInLog()).toEqual({ "2024-05-01": "Lake" });
  const edited = await rehearsal.run(["import", folder("export", rows("hot")), ...words]);
  expect(jsonLines(edited.out).find(({ type }) => type === "summary")).toMatchObject({ ledger: { updated: 1 } });
  expect(await coursesInLog()).toEqual({ "2024-05-01": "Lake" });
  expect((await rehearsal.run(["verify"])).code).toBe(0);
});

test("the course that a row names stays, and without courses the plan says what is missing", async () => {
  const archive = folder("watch", { "run.gpx": track("2024-05-01T05:00:00Z", AHEAD) });
  const sheet = join(rehearsal.folder, "notes.csv");
  writeFileSync(sheet, "Date,Time,Sport,Km,Duration,Course\n2024-05-01,07:00,run,4.0,0:26:40,Home lap\n");
  writeFileSync(join(rehearsal.folder, "notes.map.yaml"), MAPPING);
  const words = ["--zone", "Europe/Vienna", "--json", "--link-courses"];
  const alone = await rehearsal.run(["plan", archive, ...words]);
  expect(issue(alone.out, "plan/courses-linked")?.found).toBe(
    "0 workouts follow a course of these sources (0 courses with a line)",
  );
  const routes = folder("routes", { "lake.gpx": route("Lake", LINE), "copy.gpx": route("Lake too", AHEAD) });
  const twice = await rehearsal.run(["plan", archive, routes, ...words]);
  expect(issue(twice.out, "plan/doubtful-course")?.found).toContain("equally near Lake");
  const ran = await rehearsal.run([
    "import",
    archive,
    sheet,
    folder("one", { "lake.gpx": route("Lake", LINE) }),
    ...words,
  ]);
  expect(ran.code, ran.out).toBe(0);
  expect(await coursesInLog()).toEqual({ "2024-05-01": "Home lap" });
});
