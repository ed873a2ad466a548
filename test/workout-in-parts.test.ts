import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { readJournal, unbalanced } from "./support/invariants.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { type SheetRun, writeSheet } from "./support/small-sources.ts";
import { startsInLog } from "./support/starts-in-log.ts";
import { longTest, test } from "./support/tier-tests.ts";

// A workout that one source has as a whole, and another one only in parts or in a part, by the real command line into a real log.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const sheet = (name: string, ...runs: readonly SheetRun[]) => writeSheet(join(rehearsal.folder, name), runs, name);
const run = (time: string, km: number, seconds: number): SheetRun => ({ date: "2024-05-01", time, km, seconds });
const log = () => startsInLog(rehearsal);

async function imported(sources: readonly string[], ...flags: readonly string[]) {
  const ran = await rehearsal.run(["import", "--json", ...sources, ...flags]);
  const isDoubtful = jsonLines(ran.out).some(
    ({ type, rule }) => type === "issue" && /^plan\/(doubtful|split)/.test(String(rule)),
  );
  return { ...ran, isDoubtful };
}

describe("a workout that another source has in two recordings", () => {
  const whole = () => sheet("garmin", run("08:00", 10, 3_600));
  const parts = () => sheet("strava", run("08:00", 5.1, 1_836), run("08:50", 4.88, 1_764));
  /** A phone that was started late, and measured 5 % more. */
  const vague = () => sheet("phone", run("08:02", 5.5, 1_900), run("09:30", 5, 1_764));
  const sum =
    "10 km = 5.5 + 5 km, starts 120 s apart, distances 4.8 % apart, durations 1.8 % apart, score 6; 9 is enough";

  test("is there once where the sums are equal to 1 %, in any order, and its parts alone are it, too", async () => {
    expect(await imported([parts(), whole()])).toMatchObject({ code: 0, isDoubtful: false });
    expect(await log()).toEqual(["08:00 10"]);
    expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
    for (const sources of [[whole(), parts()], [parts()], [whole()]])
      expect(await imported(sources)).toMatchObject({ code: 0, isDoubtful: false });
    expect(await log()).toEqual(["08:00 10"]);
    expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
    const { out } = await rehearsal.run(["explain", "garmin.csv line 2"]);
    expect(out).toContain("10 km = 5.1 + 4.88 km, starts 0 s apart, distances 0.2 % apart, durations 0.0 % apart");
  });

  test.each([
    ["as a whole", whole, parts, ["08:00 10"]],
    ["in its parts", parts, whole, ["08:00 5.1", "08:50 4.88"]],
  ])("is not loaded again when yesterday's import brought it %s", async (_, first, second, expected) => {
    expect(await imported([first()])).toMatchObject({ code: 0 });
    for (const sources of [[second()], [second()], [first(), second()]]) {
      const ran = await imported(sources);
      expect(ran.code, ran.out).toBe(0);
      expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
    }
    expect(await log()).toEqual(expected);
  });

  test("is not loaded again by a third source, which alone would be doubtful, once a second one is surely the parts", async () => {
    const third = () => sheet("polar", run("08:01", 10.2, 3_600));
    await imported([parts()]);
    expect((await rehearsal.run(["plan", third()])).out).toContain("plan/split-in-log");
    for (const source of [whole(), third()])
      expect(await imported([source])).toMatchObject({ code: 0, isDoubtful: false });
    expect(await log()).toEqual(["08:00 5.1", "08:50 4.88"]);
  });

  longTest(
    "has the start of a source whose clock is right, although the source with the other clock is named before",
    async () => {
      const days = Array.from(
        { length: 24 },
        (_, at) => `2024-0${4 + Math.floor(at / 12)}-${String(1 + 2 * (at % 12)).padStart(2, "0")}`,
      );
      const others = (hours: number) =>
        days.map((date, at) => ({
          date,
          time: `${String(7 + (at % 9) + hours).padStart(2, "0")}:${String((at * 7) % 60).padStart(2, "0")}`,
          km: 5 + (at % 7),
          seconds: 1_500 + 300 * (at % 7) + at,
        }));
      const on = (date: string, ...runs: readonly SheetRun[]) => runs.map((row) => ({ ...row, date }));
      const strava = sheet(
        "strava",
        ...others(0),
        ...on("2024-05-24", run("08:00", 5.1, 1_836), run("08:50", 4.88, 1_764)),
      );
      const garmin = sheet("garmin", ...others(-1), ...on("2024-05-24", run("07:00", 10, 3_600)));
      const notebook = sheet("notebook", ...others(0), ...on("2024-05-24", run("08:00", 10, 3_600)));
      expect(await imported([strava, garmin, notebook])).toMatchObject({ code: 0, isDoubtful: false });
      const day = async () =>
        (await rehearsal.listed("/rest/logs/me/workouts")).filter(({ date }) => date === "2024-05-24");
      expect((await day()).map(({ time }) => time)).toEqual(["08:00:00"]);
      expect(await log()).toHaveLength(25);
      // Without the notebook, the first part says when it began.
      const { out } = await rehearsal.run(["plan", strava, garmin], { journal: join(rehearsal.folder, "other.db") });
      expect(out).not.toContain("new to the log");
    },
  );

  test("is in the log in parts, and each import counts them so, with another journal too", async () => {
    const sums: unknown[] = [];
    const journal = join(rehearsal.folder, "other.db");
    const file = join(rehearsal.folder, "certificate.json");
    const take = async (sources: readonly string[], options = {}) => {
      const ran = await rehearsal.run(["import", ...sources], options);
      sums.push(/Of these sources, in your log: (.*? km)/.exec(ran.out)?.[1], await log());
      const verified = await rehearsal.run(["verify"], options);
      expect(verified.code, ran.out + ran.err + verified.out + verified.err).toBe(0);
      expect(await rehearsal.run(["certify", file], options)).toMatchObject({ code: 0 });
      return ran;
    };
    const expected = ["2 workouts, 10.0 km", ["08:00 5.1", "08:50 4.88"]];
    await take([parts()]);
    const second = await take([whole(), parts()], { journal });
    const third = await take([parts(), whole()], { journal });
    // Alone, the whole stands for both workouts of the log.
    await take([whole()], { journal: join(rehearsal.folder, "third.db") });
    expect(sums).toEqual([...expected, ...expected, ...expected, ...expected]);
    for (const { out } of [second, third]) expect(out).toContain("3 of 3 records are in your log, as 2 workouts");
    expect((await rehearsal.run(["explain", "garmin.csv:2"], { journal })).out).toContain("10 km = 5.1 + 4.88 km");
  });

  test("in its parts gives each part its shoe, so the shoe has the kilometres of the whole once", async () => {
    await imported([parts()]);
    const worn = sheet("garmin", { ...run("08:00", 10, 3_600), shoe: "Pegasus" });
    const journal = join(rehearsal.folder, "other.db");
    const ran = await rehearsal.run(["import", parts(), worn, "--enrich"], { journal });
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(await log()).toEqual(["08:00 5.1", "08:50 4.88"]);
    expect(await rehearsal.listed("/rest/logs/me/equipment")).toMatchObject([
      { distance: { unit: "m", value: 9_980 } },
    ]);
    const verified = await rehearsal.run(["verify"], { journal });
    expect(verified).toMatchObject({ code: 0, out: expect.not.stringContaining("Mileage") });
    for (const line of [2, 3])
      expect((await rehearsal.run(["explain", `strava.csv:${line}`], { journal })).out).toContain(
        "equipment: Nike Pegasus",
      );
  });

  test("is named with the sums where they are apart, and all of it stays", async () => {
    const { out } = await imported([whole(), vague()]);
    expect(out).toContain(
      `perhaps one workout in parts: garmin.csv line 2 (2024-05-01 08:00) and phone.csv line 2 and phone.csv line 3 (${sum})`,
    );
    expect(await log()).toEqual(["08:00 10", "08:02 5.5", "09:30 5"]);
  });

  longTest("is named when a diary without times has it as a whole, and the log has its parts", async () => {
    await imported([parts()]);
    const [diary, other] = [sheet("diary", run("", 10, 3_600)), sheet("other", run("", 8.4, 3_000))];
    const named = await rehearsal.run(["plan", diary]);
    expect(named.out).toMatch(
      /perhaps one workout in parts: diary\.csv line 2 \(2024-05-01\) and .* \(10 km = 5\.1 \+ 4\.88 km, the same day, distances 0\.2 % apart, durations 0\.0 % apart, score 8; 9 is enough\)/,
    );
    expect((await rehearsal.run(["plan", other])).out).not.toContain("plan/split-in-log");
    expect(await imported([diary], "--doubtful", "one")).toMatchObject({ code: 0 });
    expect(await log()).toEqual(["08:00 5.1", "08:50 4.88"]);
  });

  longTest(
    "is named when a source knows its day alone, as a whole or in parts, and an answer or --doubtful one makes it one with the time of the other",
    async () => {
      const [diary, watch] = [
        sheet("diary", run("", 11, 3_540)),
        sheet("watch", run("10:30", 7.2, 2_300), run("11:24", 3.82, 1_240)),
      ];
      const named =
        /perhaps one workout in parts: diary\.csv line 2 .* \(11 km = 7\.2 \+ 3\.82 km, the same day, .*score 8;/;
      for (const sources of [
        [diary, watch],
        [watch, diary],
      ]) {
        const { out } = await rehearsal.run(["plan", ...sources]);
        expect(out).toMatch(named);
        expect((await rehearsal.run(["plan", "review", "--list"])).out).toContain("of 2 parts together");
      }
      expect((await rehearsal.run(["plan", "review", "--answer", "diary.csv:2+watch.csv:3=one"])).out).toContain(
        "changed for 1 pair",
      );
      expect(await imported([watch, diary])).toMatchObject({ code: 0, isDoubtful: false });
      expect(await log()).toEqual(["10:30 11"]);
      const rows = sheet("rows", run("", 7.2, 2_300), run("", 3.82, 1_240));
      // A workout in your log, or in another source, and rows of a diary.
      const { out } = await rehearsal.run(["plan", rows], { journal: join(rehearsal.folder, "other.db") });
      expect(out).toMatch(/perhaps one workout in parts: .* in your log .*11 km = 7\.2 \+ 3\.82 km, the same day/);
      expect((await imported([rows, sheet("whole", run("10:30", 11, 3_540))], "--doubtful", "one")).code).toBe(0);
      expect(await log()).toEqual(["10:30 11"]);
    },
  );

  longTest("is one with --doubtful one, which verify, undo and a second import without it hold to", async () => {
    expect(await imported([whole(), vague()], "--doubtful", "one")).toMatchObject({ code: 0 });
    expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
    expect(await imported([vague()])).toMatchObject({ code: 0 });
    expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
    expect((await imported([whole(), vague()])).out).not.toContain("perhaps one workout");
    expect(await log()).toEqual(["08:00 10"]);
    expect((await rehearsal.run(["explain", "phone.csv line 3"])).out).toContain(sum);
    expect((await rehearsal.run(["undo", "1"])).out).toContain("1 made by the run is yours");
  });

  test("is decided by one answer about any part, which each later plan obeys until it is forgotten", async () => {
    const plan = async (...words: readonly string[]) => (await rehearsal.run(["plan", whole(), vague(), ...words])).out;
    const review = (...words: readonly string[]) => rehearsal.run(["plan", "review", ...words]);
    await plan();
    const { out } = await review("--list", "--json");
    expect(jsonLines(out).filter(({ type }) => type === "pair")).toMatchObject([{ verdict: "doubtful", score: 6 }]);
    expect(await review("--answer", "garmin.csv:2+phone.csv:3=one,distance:right")).toMatchObject({ code: 2 });
    expect((await review("--answer", "garmin.csv:2+phone.csv:3=one")).out).toContain("changed for 1 pair");
    expect(await plan()).toContain("10 km = 5.5 + 5 km, you said so on ");
    await review("--forget", "all");
    expect(await plan()).toContain("perhaps one workout in parts");
    await review("--answer", "garmin.csv:2+phone.csv:3=two");
    expect(await plan("--doubtful", "one")).not.toContain("one workout");
  });

  test("is two where the other recordings are runs of another time, or pair up one by one", async () => {
    const warm = [run("08:00", 2, 700), run("08:15", 6, 1_500), run("08:45", 2, 720)];
    const sources = [
      sheet("garmin", ...warm, run("17:00", 8, 2_400)),
      sheet("strava", ...warm, run("12:00", 4, 1_200), run("19:00", 4, 1_200)),
    ];
    const ran = await imported(sources);
    expect(ran.out).not.toContain("one workout in parts");
    expect(await log()).toHaveLength(6);
  });

  describe("and is a triathlon", () => {
    const day = ["08:30", "Other", "51.5", "2:39:00"];
    const legs = (last: string) => [
      ["08:30", "Swim", "1.5", "0:30:00"],
      ["09:02", "Bike", "40", "1:20:00"],
      ["10:24", last, "10", "0:45:00"],
    ];
    const flags = () => ["--sport", "Other=other", ...rehearsal.activities];
    const written = (name: string, ...rows: readonly string[][]) => {
      const path = sheet(name, run("", 1, 1));
      const lines = rows.map((row) => ["2024-05-01", ...row, "", "", ""].join(","));
      writeFileSync(path, `Date,Time,Activity,Distance,Duration,Shoe,Notes,Id\n${lines.join("\n")}\n`);
      return path;
    };

    test("whose legs stay", async () => {
      const ran = await imported([written("day", day), written("legs", ...legs("Run"))], ...flags());
      expect(ran.code, ran.out).toBe(0);
      expect(await log()).toEqual(["08:30 1.5", "09:02 40", "10:24 10"]);
    });

    longTest(
      "whose legs know their day alone, which is named. With --doubtful one, they stay, and the first one has the start of the day",
      async () => {
        const untimed = legs("Run").map(([, ...rest]) => ["", ...rest]);
        const sources = [written("day", day), written("legs", ...untimed)];
        expect((await rehearsal.run(["plan", ...sources, ...flags()])).out).toContain(
          "51.5 km = 1.5 + 40 + 10 km, the same day",
        );
        const ran = await imported(sources, ...flags(), "--doubtful", "one");
        expect(ran, ran.out).toMatchObject({ code: 0 });
        expect(await log()).toEqual(["- 10", "- 40", "08:30 1.5"]);
        expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
      },
    );

    longTest(
      "which a third source has as a whole, too: a second import counts all as the first one did, and asks nothing",
      async () => {
        // The notebook is too late for the legs, and not for the day.
        const [, ...rest] = day;
        const sources = [written("day", ["08:31", ...rest]), written("legs", ...legs("Run"))];
        sources.push(written("notebook", ["08:34", ...rest]));
        const counts: unknown[] = [];
        for (const _ of [1, 2, 3]) {
          const ran = await rehearsal.run(["import", ...sources, ...flags()]);
          expect(ran, ran.out).toMatchObject({ code: 0, out: expect.not.stringContaining("perhaps one workout") });
          counts.push(/Of these sources, in your log: (\d+ workouts, [\d.]+ km)/.exec(ran.out)?.[1]);
          expect(unbalanced(readJournal(join(rehearsal.folder, "journal.db")))).toEqual([]);
        }
        expect(counts).toEqual(Array.from({ length: 3 }, () => "3 workouts, 51.5 km"));
        expect(await log()).toHaveLength(3);
        const { out } = await rehearsal.run(["explain", "legs.csv line 4"]);
        expect(out).toContain("one workout in parts");
        expect(out).not.toContain("another that is closer");
        expect((await rehearsal.run(["plan", "review", "--list"])).out).toContain("no open doubtful pair");
        expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
      },
    );

    longTest(
      "with a leg of an unknown sport, which the first plan names, and which stays apart for a stated reason",
      async () => {
        const sources = [written("day", day), written("legs", ...legs("Zorb"))];
        const named = (rest: string) =>
          `perhaps one workout in parts: day.csv line 2 (2024-05-01 08:30) and legs.csv line 2, legs.csv line 3 and legs.csv line 4 (51.5 km = 1.5 + 40 + 10 km, starts 0 s apart, distances 0.0 % apart, durations 0.0 % apart, score 11; 9 is enough), apart because ${rest}`;
        const { out } = await rehearsal.run(["plan", ...sources, ...flags()]);
        expect(out).toContain(named("the sport of legs.csv line 4 is unknown"));
        // With its name, they are one at once.
        const known = await rehearsal.run(["plan", ...sources, ...flags(), "--sport", "Zorb=run"]);
        expect(known.out).not.toContain("perhaps one workout in parts");
        // Once the day and some legs are in the log, nothing can make them one.
        await imported(sources, ...flags());
        const later = await rehearsal.run(["plan", ...sources, ...flags(), "--sport", "Zorb=run"]);
        expect(later.out).toContain(
          named("your log has the whole and a part, and a log can delete nothing.").replace("perhaps", "surely"),
        );
        expect(later.out).toContain("(plan/parts-twice-in-log)");
      },
    );
  });
});

test("a short recording within a long one of another source is named, and is one by a person's word", async () => {
  const sources = [sheet("watch", run("07:00", 11.55, 4_260)), sheet("phone", run("07:02", 9.24, 3_420))];
  const overlap = async () => {
    const { out } = await rehearsal.run(["plan", "--json", ...sources]);
    const issue = jsonLines(out).find(({ type, rule }) => type === "issue" && rule === "plan/same-time");
    return issue?.example as { found: string; expected: string } | undefined;
  };
  const { found = "", expected = "" } = (await overlap()) ?? {};
  const [, answer = ""] = /plan review --answer (\w+\+\w+=one)$/.exec(expected) ?? [];
  expect(found).toBe(
    `two workouts of one sport at the same time: watch.csv line 2 (2024-05-01 07:00, 71 min, 11.6 km) and phone.csv line 2 (2024-05-01 07:02, 57 min, 9.2 km) (${answer.replace("=one", "")})`,
  );
  expect(await rehearsal.run(["plan", "review", "--answer", answer])).toMatchObject({ code: 0 });
  expect(await overlap()).toBeUndefined();
  expect(await imported(sources)).toMatchObject({ code: 0 });
  expect(await log()).toEqual(["07:00 11.55"]);
});
