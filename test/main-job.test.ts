import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ran, type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";
import { firstOf, inputs } from "./support/tiers.ts";

// The main job, as `npm start` does it. It is compared with the numbers that the generator of the archives wrote down from its own list of
// activities. The code under test computes none of them.

interface ExpectedWorkout {
  readonly date: string;
  readonly time: string | null;
  readonly start: string | null;
  readonly localKnown: boolean;
  readonly activity: string | null;
  readonly race: boolean;
  readonly metres: number | null;
  readonly name: string | null;
  readonly from: readonly { readonly source: string; readonly entry: string }[];
}
interface Expected {
  readonly workoutsAfterDuplicates: number;
  readonly perActivity: Readonly<Record<string, number>>;
  readonly duplicates: { readonly workouts: number };
  readonly races: number;
  readonly totalMetres: number;
  readonly equipment: readonly {
    readonly name?: string;
    readonly brand?: string;
    readonly model?: string;
    readonly number?: string;
  }[];
  readonly courses: readonly unknown[];
  readonly workouts: readonly ExpectedWorkout[];
}
type Workout = {
  id: string;
  activityID: number;
  date: string;
  time?: string;
  timeOfDay?: string;
  workoutID?: number;
  notes?: string;
  equipment?: { id: string; name: string };
  course?: { id: string };
  details?: { distance?: { unit: string; value: number }; duration?: number };
};

const DEMO = join(ROOT, "fixtures", "demo");
const SOURCES = ["export_24680135.zip", "watch", "log-2012-2015.csv"].map((name) => join(DEMO, name));
const EXPECTED: Expected = JSON.parse(readFileSync(join(DEMO, "expected.json"), "utf8"));
const METRES: Readonly<Record<string, number>> = { km: 1000, mi: 1609.344, m: 1 };

function words(rehearsal: Rehearsal, ...command: readonly string[]): string[] {
  return [...command, ...SOURCES, "--zone", "Europe/Vienna", ...rehearsal.activities];
}

function summaryOf(ran: Ran, type: string): { ledger: Record<string, number>; balanced: boolean } {
  const lines = ran.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  return lines.findLast((line) => line.type === type) as never;
}

function metresOf(workout: Workout): number {
  const { unit = "m", value = 0 } = workout.details?.distance ?? {};
  return value * (METRES[unit] ?? Number.NaN);
}

interface Report {
  readonly ledger: Record<string, number>;
  readonly totals: { readonly inLog: Sum };
  readonly byActivity: readonly { readonly activity?: string; readonly inLog: Sum }[];
  readonly byYear: readonly { readonly year?: string; readonly inLog: Sum }[];
  readonly records: readonly unknown[];
  readonly verification?: object;
  readonly verdict: { readonly obstacles: readonly { readonly code: string }[] };
}
interface Sum {
  readonly workouts: number;
  readonly metres: number;
  readonly seconds: number;
}

function reportOf(rehearsal: Rehearsal): Report {
  return JSON.parse(readFileSync(join(rehearsal.folder, "report.json"), "utf8"));
}

/** One pair of shoes is in the export and in the spreadsheet, under the same name. */
function nameOf({ name, brand, model, number }: Expected["equipment"][number]): string {
  return name || number || `${brand} ${model}`;
}

/** Where only the instant is known, the day depends on the zone that the user named. */
function isThen(workout: Workout, expected: ExpectedWorkout): boolean {
  if (expected.localKnown) {
    return workout.date === expected.date && (expected.time === null || workout.timeOfDay === expected.time);
  }
  const apart = Date.parse(`${workout.date}T${workout.timeOfDay ?? "12:00:00"}Z`) - Date.parse(expected.start ?? "");
  return apart >= 0 && apart <= 2 * 3_600_000;
}

/** Every workout in full, by a plain client, a few at a time. */
async function wholeLog(rehearsal: Rehearsal): Promise<Workout[]> {
  const listed = await rehearsal.listed("/rest/logs/me/workouts");
  const whole: Workout[] = [];
  for (let at = 0; at < listed.length; at += 8) {
    const some = listed.slice(at, at + 8).map(({ id }) => rehearsal.get(`/rest/logs/me/workouts/${id}`));
    whole.push(...(await Promise.all(some)).map((data) => data.workout as Workout));
  }
  return whole;
}

/** A log in a form that can be compared with another one: without ids, which differ. */
function comparable(log: readonly Workout[]): string[] {
  return log
    .map(({ id: _id, equipment, course, ...rest }) =>
      JSON.stringify({ ...rest, equipment: equipment?.name, course: course !== undefined }),
    )
    .toSorted();
}

