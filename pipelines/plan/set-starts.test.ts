import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type MadeSource, openWorld, type World } from "../../test/support/scripted-log.ts";
import { withFix } from "../../transforms/model/fix.ts";
import type { WorkoutItem } from "../../transforms/model/item.ts";
import type { Start, Workout } from "../../transforms/model/workout.ts";
import { readHistory } from "../review/explain.ts";
import { findPairs, keepDecision, readPair } from "../review/pairs.ts";
import { amendPlan } from "./amend-plan.ts";

// A sheet whose clock is off, a watch that knows its instants, and a third source that shares workouts with the sheet alone.

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

/** Hours by which the sheet is ahead in summer, and in winter: it is in UTC, and the athlete is in New York. */
const [SUMMER, WINTER] = [4, 5];

interface Made {
  readonly at: string;
  readonly km: number;
  readonly seconds: number;
}

/** A time on the wall, moved by hours: `2024-05-12 07:30` and 4 are `2024-05-12 11:30`. */
const moved = (at: string, hours: number) =>
  new Date(Date.parse(`${at.replace(" ", "T")}:00Z`) + hours * 3_600_000).toISOString().slice(0, 16).replace("T", " ");

function item(source: string, { at, km, seconds }: Made, knowsInstant: boolean): WorkoutItem {
  const [date = "", clock = ""] = at.split(" ");
  const time = `${clock}:00`;
  const start: Start = { date, time, ...(knowsInstant && { instant: Date.parse(`${date}T${time}Z`) + 4 * 3_600_000 }) };
  const value: Workout = { activity: "run", start, distance: { unit: "km", value: km }, duration: seconds };
  return { kind: "workout", key: `${source} ${at}`, value, origin: { connector: source, archive: source, entry: at } };
}

const source = (
  name: string,
  rows: readonly Made[],
  knowsInstants = false,
  more: readonly WorkoutItem[] = [],
): MadeSource => ({
  name,
  connector: name,
  readings: [...rows.map((row) => item(name, row, knowsInstants)), ...more],
});
const inSheet = (rows: readonly Made[], hours: number) => rows.map((row) => ({ ...row, at: moved(row.at, hours) }));

/** A run at another time each day, each with its own length. */
const runOn = (day: string, index: number): Made => ({
  at: `${day} ${String(6 + ((index * 5) % 12)).padStart(2, "0")}:${String((index * 17) % 60).padStart(2, "0")}`,
  km: 5 + ((index * 137) % 900) / 100,
  seconds: 1_500 + ((index * 977) % 3_000),
});
const MAY = Array.from({ length: 14 }, (_, index) => runOn(`2024-05-${String(1 + index * 2).padStart(2, "0")}`, index));
/** The twentieth of each month of two years: too few to tell around a day, and enough of each half of the year. */
const MONTHLY = Array.from({ length: 24 }, (_, at) =>
  runOn(`${at < 12 ? 2023 : 2024}-${String(1 + (at % 12)).padStart(2, "0")}-20`, at),
);
const isSummerInNewYork = ({ at }: Made) => at.slice(5, 10) >= "03-12" && at.slice(5, 10) <= "11-02";
const monthlyInSheet = MONTHLY.flatMap((row) => inSheet([row], isSummerInNewYork(row) ? SUMMER : WINTER));

const stateOf = async (key: string) => {
  const line = (await world.lines()).find((one) => one.key === key);
  return line?.state === "merged" ? `merged into ${line.duplicateOf}` : line?.state;
};
const startOf = async (key: string) => {
  const value = (await world.lines()).find((one) => one.key === key)?.value as Workout | undefined;
  return `${value?.start.date} ${value?.start.time?.slice(0, 5)}`;
};
const remarks = (rule: string) => world.issues.filter((issue) => issue.rule === rule);

