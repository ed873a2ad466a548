import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";

// Values that can't be true wait for a person, by the real command line against a log over HTTP. An independent client reads the log.

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
  Pulse: { field: avgHR }
  Notes: { field: notes }
unknownColumns: fail
`;
const HEADER = "Day,Sport,Distance,Time,Pulse,Notes";

let rehearsal: Rehearsal;
let count = 0;
let journal: string;
let folder: string;
let sheet: string;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

beforeEach(() => {
  folder = join(rehearsal.folder, `case-${++count}`);
  mkdirSync(folder);
  journal = join(folder, "journal.db");
  sheet = join(folder, "log.csv");
  writeFileSync(join(folder, "log.map.yaml"), MAPPING);
});

/** Writes rows that each have a day of this case's own year. A row may state its own day. */
function write(rows: readonly string[], mapping = MAPPING): void {
  writeFileSync(join(folder, "log.map.yaml"), mapping);
  const day = (index: number) => new Date(Date.UTC(2000 + count, 0, 1 + index)).toISOString().slice(0, 10);
  const dated = rows.map((row, index) => (/^\d{4}-/.test(row) ? row : `${day(index)},${row}`));
  writeFileSync(sheet, [HEADER, ...dated].join("\n"));
}

function run(...words: readonly string[]): Promise<Ran> {
  return rehearsal.run(words, { journal });
}

/** Plans the sheet. @returns by its notes, the rule that holds each row; undefined for one that is planned */
async function planned(...more: readonly string[]): Promise<Record<string, string | undefined>> {
  const ran = await run("plan", sheet, ...rehearsal.activities, "--json", "--quiet", ...more);
  expect([0, 3], ran.err).toContain(ran.code);
  const listing = await run("quarantine", "--json");
  const held = new Map(
    jsonLines(listing.out)
      .filter(({ type }) => type === "quarantined")
      .map(({ origin, rule }) => [Number(String((origin as { locator: string }).locator).slice(5)), String(rule)]),
  );
  const lines = readFileSync(sheet, "utf8").split("\n");
  return Object.fromEntries(lines.slice(1).map((line, index) => [line.split(",").at(-1), held.get(index + 2)]));
}

async function inLog(): Promise<string[]> {
  const year = String(2000 + count);
  const own = (await rehearsal.listed("/rest/logs/me/workouts")).filter(({ date }) => String(date).startsWith(year));
  const read = await Promise.all(own.map(({ id }) => rehearsal.get(`/rest/logs/me/workouts/${id}`)));
  return read.map(({ workout }) => String((workout as Record<string, unknown>).notes)).sort();
}

/** The longest races, and the slowest days. */
const GENUINE = [
  "run,319.614,24:00:00,,24-hour record",
  "run,160.9,29:45:00,,100 miles in the mountains",
  "run,42.195,2:00:35,172,marathon record",
  "run,246,35:12:00,,Spartathlon",
  "run,0.1,0:00:10,,sprint",
  "bike,1219,89:12:00,,brevet with sleep",
  "bike,620,23:50:00,,leg across America",
  "swim,33.8,6:55:00,,Channel fast",
  "swim,34,26:50:00,,Channel slow",
  "swim,0.2,1:30:00,,children's lesson",
  "hike,5,6:00:00,,summit",
  "walk,1,2:00:00,,dog",
  "walk,35,8:00:00,,long walk",
  "weight,0,1:10:00,,strength",
  "yoga,,12:00:00,,yoga day",
  "ski,85,7:30:00,,pistes",
  "ski,90,4:30:00,,Vasaloppet",
  "row,715,52:00:00,,river race",
  "sailing,900,23:00:00,,under sail",
  "bike,0.24,2:08:00,131,trainer with a pulse",
  "run,10,,,no time",
  "run,,0:45:00,,no distance",
  "run,10,0:00:00,,zero time",
];

test("what nobody can have done waits with the arithmetic, and what people have really done is planned", async () => {
  write([
    ...GENUINE,
    "run,10,0:00:12,,833 m/s",
    "run,42.195,1:30:00,,faster than the record",
    "bike,5,75:00:00,,forgotten clock",
    "swim,1000,0:25:00,,km for m",
    "swim,1000,,,km for m without a time",
    "walk,4,380:00:00,,ms for s",
    "hike,60,100:00:00,,longer than four days",
    "2070-05-01,bike,30,1:10:00,,future",
    "1899-12-31,run,5,0:25:00,,before 1900",
    "1970-01-01,run,5,0:25:00,,epoch of computers",
    "1989-12-31,run,5,0:25:00,,epoch of FIT",
    "run,10,0:50:00,,sound",
  ]);
  expect(await planned()).toEqual({
    ...Object.fromEntries(GENUINE.map((row) => [row.split(",").at(-1), undefined])),
    "833 m/s": "workout/implausible-speed",
    "faster than the record": "workout/implausible-speed",
    "forgotten clock": "workout/implausible-speed",
    "km for m": "workout/implausible-speed",
    "km for m without a time": "workout/implausible-distance",
    "ms for s": "workout/implausible-duration",
    "longer than four days": "workout/implausible-duration",
    future: "workout/implausible-date",
    "before 1900": "workout/implausible-date",
    "epoch of computers": "workout/implausible-date",
    "epoch of FIT": "workout/implausible-date",
    sound: undefined,
  });
  const { out } = await run("quarantine", "--verbose");
  expect(out).toContain("10 km in 12 s is 833 m/s");
  expect(out).toContain("as fast as the fastest run (100 m in 9.58 s, Usain Bolt 2009)");
  expect(out).toContain("it is dated 2070-05-01, which is in the future");
});

test("a workout without a duration and a distance waits, unless it has more than a title", async () => {
  const empty = [
    "run,0,0:00:00,,stopped at once",
    "run,,0:00:00,,stopped at once without a distance",
    "run,,0:00:00,148,stopped at once with a pulse",
    "run,0,,,a distance of 0",
    "run,,,,nothing",
  ];
  const titled = MAPPING.replace("Notes: { field: notes }", "Notes: { field: name }");
  write([...empty, "run,,,148,only a pulse"], titled);
  expect(await planned()).toEqual({
    ...Object.fromEntries(empty.map((row) => [row.split(",").at(-1), "workout/implausible-empty"])),
    "only a pulse": undefined,
  });
  expect((await run("quarantine", "--verbose")).out).toContain("it has neither a duration nor a distance");
});

test("a workout without a duration and a distance is planned with its notes", async () => {
  write(["run,0,0:00:00,,my watch died", "run,,,,a loop with Ann"]);
  expect(await planned()).toEqual({ "my watch died": undefined, "a loop with Ann": undefined });
});

test("--allow implausible lets them in, says so, and a later plan leaves what is in the log", async () => {
  write(["run,10,0:00:12,,fast", "bike,5,75:00:00,,slow", "run,10,0:50:00,,sound"]);
  const first = await run("import", sheet, "--quiet");
  expect(first.code).toBe(3);
  expect(await inLog()).toEqual(["sound"]);
  const retried = await run("quarantine", "retry", "workout/implausible", "--allow", "implausible", "--json");
  expect(retried.code).toBe(0);
  expect(
    jsonLines(retried.out).find(({ type, rule }) => type === "issue" && rule === "workout/implausible-speed"),
  ).toMatchObject({ severity: "warning", count: 2 });
  expect(await inLog()).toEqual(["fast", "slow", "sound"]);
  expect((await run("import", sheet, "--quiet")).code).toBe(0);
  expect(await inLog()).toHaveLength(3);
  const other = join(folder, "other.db");
  const planned = await rehearsal.run(["plan", sheet, "--quiet", "--allow", "implausible"], { journal: other });
  expect(planned.code).toBe(0);
});

test("one record is let in for good by hand, or judged again by what a person says of it", async () => {
  write(["run,10,0:00:12,,as it is", "run,1000,0:25:00,,mended", "run,11,0:00:12,,still wrong"]);
  await run("import", sheet, "--quiet");
  const listing = jsonLines((await run("quarantine", "--json")).out).filter(({ type }) => type === "quarantined");
  const [asItIs, mended, wrong] = listing.map(({ id }) => String(id));
  expect(await run("quarantine", "fix", asItIs ?? "", "--allow", "implausible")).toMatchObject({ code: 0, err: "" });
  expect((await run("quarantine", "fix", mended ?? "", "--set", "notes=x")).code).toBe(2);
  expect((await run("quarantine", "fix", mended ?? "", "--set", "distance=5 km")).code).toBe(0);
  expect((await run("quarantine", "fix", wrong ?? "", "--set", "duration=0:00:20")).code).toBe(0);
  expect((await run("quarantine", "retry", "--quiet")).code).toBe(3);
  expect(await inLog()).toEqual(["as it is", "mended"]);
  const later = await rehearsal.run(["plan", sheet, "--quiet"], { journal });
  expect(later.code).toBe(3);
});

/** A GPX of points a hundredth of a degree apart, each with its time. */
function gpx(name: string, ...times: readonly string[]): string {
  const points = times.map((time, i) => `<trkpt lat="48.${20 + i}" lon="16.37"><time>${time}</time></trkpt>`).join("");
  return `<gpx version="1.1" creator="x"><trk><name>${name}</name><type>run</type><trkseg>${points}</trkseg></trk></gpx>`;
}

test("a route with placeholder times becomes a course, and a file of one point waits for its time or length", async () => {
  const files = join(folder, "files");
  mkdirSync(files);
  const noon = `${2000 + count}-06-01T12:00:00Z`;
  writeFileSync(join(files, "route.gpx"), gpx("Loop", noon, noon, noon));
  writeFileSync(
    join(files, "1970.gpx"),
    gpx("Lake", "1970-01-01T00:00:00Z", "1970-01-01T00:01:00Z", "1970-01-01T00:02:00Z"),
  );
  writeFileSync(join(files, "point.gpx"), gpx("Gym", noon));
  const place = '<rte><name>Bench</name><rtept lat="48.2" lon="16.37"/></rte>';
  writeFileSync(join(files, "place.gpx"), `<gpx version="1.1" creator="x">${place}</gpx>`);
  const first = await run("import", files, "--json");
  expect(first.code).toBe(3);
  const issues = jsonLines(first.out).filter(({ type }) => type === "issue");
  expect(issues).toContainEqual(expect.objectContaining({ rule: "gpx/placeholder-times", count: 2 }));
  expect(jsonLines(first.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { read: 4, created: 2, skipped: 1, quarantined: 1, refused: 0 },
  });
  expect(await inLog()).toEqual([]);
  const [held] = jsonLines((await run("quarantine", "--json")).out).filter(({ type }) => type === "quarantined");
  expect(held).toMatchObject({ rule: "workout/single-point", needs: "duration" });
  expect((await run("quarantine", "fix", String(held?.id), "--set", "duration=0:45:00")).code).toBe(0);
  expect((await run("quarantine", "retry", "--quiet")).code).toBe(0);
  expect(await inLog()).toEqual(["Gym"]);
});

test("a recording that begins later today waits, and one that began this minute doesn't", async () => {
  const files = join(folder, "files");
  mkdirSync(files);
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  writeFileSync(join(files, "later.gpx"), gpx("Later", at(3), at(3.2), at(3.4)));
  writeFileSync(join(files, "now.gpx"), gpx("Now", at(0), at(0.2), at(0.4)));
  expect((await run("plan", files, "--json")).code).toBe(3);
  const held = jsonLines((await run("quarantine", "--json")).out).filter(({ type }) => type === "quarantined");
  expect(held).toMatchObject([{ rule: "workout/implausible-date", origin: { entry: "later.gpx" } }]);
});

test.each(["duration", "elapsed"])("a row of 0 s and 0 km waits, also with a heart rate (%s)", async (field) => {
  writeFileSync(join(folder, "log.map.yaml"), MAPPING.replace("field: duration", `field: ${field}`));
  write(["run,0,0:00:00,140,", "strength,0,0:40:00,120,", "run,4.2,0:25:00,150,", "run,5,0:00:00,150,", "run,,,140,"]);
  await run("plan", sheet, ...rehearsal.activities);
  const held = jsonLines((await run("quarantine", "--json")).out).filter(({ type }) => type === "quarantined");
  expect(held).toMatchObject([
    {
      rule: "workout/implausible-empty",
      origin: { locator: "line 2" },
      found: "it lasted 0 s and covered no distance",
    },
  ]);
});

test("rows without a sport wait with their column too, whatever --sport says they are", async () => {
  const rows = [1475, 1000, 2000, 1500, 50].map((metres, i) => `,${metres},0:${20 + i * 5}:00,,swim ${i}`);
  write([...rows, ",10,,,no time"]);
  await run("plan", sheet, ...rehearsal.activities, "--sport", "=swim");
  const held = jsonLines((await run("quarantine", "--json")).out).filter(({ type }) => type === "quarantined");
  expect(held.map(({ rule }) => rule).toSorted()).toEqual([
    "workout/implausible-column",
    ...rows.map(() => "workout/implausible-speed"),
  ]);
});

test("a column in another unit than it is read in is named with those that fit, and all its rows wait", async () => {
  const swims = [1475, 1000, 2000, 1500, 50].map((metres, i) => `swim,${metres},0:${20 + i * 5}:00,,swim ${i}`);
  write([...swims, "swim,10,,,no time", "yoga,,1:00:00,,other column"]);
  const inspected = await run("inspect", sheet);
  expect(inspected.code).toBe(3);
  expect(inspected.out).toContain("5 workouts can't be true, and a plan holds them back. Everything else can be read.");
  const words = '5 of 6 rows can\'t be true with the column "Distance" read as km: 1,475 km in 20 min is 1,229 m/s';
  const change = "m or yd, each of which fits: say the right one as the unit of columns.Distance in log.map.yaml";
  expect(inspected.out).toContain(words);
  expect(inspected.out).toContain(change);
  const plan = await run("plan", sheet, ...rehearsal.activities);
  expect(plan.out).toContain(words);
  expect(plan.out).toContain(change);
  expect(plan.out).toContain("5 records: this speed is impossible in this sport");
  expect(plan.out).toContain("If they are right, plan again with: --allow implausible");
  expect(plan.out.match(/, expected at most/g)).toHaveLength(1);
  const held = jsonLines((await run("quarantine", "--json")).out).filter(({ type }) => type === "quarantined");
  expect(held.map(({ rule }) => rule)).toEqual([
    ...swims.map(() => "workout/implausible-speed"),
    "workout/implausible-column",
  ]);
});

test("milliseconds that are read as seconds are named, and so is what a clock's reading is taken for", async () => {
  const walks = [3600, 1400, 2700, 4000].map((seconds, i) => `walk,${seconds / 720},${seconds * 1000},,walk ${i}`);
  write(walks, MAPPING.replace('format: "h:mm:ss"', "format: seconds"));
  expect((await run("inspect", sheet)).out).toContain(
    "milliseconds, which is likely: say milliseconds as the format of columns.Time",
  );
  write(
    ["run,9,45:30,,a", "run,10,50:15,,b", "run,5,24:40,,c"],
    MAPPING.replace('format: "h:mm:ss"', 'format: "h:mm"'),
  );
  expect((await run("inspect", sheet)).out).toContain(
    "mm:ss, which is likely: say mm:ss as the format of columns.Time",
  );
});

test("a run of 0 km is loaded and named in the plan and on the certificate, and a workout without a distance isn't", async () => {
  write([
    "run,0,0:30:00,,nothing measured",
    "treadmill,0,0:30:00,,on a belt",
    "run,,0:30:00,,no distance",
    "weights,0,0:40:00,,strength",
    "run,5,0:30:00,,a run",
  ]);
  const plan = await run("plan", sheet, ...rehearsal.activities, "--json", "--quiet");
  const named = jsonLines(plan.out).filter(({ rule }) => rule === "workout/zero-distance");
  expect(named).toMatchObject([
    { count: 1, example: { found: "a distance of 0 in 30 min", origin: { locator: "line 2" } } },
  ]);
  expect((await run("apply")).code).toBe(0);
  expect(await inLog()).toEqual(["a run", "no distance", "nothing measured", "on a belt", "strength"]);
  expect((await run("verify")).code).toBe(0);
  expect(await run("certify", join(folder, "certificate.json"))).toMatchObject({ code: 0 });
  const html = readFileSync(join(folder, "certificate.html"), "utf8");
  const at = html.indexOf("What to look at in your log");
  expect(html.slice(at, at + 900)).toContain("a distance of 0 in 30 min");
  expect(html.slice(0, at)).not.toContain("workout/zero-distance");
});

test("a start in seconds where milliseconds belong is no day of January 1970, and a sheet may have one of those", async () => {
  const activity = {
    id: "0a1b2c3d-0000-4000-9000-00000000000a",
    type: "run",
    start_epoch_ms: 1577862000,
    end_epoch_ms: 1577865000,
    active_duration_ms: 3_000_000,
    summaries: [{ metric: "distance", summary: "total", value: 9 }],
    tags: {},
    metrics: [],
  };
  const archive = join(folder, "nike");
  mkdirSync(join(archive, "activities"), { recursive: true });
  writeFileSync(join(archive, "activities", `${activity.id}.json`), JSON.stringify(activity));
  const ran = await run("plan", archive, "--zone", "Europe/Vienna", "--json", "--quiet");
  expect(ran.code, ran.out + ran.err).toBe(3);
  const { out } = await run("quarantine", "--verbose");
  expect(out).toContain("it is dated 1970-01-19: in seconds, where milliseconds belong, the same number is 2020-01-01");

  write(["1970-01-19,run,9,0:50:00,,a run of 1970"]);
  expect(await planned("--zone", "Europe/Vienna")).toEqual({ "a run of 1970": undefined });
});
