import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type MadeSource, openWorld, type World } from "../../test/support/scripted-log.ts";
import type { WorkoutItem } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Line } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { type Amended, amendPlan } from "../plan/amend-plan.ts";
import { takeDecisions } from "../promote/take-decisions.ts";
import { contradictedBy, type Said } from "./contradictions.ts";
import { type Decision, findPairs, keepDecision, keysOfPair, readPair } from "./pairs.ts";

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

/** A row of a table: kilometres and seconds on a day, with or without a time. */
function row(archive: string, day: string, time: string, km: number, seconds: number, more: Partial<Workout> = {}) {
  const key = `${archive} ${day} ${time}`;
  const start = time === "" ? { date: day } : { date: day, time: `${time}:00` };
  const distance = { unit: "km", value: km } as const;
  const value: Workout = { activity: "run", start, distance, duration: seconds, notes: `words of ${key}`, ...more };
  return { kind: "workout", key, value, origin: { connector: archive, archive, entry: key } } as WorkoutItem;
}

const source = (name: string, ...readings: readonly WorkoutItem[]): MadeSource => ({ name, connector: name, readings });

/** Days of which nobody can tell whether the notes and the watch have one workout, and a day on which they surely have. */
const DOUBTFUL_DAYS = ["2024-05-01", "2024-05-08", "2024-05-15"];
const notes = (...more: readonly WorkoutItem[]) =>
  source(
    "notes",
    ...DOUBTFUL_DAYS.map((day) => row("notes", day, "", 10, 3_600)),
    row("notes", "2024-06-01", "07:00", 8, 2_400),
    ...more,
  );
const watch = (...more: readonly WorkoutItem[]) =>
  source(
    "watch",
    ...DOUBTFUL_DAYS.map((day) => row("watch", day, "18:30", 9.5, 3_000)),
    row("watch", "2024-06-01", "07:01", 8.1, 2_410),
    ...more,
  );
const pairOf = (day: string, noted = "", watched = "18:30") =>
  [`notes ${day} ${noted}`, `watch ${day} ${watched}`] as const;
const FIRST = pairOf("2024-05-01");
const SURE = pairOf("2024-06-01", "07:00", "07:01");

async function planned(...sources: readonly MadeSource[]): Promise<Run> {
  const run = await world.plan(sources);
  if (run === undefined) throw new Error("the plan was stopped");
  return run;
}

/** What an answer on the command line does: keeps it, and changes the plan. */
async function answer(keys: readonly [string, string], decision: Decision, scored: string[] = []): Promise<Amended> {
  const journal = await world.journal();
  const run = await journal.run();
  const pair = run && (await readPair(journal, run, keys));
  if (run === undefined || pair === undefined) throw new Error(`no such pair: ${keys.join(", ")}`);
  // Each answer of a test is a second later than the one before.
  const at = Date.parse("2026-05-01T08:00:00Z") + (await journal.links.answers()).length * 1000;
  await keepDecision(journal, run, { pair, decision, at });
  return amendPlan(journal, keys, (one, other) => scored.push(one, other));
}

async function forget(keys: readonly [string, string], scored: string[] = []): Promise<Amended> {
  const journal = await world.journal();
  expect(await journal.links.forgetAnswer(...keys)).toBe(true);
  return amendPlan(journal, keys, (one, other) => scored.push(one, other));
}

/** All of each line, as text, by key. */
async function texts(): Promise<Record<string, string>> {
  return Object.fromEntries((await world.lines()).map(({ run: _run, ...line }) => [line.key, JSON.stringify(line)]));
}

/** What becomes of each of two records. */
async function states(keys: readonly string[]): Promise<string[]> {
  const lines = await world.lines();
  return keys.map((key) => lines.find((line) => line.key === key)?.state ?? "absent");
}

const workoutOf = (lines: readonly Line[], key: string) => lines.find((line) => line.key === key)?.value as Workout;
const unused = () => world.issues.filter(({ rule }) => rule === "plan/answers-not-used").map(({ found }) => found);