test("a run of the sheet that a third source has at the right time is one, and nothing says that nobody else has it", async () => {
  const own = { at: "2024-05-12 07:31", km: 8.5, seconds: 2_700 };
  const sheet = [...inSheet([...MAY, own], SUMMER)];
  await world.plan([
    source("watch", MAY, true),
    source("strap", [{ ...own, at: "2024-05-12 07:32" }]),
    source("sheet", sheet),
  ]);
  expect(await stateOf("sheet 2024-05-12 11:31")).toBe("merged into strap 2024-05-12 07:32");
  expect(await startOf("strap 2024-05-12 07:32")).toBe("2024-05-12 07:32");
  for (const rule of [
    "plan/start-corrected",
    "plan/start-by-wrong-clock",
    "plan/same-time",
    "plan/doubtful-duplicates",
  ])
    expect(remarks(rule), rule).toEqual([]);
});

test("a row of the sheet that a third source has in parts is one with them, by the start that is set", async () => {
  const whole = { at: "2024-05-12 08:00", km: 25, seconds: 7_200 };
  const parts = [
    { at: "2024-05-12 08:00", km: 15, seconds: 4_300 },
    { at: "2024-05-12 09:30", km: 10, seconds: 2_900 },
  ];
  const sheet = inSheet([...MAY, whole], SUMMER);
  await world.plan([source("watch", MAY, true), source("strap", parts), source("sheet", sheet)]);
  expect(await startOf("sheet 2024-05-12 12:00")).toBe("2024-05-12 08:00");
  for (const { at } of parts) expect(await stateOf(`strap ${at}`)).toBe("merged into sheet 2024-05-12 12:00");
  expect(remarks("plan/start-corrected")).toEqual([]);
});

test("a run of the sheet long after its last pair is named, since nobody set its clock meanwhile", async () => {
  const [days, months, winter] = ["2024-05-30 07:00", "2024-08-20 07:00", "2024-12-20 07:00"].map((at) => ({
    ...{ at, km: 8.5, seconds: 2_700 },
  }));
  const alone = [days, months, winter].filter((row) => row !== undefined);
  await world.plan([source("watch", MAY, true), source("sheet", inSheet([...MAY, ...alone], SUMMER))]);
  expect(await startOf("sheet 2024-08-20 11:00")).toBe("2024-08-20 11:00");
  expect(remarks("plan/start-by-wrong-clock").map(({ found }) => found)).toEqual([
    expect.stringContaining(
      "3 workouts of sheet, whose clock was to be set 240 min earlier for the workouts before or after (sheet 2024-12-20 11:00, sheet 2024-08-20 11:00, sheet 2024-05-30 11:00)",
    ),
  ]);
});

test("in the weeks in which clocks change a run may have the clock of either half of the year", async () => {
  // The sheet is in UTC: on 20 March New York has summer time, and on 4 November it still has.
  const november = { at: "2023-11-04 17:45", km: 8.2, seconds: 2_770 };
  const sheet = [...monthlyInSheet, ...inSheet([november], SUMMER)];
  await world.plan([source("watch", [...MONTHLY, november], true), source("sheet", sheet)]);
  const lines = (await world.lines()).filter(({ key, state }) => key.startsWith("sheet") && state !== "merged");
  expect(lines).toEqual([]);
  expect(remarks("plan/start-by-wrong-clock")).toEqual([]);
});

test("two runs that are apart by a proven time of the other half of the year are doubtful", async () => {
  const july = { at: "2024-07-05 09:00", km: 11.2, seconds: 3_700 };
  const sheet = [...monthlyInSheet, ...inSheet([july], WINTER)];
  const run = await world.plan([source("watch", [...MONTHLY, july], true), source("sheet", sheet)]);
  const pairs = await (await world.journal()).links.pairs(run?.id ?? 0, "sheet 2024-07-05 14:00");
  expect(pairs.map(({ one, verdict }) => [one, verdict])).toEqual([["watch 2024-07-05 09:00", "doubtful"]]);
  const explained = await readHistory(await world.journal(), "sheet 2024-07-05 14:00");
  expect(explained?.comparedWith.map(({ why }) => why)).toEqual([
    "starts 0 s apart, distances 0.0 % apart, durations 0.0 % apart, score 8; 9 is enough, if one clock is 300 min off",
  ]);
});

