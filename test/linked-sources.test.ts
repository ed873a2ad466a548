import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { type SheetRun, writeSheet } from "./support/small-sources.ts";
import { startsInLog } from "./support/starts-in-log.ts";
import { longTest, rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";
import { changeWorkout, typeWorkout } from "./support/typed-workout.ts";

// The same workouts in several sources that measured them otherwise, by the real command line into a real log.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const sheet = (name: string, ...runs: readonly SheetRun[]) => writeSheet(join(rehearsal.folder, name), runs, name);
const run = (time: string, km: number, seconds: number): SheetRun => ({ date: "2024-05-01", time, km, seconds });

async function imported(sources: readonly string[], ...flags: readonly string[]) {
  const ran = await rehearsal.run(["import", "--json", ...sources, ...flags]);
  const lines = jsonLines(ran.out);
  const doubtful = lines.find(({ type, rule }) => type === "issue" && String(rule).startsWith("plan/doubtful-"));
  return { ...ran, doubtful: (doubtful?.example as { found: string } | undefined)?.found };
}

const log = () => startsInLog(rehearsal);

/** The doubtful pair of the newest plan, as `plan review --list` has it. */
async function listed() {
  const { out } = await rehearsal.run(["plan", "review", "--list", "--json"]);
  return jsonLines(out).filter(({ type }) => type === "pair");
}

test("a phone and a watch that measure 9 % apart have one workout, and explain says why with numbers", async () => {
  const sources = [sheet("watch", run("07:00", 10, 3_000)), sheet("phone", run("07:01", 9.1, 2_990))];
  expect(await imported(sources)).toMatchObject({ code: 0 });
  expect(await log()).toEqual(["07:00 10"]);
  const { out } = await rehearsal.run(["explain", "phone.csv line 2"]);
  expect(out).toContain("starts 60 s apart, distances 9.0 % apart, durations 0.3 % apart, score 16; 9 is enough");
});

test("a treadmill run of 10.0 in a sheet without times is the 9.62 of the wrist, in any order", async () => {
  const [notes, wrist] = [sheet("notes", run("", 10, 3_000)), sheet("wrist", run("18:30", 9.62, 3_007))];
  expect(await imported([notes, wrist])).toMatchObject({ code: 0, doubtful: undefined });
  expect(await log()).toEqual(["18:30 10"]);
  expect(await imported([wrist, notes])).toMatchObject({ code: 0 });
  expect(await imported([wrist])).toMatchObject({ code: 0 });
  expect(await imported([notes])).toMatchObject({ code: 0 });
  expect(await log()).toEqual(["18:30 10"]);
});

longTest("with another journal and in the other order nothing is added", async () => {
  const sources = [sheet("watch", run("07:00", 10, 3_000)), sheet("phone", run("07:01", 9.1, 2_990))];
  await imported(sources);
  const journal = join(rehearsal.folder, "other.db");
  const ran = await rehearsal.run(["import", "--json", ...sources.toReversed()], { journal });
  expect(ran.code, ran.out).toBe(0);
  expect(await log()).toEqual(["07:00 10"]);
});

test("two runs on one day in two sources pair up by what is closest in all", async () => {
  const morning = [run("", 5.2, 1_560), run("", 5, 1_510)];
  const both = [sheet("days", ...morning), sheet("times", run("07:00", 5.01, 1_515), run("19:00", 5.18, 1_555))];
  expect(await imported(both)).toMatchObject({ code: 0 });
  expect(await log()).toEqual(["07:00 5", "19:00 5.2"]);
});

longTest(
  "a notebook of half kilometres and five minutes has the runs of the watch, and explain says what rounding makes",
  async () => {
    // 4.3 km in 26:35 and so on, a day each. Two values of the notebook are exact, and one run is another one.
    const watch = Array.from({ length: 40 }, (_, at) => ({
      ...{ date: `2024-0${at < 20 ? 5 : 6}-${String((at % 20) + 1).padStart(2, "0")}`, time: "07:00" },
      ...{ km: Number((4.3 + 0.31 * at).toFixed(2)), seconds: 1_595 + 101 * at },
    }));
    const notebook = watch.map(({ date, km, seconds }, at) => ({
      ...{ date, time: "", km: at < 2 ? km : Math.round(km * 2) / 2 },
      seconds: at < 2 ? seconds : Math.round(seconds / 300) * 300,
    }));
    const other = { date: "2024-06-25", time: "07:00", km: 4.4, seconds: 1_590 };
    const sources = [
      sheet("watch", ...watch, other),
      sheet("notebook", ...notebook, { ...other, time: "", km: 6, seconds: 1_800 }),
    ];
    expect(await imported(sources)).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toHaveLength(watch.length + 2);
    const { out } = await rehearsal.run(["explain", "notebook.csv line 5"]);
    expect(out).toContain("distances 4.4 % apart (rounding makes up to 4.8 %), durations 5.2 % apart (rounding makes");
  },
);

describe("a notebook of half kilometres and five minutes", () => {
  // 4.3 km in 27:10 and so on, a day each. The notebook of one of them has 4.5 km in 25 min: 4.4 % and 8 % off.
  const watch = Array.from({ length: 24 }, (_, at) => ({
    ...{ date: `2024-05-${String(at + 1).padStart(2, "0")}`, time: "07:00" },
    ...{ km: Number((4.3 + 0.31 * at).toFixed(2)), seconds: 1_630 + 101 * at },
  }));
  const notebook = watch.map(({ date, km, seconds }) => ({
    ...{ date, time: "", km: Math.round(km * 2) / 2, seconds: Math.floor(seconds / 300) * 300 },
  }));

  rowTest.each<[string, readonly SheetRun[], readonly SheetRun[]]>(
    firstOf(1, [
      ["is found in a log that the watch filled", watch, notebook],
      ["filled the log, which then has the runs of the watch", notebook, watch],
    ]),
  )("%s, each once", async (_what, first, second) => {
    await imported([sheet("first", ...first)]);
    expect(await imported([sheet("second", ...second)])).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toHaveLength(24);
    const { out } = await rehearsal.run(["explain", "second.csv line 2"]);
    expect(out).toContain("distances 4.4 % apart (rounding makes up to");
  });

  test("that somebody typed into the log has the runs of the watch, and explain says how a source rounds", async () => {
    for (const { date, km, seconds } of notebook)
      await typeWorkout(rehearsal, {
        ...{ activityID: 10, date },
        details: { distance: { unit: "km", value: km }, duration: seconds },
      });
    expect(await imported([sheet("watch", ...watch)])).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toHaveLength(24);
    await imported([sheet("notebook", ...notebook)]);
    const { out } = await rehearsal.run(["explain", "notebook.csv line 5"]);
    expect(out).toContain("its source rounds distances to 0.5 km, durations to 5 min");
  });
});

longTest("one workout that three sources have in pairs is there once", async () => {
  // The first and the second agree by time, the third and the fourth too; what joins them all is 5 % apart.
  const sources = [
    sheet("a", run("07:00", 10, 3_000)),
    sheet("b", run("07:00", 10.1, 3_000)),
    sheet("c", run("07:01", 10.6, 3_010)),
    sheet("d", run("07:01", 10.7, 3_010)),
  ];
  expect(await imported(sources)).toMatchObject({ code: 0 });
  expect(await log()).toEqual(["07:00 10"]);
});

rowTest.each(
  firstOf(1, [
    ["8.5 km in 46:00 is doubtful beside 8 km", 8.5, 2_760, "distances 5.9 % apart, durations 4.3 % apart, score 8;"],
    [
      "9 km in the same time is doubtful beside 8 km",
      9,
      2_640,
      "distances 11.1 % apart, durations 0.0 % apart, score 8;",
    ],
    ["8.3 km in 44:30 is 8 km", 8.3, 2_670, ""],
  ]),
)("a row without a time of day: %s in 44:00", async (_what, km, seconds, expected) => {
  const sources = [sheet("days", run("", km, seconds)), sheet("times", run("17:00", 8, 2_640))];
  const { doubtful = "" } = await imported(sources);
  expect(doubtful.length > 0).toBe(expected.length > 0);
  expect(doubtful).toContain(expected);
});

describe("a row of a diary without a time, on a day on which one source has the morning run and another one the evening run", () => {
  const sources = {
    diary: () => sheet("diary", run("", 5, 1_490)),
    morning: () => sheet("morning", run("07:05", 5.03, 1_526)),
    evening: () => sheet("evening", run("18:31", 5.02, 1_491)),
  };

  rowTest.each(
    firstOf(1, [
      ["diary", "morning", "evening"],
      ["morning", "evening", "diary"],
      ["evening", "diary", "morning"],
    ] as const),
  )("is the likelier one in the order %s, %s, %s", async (...order) => {
    expect(await imported(order.map((name) => sources[name]()))).toMatchObject({ code: 0, doubtful: undefined });
    expect((await log()).map((start) => start.slice(0, 5))).toEqual(["07:05", "18:31"]);
    const { out } = await rehearsal.run(["explain", "diary.csv line 2"]);
    expect(out).toContain("evening.csv line 2");
    expect(out).toContain("durations 0.1 % apart");
  });

  test("is the closer one where the scores are equal", async () => {
    const two = [sheet("morning", run("07:05", 5.01, 1_520)), sheet("evening", run("18:31", 4.98, 1_493))];
    expect(await imported([sheet("diary", run("", 5, 1_500)), ...two])).toMatchObject({ doubtful: undefined });
    expect(await log()).toEqual(["07:05 5.01", "18:31 5"]);
  });
});

test("two workouts whose times are hours apart stay two, although a note of the day is like both", async () => {
  const sources = [
    sheet("first", run("07:00", 10, 3_000)),
    sheet("second", run("19:00", 10, 3_000)),
    sheet("day", run("", 10, 3_000)),
  ];
  expect(await imported(sources)).toMatchObject({ code: 0 });
  expect(await log()).toEqual(["07:00 10", "19:00 10"]);
});

describe("a pair of which nobody can tell", () => {
  const pair = () => [sheet("notes", run("", 10, 3_600)), sheet("wrist", run("18:30", 9.5, 3_000))];

  test("is named with both places and stays two", async () => {
    const { doubtful } = await imported(pair());
    expect(doubtful).toBe(
      "perhaps one workout: notes.csv line 2 and wrist.csv line 2 (the same day, distances 5.0 % apart, durations 16.7 % apart, score 6; 9 is enough)",
    );
    expect(await log()).toEqual(["- 10", "18:30 9.5"]);
    // explain has the same score as the plan.
    expect((await rehearsal.run(["explain", "notes.csv:2"])).out).toContain("score 6; 9 is enough");
  });

  test("is decided without a terminal, obeyed by the next import, and shown by explain with the date", async () => {
    expect(await rehearsal.run(["plan", ...pair()])).toMatchObject({ code: 0 });
    const [first] = await listed();
    expect(first).toMatchObject({ left: { origin: { archive: "notes.csv" } }, verdict: "doubtful", score: 6 });
    const said = await rehearsal.run(["plan", "review", "--answer", `${first?.pair}=one,distance:right`]);
    expect(said.out).toContain("The plan of run 1 is changed for 1 pair. Next: logferry apply");
    expect(await rehearsal.run(["apply"])).toMatchObject({ code: 0 });
    expect(await log()).toEqual(["18:30 9.5"]);
    expect(await imported(pair())).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toEqual(["18:30 9.5"]);
    const { out } = await rehearsal.run(["explain", "wrist.csv line 2"]);
    const today = new Date().toISOString().slice(0, 10);
    expect(out).toContain(`notes.csv line 2 and wrist.csv line 2 are one workout (${today})`);
  });

  test("gets the fields that were chosen after its load, and its own values once it is two", async () => {
    await rehearsal.run(["plan", ...pair()]);
    const [first] = await listed();
    await rehearsal.run(["plan", "review", "--answer", `${first?.pair}=one`]);
    await rehearsal.run(["apply"]);
    expect(await log()).toEqual(["18:30 10"]);
    await rehearsal.run(["plan", "review", "--answer", `${first?.pair}=one,distance:right`]);
    const changed = await rehearsal.run(["import", ...pair()]);
    expect(changed.out).toContain("you answered otherwise in plan review since run 1: another distance");
    expect(await log()).toEqual(["18:30 9.5"]);
    expect((await rehearsal.run(["import", ...pair()])).out).toContain("Nothing to do");
    await rehearsal.run(["plan", "review", "--answer", `${first?.pair}=two`]);
    await rehearsal.run(["import", ...pair()]);
    // The notes know no time of day. What only the other one had stays.
    expect(await log()).toEqual(["18:30 10", "18:30 9.5"]);
    expect((await rehearsal.run(["import", ...pair()])).out).toContain("Nothing to do");
  });

  test("is asked about by review wherever the plan names it, also when one side is merged with a third source", async () => {
    const sheets = [
      sheet("diary", run("", 10, 3_000)),
      sheet("watch", run("18:32", 8.6, 2_700)),
      sheet("phone", run("18:43", 9.95, 2_990)),
    ];
    const { out } = await rehearsal.run(["plan", ...sheets]);
    const named = [...out.matchAll(/two workouts of one sport at the same time: .*? \((\w+\+\w+)\)/g)].map(
      ([, id]) => id,
    );
    expect(named).toHaveLength(1);
    expect((await listed()).map((pair) => pair.pair)).toEqual(expect.arrayContaining(named));
  });

  rowTest.each(firstOf(1, ["notes", "wrist"]))(
    "keeps its answer when the note of its row in %s is edited",
    async (edited) => {
      expect(await rehearsal.run(["plan", ...pair()])).toMatchObject({ code: 0 });
      const [first] = await listed();
      await rehearsal.run(["plan", "review", "--answer", `${first?.pair}=one,distance:right`]);
      expect(await rehearsal.run(["apply"])).toMatchObject({ code: 0 });
      const more = { notes: "with Bob" };
      const sources = [
        sheet("notes", { ...run("", 10, 3_600), ...(edited === "notes" && more) }),
        sheet("wrist", { ...run("18:30", 9.5, 3_000), ...(edited === "wrist" && more) }),
      ];
      expect(await imported(sources)).toMatchObject({ doubtful: undefined });
      expect(await log()).toEqual(["18:30 9.5"]);
      expect(await imported(sources)).toMatchObject({ code: 0, doubtful: undefined });
      expect(await log()).toEqual(["18:30 9.5"]);
      expect(await listed()).toMatchObject([{ answer: { answer: "one" } }]);
    },
  );

  test("is decided by a file of answers that beats --doubtful, and a wrong line of it keeps nothing", async () => {
    await rehearsal.run(["plan", ...pair()]);
    const [first] = await listed();
    const file = join(rehearsal.folder, "answers.txt");
    writeFileSync(file, `# the gym\n${first?.pair}=two\n\nnotes.csv:2=two\n`);
    const refused = await rehearsal.run(["plan", "review", "--answers", file]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toMatch(/answers\.txt line 4: .*expected two records with a \+ between them/);
    expect((await listed()).map(({ answer }) => answer)).toEqual([undefined]);
    for (const [answers, why] of [
      [[`${first?.pair}=one,start:left`], "it has no time of day, and the other one has"],
      [[`${first?.pair}=one`, `wrist.csv:2+notes.csv:2=two`], "Two answers say different things about one pair"],
    ] as const) {
      const wrong = await rehearsal.run(["plan", "review", ...answers.flatMap((answer) => ["--answer", answer])]);
      expect(wrong).toMatchObject({ code: 2 });
      expect(wrong.err).toContain(why);
      expect((await listed()).map(({ answer }) => answer)).toEqual([undefined]);
    }
    writeFileSync(file, `# the gym\nnotes.csv:2+wrist.csv:2=two\n`);
    expect(await rehearsal.run(["plan", "review", "--answers", file])).toMatchObject({ code: 0 });
    await imported(pair(), "--doubtful", "one");
    expect(await log()).toEqual(["- 10", "18:30 9.5"]);
    const forgotten = await rehearsal.run(["plan", "review", "--forget", "all"]);
    expect(forgotten.out).toContain("it counts from the next plan on");
    const again = await rehearsal.run(["plan", "review", "--answer", `${first?.pair}=one`]);
    expect(again.out).toMatch(/Both are in your log already, as \w+ and \w+\. logferry deletes nothing there/);
  });

  longTest("is still listed after a retry of other records, and the answer counts from the next plan on", async () => {
    const bad = { ...run("08:00", 5, 1_500), date: "2024-13-45" };
    const [, wrist] = pair();
    const sources = [sheet("notes", run("", 10, 3_600), bad), wrist ?? ""];
    await rehearsal.run(["import", ...sources]);
    await rehearsal.run(["quarantine", "retry", "--dry-run"]);
    const [first] = await listed();
    expect(first).toMatchObject({ verdict: "doubtful" });
    const said = await rehearsal.run(["plan", "review", "--answer", `${first?.pair}=two`]);
    expect(said).toMatchObject({ code: 0 });
    expect(said.out).toContain("it counts from the next plan on");
  });

  test.each([
    [["plan", "review", "--answer", "nonsense"], "expected PAIR=one or PAIR=two"],
    [["plan", "review", "--answer", "a+b=one,distanc:left"], 'did you mean "distance"?'],
    [["plan", "review", "--forget", "5f3a2c+9b1d00"], "no pair was answered"],
    [["plan", "notes.csv", "--list"], "Cannot use --list here: it goes with logferry plan review"],
  ])("is refused as %j", async (words, why) => {
    await rehearsal.run(["plan", ...pair()]);
    const ran = await rehearsal.run(words);
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.err).toContain(why);
  });

  longTest("is one with --doubtful one", async () => {
    expect(await imported(pair(), "--doubtful", "one")).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toEqual(["18:30 10"]);
  });
});

rowTest.each(
  firstOf(1, [
    // Both sources together complete the loaded workout, as in a plan of both from the start.
    ["one", ["- 10"], ["18:30 10"]],
    ["two", ["- 10", "18:30 9.5"], ["- 10", "18:30 9.5"]],
  ]),
)(
  "a run that is perhaps one with a loaded one of another source is %s of them by a person's word",
  async (word, alone, together) => {
    const [notes, wrist] = [sheet("notes", run("", 10, 3_600)), sheet("wrist", run("18:30", 9.5, 3_000))];
    await imported([notes]);
    await rehearsal.run(["plan", wrist]);
    const [first] = await listed();
    const said = await rehearsal.run(["plan", "review", "--answer", `${first?.pair}=${word}`]);
    expect(said.out).toContain("is changed for 1 pair");
    expect(await imported([wrist])).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toEqual(alone);
    expect(await imported([notes, wrist])).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toEqual(together);
  },
);

describe("a workout that somebody typed into the log", () => {
  function type({ time, km, seconds }: { readonly time?: string; readonly km: number; readonly seconds?: number }) {
    const details = { distance: { unit: "km", value: km }, ...(seconds !== undefined && { duration: seconds }) };
    return typeWorkout(rehearsal, { activityID: 10, date: "2024-05-01", ...(time !== undefined && { time }), details });
  }
  const typedNow = (id: string) => rehearsal.get(`/rest/logs/me/workouts/${id}`);
  /** Why a row of `watch.csv` is one with a workout of the log. */
  const why = async (line: number) =>
    /decided: (.*)/.exec((await rehearsal.run(["explain", `watch.csv line ${line}`])).out)?.[1];

  test("with a day and a distance alone is the run that a watch brings, and stays as it was typed", async () => {
    const id = await type({ km: 10 });
    const before = await typedNow(id);
    const source = sheet("watch", run("07:00", 10.02, 3_000));
    expect(await imported([source])).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toEqual(["- 10"]);
    expect(await typedNow(id)).toEqual(before);
    expect(await why(2)).toContain("the same workout (the same day, distances 0.2 % apart, score 12; 9 is enough)");
  });

  longTest("on a treadmill is the run of the wrist, whose distance is 4 % apart", async () => {
    await type({ km: 10, seconds: 3_000 });
    expect(await imported([sheet("watch", run("18:30", 9.62, 3_007))])).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toEqual(["- 10"]);
  });

  test("is paired with the one of the day that is closest in all, and takes its time where it is blank", async () => {
    for (const km of [5.2, 5]) await type({ km });
    const source = sheet("watch", run("07:00", 5.01, 1_515), run("19:00", 5.18, 1_555));
    expect(await imported([source], "--enrich")).toMatchObject({ code: 0 });
    expect(await log()).toEqual(["07:00 5", "19:00 5.2"]);
  });

  longTest("is one of two equal runs, and takes the time of neither", async () => {
    const id = await type({ km: 10, seconds: 3_000 });
    const before = await typedNow(id);
    const source = sheet("watch", run("07:00", 10, 3_000), run("19:00", 10, 3_000));
    const ran = await imported([source], "--enrich");
    expect(ran.out).toContain(
      `${id} is left as it is in the log, because several workouts of the day fit it equally well`,
    );
    expect(await typedNow(id)).toEqual(before);
    expect(await log()).toHaveLength(2);
    expect([await why(2), await why(3)].join()).toContain("1 other pair of the day would be as good");
    // The other run is in the log by now, and fits the typed one as well as before.
    await imported([source], "--enrich");
    expect(await typedNow(id)).toEqual(before);
    expect(await log()).toHaveLength(2);
  });

  longTest(
    "an hour from each of several runs may be the same runs by another clock, which the plan says with numbers",
    async () => {
      const days = ["2024-05-01", "2024-05-03", "2024-05-06", "2024-05-09"];
      const km = [10, 8.2, 12.5, 6.1];
      for (const [index, date] of days.entries())
        await typeWorkout(rehearsal, {
          activityID: 10,
          date,
          time: "08:00:00",
          details: { distance: { unit: "km", value: km[index] ?? 0 }, duration: 3_000 + 60 * index },
        });
      const runs = days.map((date, index) => ({
        date,
        time: "07:00",
        km: km[index] ?? 0,
        seconds: 3_000 + 60 * index,
      }));
      const source = sheet("watch", ...runs);
      const plan = await rehearsal.run(["plan", source]);
      expect(plan).toMatchObject({ code: 3 });
      expect(plan.out).toContain(
        "4 new workouts are perhaps in your log already, at another time. To load no copy, plan again with --doubtful one",
      );
      expect(plan.out + plan.err).toContain(
        "4 of 4 workouts of watch.csv have one in your log with the same distance and duration, 60 min later",
      );
      expect(await imported([source], "--doubtful", "one")).toMatchObject({ code: 0 });
      expect(await log()).toEqual(["08:00 10", "08:00 12.5", "08:00 6.1", "08:00 8.2"]);
    },
  );

  longTest("hours from a run is another one", async () => {
    await type({ time: "19:00:00", km: 10, seconds: 3_000 });
    expect(await imported([sheet("watch", run("07:00", 10, 3_000))])).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toEqual(["07:00 10", "19:00 10"]);
  });

  test("that is perhaps a run is named with its id and stays another one, also when the import is repeated", async () => {
    const id = await type({ km: 10, seconds: 3_600 });
    const source = sheet("watch", run("18:30", 9.5, 3_000));
    expect((await imported([source])).doubtful).toBe(
      `perhaps one workout: watch.csv line 2 and ${id} in your log, 2024-05-01 10 km (the same day, distances 5.0 % apart, durations 16.7 % apart, score 6; 9 is enough)`,
    );
    expect(await log()).toEqual(["- 10", "18:30 9.5"]);
    expect(await imported([source])).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toHaveLength(2);
  });

  longTest("with a start rounded to a half hour is perhaps the run of the watch, also in a sheet", async () => {
    const id = await type({ time: "18:30:00", km: 10, seconds: 3_000 });
    const why =
      "(starts 330 s apart (one may be rounded to 30 min), distances 5.0 % apart, durations 0.2 % apart, score 8; 9 is enough)";
    const watch = sheet("watch", run("18:24:30", 9.5, 3_005));
    expect((await rehearsal.run(["plan", watch])).out).toContain(
      `watch.csv line 2 and ${id} in your log, 2024-05-01 18:30 10 km ${why}`,
    );
    const { out } = await rehearsal.run(["plan", watch, sheet("notes", run("18:30", 10, 3_000))]);
    expect(out).toContain(`watch.csv line 2 and notes.csv line 2 ${why}`);
  });

  /** Plans a run that is perhaps the typed one. @returns the pair, as `plan review --list` has it */
  async function planDoubtful() {
    const [id, source] = [await type({ km: 10, seconds: 3_600 }), sheet("watch", run("18:30", 9.5, 3_000))];
    expect(await rehearsal.run(["plan", source])).toMatchObject({ code: 0 });
    const [first] = await listed();
    return { id, source, pair: String(first?.pair), first };
  }
  const review = (...words: readonly string[]) => rehearsal.run(["plan", "review", ...words]);

  test("that is perhaps a run is shown beside it, and isn't loaded again once a person says that they are one", async () => {
    const { id, source, pair, first } = await planDoubtful();
    expect(first).toMatchObject({
      ...{ left: { origin: { archive: "watch.csv" } }, right: { inLog: id }, verdict: "doubtful", score: 6 },
      fields: [
        { field: "sport", left: "run", right: "run", differs: false },
        { field: "start", left: { time: "18:30:00" }, right: { date: "2024-05-01" }, differs: true },
        { field: "distance", left: { value: 9.5 }, right: { unit: "km", value: 10 }, differs: true },
        { field: "duration", left: 3_000, right: 3_600, differs: true },
      ],
    });
    expect((await review("--answer", `${pair}=one,distance:left`)).err).toContain("your log, which keeps its values");
    expect((await review("--answer", `${pair}=one`)).out).toContain("The plan of run 1 is changed for 1 pair.");
    expect(await rehearsal.run(["apply"])).toMatchObject({ code: 0 });
    expect(await imported([source])).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toEqual(["- 10"]);
    expect(await why(2)).toMatch(/you said on \d{4}-\d\d-\d\d that it is the same workout as your log workout/);
    expect((await review("--list")).out).toMatch(/you said one on/);
    // Forgotten before the load, it is a doubtful pair of the same plan again.
    await rehearsal.run(["plan", source]);
    expect((await review("--forget", pair)).out).toContain("is changed for 1 pair");
    expect(await listed()).toMatchObject([{ pair, verdict: "doubtful" }]);
    await rehearsal.run(["apply"]);
    expect(await log()).toEqual(["- 10", "18:30 9.5"]);
  });

  test("that is perhaps a run is another one without a further word once a person says so, by its id in the log", async () => {
    const { id, source } = await planDoubtful();
    const said = await review("--answer", `watch.csv:2+${id}=two`);
    expect(said.out).toContain("The plan of run 1 is changed for 1 pair.");
    expect((await review("--list", "--json")).out).not.toContain('"verdict":"doubtful"');
    expect(await imported([source], "--doubtful", "one")).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toEqual(["- 10", "18:30 9.5"]);
  });

  longTest("that is surely a run is another one once a person says so, also before the plan is applied", async () => {
    const id = await type({ km: 10, seconds: 3_600 });
    const source = sheet("watch", run("18:30", 10, 3_600));
    await rehearsal.run(["plan", source]);
    expect((await review("--answer", `watch.csv:2+${id}=two`)).out).toContain("is changed for 1 pair");
    expect(await rehearsal.run(["apply"])).toMatchObject({ code: 0 });
    expect(await log()).toEqual(["- 10", "18:30 10"]);
  });

  longTest("that is a run by a person's word gets the values that are blank with --enrich", async () => {
    const { source, pair } = await planDoubtful();
    await review("--answer", `${pair}=one`);
    expect(await imported([source], "--enrich")).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toEqual(["18:30 10"]);
  });

  rowTest.each(
    firstOf(1, [
      ["is deleted", /is no longer there/],
      ["gets another distance", /has another distance now/],
    ]),
  )("ends an answer about it when it %s, and the plan says so", async (what, expected) => {
    const { id, source, pair } = await planDoubtful();
    await review("--answer", `${pair}=one`);
    if (what === "is deleted") deleteWorkout(join(rehearsal.folder, "service.db"), id);
    else {
      const details = { distance: { unit: "km", value: 10.1 }, duration: 3_600 };
      await changeWorkout(rehearsal, id, { activityID: 10, date: "2024-05-01", details });
    }
    const ran = jsonLines((await rehearsal.run(["plan", "--json", source])).out);
    const unused = ran.find(({ type, rule }) => type === "issue" && rule === "plan/answers-not-used");
    expect((unused?.example as { found: string } | undefined)?.found).toMatch(expected);
  });

  test("that is perhaps a run is that run with --doubtful one", async () => {
    await type({ km: 10, seconds: 3_600 });
    const source = sheet("watch", run("18:30", 9.5, 3_000));
    expect(await imported([source], "--doubtful", "one")).toMatchObject({ code: 0, doubtful: undefined });
    expect(await log()).toEqual(["- 10"]);
  });
});

test("a start that you corrected in your log stays, and the next source's row is the same workout all the same", async () => {
  await imported([sheet("watch", run("19:17", 10, 3_000))]);
  const [{ id = "" } = {}] = (await rehearsal.listed("/rest/logs/me/workouts")) as { id?: string }[];
  const details = { distance: { unit: "km", value: 10 }, duration: 3_000 };
  await changeWorkout(rehearsal, id, { activityID: 10, date: "2024-05-01", time: "19:00:00", details });
  const phone = [run("19:18", 9.9, 3_000), run("12:18", 9.9, 3_000)];
  expect(await imported([sheet("phone", ...phone)])).toMatchObject({ code: 0, doubtful: undefined });
  expect(await log()).toEqual(["12:18 9.9", "19:00 10"]);
});
