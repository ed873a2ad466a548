import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { until } from "./support/fleet.ts";
import { expectInvariants } from "./support/invariants.ts";
import { type Ran, type Rehearsal, type RehearsalOptions, rehearse } from "./support/rehearsal.ts";
import { type RequestLog, requestLog } from "./support/request-log.ts";
import { longTest, test } from "./support/tier-tests.ts";

// Somebody typed workouts into the log, or a watch sent them there. A spreadsheet has more of the same workouts: `--enrich` fills the blanks. By the
// real command line.

let rehearsal: Rehearsal;
let requests: RequestLog;

async function begin(options: RehearsalOptions = {}): Promise<void> {
  requests = requestLog();
  rehearsal = await rehearse("kilometres", { log: requests, ...options });
}

/** The sheet: three runs with everything that its owner wrote down. */
const SHEET = `Date,Time,Sport,Kind,Km,Duration,Avg,Max,Weight,Temp,Weather,Shoe,Place,Notes,Effort,Feeling,Rank,Of
2024-05-04,07:00,run,race,10,50:00,151,178,70,12,clear,Pegasus,Prater,Along the river,8,6,12,340
2024-05-06,07:00,run,easy,5,30:00,141,,,,,,,With Anna,,,,
2024-05-08,07:00,run,,8,40:00,,,,,,,,,,,,
`;

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Date: { field: date }
  Time: { field: time }
  Sport: { field: activity }
  Kind: { field: type }
  Km: { field: distance, unit: km }
  Duration: { field: duration, format: mm:ss }
  Avg: { field: avgHR }
  Max: { field: maxHR }
  Weight: { field: weight, unit: kg }
  Temp: { field: temperature, unit: C }
  Weather: { field: conditions }
  Shoe: { field: equipment }
  Place: { field: course }
  Notes: { field: notes }
  Effort: { field: effort }
  Feeling: { field: quality }
  Rank: { field: fieldPlacement }
  Of: { field: fieldSize }
values:
  equipment:
    Pegasus: { brandName: Nike, modelName: Pegasus, activity: run }
`;

function sheet(rows = SHEET): string {
  const folder = join(rehearsal.folder, "diary");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "diary.csv"), rows);
  writeFileSync(join(folder, "diary.map.yaml"), MAPPING);
  return folder;
}

/** Types a workout into the log, or changes one, as another program does. @returns its id */
async function type(workout: Record<string, unknown>, id?: string): Promise<string> {
  const path = `/rest/logs/me/workouts${id === undefined ? "" : `/${id}`}`;
  const answer = await fetch(`${rehearsal.service.url}${path}?access_token=${rehearsal.token}`, {
    method: id === undefined ? "POST" : "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(workout),
  });
  const { code, data } = (await answer.json()) as { code: number; data: { id: string } };
  expect(code).toBe(0);
  return data.id;
}

const km = (value: number) => ({ unit: "km", value });
const RUN = { activityID: 10, time: "07:00:30" };

/** A race as its owner typed it: without heart rates, with an effort of their own. */
const RACE = {
  ...RUN,
  date: "2024-05-04",
  notes: "my own words",
  details: { distance: km(10.1), duration: 3012 },
  ratings: { effort: 9 },
  health: { maxHR: 180 },
};

/** An easy run with its distance alone. */
const EASY = { ...RUN, date: "2024-05-06", details: { distance: km(5), duration: 1800 } };

const load = (...words: string[]): Promise<Ran> => rehearsal.run(["import", ...rehearsal.activities, ...words]);

async function workout(id: string): Promise<Record<string, unknown>> {
  return (await rehearsal.get(`/rest/logs/me/workouts/${id}`)).workout as Record<string, unknown>;
}

const FILLED = `Blank fields that are filled, in 2 workouts of your log. No value there is changed:
  average heart rate 2, type 2, course 1, equipment 1, name and notes 1, place in the race 1, quality 1, size of the field 1, temperature 1, weather 1, weight 1
  diary diary.csv line 3: name and notes, type, average heart rate
  diary diary.csv line 2: type, course, equipment, average heart rate, weight, place in the race, size of the field, quality, weather, temperature