test("a start that a person typed for a record stays, whatever the clock of its source is", async () => {
  const [typed, also] = [
    item("sheet", { at: "2024-05-12 12:00", km: 30, seconds: 9_000 }, false),
    runOn("2024-05-18", 7),
  ];
  const fixed = { ...typed, key: "sheet typed", value: withFix(typed.value, { date: "2024-05-12", time: "08:00:00" }) };
  const same = item("sheet", { ...also, at: "2024-05-18 01:00" }, false);
  const twin = { ...same, key: "sheet twin", value: withFix(same.value, { time: `${also.at.slice(11)}:00` }) };
  await world.plan([
    source("watch", [...MAY, also], true),
    source("sheet", inSheet(MAY, SUMMER), false, [fixed, twin]),
  ]);
  expect(await startOf("sheet typed")).toBe("2024-05-12 08:00");
  expect(await stateOf("sheet twin")).toBe(`merged into watch ${also.at}`);
  expect(remarks("plan/start-corrected")).toEqual([]);
});

test("two that a person calls one have the start of the one whose clock is right", async () => {
  // The table is an hour behind. 3 min from each other they are doubtful, with a tenth between their distances.
  const [watched, noted] = [
    { at: "2024-05-12 07:00", km: 10, seconds: 3_600 },
    { at: "2024-05-12 06:03", km: 9, seconds: 3_100 },
  ];
  const sources = [source("table", [...inSheet(MAY, -1), noted]), source("watch", [...MAY, watched], true)];
  const run = await world.plan(sources);
  const journal = await world.journal();
  const keys = [`table ${noted.at}`, `watch ${watched.at}`] as const;
  const pair = run && (await readPair(journal, run, keys));
  expect(pair?.found).toMatchObject({ verdict: "doubtful", ms: -3_600_000 });
  if (run !== undefined && pair !== undefined)
    await keepDecision(journal, run, { pair, decision: { answer: "one" }, at: 0 });
  expect(await amendPlan(journal, keys)).toMatchObject({ changed: expect.any(Number) });
  expect(await stateOf(keys[1])).toBe(`merged into ${keys[0]}`);
  expect(await startOf(keys[0])).toBe(watched.at);
  await world.plan(sources);
  expect(await startOf(keys[0])).toBe(watched.at);
});

test("a workout of your log at the same time is named, and an answer makes the two one", async () => {
  world.log.put("workout", {
    activityID: 10,
    date: "2024-05-01",
    time: "07:05:00",
    details: { distance: { unit: "km", value: 15.2 }, duration: 5_568 },
  });
  const run = await world.plan([source("watch", [{ at: "2024-05-01 07:10", km: 16, seconds: 5_862 }])]);
  const [remark] = remarks("plan/same-time-in-log");
  expect(remark?.found).toContain("(2024-05-01 07:05, 93 min, 15.2 km)");
  const journal = await world.journal();
  const [pair] = run === undefined ? [] : await findPairs(journal, run);
  expect(pair?.found).toMatchObject({ verdict: "two", isSameTime: true });
  if (run !== undefined && pair !== undefined)
    await keepDecision(journal, run, { pair, decision: { answer: "one" }, at: 0 });
  await amendPlan(journal, ["watch 2024-05-01 07:10", pair?.right.key ?? ""]);
  expect(await stateOf("watch 2024-05-01 07:10")).toBe("unchanged");
  expect((await journal.issues(run?.id ?? 0)).map(({ rule }) => rule)).not.toContain("plan/same-time-in-log");
});