// Unknown sports are rejected.
const loadable = EXPECTED.workouts.filter(({ activity }) => activity !== null);

describe("ten years into an empty log", () => {
  let rehearsal: Rehearsal;
  let imported: Ran;
  let log: Workout[];

  beforeAll(async () => {
    rehearsal = await rehearse();
    const reports = ["report.json", "report.html"].flatMap((name) => ["--report", join(rehearsal.folder, name)]);
    imported = await rehearsal.run(words(rehearsal, "import", "--json", ...reports));
    log = await wholeLog(rehearsal);
  });
  afterAll(() => rehearsal.close());

  test("the import ends with exit code 3: done, but some items need your attention, and all records are accounted for", () => {
    expect(imported.err).toBe("");
    expect(imported.code).toBe(3);
    expect(summaryOf(imported, "summary").balanced).toBe(true);
  });

  test("each workout of the sources that the log can hold is in it once, and nothing else is", () => {
    expect(log).toHaveLength(loadable.length);
    const free = new Set(log);
    const missing = loadable.filter((expected) => {
      const found = [...free].find(
        (workout) =>
          isThen(workout, expected) &&
          Math.abs(metresOf(workout) - (expected.metres ?? 0)) <= Math.max(10, (expected.metres ?? 0) * 0.01),
      );
      if (found !== undefined) free.delete(found);
      return found === undefined;
    });
    expect(missing).toEqual([]);
    expect([...free]).toEqual([]);
  });

  test("the distances add up", () => {
    const total = log.reduce((sum, workout) => sum + metresOf(workout), 0);
    const expected = loadable.reduce((sum, workout) => sum + (workout.metres ?? 0), 0);
    expect(Math.abs(total - expected)).toBeLessThan(expected * 0.002);
  });

  test("races are races, names are in the notes, and gear is on its workouts", () => {
    expect(log.filter(({ activityID, workoutID }) => activityID === 10 && workoutID === 6)).toHaveLength(
      loadable.filter(({ race, activity }) => race && activity === "run").length,
    );
    const named = loadable.filter(({ name }) => name !== null);
    const notes = log.map(({ notes: text }) => text ?? "");
    for (const { name } of named)
      expect(
        notes.some((text) => text.startsWith(name?.trim() ?? "")),
        `${name} is in no notes`,
      ).toBe(true);
    expect(log.filter(({ equipment }) => equipment !== undefined).length).toBeGreaterThan(200);
  });

  test("equipment and courses are in the log once each", async () => {
    expect(await rehearsal.listed("/rest/logs/me/equipment")).toHaveLength(
      new Set(EXPECTED.equipment.map(nameOf)).size,
    );
    expect(await rehearsal.listed("/rest/logs/me/courses")).toHaveLength(EXPECTED.courses.length);
  });

  test("the report says what the archives hold: workouts, distance and time by year and activity, and what was rejected", () => {
    const report = reportOf(rehearsal);
    const counts = report.byActivity.map(({ activity, inLog }) => [activity ?? "", inLog.workouts] as const);
    const { unknown: _setAside, ...known } = EXPECTED.perActivity;
    expect(Object.fromEntries(counts)).toEqual(known);
    const metres = loadable.reduce((sum, workout) => sum + (workout.metres ?? 0), 0);
    expect(Math.abs(report.totals.inLog.metres - metres)).toBeLessThan(metres * 0.002);
    const years = new Map<string, number>();
    // Where only the instant is known, New Year's Eve is in one year or the next.
    const isSure = loadable.every(({ date }) => !date.endsWith("-12-31") && !date.endsWith("-01-01"));
    for (const { date } of loadable) years.set(date.slice(0, 4), (years.get(date.slice(0, 4)) ?? 0) + 1);
    const told = new Map(report.byYear.map(({ year, inLog }) => [year, inLog.workouts]));
    const apart = [...years].filter(
      ([year, workouts]) => Math.abs((told.get(year) ?? 0) - workouts) > (isSure ? 0 : 2),
    );
    expect(apart).toEqual([]);
    const { ledger } = summaryOf(imported, "summary");
    expect(report.ledger).toEqual(ledger);
    expect(report.records).toHaveLength((ledger.merged ?? 0) + (ledger.quarantined ?? 0) + (ledger.skipped ?? 0));
    expect(report.verdict).toMatchObject({ isDone: true, isGood: false, canClose: false });
    expect(report.verdict.obstacles.map(({ code }) => code)).toEqual([
      "rejected",
      "without-file",
      "unread-values",
      "not-verified",
    ]);
  });

  test("verify finds every field as planned", async () => {
    const verified = await rehearsal.run(["verify", "--quiet"]);
    expect(verified.err).toBe("");
    expect(verified.out).toContain("every field as planned");
    expect(verified.code).toBe(0);
  });

  test("status remembers it: good, and yet the old account isn't to be closed while records are rejected", async () => {
    const path = join(rehearsal.folder, "report.json");
    const status = await rehearsal.run(["status", "--report", path]);
    expect(status.code).toBe(0);
    expect(status.out).toMatch(/Verified on \d{4}-\d\d-\d\d .* all fields as planned/);
    // The file of one Strava row is cut. Another is missing, and the watch folder has a copy of it. The sheet has a distance of 12,4,1.
    expect(status.out).toContain(
      'Can the old account be closed? Not yet: 5 records were rejected; 1 workout went with a part of its track, since its file is damaged; 1 distance or time can\'t be read: distance "12,4,1" (log-2012-2015.csv line 138).',
    );
    const report = reportOf(rehearsal);
    expect(report.verification).toMatchObject({ isCurrent: true, differing: 0, claimedTwice: 0 });
    expect(report.verdict).toMatchObject({ isDone: true, isGood: true, canClose: false });
  });

  // The first tier has cli/commands.test.ts for the same journal, and test/lost-journal.test.ts for a new one.
  test.each(firstOf(0, ["new.db", "journal.db"]))(
    "the same import again creates and changes nothing, with the journal %s",
    async (name) => {
      const journal = join(rehearsal.folder, name);
      const again = await rehearsal.run(words(rehearsal, "import", "--json"), { journal });
      expect(again.code, again.out.slice(-1000)).toBe(3);
      expect(summaryOf(again, "summary").ledger).toMatchObject({
        created: 0,
        updated: 0,
        left: 0,
        failed: 0,
        refused: 0,
      });
      expect(comparable(await wholeLog(rehearsal))).toEqual(comparable(log));
    },
  );

  // The first tier has test/plan-then-apply.test.ts.
  test.each(["import"].slice(0, inputs({ first: 0, long: 1 })))("plan then apply does what %s does", async () => {
    const other = await rehearse();
    try {
      const planned = await other.run(words(other, "plan", "--json"));
      expect(planned.code).toBe(3);
      expect(await other.listed("/rest/logs/me/workouts")).toEqual([]);
      const applied = await other.run(["apply", "--json"]);
      expect(applied.err).toBe("");
      expect(applied.code).toBe(3);
      expect(comparable(await wholeLog(other))).toEqual(comparable(log));
    } finally {
      await other.close();
    }
  });

  test("no token is in any output, log, journal or file a run leaves behind", async () => {
    const sources = SOURCES.slice(-inputs({ first: 1, long: 3 }));
    const plan = ["plan", "--verbose", ...sources, "--zone", "Europe/Vienna", ...rehearsal.activities];
    const verbose = await rehearsal.run(plan);
    const exported = await rehearsal.run(["export", "--out", join(rehearsal.folder, "log"), "--verbose"]);
    const wrong = await rehearsal.run(["whoami"], { env: { LOGFERRY_TOKEN: `${rehearsal.token.slice(0, -1)}#` } });
    expect(wrong.code).toBe(4);
    const forms = (token: string) => [
      token,
      encodeURIComponent(token),
      Buffer.from(token).toString("base64").replace(/=+$/, ""),
      Buffer.from(token).toString("hex"),
    ];
    const secrets = [...forms(rehearsal.token), ...forms(`${rehearsal.token.slice(0, -1)}#`)];
    for (const ran of [imported, verbose, exported, wrong]) {
      for (const secret of secrets) expect((ran.out + ran.err).includes(secret)).toBe(false);
    }
    const files = readdirSync(rehearsal.folder, { recursive: true, encoding: "utf8" }).map((name) =>
      join(rehearsal.folder, name),
    );
    const read = files.filter((file) => statSync(file).isFile());
    expect(read.length).toBeGreaterThan(8);
    for (const file of read) {
      const bytes = readFileSync(file).toString("latin1");
      for (const secret of secrets) expect(bytes.includes(secret), `${file} holds the token`).toBe(false);
    }
  });
});
