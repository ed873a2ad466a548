import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { longTest, test } from "./support/tier-tests.ts";

// A person works through the rejected records, by the command line, against a log over HTTP. An independent client reads the log afterwards.

const MAPPING = `version: 1
dates: { order: dmy }
columns:
  Day: { field: date }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
  Shoe: { field: equipment }
  Notes: { field: notes }
unknownColumns: fail
`;
const HEADER = "Day,Sport,Distance,Time,Shoe,Notes";
const GOOD = "01.05.2019,run,10,0:50:00,,good";
const BAD_DATE = "31.02.2019,run,12,1:00:00,Hoka,february";
const ODD_SPORT = "02.05.2019,Quidditch,3,0:30:00,,broom";

let rehearsal: Rehearsal;
let count = 0;
let journal: string;
let sheet: string;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

beforeEach(() => {
  const folder = join(rehearsal.folder, `case-${++count}`);
  mkdirSync(folder);
  journal = join(folder, "journal.db");
  sheet = join(folder, "log.csv");
  writeFileSync(join(folder, "log.map.yaml"), MAPPING);
});

function write(...rows: readonly string[]): void {
  // Each case has rows on a day of its own, because the log remembers the rows of all cases.
  writeFileSync(sheet, [HEADER, ...rows.map(ofThisCase)].join("\n"));
}

/** A day of its own for each case. */
function ofThisCase(row: string): string {
  return row.replace(/(\d\d)\.(\d\d)\.2019/, (_, day, month) => `${day}.${month}.${2000 + count}`);
}

function run(...words: readonly string[]): Promise<Ran> {
  return rehearsal.run(words, { journal });
}

/** The records a listing names, as a script sees them. */
async function listed(...words: readonly string[]): Promise<Record<string, unknown>[]> {
  const ran = await run("quarantine", ...words, "--json");
  expect(ran.code).toBe(0);
  return jsonLines(ran.out).filter(({ type }) => type === "quarantined");
}

/** Notes and days of this case's records in the log. */
async function inLog(): Promise<string[]> {
  const year = String(2000 + count);
  const workouts = await rehearsal.listed("/rest/logs/me/workouts");
  const own = workouts.filter(({ date }) => String(date).startsWith(year));
  const read = await Promise.all(own.map(({ id }) => rehearsal.get(`/rest/logs/me/workouts/${id}`)));
  return read
    .map(({ workout }) => workout as Record<string, unknown>)
    .map(({ date, notes }) => `${String(date).slice(5)} ${notes}`)
    .sort();
}

async function importWith(...more: readonly string[]): Promise<Ran> {
  return run("import", sheet, "--quiet", ...more);
}

/** A recording of two minutes on 1 June of this case's year, from 06:MINUTE UTC. It is 0.44 km long. */
function gpx(minute: number): string {
  const points = [0, 1, 2].map(
    (step) =>
      `<trkpt lat="48.20${step * 2}" lon="16.37"><time>${2000 + count}-06-01T06:${minute + step}:00Z</time></trkpt>`,
  );
  return `<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><type>run</type><trkseg>${points.join("")}</trkseg></trk></gpx>`;
}

test("what was rejected is listed by reason, with its place, what stands there, and what to do", async () => {
  write(GOOD, BAD_DATE, ODD_SPORT);
  expect((await importWith()).code).toBe(3);
  const ran = await run("quarantine");
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out).toMatch(/^1 record: its day doesn't exist \(csv\/no-such-day\)$/m);
  expect(ran.out).toMatch(/logferry quarantine fix [\da-f]{6} --set date=ANSWER/);
  expect(ran.out).toMatch(
    new RegExp(
      `[0-9a-f]{6}  log\\.csv line 3: Day is "31\\.02\\.${2000 + count}", expected a day that exists: the month ends on ${2000 + count}-02-2[89]\n`,
    ),
  );
  expect(ran.out).toMatch(/^1 record: .* \(workout\/unknown-sport\)$/m);
  expect(ran.out).toMatch(/log\.csv line 4: \w+ is "Quidditch"/);
  const [only, ...others] = await listed("csv/no-such-day");
  expect(others).toEqual([]);
  expect(only).toMatchObject({ rule: "csv/no-such-day", field: "Day", needs: "date", origin: { locator: "line 3" } });
  const again = await listed(String(only?.id));
  expect(again.map(({ id }) => id)).toEqual([only?.id]);
});