test("a plan lists its doubtful pairs with what differs and what speaks for one workout, and no sure pair", async () => {
  const run = await planned(notes(), watch());
  const pairs = await findPairs(await world.journal(), run);
  expect(pairs.map(({ left, right }) => [left.key, right.key])).toEqual(DOUBTFUL_DAYS.map((day) => pairOf(day)));
  // As likeness.ts weighs them: one day 3, 5 % apart in distance 2, 17 % in duration -1, the only ones of the day 2.
  expect(pairs[0]?.weights).toEqual([
    { of: "start", weight: 3 },
    { of: "distance", weight: 2 },
    { of: "duration", weight: -1 },
    { of: "archives", weight: 2 },
  ]);
  expect(pairs[0]?.fields.filter(({ differs }) => differs).map(({ field }) => field)).toEqual([
    "start",
    "distance",
    "duration",
    "notes",
  ]);
  expect(new Set(pairs.map(({ kind }) => kind)).size).toBe(1);
});

describe("an answer", () => {
  test("makes a doubtful pair one, and the plan is what a new plan would be", async () => {
    await planned(notes(), watch());
    expect(await answer(FIRST, { answer: "one" })).toEqual({ changed: 2 });
    expect(await states(FIRST)).toEqual(["planned", "merged"]);
    const amended = await texts();
    const issues = await (await world.journal()).issues(1);
    await planned(notes(), watch());
    expect(await texts()).toEqual(amended);
    expect(await (await world.journal()).issues(2)).toEqual(issues);
    expect((await world.lines()).find(({ key }) => key === FIRST[1])?.reason).toBe(
      "the same workout (you said so on 2026-05-01) as notes notes 2024-05-01 ",
    );
  });

  test("keeps two what --doubtful one would join, and what the score is sure of", async () => {
    Object.assign(world.settings, { doubtful: "one" });
    await planned(notes(), watch());
    expect([await states(FIRST), await states(SURE)]).toEqual([
      ["planned", "merged"],
      ["planned", "merged"],
    ]);
    await answer(FIRST, { answer: "two" });
    await answer(SURE, { answer: "two" });
    const amended = await texts();
    for (const keys of [FIRST, SURE]) expect(await states(keys)).toEqual(["planned", "planned"]);
    expect(workoutOf(await world.lines(), FIRST[0])).toMatchObject({ start: { date: "2024-05-01" }, duration: 3_600 });
    await planned(notes(), watch());
    expect(await texts()).toEqual(amended);
  });

  test("joins two workouts that no score would join, also of one source", async () => {
    const [far, near] = [row("watch", "2024-07-02", "09:00", 3, 900), row("notes", "2024-07-01", "20:00", 12, 4_000)];
    const twice = row("watch", "2024-07-02", "10:00", 3, 900);
    const sources = [notes(near), watch(far, twice)];
    await planned(...sources);
    await answer([near.key, far.key], { answer: "one" });
    await answer([far.key, twice.key], { answer: "one" });
    expect(await states([near.key, far.key, twice.key])).toEqual(["planned", "merged", "merged"]);
    const amended = await texts();
    await planned(...sources);
    expect(await texts()).toEqual(amended);
  });

  test("takes each field from the side that the person chose", async () => {
    await planned(notes(), watch());
    await answer(FIRST, { answer: "one", take: { distance: "right", notes: "right" } });
    expect(workoutOf(await world.lines(), FIRST[0])).toMatchObject({
      distance: { unit: "km", value: 9.5 },
      notes: `words of ${FIRST[1]}`,
      duration: 3_600,
    });
  });

  test("takes a field from the later of two choices for one workout, and names the other one", async () => {
    const third = row("phone", "2024-05-01", "18:31", 9.9, 3_100);
    const sources = [notes(), watch(), source("phone", third)];
    await planned(...sources);
    await answer(FIRST, { answer: "one", take: { distance: "right" } });
    await answer([FIRST[0], third.key], { answer: "one", take: { distance: "right" } });
    await planned(...sources);
    expect(workoutOf(await world.lines(), FIRST[0])?.distance).toEqual({ unit: "km", value: 9.9 });
    expect(unused()).toEqual([expect.stringContaining("its distance is that of a later answer")]);
  });

  test("keeps a third workout with one of two that are apart", async () => {
    const third = source("phone", row("phone", "2024-06-01", "07:01", 8.1, 2_410));
    await planned(notes(), watch(), third);
    await answer(SURE, { answer: "two" });
    const [noted, watched, phone] = await states([...SURE, "phone 2024-06-01 07:01"]);
    expect([noted, watched, phone].toSorted()).toEqual(["merged", "planned", "planned"]);
  });
});