test("each pair at the same time is there to decide once, with the words that make it one", async () => {
  const copies = ["one", "other"].map((name) => source(name, [{ at: "2024-05-01 07:00", km: 10, seconds: 3_300 }]));
  const third = source("third", [
    { at: "2024-05-01 07:00", km: 8, seconds: 2_000 },
    { at: "2024-05-03 07:00", km: 8, seconds: 2_000 },
  ]);
  const run = await world.plan([...copies, third]);
  const pairs = run === undefined ? [] : await findPairs(await world.journal(), run);
  expect(pairs.map(({ left, right, weights }) => [left.key, right.key, weights])).toEqual([
    ["one 2024-05-01 07:00", "third 2024-05-01 07:00", []],
  ]);
  const [{ found, expected } = { found: "", expected: "" }] = remarks("plan/same-time");
  expect(found).toContain(`(${pairs[0]?.id})`);
  expect(expected).toContain(`logferry plan review --answer ${pairs[0]?.id}=one`);
});

test("a doubtful pair shows a start as it is set, and who takes that start gets it so", async () => {
  const own = { at: "2024-05-12 08:00", km: 9, seconds: 3_100 };
  const run = await world.plan([
    source("watch", MAY, true),
    source("strap", [{ at: "2024-05-12 08:03", km: 10, seconds: 3_600 }]),
    source("sheet", inSheet([...MAY, own], SUMMER)),
  ]);
  const journal = await world.journal();
  const [pair] = run === undefined ? [] : await findPairs(journal, run);
  expect(pair?.fields.find(({ field }) => field === "start")).toMatchObject({
    left: { date: "2024-05-12", time: "08:03:00" },
    right: { date: "2024-05-12", time: "08:00:00", clockSet: -SUMMER * 3_600_000 },
  });
  if (run === undefined || pair === undefined) return;
  await keepDecision(journal, run, { pair, decision: { answer: "one", take: { start: "right" } }, at: 0 });
  await amendPlan(journal, [pair.left.key, pair.right.key]);
  expect(await stateOf("sheet 2024-05-12 12:00")).toBe("merged into strap 2024-05-12 08:03");
  expect(await startOf("strap 2024-05-12 08:03")).toBe("2024-05-12 08:00");
});

test("the weights of a pair with a rounded start add up to its score", async () => {
  const sheet = source("sheet", [{ at: "2024-05-01 07:30", km: 10, seconds: 3_600 }]);
  const run = await world.plan([sheet, source("watch", [{ at: "2024-05-01 07:20", km: 10.35, seconds: 3_600 }])]);
  const [pair] = run === undefined ? [] : await findPairs(await world.journal(), run);
  // A start that may be rounded 2, 3.4 % apart in distance 2, the same duration 6. Such a pair has 8 at most.
  expect(pair?.found?.score).toBe(8);
  expect(pair?.weights).toEqual([
    { of: "start", weight: 2 },
    { of: "distance", weight: 2 },
    { of: "duration", weight: 6 },
    { of: "archives", weight: -2 },
  ]);
});

test("of two that an answer keeps two, nothing says that another one is closer", async () => {
  const keys = ["one 2024-05-01 07:00", "other 2024-05-01 07:00"] as const;
  const copies = ["one", "other"].map((name) => source(name, [{ at: "2024-05-01 07:00", km: 10, seconds: 3_300 }]));
  const run = await world.plan(copies);
  const journal = await world.journal();
  const pair = run && (await readPair(journal, run, keys));
  if (run !== undefined && pair !== undefined)
    await keepDecision(journal, run, { pair, decision: { answer: "two" }, at: 0 });
  await amendPlan(journal, keys);
  const [{ why } = { why: "" }] = (await readHistory(journal, keys[0]))?.comparedWith ?? [];
  expect(why).toMatch(/, but the clocks of their sources are apart, or an answer keeps them two$/);
});