longTest("retry with a setting lets in what it was about, and nothing else", async () => {
  write(GOOD, BAD_DATE, ODD_SPORT);
  await importWith();
  const ran = await run("quarantine", "retry", "workout/unknown-sport", "--sport", "Quidditch=run", "--json");
  expect(ran.code).toBe(0);
  const summary = jsonLines(ran.out).findLast(({ type }) => type === "summary");
  expect(summary).toMatchObject({ balanced: true, ledger: { read: 1, created: 1 } });
  expect(await inLog()).toEqual(["05-01 good", "05-02 broom"]);
  expect((await listed()).map(({ rule }) => rule)).toEqual(["csv/no-such-day"]);
  // A later plan has no such setting. The record in the log stays there, and is not doubled.
  const later = await importWith(
    ...["--sport", "Quidditch=run", "--sport", "Quiditch=run", "--sport", "=bike"],
    ...["--distance-unit", "mi", "--date-order", "dmy", "--json"],
  );
  // A person hears of options that fit no record. Most are mistyped.
  expect(jsonLines(later.out).filter(({ rule }) => rule === "plan/unused-option")).toMatchObject([
    {
      type: "issue",
      severity: "warning",
      example: {
        found: "no record needed --sport Quiditch=run, --sport '=bike', --distance-unit mi, --date-order dmy",
      },
    },
  ]);
  expect(await inLog()).toEqual(["05-01 good", "05-02 broom"]);
});

test("retry of everything changes nothing while nothing was mended", async () => {
  write(GOOD, BAD_DATE);
  await importWith();
  expect((await run("quarantine", "retry")).code).toBe(3);
  expect(await listed()).toHaveLength(1);
  expect((await run("quarantine", "retry")).code).toBe(3);
  expect(await inLog()).toEqual(["05-01 good"]);
});

test("a fix is checked as a cell is, kept, and used by retry and by every later plan", async () => {
  write(GOOD, BAD_DATE);
  await importWith();
  const [rejected] = await listed();
  const id = String(rejected?.id);
  for (const [pair, complaint] of [
    ["date=2019-02-31", /date is "2019-02-31", expected a day like 2019-05-04/],
    ["distance=10", /distance is "10", expected a number with its unit/],
    ["shoe=x", /expected FIELD=VALUE with one of date/],
    ["notes=x", /rejected for its date/],
  ] as const) {
    const ran = await run("quarantine", "fix", id, "--set", pair);
    expect(ran.code, pair).toBe(2);
    expect(ran.err).toMatch(complaint);
  }
  const day = `${2000 + count}-02-28`;
  const fixed = await run("quarantine", "fix", id, "--set", `date=${day}`, "--set", "distance=12.5 km");
  expect(fixed).toMatchObject({ code: 0, err: "" });
  const ran = await run("quarantine", "retry", id, "--json");
  expect(ran.code).toBe(0);
  // The shoe that only this row names came with it.
  expect(jsonLines(ran.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { read: 2, created: 2 },
  });
  expect(await inLog()).toEqual(["02-28 february", "05-01 good"]);
  const [listing] = (await rehearsal.listed("/rest/logs/me/workouts")).filter(({ date }) => date === day);
  const { workout } = await rehearsal.get(`/rest/logs/me/workouts/${listing?.id}`);
  expect(workout).toMatchObject({ details: { distance: { unit: "km", value: 12.5 } }, equipment: { name: "Hoka" } });
  expect(await listed()).toEqual([]);

  const again = await run("import", sheet, "--json");
  expect(again.code).toBe(0);
  expect(jsonLines(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { read: 3, unchanged: 3, created: 0 },
  });
  expect(await inLog()).toHaveLength(2);
  // With its date the row has another name. The one that the person knows leads there.
  const explained = await run("explain", id);
  expect(explained.out, explained.err).toContain("from log.csv line 3");
  expect(explained.out).not.toContain("isTyped");
  expect(explained.out).toContain("you said date 2");
});

