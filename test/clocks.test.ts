import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { writeSheet } from "./support/small-sources.ts";
import { longTest, rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

// Two sources of one athlete, one of which has its clock wrong, by the real command line into a real log.

interface Row {
  readonly day: string;
  /** Seconds of the day. */
  readonly at: number;
  readonly km: number;
  readonly seconds: number;
  readonly notes?: string;
}

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const clock = (seconds: number) =>
  [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");

/** Writes a sheet, and gives its path. */
const sheet = (name: string, rows: readonly Row[]) =>
  writeSheet(
    join(rehearsal.folder, name),
    rows.map(({ day, at, ...row }) => ({ ...row, date: day, time: clock(at) })),
    name,
  );

/** Writes a sheet whose times have their own offset from UTC. */
const zoned = (name: string, rows: readonly Row[]) => {
  const path = sheet(name, rows);
  writeFileSync(path, readFileSync(path, "utf8").replace(/^(\d{4}-\d\d-\d\d),([\d:]+),/gm, "$1T$2+01:00,,"));
  const map = path.replace(/\.csv$/, ".map.yaml");
  const mapping = readFileSync(map, "utf8").replace("order: iso", "order: iso\n  zone: offset");
  writeFileSync(map, mapping.replace(/ {2}Date: .*\n {2}Time: .*\n/, "  Date: { field: datetime }\n"));
  return path;
};

/** A run every third day, at times that nobody chose: seconds and all. */
function runs(count: number, first: string, minutes = 0): Row[] {
  return Array.from({ length: count }, (_, index) => {
    const km = 5 + ((index * 137) % 900) / 100;
    return {
      day: new Date(Date.parse(`${first}T00:00:00Z`) + index * 3 * 86_400_000).toISOString().slice(0, 10),
      at: 6 * 3_600 + ((index * 4_217) % (12 * 3_600)) + minutes * 60,
      km,
      seconds: Math.round(km * (280 + ((index * 31) % 90))),
    };
  });
}

/** The same runs as another app has them: a few seconds and metres apart. */
const seenAgain = (rows: readonly Row[], minutes: number) =>
  rows.map((row, index) => ({
    ...row,
    at: row.at + minutes * 60 + (index % 9) - 4,
    km: Math.round(row.km * 1.004 * 100) / 100,
    seconds: row.seconds + (index % 3),
    notes: `again ${index}`,
  }));

/** The same, by a clock that stayed on UTC: an hour early in winter and two in summer. A phone measured each fourth of them less closely. */
const inUtc = (rows: readonly Row[]) =>
  rows.flatMap((row, index) => {
    const isSummer = row.day >= "2019-03-31" && row.day < "2019-10-27";
    const km = index % 4 === 0 ? row.km * 1.025 : row.km;
    return seenAgain([{ ...row, km }], isSummer ? -120 : -60);
  });

/** A run every ninth day of a year. */
const everyNinthDay = () => runs(120, "2019-01-02").filter((_, index) => index % 3 === 0);

/** Twenty runs of spring and two of autumn. */
const withPause = () => [...runs(20, "2019-04-15"), ...runs(2, "2019-10-20")];

/** Four runs of winter and four of summer, after one more. */
const fewOfYear = () =>
  everyNinthDay()
    .filter((_, index) => index % 4 === 1 || index === 0 || index === 39)
    .slice(0, 9);

async function imported(sources: readonly string[], ...flags: readonly string[]) {
  const ran = await rehearsal.run(["import", "--json", ...sources, ...flags]);
  const lines = jsonLines(ran.out);
  const summary = lines.findLast(({ type }) => type === "summary") as { ledger: Record<string, number> } | undefined;
  return { ...ran, lines, ledger: summary?.ledger ?? {} };
}

const workouts = () => rehearsal.listed("/rest/logs/me/workouts");
const remarksOf = (lines: readonly Record<string, unknown>[]) =>
  lines
    .filter(({ type, rule }) => type === "issue" && rule === "plan/clocks-apart")
    .map(({ example }) => (example as { found: string }).found);

describe("a source whose clock is an hour behind in summer", () => {
  test("has each workout once with the other source, the plan says by how much and of how many, and apply does just that", async () => {
    const winter = runs(20, "2019-01-02");
    const summer = runs(30, "2019-04-15");
    const right = sheet("right", [...winter, ...summer]);
    const wrong = sheet("wrong", [...seenAgain(winter, 0), ...seenAgain(summer, -60)]);
    const planned = await rehearsal.run(["plan", "--json", right, wrong]);
    expect(planned.code, planned.err).toBe(0);
    expect(remarksOf(jsonLines(planned.out))).toEqual([
      "wrong.csv has 30 workouts of right.csv 60 min earlier, from 2019-04-15 to 2019-07-11",
    ]);
    const applied = await rehearsal.run(["apply", "--json"]);
    expect(applied.code, applied.err).toBe(0);
    const log: Record<string, unknown>[] = [];
    for (const { id } of await workouts())
      log.push((await rehearsal.get(`/rest/logs/me/workouts/${id}`)).workout as Record<string, unknown>);
    expect(log).toHaveLength(50);
    // The first source counts, and the second one fills the gaps.
    expect(log.filter(({ notes }) => !String(notes).includes("again "))).toEqual([]);
    const first = log.find(({ date }) => date === "2019-04-15");
    expect(first).toMatchObject({ timeOfDay: "06:00:00" });
    const explained = await rehearsal.run(["explain", "wrong.csv line 22"]);
    expect(explained.out).toContain("once its clock is set 60 min later");
  });

  longTest(
    "and that shows it by two workouts a summer: over the years these are enough, and a summer run of its own is set like them",
    async () => {
      const all = runs(480, "2017-01-03");
      const some = all.filter((_, index) => index % 12 === 5);
      const own = all.filter(({ day }) => day === "2018-06-24");
      const right = zoned("right", some);
      const isSummer = ({ day }: Row) => day.slice(5) >= "03-31" && day.slice(5) < "10-27";
      const wrong = sheet(
        "wrong",
        [...some, ...own].flatMap((row) => seenAgain([row], isSummer(row) ? -60 : 0)),
      );
      const planned = await rehearsal.run(["plan", "--json", right, wrong]);
      expect(planned.code, planned.err).toBe(0);
      const lines = jsonLines(planned.out);
      expect(lines.findLast(({ type }) => type === "plan")).toMatchObject({
        ledger: { read: 2 * some.length + 1, merged: some.length },
      });
      expect(remarksOf(lines)).toEqual([
        expect.stringMatching(/^wrong\.csv has \d+ workouts of right\.csv 60 min earlier/),
      ]);
      expect(JSON.stringify(lines.filter(({ rule }) => rule === "plan/start-corrected"))).toContain(
        "1 workout of wrong.csv 60 min later",
      );
    },
  );

  test("of which one pair alone is an hour apart: it is doubtful, and not two without a word", async () => {
    const [only] = runs(1, "2019-06-04");
    const right = sheet("right", only === undefined ? [] : [only]);
    const wrong = sheet("wrong", only === undefined ? [] : [{ ...only, at: only.at - 3_600 }]);
    const planned = await rehearsal.run(["plan", "--json", right, wrong]);
    const lines = jsonLines(planned.out);
    expect(lines.filter(({ rule }) => rule === "plan/doubtful-duplicates")).toHaveLength(1);
    expect(lines.findLast(({ type }) => type === "plan")).toMatchObject({ ledger: { merged: 0 } });
  });

  longTest("and imported again, alone too, adds nothing", async () => {
    const summer = runs(30, "2019-04-15");
    const [right, wrong] = [sheet("right", summer), sheet("wrong", seenAgain(summer, -60))];
    expect(await imported([right, wrong])).toMatchObject({ code: 0, ledger: { created: 30, merged: 30 } });
    expect(await imported([wrong, right])).toMatchObject({ ledger: { created: 0 } });
    expect(await imported([wrong])).toMatchObject({ ledger: { created: 0 } });
    expect(await imported([right])).toMatchObject({ ledger: { created: 0 } });
    expect(await workouts()).toHaveLength(30);
  });

  longTest("and imported with another journal, in the other order, adds nothing", async () => {
    const summer = runs(30, "2019-04-15");
    const [right, wrong] = [sheet("right", summer), sheet("wrong", seenAgain(summer, -60))];
    await imported([right, wrong]);
    const journal = join(rehearsal.folder, "other.db");
    const ran = await rehearsal.run(["import", "--json", wrong, right], { journal });
    expect(ran.code, ran.err).toBe(0);
    expect(await workouts()).toHaveLength(30);
  });

  rowTest.each(firstOf(1, [5, 0, 1, 2, 3, 4]))(
    "has each workout once with two other sources, in any order (%s)",
    async (order) => {
      const all = runs(40, "2019-04-15");
      const some = all.filter((_, index) => index % 4 !== 0);
      const few = all.filter((_, index) => index % 2 === 0);
      const sources = [
        sheet("all", all),
        sheet("some", seenAgain(some, 0)),
        sheet("few", seenAgain(few, -60)),
      ] as const;
      const orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
      ] as const;
      await imported((orders[order] ?? []).map((at) => sources[at] ?? ""));
      expect(await workouts()).toHaveLength(40);
    },
  );

  longTest("has each workout once where nobody wrote down seconds", async () => {
    const minutes = runs(30, "2019-04-15").map((row) => ({ ...row, at: row.at - (row.at % 60) }));
    const wrong = minutes.map((row) => ({ ...row, at: row.at - 3_600 }));
    await imported([sheet("right", minutes), sheet("wrong", wrong)]);
    expect(await workouts()).toHaveLength(30);
  });

  longTest("has each workout once where every day is much like the day before", async () => {
    const daily = Array.from({ length: 12 }, (_, index) => ({
      day: `2019-01-${String(index + 2).padStart(2, "0")}`,
      at: 6 * 3_600 + index * 2_000,
      km: 8 + index * 0.1,
      seconds: 2_400 + index * 30,
    }));
    const right = sheet("right", daily);
    const wrong = sheet("wrong", seenAgain(daily, 60));
    await imported([right, wrong]);
    expect(await workouts()).toHaveLength(12);
  });

  longTest("has another run at the same written time as a run of its own", async () => {
    const summer = runs(30, "2019-04-15");
    const alike = { day: "2019-05-08", km: 8, seconds: 2_400 };
    // The second source has a run at 12:00 too. By its clock that was 13:00, and the first source doesn't have it.
    const right = sheet("right", [...summer, { ...alike, at: 12 * 3_600 }]);
    const wrong = sheet("wrong", [...seenAgain(summer, -60), { ...alike, at: 12 * 3_600 + 20 }]);
    await imported([right, wrong]);
    expect(await workouts()).toHaveLength(32);
    await rehearsal.run(["import", "--json", right, wrong]);
    expect(await workouts()).toHaveLength(32);
  });

  describe("and workouts that no other source has", () => {
    const alone = (day: string) => ({ day, at: 43_200, km: 30, seconds: 9_000 });
    const starts = async () =>
      (await workouts())
        .filter(({ time }) => time === "12:00:00" || time === "13:00:00")
        .map(({ date, time }) => `${date} ${time}`)
        .toSorted();
    const remarks = (lines: readonly Record<string, unknown>[]) =>
      lines
        .filter(({ rule }) => rule === "plan/start-corrected" || rule === "plan/start-by-wrong-clock")
        .map(({ example }) => (example as { found: string }).found);

    test("has them set like the pairs around them, which the plan says, and again changes nothing", async () => {
      const [winter, summer] = [runs(20, "2019-01-02"), runs(30, "2019-04-15")];
      const wrong = [...seenAgain(winter, 0), alone("2019-02-27"), ...seenAgain(summer, -60), alone("2019-05-08")];
      const sources = [zoned("right", [...winter, ...summer]), sheet("wrong", wrong)];
      const ran = await imported(sources);
      expect(remarks(ran.lines)).toEqual([
        "no other source surely has these, and they are set like the pairs around them: 1 workout of wrong.csv 60 min later (wrong.csv line 53)",
      ]);
      expect(await starts()).toEqual(["2019-02-27 12:00:00", "2019-05-08 13:00:00"]);
      const { out } = await rehearsal.run(["explain", "wrong.csv line 53"]);
      expect(out).toContain("local time 2019-05-08 13:00:00, as the source itself has it, set 60 min later");
      expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
      for (const again of [sources, sources.slice(1), sources.toReversed()])
        expect(await imported(again)).toMatchObject({ code: 0, ledger: { created: 0, updated: 0 } });
      expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
    });

    rowTest.each<[string, string, Row[], Row[], string[]]>(
      firstOf(1, [
        [
          "after the last of the pairs: it keeps its start and is named",
          "2019-07-20",
          runs(30, "2019-04-15"),
          seenAgain(runs(30, "2019-04-15"), -60),
          [
            expect.stringMatching(
              /^no other source surely has these, so they keep .*1 workout of wrong\.csv, whose clock was to/,
            ),
          ],
        ],
        [
          "on the day on which the clocks change: it keeps its start and is named",
          "2019-03-31",
          [...runs(29, "2019-01-02"), ...runs(20, "2019-04-01")],
          [...seenAgain(runs(29, "2019-01-02"), 0), ...seenAgain(runs(20, "2019-04-01"), -60)],
          [expect.stringContaining("60 min later for the workouts before or after (wrong.csv line 51)")],
        ],
      ]),
    )("has one %s", async (_what, day, right, wrong, said) => {
      const ran = await imported([zoned("right", right), sheet("wrong", [...wrong, alone(day)])]);
      expect(remarks(ran.lines)).toEqual(said);
      expect(await starts()).toEqual([`${day} 12:00:00`]);
    });

    longTest(
      "which keeps its start and is named where nothing shows whose clock is right: of two sheets, either may be wrong",
      async () => {
        const summer = runs(30, "2019-04-15");
        const both = [sheet("one", summer), sheet("other", [...seenAgain(summer, -60), alone("2019-05-08")])];
        expect(remarks((await imported(both)).lines)).toEqual([
          expect.stringMatching(/^no other source surely has these, so they keep/),
        ]);
        expect(await starts()).toEqual(["2019-05-08 12:00:00"]);
      },
    );

    test("takes them as they are with --trust-clocks", async () => {
      const summer = runs(10, "2019-04-15");
      const sources = [zoned("right", summer), sheet("wrong", [...seenAgain(summer, -60), alone("2019-05-01")])];
      const ran = await imported(sources, "--trust-clocks");
      expect(remarks(ran.lines)).toEqual([]);
      expect(await starts()).toEqual(["2019-05-01 12:00:00"]);
    });

    longTest("has them set as before once an answer about another pair changes the plan", async () => {
      const summer = runs(30, "2019-04-15");
      const other = { day: "2019-06-02", at: 30_000, seconds: 3_000 };
      const right = zoned("right", [...summer, { ...other, km: 10 }]);
      const wrong = sheet("wrong", [
        ...seenAgain(summer, -60),
        alone("2019-05-08"),
        { ...other, at: 26_500, km: 11.6 },
      ]);
      await rehearsal.run(["plan", right, wrong]);
      const answered = await rehearsal.run(["plan", "review", "--answer", "right.csv:32+wrong.csv:33=one"]);
      expect(answered, answered.out + answered.err).toMatchObject({ code: 0 });
      expect((await rehearsal.run(["apply"])).code).toBe(0);
      expect(await starts()).toEqual(["2019-05-08 13:00:00"]);
      expect(await workouts()).toHaveLength(32);
    });
  });

  longTest(
    "has a workout once with a third source that tells too little of its clock, but shows it with the first one",
    async () => {
      const summer = runs(30, "2019-04-15");
      const extra = { day: "2019-05-09", at: 43_200, km: 30, seconds: 9_000 };
      const diary = summer.slice(8, 10).map((row) => ({ ...row, notes: "" }));
      const sources = [
        sheet("right", summer),
        sheet("wrong", seenAgain([...summer, extra], -60)),
        sheet("diary", [...diary, { ...extra, at: extra.at + 90 }]),
      ];
      expect(await imported(sources)).toMatchObject({ code: 0, ledger: { created: 31 } });
    },
  );

  longTest("is taken at its word with --trust-clocks", async () => {
    const summer = runs(10, "2019-04-15");
    const [right, wrong] = [sheet("right", summer), sheet("wrong", seenAgain(summer, -60))];
    const ran = await imported([right, wrong], "--trust-clocks");
    expect(ran.ledger).toMatchObject({ created: 20, merged: 0 });
    expect(remarksOf(ran.lines)).toEqual([]);
  });
});

test("a zone that was lost moves a year by its hours, and a watch that drifts by more each month", async () => {
  const year = runs(60, "2019-01-02");
  const drifting = year.map((row, index) => ({ ...row, at: row.at + 200 + index, km: row.km + 0.01 }));
  const sources = [sheet("right", year), sheet("lost", seenAgain(year, 330)), sheet("drifting", drifting)];
  const ran = await imported(sources);
  expect(ran.ledger).toMatchObject({ created: 60 });
  expect(await workouts()).toHaveLength(60);
  expect(remarksOf(ran.lines)).toEqual([
    expect.stringMatching(
      /^lost\.csv has 60 workouts of right\.csv 330 min later, from 2019-01-02 to 2019-06-28; drifting\.csv has 60 workouts of right\.csv 2[23]\d s later, from 2019-01-02 to 2019-06-28$/,
    ),
  ]);
});

describe("a source whose clock is off against the log", () => {
  const said = async (...words: string[]) => {
    const { out, code } = await rehearsal.run(words);
    return { code, out, clock: /\d+ of \d+ workouts of wrong\.csv have one in your log[^(]*/.exec(out)?.[0].trim() };
  };

  rowTest.each<[string, number, Row[], Row[], number]>(
    firstOf(1, [
      ["all year", 60, runs(60, "2019-01-02"), seenAgain(runs(60, "2019-01-02"), 120), 120],
      [
        "in summer alone",
        30,
        [...runs(20, "2019-01-02"), ...runs(30, "2019-04-15")],
        [...seenAgain(runs(20, "2019-01-02"), 0), ...seenAgain(runs(30, "2019-04-15"), 60)],
        60,
      ],
      ["by UTC over a year", 40, everyNinthDay(), inUtc(everyNinthDay()), -120],
      ["and after months without a workout,", 22, withPause(), seenAgain(withPause(), -60), -60],
    ]),
  )("%s adds none of its workouts in a command of its own, and your log keeps its values", async (...given) => {
    const [, off, right, wrong, minutes] = given;
    await imported([sheet("right", right)]);
    const before = await workouts();
    const source = sheet("wrong", wrong);
    const plan = await said("plan", source);
    expect(plan.clock).toBe(
      `${off} of ${off} workouts of wrong.csv have one in your log with the same distance and duration, ${Math.abs(minutes)} min ${minutes < 0 ? "later" : "earlier"}`,
    );
    const ran = await imported([source]);
    expect(ran).toMatchObject({ code: 0, ledger: { created: 0, updated: 0 } });
    expect(await workouts()).toEqual(before);
    expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
    const trusting = await said("plan", "--trust-clocks", source);
    expect(trusting.clock).toBeUndefined();
    expect(trusting.out).toMatch(new RegExp(`create +${off} `));
    // The newest of them alone prove nothing, and the journal knows them.
    const few = sheet("wrong", wrong.slice(-3));
    expect(await imported([few])).toMatchObject({ code: 0, ledger: { created: 0 } });
  });

  test("has a workout of its own once a person says so, and the others stay those of the log", async () => {
    await imported([sheet("right", runs(20, "2019-01-02"))]);
    const source = sheet("wrong", seenAgain(runs(20, "2019-01-02"), 120));
    await rehearsal.run(["plan", source]);
    const [{ id } = {}] = (await workouts()).filter(({ date }) => date === "2019-01-11");
    const answered = await rehearsal.run(["plan", "review", "--answer", `wrong.csv:5+${id}=two`]);
    expect(answered, answered.out + answered.err).toMatchObject({ code: 0 });
    const applied = await rehearsal.run(["apply"]);
    expect(applied.code, applied.out).toBe(0);
    expect(await workouts()).toHaveLength(21);
    await imported([source]);
    expect(await workouts()).toHaveLength(21);
  });

  rowTest.each<[string, Row[], Row[]]>(
    firstOf(1, [
      [
        "a run of 10 km each Tuesday",
        runs(40, "2019-01-02").map((row, at) => ({ ...row, at: 64_800 + ((at * 377) % 240), km: 10, seconds: 3_000 })),
        runs(40, "2019-01-02").map((row, at) => ({ ...row, at: 68_400 + ((at * 911) % 240), km: 10, seconds: 3_000 })),
      ],
      ["three workouts", runs(3, "2019-01-02"), seenAgain(runs(3, "2019-01-02"), 60)],
      [
        "four workouts of summer and four of winter, as by UTC",
        fewOfYear(),
        [...inUtc(fewOfYear()).slice(1), ...runs(2, "2019-12-20")],
      ],
    ]),
  )("and shows it by %s: they are loaded, and the end says that the log perhaps has them", async (_, one, other) => {
    await imported([sheet("right", one)]);
    const ran = await rehearsal.run(["import", sheet("wrong", other)]);
    expect(ran.code, ran.out).toBe(3);
    expect(ran.out).toMatch(
      /\d+ new workouts are perhaps in your log already, at another time\. See them with: logferry plan review --list\./,
    );
    const status = await rehearsal.run(["status"]);
    expect(status.out).toMatch(/Next: .*\d+ records perhaps twice in the log \(logferry plan review --list\)/);
    expect(await workouts()).toHaveLength(one.length + other.length);
    expect(await rehearsal.run(["import", sheet("wrong", other)])).toMatchObject({ code: 0 });
  });

  longTest("is nobody's where the log is of another person who trains as often", async () => {
    const other = runs(60, "2019-01-02").map((row, at) => ({
      ...row,
      at: 6 * 3_600 + ((at * 2_903) % (12 * 3_600)),
      km: Math.round(row.km * 120) / 100,
      seconds: Math.round(row.seconds * 1.2),
    }));
    await imported([sheet("right", runs(60, "2019-01-02"))]);
    const ran = await imported([sheet("wrong", other)]);
    expect(ran).toMatchObject({ code: 0, ledger: { created: 60 } });
  });
});

describe("two workouts stay two", () => {
  rowTest.each<[string, Row[], Row[]]>(
    firstOf(1, [
      [
        "where somebody writes down a run before work in one sheet, and the same one after work in another",
        runs(40, "2019-01-02").map((row) => ({ ...row, at: 7 * 3_600, km: 5, seconds: 1_800 })),
        runs(40, "2019-01-02").map((row) => ({ ...row, at: 18 * 3_600, km: 5, seconds: 1_800 })),
      ],
      [
        "where a commuter rides one way with a watch and the other way with a phone, a little earlier or later each day",
        runs(40, "2019-01-02").map((row, index) => ({
          ...row,
          at: 7 * 3_600 + ((index * 377) % 1_500),
          km: 8,
          seconds: 1_700,
        })),
        runs(40, "2019-01-02").map((row, index) => ({
          ...row,
          at: 17 * 3_600 + ((index * 911) % 1_700),
          km: 8,
          seconds: 1_710,
        })),
      ],
      ["where four of them are apart by the same time", runs(4, "2019-01-02"), seenAgain(runs(4, "2019-01-02"), 60)],
      [
        "where only the times agree, and they are other ways",
        runs(40, "2019-01-02"),
        seenAgain(runs(40, "2019-01-02"), 60).map((row) => ({ ...row, km: Math.round(row.km * 115) / 100 })),
      ],
    ]),
  )("%s", async (_what, one, other) => {
    const ran = await imported([sheet("one", one), sheet("other", other)]);
    expect(ran.ledger).toMatchObject({ created: one.length + other.length, merged: 0 });
    expect(remarksOf(ran.lines)).toEqual([]);
  });

  longTest(
    "where all runs of the weeks begin at one time and another source has them an hour later: that is doubtful",
    async () => {
      // Seven o'clock every day, 10.0 to 10.6 km. Nobody can tell whether a clock is off, or these are the runs of eight o'clock.
      const daily = Array.from({ length: 12 }, (_, index) => ({
        day: `2024-05-${String(index + 1).padStart(2, "0")}`,
        at: 7 * 3_600,
        km: 10 + (index % 7) / 10,
        seconds: 3_000 + (index % 7) * 30,
      }));
      const sources = [
        sheet("watch", daily),
        sheet(
          "app",
          daily.map((row) => ({ ...row, at: row.at + 3_600 })),
        ),
      ];
      const { out, code } = await rehearsal.run(["plan", ...sources]);
      expect(code, out).toBe(0);
      expect(out).toMatch(
        /perhaps one workout: app\.csv may have 12 workouts of watch\.csv 60 min later, at too few times of day to tell whether a clock is off \(such as watch\.csv line \d+ and app\.csv line \d+\)/,
      );
      const trusting = await rehearsal.run(["plan", ...sources, "--trust-clocks"]);
      expect(trusting.out).not.toContain("perhaps one workout");
      const asOne = await rehearsal.run(["import", ...sources, "--doubtful", "one"]);
      expect(asOne.out).toContain("plan/clocks-apart");
      expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(12);
    },
  );

  longTest("at several times has a line for each of them", async () => {
    const [winter, spring] = [runs(20, "2019-01-02"), runs(20, "2019-04-15")];
    const right = sheet("right", [...winter, ...spring]);
    const wrong = sheet("wrong", [...seenAgain(winter, 60), ...seenAgain(spring, -60)]);
    const { out } = await rehearsal.run(["plan", right, wrong]);
    expect(out).toMatch(
      /\n {2}wrong\.csv has 20 workouts of right\.csv 60 min earlier, from 2019-04-15 to [\d-]+\n {4}wrong\.csv has 20 workouts of right\.csv 60 min later, from 2019-01-02 to [\d-]+\n {4}expected clocks that agree\..*\(plan\/clocks-apart\)\n/,
    );
  });

  longTest("in one source, however its clock jumps", async () => {
    const day = runs(20, "2019-01-02");
    const ran = await imported([sheet("one", [...day, ...seenAgain(day, 60)])]);
    expect(ran.ledger).toMatchObject({ created: 40, merged: 0 });
  });

  longTest(
    "where a source has two alike an hour apart, and another one has one of them earlier: nobody can tell which",
    async () => {
      const [first, second] = [runs(30, "2019-04-15"), runs(30, "2019-04-15", 60)];
      const ran = await imported([sheet("one", [...first, ...second]), sheet("other", seenAgain(first, -60))]);
      expect(ran.ledger).toMatchObject({ created: 90, merged: 0 });
    },
  );
});