test("forgetting one answer plans only its own lines again: the others stay byte for byte, and no other pair is scored", async () => {
  await planned(notes(), watch());
  const before = await texts();
  for (const day of DOUBTFUL_DAYS) await answer(pairOf(day), { answer: "one" });
  const answered = await texts();
  const scored: string[] = [];
  expect(await forget(FIRST, scored)).toEqual({ changed: 2 });
  const after = await texts();
  for (const key of Object.keys(before)) {
    const expected = (FIRST as readonly string[]).includes(key) ? before : answered;
    expect(after[key], key).toBe(expected[key]);
  }
  expect(after[FIRST[0]]).not.toBe(answered[FIRST[0]]);
  expect(new Set(scored)).toEqual(new Set(FIRST));
});

test("a change of the plan that breaks off leaves the whole plan as it was", async () => {
  await planned(notes(), watch());
  await answer(SURE, { answer: "two" });
  const before = await texts();
  const journal = await world.journal();
  await journal.links.forgetAnswer(...SURE);
  const breakOff = () => {
    throw new Error("the disk is full");
  };
  await expect(amendPlan(journal, SURE, breakOff)).rejects.toThrow("the disk is full");
  expect(await texts()).toEqual(before);
  expect(await amendPlan(journal, SURE)).toEqual({ changed: 2 });
  expect(await states(SURE)).toEqual(["planned", "merged"]);
});