test("a track keeps the instant at which it begins, where the workout has the start of a watch that is minutes fast", async () => {
  const { readings, ...platform } = source("platform", MAY, true);
  const withTracks = (readings as readonly WorkoutItem[]).map((one): WorkoutItem => {
    const track = { entry: `${one.key}.gpx`, format: "gpx", recording: 0, recordings: 1, sha256: one.key } as const;
    return { ...one, value: { ...one.value, track } };
  });
  await world.plan([source("watch", inSheet(MAY, 7 / 60), true), { ...platform, readings: withTracks }]);
  const [first] = (await world.lines()).filter(({ state }) => state === "planned");
  const value = first?.value as Workout | undefined;
  expect((value?.start.instant ?? 0) - (value?.track?.beginsAt ?? 0)).toBe(7 * 60_000);
});

// A device that writes its local time as if it were UTC, without a place: its instants prove nothing.
const bare = (rows: readonly Made[], hours: number): MadeSource => ({
  name: "device",
  connector: "device",
  readings: rows.map((row): WorkoutItem => {
    const { value, ...rest } = item("device", { ...row, at: moved(row.at, hours) }, true);
    const start: Start = { ...value.start, basis: "named zone" };
    return { ...rest, value: { ...value, start } as Workout, origin: { ...rest.origin, entry: `${row.at}.tcx` } };
  }),
});
const inPlatform = (rows: readonly Made[]) => source("platform", rows, true);
const journalOf = (rows: readonly Made[]) => source("journal", rows);

test.each([
  ["journal, device", () => [journalOf(MAY), bare(MAY, 2)]],
  ["journal, platform, device", () => [journalOf(MAY), inPlatform(MAY.slice(0, 12)), bare(MAY, 2)]],
  ["device, journal, platform", () => [bare(MAY, 2), journalOf(MAY), inPlatform(MAY)]],
  [
    "device, journal, platform without the last two",
    () => [bare(MAY, 2), journalOf(MAY), inPlatform(MAY.slice(0, 12))],
  ],
  ["platform, device, journal", () => [inPlatform(MAY.slice(0, 12)), bare(MAY, 2), journalOf(MAY)]],
] as const)("bare instants of a device don't overrule sources that agree: %s", async (_, sources) => {
  await world.plan(sources());
  const starts = (await world.lines()).flatMap(({ state, value }) => {
    const { start } = value as Workout;
    return state === "planned" ? [`${start.date} ${start.time?.slice(0, 5)}`] : [];
  });
  expect(starts.toSorted()).toEqual(MAY.map(({ at }) => at));
  const [clocks] = remarks("plan/clocks-apart");
  expect(clocks?.expected).toMatch(/These starts count: those of (?:journal|platform) before those of device/);
  expect(clocks?.expected).not.toContain("those of device before");
});

test("bare instants of a device that only a journal shows to be off move no other workout of the journal", async () => {
  const own = { at: "2024-05-12 07:31", km: 8.5, seconds: 2_700 };
  await world.plan([journalOf([...MAY, own]), bare(MAY, 2)]);
  expect(await startOf("journal 2024-05-12 07:31")).toBe("2024-05-12 07:31");
  expect(remarks("plan/start-corrected")).toEqual([]);
  expect(remarks("plan/start-by-wrong-clock")).toEqual([]);
});

test("a folder of files with satellites doesn't vouch for a device beside them that knows no place", async () => {
  // The watch has satellites. The device beside it writes its local time as if it were UTC, and no other source shows its clock to be right.
  const [own, ofWatch] = [MAY.slice(0, 10), MAY.slice(10)];
  const byPlace = ofWatch.map((row): WorkoutItem => {
    const { value, ...rest } = item("device", row, true);
    const start: Start = { ...value.start, basis: "position" };
    return { ...rest, value: { ...value, start } as Workout, origin: { ...rest.origin, entry: `${row.at}.gpx` } };
  });
  const { readings, ...folder } = bare(own, 2);
  await world.plan([journalOf(own), { ...folder, readings: [...readings, ...byPlace] }]);
  for (const { at } of own) expect(await startOf(`journal ${at}`)).toBe(at);
});