test("a row mended in the file is retried where it lies, and identical rows stay two", async () => {
  const duplicate = "03.05.2019,run,5,0:25:00,,treadmill";
  write(duplicate, duplicate.replace("03.05", "33.05"));
  await importWith();
  write(duplicate, duplicate);
  expect((await run("quarantine", "retry")).code).toBe(0);
  expect(await inLog()).toEqual(["05-03 treadmill", "05-03 treadmill"]);
  await importWith();
  expect(await inLog()).toHaveLength(2);
});

test("what is dropped is skipped by later plans, by name, until it is taken back", async () => {
  write(GOOD, BAD_DATE);
  await importWith();
  const [rejected] = await listed();
  const id = String(rejected?.id);
  // A dry run would keep the decision all the same.
  expect((await run("quarantine", "drop", id, "--dry-run")).err).toContain("Cannot use --dry-run with drop");
  expect((await run("quarantine", "drop", id)).code).toBe(0);
  expect((await run("quarantine")).out).toMatch(/Run 1 rejected no record, except 1 that you dropped\./);
  const later = await run("import", sheet, "--json");
  expect(later.code).toBe(0);
  expect(jsonLines(later.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { read: 2, unchanged: 1, skipped: 1, quarantined: 0 },
  });
  const back = await run("quarantine", "take-back", id);
  expect(back).toMatchObject({ code: 0, err: "" });
  expect((await importWith()).code).toBe(3);
  expect(await listed()).toHaveLength(1);
});

test("a file that can't be read has nothing to fix: it says so, and a mended one is retried", async () => {
  const folder = join(rehearsal.folder, `case-${count}`, "watch");
  mkdirSync(folder);
  writeFileSync(join(folder, "good.gpx"), gpx(10));
  writeFileSync(join(folder, "cut.gpx"), "this is no gpx");
  expect((await run("import", folder, "--quiet", "--sport", "=run")).code).toBe(3);
  const [rejected, ...others] = await listed();
  expect(others).toEqual([]);
  const refused = await run("quarantine", "fix", String(rejected?.id), "--set", "date=2019-05-04");
  expect(refused.code).toBe(2);
  expect(refused.err).toMatch(/nothing of watch cut\.gpx could be read that a value would mend/);
  expect(refused.err).toMatch(new RegExp(`quarantine drop ${rejected?.id}`));
  writeFileSync(join(folder, "cut.gpx"), gpx(40));
  // The settings of the run that rejected it still hold.
  const ran = await run("quarantine", "retry", "--json");
  expect(ran.code).toBe(0);
  expect(jsonLines(ran.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { read: 1, created: 1 },
  });
  expect(await inLog()).toHaveLength(2);
});

test("a mended file of a workout that another source put into the log is not put there again", async () => {
  const folder = join(rehearsal.folder, `case-${count}`, "watch");
  mkdirSync(folder);
  writeFileSync(join(folder, "cut.gpx"), "this is no gpx");
  writeFileSync(
    join(rehearsal.folder, `case-${count}`, "log.map.yaml"),
    MAPPING.replace("field: date", "field: datetime"),
  );
  // 08:20 in Vienna is 06:20 UTC.
  write("01.06.2019 08:20,run,0.44,0:02:00,,by hand");
  expect((await run("import", sheet, folder, "--quiet", "--sport", "=run")).code).toBe(3);
  writeFileSync(join(folder, "cut.gpx"), gpx(20));
  const ran = await run("quarantine", "retry", "--json");
  expect(ran.code, ran.out).toBe(0);
  expect(jsonLines(ran.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { read: 1, unchanged: 1, created: 0 },
  });
  expect(await inLog()).toEqual(["06-01 by hand"]);
});

describe("words that name nothing", () => {
  longTest("are answered with what could be named, before anything is done", async () => {
    write(GOOD, BAD_DATE);
    await importWith();
    const ran = await run("quarantine", "drop", "zzz");
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/Cannot find "zzz" among what run 1 rejected: name an id, or one of csv\/no-such-day/);
    expect((await run("quarantine", "take-back", "abcdef")).err).toMatch(/nothing was decided by hand/);
    expect((await run("quarantine", "--set", "date=2019-01-01")).code).toBe(2);
  });

  test("a run that is not over is resumed first", async () => {
    write(GOOD, BAD_DATE);
    await run("plan", sheet, "--quiet");
    const ran = await run("quarantine", "retry");
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/it is planned and not done/);
  });
});