describe("a log that has some of it", () => {
  test("an answer about records that were loaded counts from the next plan on, which never joins two records of the log", async () => {
    await planned(notes(), watch());
    await world.apply();
    expect(world.log.of("workout")).toHaveLength(7);
    expect(await answer(FIRST, { answer: "one" })).toEqual({ later: "no plan" });
    const before = world.issues.length;
    await world.import([notes(), watch()]);
    expect(world.log.of("workout")).toHaveLength(7);
    expect(unused()).toEqual([]);
    const twice = world.issues.filter(({ rule }) => rule === "plan/twice-by-answer");
    expect(twice.map(({ count, found = "" }) => [count, found.split(" (")[0]])).toEqual([
      [1, expect.stringMatching(/ are one workout$/)],
    ]);
    // That pair is no question any more, and the others are.
    const asked = world.issues
      .slice(before)
      .filter(({ rule }) => rule === "plan/doubtful-duplicates")
      .flatMap(({ each }) => each ?? []);
    expect(asked.length).toBe(DOUBTFUL_DAYS.length - 1);
    expect(asked.filter((sentence) => sentence.includes("2024-05-01"))).toEqual([]);
  });

  test("a plan that is under way is changed where nothing was sent yet, and goes on", async () => {
    world.concurrency = 1;
    await planned(notes(), watch());
    let created = 0;
    world.log.script = (operation) => (operation === "create" && ++created === 4 ? "login" : undefined);
    await expect(world.apply()).rejects.toThrow();
    // The newest come first: the pair of June as one, both of the last day of May, and the token ends.
    expect(await answer(SURE, { answer: "two" })).toEqual({ later: "sent" });
    expect(await answer(pairOf("2024-05-15"), { answer: "one" })).toEqual({ later: "sent" });
    expect(await answer(FIRST, { answer: "one" })).toEqual({ changed: 2 });
    world.log.script = () => undefined;
    expect((await world.apply()).balanced).toBe(true);
    expect(
      world.log
        .of("workout")
        .map(({ body }) => body.date)
        .toSorted(),
    ).toEqual([...["2024-05-01", "2024-05-08", "2024-05-08", "2024-05-15", "2024-05-15"], "2024-06-01"]);
  });

  test("two workouts that were loaded as one are both there after the next import", async () => {
    await planned(notes(), watch());
    await world.apply();
    await answer(SURE, { answer: "two" });
    await world.import([notes(), watch()]);
    expect(world.log.of("workout")).toHaveLength(8);
    // The second one alone isn't taken for the first one, which is like it.
    await world.import([watch()]);
    await world.import([notes(), watch()]);
    expect(world.log.of("workout")).toHaveLength(8);
  });

  test.each(["once an answer is forgotten", "without --doubtful one"])(
    "what was loaded as one stays one %s, and is counted once",
    async (when) => {
      if (when === "without --doubtful one") Object.assign(world.settings, { doubtful: "one" });
      await planned(notes(), watch());
      if (when !== "without --doubtful one") await answer(FIRST, { answer: "one" });
      await world.apply();
      Object.assign(world.settings, { doubtful: "two" });
      await (await world.journal()).links.forgetAnswer(...FIRST);
      // A run of the same day that is closer to the notes is another workout.
      const closer = row("watch", "2024-05-01", "19:45", 10, 3_600);
      await world.import([notes(), watch(closer)]);
      expect(await states([...FIRST, closer.key])).toEqual(["unchanged", "merged", "done"]);
      const { discrepancies, claimedTwice, metres } = await world.verify();
      expect([...discrepancies, ...claimedTwice]).toEqual([]);
      expect(metres.found).toBe(metres.planned);
      // A person may still make two of it.
      await answer(FIRST, { answer: "two" });
      await world.import([notes(), watch(closer)]);
      expect(await states(FIRST)).toEqual(["done", "done"]);
      // The first got its own values.
      await world.import([notes(), watch(closer)]);
      expect(await states(FIRST)).toEqual(["unchanged", "unchanged"]);
    },
  );

  test("a record that is one with a loaded one isn't loaded when its source comes alone", async () => {
    world.settings.again = true;
    await planned(notes(), watch());
    // What the log has of it is not asked again, so the plan stays as it is.
    expect(await answer(FIRST, { answer: "one" })).toEqual({ later: "log" });
    await world.import([watch()]);
    await world.import([notes()]);
    // Of the notes the two other days are new. What is like a loaded run is known, and so is the one that a person named.
    expect(world.log.of("workout")).toHaveLength(4 + 2);
    const line = (await world.lines()).find(({ key }) => key === FIRST[0]);
    expect(line).toMatchObject({
      state: "unchanged",
      reason: "already in the log: you said on 2026-05-01 that it is the same workout as watch watch 2024-05-01 18:30",
    });
  });

  test("an answer about a workout that only the log has stays in its journal: another log has other ids", async () => {
    const details = { distance: { unit: "km", value: 10 }, duration: 3_600 };
    world.log.put("workout", { activityID: 10, date: "2024-05-01", details });
    const run = await planned(source("watch", row("watch", "2024-05-01", "18:30", 9.5, 3_000)));
    const [pair] = await findPairs(await world.journal(), run);
    expect(await answer([pair?.left.key ?? "", pair?.right.key ?? ""], { answer: "one" })).toEqual({ changed: 1 });
    const other = openWorld();
    try {
      expect(await takeDecisions(await world.journal(), await other.journal())).toBe(0);
      expect(await (await other.journal()).links.answers()).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("a plan that is compared with a used log is changed like a new plan", async () => {
    await planned(notes());
    await world.apply();
    await planned(notes(), watch());
    await answer(FIRST, { answer: "one" });
    const amended = await texts();
    await planned(notes(), watch());
    expect(await texts()).toEqual(amended);
  });
});

test.each([
  ["changed", row("watch", "2024-05-01", "18:30", 7.7, 3_000), "watch watch 2024-05-01 18:30 has another distance now"],
  ["vanished", undefined, "watch watch 2024-05-01 18:30 changed, or is no longer in its source"],
])("an answer whose record %s is named and not used", async (_what, instead, why) => {
  await planned(notes(), watch());
  await answer(FIRST, { answer: "one" });
  const rest = watch().readings.filter(({ key }) => key !== FIRST[1]) as WorkoutItem[];
  await planned(notes(), source("watch", ...rest, ...(instead === undefined ? [] : [instead])));
  expect(unused()).toEqual([expect.stringContaining(why)]);
  expect(await states(FIRST)).toEqual(["planned", instead === undefined ? "absent" : "planned"]);
});

/** The notes, with other words in the row of a day. Its place is the same, and its key another one. */
function editedNotes(day: string, time: string, change: Partial<Workout> = {}): MadeSource {
  const edited = (item: WorkoutItem): WorkoutItem =>
    item.key === `notes ${day} ${time}`
      ? { ...item, key: "edited", value: { ...item.value, notes: "edited", ...change } }
      : item;
  return source("notes", ...(notes().readings as WorkoutItem[]).map(edited));
}

describe("an answer whose row got other notes", () => {
  const carried = () => world.issues.filter(({ rule }) => rule === "plan/answers-carried");

  test.each(["before", "after"])("stays one workout, edited %s it was loaded", async (when) => {
    await planned(notes(), watch());
    await answer(FIRST, { answer: "one", take: { distance: "left" } });
    if (when === "after") await world.apply();
    await world.import([editedNotes("2024-05-01", ""), watch()]);
    expect(world.log.of("workout")).toHaveLength(6);
    expect(unused()).toEqual([]);
    expect(carried()).toMatchObject([{ severity: "info", found: expect.stringMatching(/: notes notes 2024-05-01 $/) }]);
    // The next plan knows the answer by the new key, and says nothing.
    world.issues.length = 0;
    await world.import([editedNotes("2024-05-01", ""), watch()]);
    expect(world.log.of("workout")).toHaveLength(6);
    expect([...unused(), ...carried()]).toEqual([]);
  });

  test("stays two workouts, also where the values alone say that they are one", async () => {
    await planned(notes(), watch());
    await answer(SURE, { answer: "two" });
    await world.apply();
    await world.import([editedNotes("2024-06-01", "07:00"), watch()]);
    expect(world.log.of("workout")).toHaveLength(8);
    expect(unused()).toEqual([]);
    expect(carried()).toHaveLength(1);
  });

  test("is not used where a value changed that the pair is compared by", async () => {
    await planned(notes(), watch());
    await answer(FIRST, { answer: "one" });
    await planned(editedNotes("2024-05-01", "", { duration: 3_500 }), watch());
    expect(carried()).toEqual([]);
    expect(unused()).toEqual([
      expect.stringContaining("notes notes 2024-05-01  changed, or is no longer in its source"),
    ]);
    expect((await world.lines()).filter(({ key }) => key === "edited" || key === FIRST[1])).toHaveLength(2);
  });
});

test.each([
  ["A=B one", "B=C one", "A=C two", ["A=B one", "B=C one"]],
  ["A=B one", "A=C two", "B=C one", ["A=B one", "A=C two"]],
  ["A=B two", "B=C two", "A=C one", undefined],
  ["A=B one", "B=C one", "A=C one", undefined],
])("after %s and %s the answer %s is checked against both", (first, second, last, expected) => {
  const said = (text: string): Said => ({
    keys: [text[0] ?? "", text[2] ?? ""],
    answer: text.slice(4) as "one" | "two",
  });
  const found = contradictedBy(said(last), [said(first), said(second)]);
  expect(found?.map(({ keys, answer: are }) => `${keys.join("=")} ${are}`)).toEqual(expected);
});

test("an answer about records of other sources waits in silence", async () => {
  await planned(notes(), watch());
  await answer(FIRST, { answer: "one" });
  await planned(source("phone", row("phone", "2024-05-01", "18:30", 9.5, 3_000)));
  expect(unused()).toEqual([]);
});

test("a pair is named by two ids or two places, and a wrong name is told", async () => {
  const run = await planned(notes(), watch());
  const journal = await world.journal();
  const [first] = await findPairs(journal, run);
  expect(await keysOfPair(journal, run, first?.id ?? "")).toEqual({ keys: FIRST });
  expect(await keysOfPair(journal, run, `${FIRST[1]} + ${SURE[0]}`)).toEqual({ keys: [FIRST[1], SURE[0]] });
  expect(await keysOfPair(journal, run, "5f3a2c")).toMatchObject({ error: expect.stringContaining("two records") });
  expect(await keysOfPair(journal, run, `nobody+${SURE[0]}`)).toEqual({ error: '"nobody" names no workout' });
});