test.each([
  ["last", ["phone", "other", "trainer"]],
  ["first", ["trainer", "phone", "other"]],
] as const)(
  "two that share one workout are as far apart as a third source shows, with the fast clock named %s",
  async (_, order) => {
    const own = { at: "2024-11-09 07:18", km: 22, seconds: 6_627 };
    const july = Array.from({ length: 3 }, (_day, index) => runOn(`2024-07-${String(10 + index * 2)}`, index));
    const sources: Readonly<Record<(typeof order)[number], MadeSource>> = {
      phone: source("phone", [...MAY, ...july]),
      other: source("other", [...july, own]),
      trainer: source("trainer", inSheet([...MAY, own], 7 / 60)),
    };
    await world.plan(order.map((name) => sources[name]));
    const planned = (await world.lines()).filter(({ state }) => state === "planned");
    expect(planned).toHaveLength(MAY.length + july.length + 1);
    expect(remarks("plan/same-time")).toEqual([]);
  },
);

describe("two runs that are equal, as far apart as two zones", () => {
  const [tokyo, lost] = [
    { at: "2024-05-12 19:04", km: 8.53, seconds: 2_703 },
    { at: "2024-05-12 10:04", km: 8.53, seconds: 2_703 },
  ];
  const withHeartRate = (name: string, rows: readonly Made[], avgHR: number): MadeSource => ({
    ...{ name, connector: name },
    readings: rows.map((row): WorkoutItem => {
      const { value, ...rest } = item(name, row, false);
      return { ...rest, value: { ...value, health: { avgHR } } as Workout };
    }),
  });

  test.each([
    ["are doubtful where the log has one of them already", tokyo, [["doubtful", 9 * 3_600_000]]],
    [
      "are doubtful in whole minutes, too, where the distance is nobody's by chance",
      { ...tokyo, seconds: 2_700 },
      [["doubtful", 9 * 3_600_000]],
    ],
    ["are two where their round values may be those of any run", { ...tokyo, seconds: 2_700, km: 8.5 }, []],
  ])("%s", async (_, loaded, expected) => {
    await world.import([source("watch", [loaded])]);
    const run = await world.plan([source("platform", [{ ...lost, seconds: loaded.seconds, km: loaded.km }])]);
    const pairs = await (await world.journal()).links.pairs(run?.id ?? 0);
    expect(pairs.map(({ verdict, ms }) => [verdict, Math.abs(ms)])).toEqual(expected);
    expect(remarks("plan/clock-of-log").map(({ found }) => found)).toEqual(
      expected.map(() => expect.stringContaining("1 of 1 workouts of platform have one in your log")),
    );
  });

  test("are doubtful, and not two without a word", async () => {
    const run = await world.plan([withHeartRate("watch", [tokyo], 151), withHeartRate("platform", [lost], 151)]);
    const pairs = await (await world.journal()).links.pairs(run?.id ?? 0);
    expect(pairs.map(({ verdict, ms }) => [verdict, Math.abs(ms)])).toEqual([["doubtful", 9 * 3_600_000]]);
    expect(remarks("plan/doubtful-duplicates")).toHaveLength(1);
  });

  test.each([
    ["another heart rate", [tokyo], 151, [lost], 149],
    ["another distance", [tokyo], 151, [{ ...lost, km: 8.6 }], 151],
    ["twenty minutes besides", [tokyo], 151, [{ ...lost, at: "2024-05-12 10:24" }], 151],
    ["a day between them", [tokyo], 151, [{ ...tokyo, at: "2024-05-13 19:04" }], 151],
    ["a week between them", [tokyo], 151, [{ ...tokyo, at: "2024-05-19 19:04" }], 151],
  ] as const)("are two with %s", async (_, ours, ourRate, theirs, theirRate) => {
    await world.plan([withHeartRate("watch", ours, ourRate), withHeartRate("platform", theirs, theirRate)]);
    expect((await world.lines()).map(({ state }) => state)).toEqual(["planned", "planned"]);
    expect(remarks("plan/doubtful-duplicates")).toEqual([]);
  });
});