`;

/** The updates of workouts so far. */
const puts = () => requests.all.filter(({ method, path }) => method === "PUT" && path.includes("/workouts/")).length;

describe("workouts that somebody typed", () => {
  let race: string;
  let easy: string;
  beforeEach(async () => {
    await begin();
    race = await type(RACE);
    easy = await type(EASY);
  });
  afterEach(() => rehearsal.close());

  test("get the values that are blank in the log, and keep every value that they have", async () => {
    const done = await load("--enrich", sheet());
    expect(done.code, done.out + done.err).toBe(0);
    expect(await workout(race)).toMatchObject({
      date: "2024-05-04",
      timeOfDay: "07:00:30",
      workoutName: "Race",
      notes: "my own words",
      course: { name: "Prater" },
      equipment: { name: "Nike Pegasus" },
      details: { distance: km(10.1), duration: 3012 },
      health: { avgHR: 151, maxHR: 180, weight: { unit: "kg", value: 70 } },
      ratings: { effort: 9, quality: 6 },
      raceStats: { fieldPlacement: 12, fieldSize: 340 },
      weather: { conditions: { clear: true }, temperature: { unit: "C", value: 12 } },
    });
    expect(await workout(easy)).toMatchObject({
      workoutName: "Easy",
      notes: "With Anna",
      details: { distance: km(5), duration: 1800 },
      health: { avgHR: 141 },
    });
    // The third workout is new, and nothing is there twice.
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(3);
  });

  test("stay as they are without the flag, and the plan says how many could be completed and how", async () => {
    const planned = await rehearsal.run(["plan", ...rehearsal.activities, sheet()]);
    expect(planned.out).toContain(
      "2 workouts of your log may lack values that this source has, expected no change by itself. To fill only what is blank there, type the same command with --enrich (plan/blank-fields)",
    );
    await load(sheet());
    expect(puts()).toBe(0);
    expect((await workout(race)).health).toEqual({ maxHR: 180 });
  });

  test("are shown with each field before anything is changed, in the plan, for one workout and in the report", async () => {
    const report = join(rehearsal.folder, "report.json");
    const planned = await load("--enrich", "--dry-run", "--report", report, sheet());
    expect(planned.out).toContain(FILLED);
    expect(planned.out).not.toContain("plan/blank-fields");
    expect(puts()).toBe(0);
    const { out } = await rehearsal.run(["explain", "diary.csv:3"]);
    expect(out.slice(out.indexOf("What fills")).split("\n").slice(0, 4)).toEqual([
      "What fills blank fields of the workout in the log",
      "  name and notes: With Anna",
      "  type: easy",
      "  average heart rate: 141",
    ]);
    const { filled } = JSON.parse(readFileSync(report, "utf8"));
    expect(filled.slice(0, 3)).toEqual([
      { field: "average heart rate", count: 2 },
      { field: "type", count: 2 },
      { field: "course", count: 1 },
    ]);
  });

  longTest("are filled once: a second run changes nothing, and a value that its owner removed stays away", async () => {
    await load("--enrich", sheet());
    expect(puts()).toBe(2);
    const again = await load("--enrich", sheet());
    expect(again.out).not.toContain("Blank fields");
    await type({ ...EASY, workoutID: 1, health: { avgHR: 141 } }, easy);
    expect((await workout(easy)).notes).toBeUndefined();
    await load("--enrich", sheet());
    expect(puts()).toBe(3);
    expect((await workout(easy)).notes).toBeUndefined();
    // The plan without the flag knows it, too.
    expect((await load(sheet())).out).not.toContain("plan/blank-fields");
  });

  test("are left as they are when somebody changed them between plan and apply, and the run says so", async () => {
    await rehearsal.run(["plan", "--enrich", ...rehearsal.activities, sheet()]);
    await type({ ...EASY, notes: "typed since" }, easy);
    const before = puts();
    const applied = await rehearsal.run(["apply"]);
    expect(applied.code, applied.out).toBe(0);
    expect(applied.out).toContain(`diary diary.csv line 3: ${easy} (load/changed-since-plan)`);
    expect(puts()).toBe(before + 1);
    expect(await workout(easy)).toMatchObject({ notes: "typed since", timeOfDay: "07:00:30" });
    expect((await workout(easy)).health).toBeUndefined();
    const { out } = await rehearsal.run(["explain", "diary.csv:3"]);
    expect(out).toContain("its blank fields are not filled");
  });

  test("are as before after an undo, stay so, and are filled again with --again", async () => {
    const [raceBefore, easyBefore] = [await workout(race), await workout(easy)];
    await load("--enrich", sheet());
    expect((await rehearsal.run(["undo", "1"])).code).toBe(0);
    expect([await workout(race), await workout(easy)]).toEqual([raceBefore, easyBefore]);
    const left = await load("--enrich", sheet());
    expect([await workout(race), await workout(easy)]).toEqual([raceBefore, easyBefore]);
    expect(left.out).toContain("2 workouts of your log stay as your undo put it back, and may lack values");
    expect(left.out).toContain("type the same command with --enrich --again (plan/undone-blank)");
    await rehearsal.run(["verify"]);
    // The command that the certificate advises does what it says.
    const page = join(rehearsal.folder, "certificate.json");
    const certified = await rehearsal.run(["certify", page]);
    const advised =
      /To fill only what is blank in your log: logferry (import .+ --again)\. /.exec(certified.out)?.[1] ?? "";
    expect(advised).toMatch(/ --enrich --again$/);
    await rehearsal.run([...advised.split(" "), ...rehearsal.activities]);
    expect(await workout(easy)).toMatchObject({ notes: "With Anna", health: { avgHR: 141 } });
    await rehearsal.run(["verify"]);
    expect((await rehearsal.run(["certify", page])).out).not.toContain("To fill only what is blank");
  });

  test("are verified by the values that were filled, and not by those of their owner", async () => {
    await load("--enrich", sheet());
    expect((await rehearsal.run(["verify"])).code).toBe(0);
    await type({ ...EASY, workoutID: 1, notes: "With Anna", details: { ...EASY.details, duration: 1801 } }, easy);
    const verified = await rehearsal.run(["verify", "--verbose"]);
    expect(verified.code).toBe(7);
    expect(verified.out + verified.err).toContain("health.avgHR");
    expect(verified.out + verified.err).not.toContain("details.duration");
  });
});

describe("an update that goes wrong", () => {
  afterEach(() => rehearsal.close());

  /** Both workouts have their own values and the filled ones, and nothing is there twice. */
  async function expectWhole(ids: readonly string[]): Promise<void> {
    const [race, easy] = [await workout(ids[0] ?? ""), await workout(ids[1] ?? "")];
    expect(race).toMatchObject({ notes: "my own words", health: { avgHR: 151, maxHR: 180 }, ratings: { effort: 9 } });
    expect(easy).toMatchObject({ notes: "With Anna", health: { avgHR: 141 } });
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(3);
    expect((await rehearsal.run(["verify"])).code).toBe(0);
  }

  test.each(["reset-after-commit", "reset-before-commit"])(
    "loses and doubles nothing when its answer is lost (%s)",
    async (fault) => {
      await begin({ faults: { armed: [`${fault}:PUT /rest/logs/me/workouts/*:nth=1`] } });
      const ids = [await type(RACE), await type(EASY)];
      const typed = requests.all.length;
      const done = await load("--enrich", "--settle", "1", sheet());
      expect(done.code, done.out + done.err).toBe(0);
      expectInvariants(rehearsal, { ran: [done], asked: requests.all.slice(typed) });
      await expectWhole(ids);
    },
  );

  longTest("is found in the log when logferry was killed before the answer came", async () => {
    await begin({ faults: { armed: ["hang-after-commit:PUT /rest/logs/me/workouts/*:nth=1"] } });
    const ids = [await type(RACE), await type(EASY)];
    const words = ["import", ...rehearsal.activities, "--concurrency", "1", "--enrich", sheet()];
    const { child, ended } = rehearsal.start(words);
    await Promise.race([until(async () => puts() > 0), ended]);
    expect(puts()).toBe(1);
    child.kill("SIGKILL");
    await ended;
    const resumed = await rehearsal.run(["apply", "--settle", "1"]);
    expect(resumed.code, resumed.out + resumed.err).toBe(0);
    await expectWhole(ids);
    expect((await rehearsal.run(["undo", "1"])).code).toBe(0);
    expect((await workout(ids[1] ?? "")).notes).toBeUndefined();
    expect((await workout(ids[0] ?? "")).health).toEqual({ maxHR: 180 });
  });
});

describe("a workout that an earlier run loaded from another source", () => {
  beforeEach(() => begin());
  afterEach(() => rehearsal.close());

  test("gets the blank fields, and the old account can be closed", async () => {
    const first = join(rehearsal.folder, "watch");
    mkdirSync(first);
    writeFileSync(join(first, "watch.csv"), "Date,Time,Sport,Km,Duration\n2024-05-06,07:00:20,run,5,30:00\n");
    const kept = /^(version|dates|columns| {2}(Date|Time|Sport|Km|Duration)):/;
    writeFileSync(
      join(first, "watch.map.yaml"),
      `${MAPPING.split("\n")
        .filter((line) => kept.test(line))
        .join("\n")}\n`,
    );
    expect((await load(first)).code).toBe(0);
    const rows = SHEET.split("\n");
    const second = sheet(`${rows[0]}\n${rows[2]}\n`);
    const without = await load(second);
    expect(without.out).toContain("1 workout of your log may lack values that this source has");
    const done = await load("--enrich", second);
    expect(done.out).toContain("diary diary.csv line 2: name and notes, type, average heart rate\n");
    const [entry] = await rehearsal.listed("/rest/logs/me/workouts");
    expect(await workout(String(entry?.id))).toMatchObject({ notes: "With Anna", health: { avgHR: 141 } });
    await rehearsal.run(["verify"]);
    expect((await rehearsal.run(["status"])).out).toContain("Can the old account be closed? Yes");
    const lines = jsonLines((await load("--json", second)).out);
    expect(lines.filter(({ type: kind }) => kind === "not-added")).toEqual([]);
    // The first source is compared with what it sent itself: nothing is an edit, and nothing is taken away.
    await load(first);
    expect(await workout(String(entry?.id))).toMatchObject({ notes: "With Anna", health: { avgHR: 141 } });
  });

  test("keeps its start when no zone is named or another, and the plan says why and how to have the new one", async () => {
    const watch = join(rehearsal.folder, "watch");
    mkdirSync(watch);
    const point = (minute: number) =>
      `<Trackpoint><Time>2024-05-06T07:${minute}:00Z</Time><DistanceMeters>${(minute - 10) * 200}</DistanceMeters></Trackpoint>`;
    writeFileSync(
      join(watch, "indoor.tcx"),
      `<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running"><Id>2024-05-06T07:10:00Z</Id><Lap StartTime="2024-05-06T07:10:00Z"><TotalTimeSeconds>1200</TotalTimeSeconds><DistanceMeters>4000</DistanceMeters><Track>${[10, 20, 30].map(point).join("")}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`,
    );
    await load(watch, "--zone", "Europe/Vienna");
    const [entry] = await rehearsal.listed("/rest/logs/me/workouts");
    const before = await workout(String(entry?.id));
    expect(before.timeOfDay).toBe("09:10:00");
    const remark = async (...words: string[]) =>
      jsonLines((await load("--json", ...words, watch)).out)
        .filter(({ rule }) => rule === "plan/starts-would-move")
        .map(({ example }) => (example as { found: string }).found);
    // A nightly job may leave the zone out: the one of the first run counts.
    expect(await remark()).toEqual([]);
    const nightly = jsonLines((await load("--json", watch)).out).filter(({ rule }) => rule === "plan/zone-kept");
    expect(nightly).toMatchObject([{ example: { found: expect.stringContaining("run 1 of this journal") } }]);
    expect(await remark("--enrich", "--zone", "America/New_York")).toEqual([
      expect.stringMatching(
        /^1 workout of your log has another start .* run 1 had --zone Europe\/Vienna, and this one/,
      ),
    ]);
    expect(await workout(String(entry?.id))).toEqual(before);
    expect((await rehearsal.run(["verify"])).code).toBe(0);
    // Without --enrich it waits for a person: nothing of it is sent.
    const held = await load(watch, "--zone", "America/New_York");
    expect(held.code, held.out).toBe(3);
    expect(held.out).toContain(
      "run 1 had --zone Europe/Vienna and gave it 2024-05-06 09:10:00; this one has --zone America/New_York: 2024-05-06 03:10:00",
    );
    expect(held.out).toContain("quarantine retry plan/starts-would-move --allow moved-starts");
    expect(await workout(String(entry?.id))).toEqual(before);
    const moved = await rehearsal.run(["quarantine", "retry", "plan/starts-would-move", "--allow", "moved-starts"]);
    expect(moved.code, moved.out + moved.err).toBe(0);
    expect((await workout(String(entry?.id))).timeOfDay).toBe("03:10:00");
    expect((await load(watch)).code).toBe(0);
    expect((await workout(String(entry?.id))).timeOfDay).toBe("03:10:00");
  });
});
