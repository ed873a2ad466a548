import { afterEach, beforeEach, expect, test } from "vitest";
import { type MadeSource, openWorld, type World } from "../../test/support/scripted-log.ts";
import type { Activity } from "../../transforms/activities.ts";
import type { WorkoutItem } from "../../transforms/model/item.ts";
import type { Start, Workout } from "../../transforms/model/workout.ts";

// A platform that has UTC alone, so its local times are by the log's fixed offset, which is UTC. The athlete is in Berlin.

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

interface Made {
  /** Local time in Berlin. */
  readonly at: string;
  readonly km: number;
  readonly seconds: number;
  readonly activity?: Activity;
}

const HOUR_MS = 3_600_000;
/** How far Berlin is from UTC in these days, in hours. */
const offsetOn = (at: string) => (at >= "2024-03-31" && at < "2024-10-27" ? 2 : 1);
const instantOf = ({ at }: Made) => Date.parse(`${at.replace(" ", "T")}Z`) - offsetOn(at) * HOUR_MS;
const wallOf = (ms: number) => new Date(ms).toISOString().slice(0, 19).split("T") as [string, string];

function source(name: string, rows: readonly Made[], startOf: (row: Made) => Start): MadeSource {
  const readings = rows.map((row): WorkoutItem => {
    const { at, km, seconds, activity = "run" } = row;
    const value: Workout = { activity, start: startOf(row), distance: { unit: "km", value: km }, duration: seconds };
    return {
      ...{ kind: "workout", key: `${name} ${at}`, value },
      origin: { connector: name, archive: name, entry: at },
    };
  });
  return { name, connector: name, readings };
}
/** It has the start 12 s later than the others. */
const platform = (rows: readonly Made[]) =>
  source("platform", rows, (row) => {
    const instant = instantOf(row) + 12_000;
    const [date, time] = wallOf(instant);
    return { date, time, instant, basis: "utcOffset" };
  });
const table = (rows: readonly Made[], hours = 0, name = "table") =>
  source(name, rows, ({ at }) => {
    const [date, time] = wallOf(Date.parse(`${at.replace(" ", "T")}Z`) + hours * HOUR_MS);
    return { date, time };
  });
const watch = (rows: readonly Made[]) =>
  source("watch", rows, (row) => {
    const [date = "", time = ""] = row.at.split(" ");
    return { date, time, instant: instantOf(row), basis: "position" };
  });

/** A run each other day, at another time of day, each with its own length. */
const runs = (month: string, count = 14): Made[] =>
  Array.from({ length: count }, (_, index) => ({
    at: `2024-${month}-${String(1 + index * 2).padStart(2, "0")} ${String(6 + ((index * 5) % 12)).padStart(2, "0")}:${String((index * 17) % 60).padStart(2, "0")}:00`,
    km: 5 + ((index * 137) % 900) / 100,
    seconds: 1_500 + ((index * 977) % 3_000),
  }));
const [WINTER, SUMMER] = [runs("02"), runs("05")];

const starts = async () =>
  (await world.lines()).flatMap(({ state, value }) => {
    const { start } = value as Workout;
    return state === "planned" ? [`${start.date} ${start.time}`] : [];
  });
const late = ({ at }: Made) => at.replace(/00$/, "12");
const found = (rule: string) => world.issues.filter((issue) => issue.rule === rule);

test.each([
  ["first", () => [platform([...WINTER, ...SUMMER]), table([...WINTER, ...SUMMER])]],
  ["last", () => [table([...WINTER, ...SUMMER]), platform([...WINTER, ...SUMMER])]],
] as const)("a table's local time counts before one by the log's offset that is named %s", async (order, sources) => {
  await world.plan(sources());
  expect((await starts()).toSorted()).toEqual([...WINTER, ...SUMMER].map(late));
  expect(found("plan/clocks-apart").map(({ expected }) => expected)).toEqual([
    expect.stringMatching(/These starts count: those of table before those of platform\. If/),
  ]);
  const reasons = (await world.lines()).flatMap(({ state, reason }) => (state === "merged" ? [reason] : []));
  for (const reason of reasons)
    expect(reason).toMatch(
      order === "first" ? /whose start by your log's offset is set (?:60|120) min later$/ : /once its clock is set/,
    );
});

test("files that know the zone show it for the rows of the platform between them, and a wrong table doesn't", async () => {
  const alone = { at: "2024-05-12 12:31:00", km: 8.5, seconds: 2_700 };
  await world.plan([platform([...SUMMER, alone]), watch(SUMMER), table(SUMMER, -1)]);
  expect((await starts()).filter((start) => start.startsWith("2024-05-12"))).toEqual([late(alone)]);
  expect(found("plan/start-corrected").map(({ expected }) => expected)).toEqual([expect.stringContaining("--zone")]);
});

test("rows that only a table with a proven wrong clock has, too, get the start that the right clock shows", async () => {
  const isOfPlatform = (index: number) => index % 2 === 1;
  const ofPlatform = SUMMER.filter((_, index) => isOfPlatform(index));
  await world.plan([platform(ofPlatform), watch(SUMMER.filter((_, index) => !isOfPlatform(index))), table(SUMMER, -1)]);
  expect((await starts()).toSorted()).toEqual(SUMMER.map((row, index) => (isOfPlatform(index) ? late(row) : row.at)));
});

test("a row of the platform alone that lies behind all that show its zone keeps its start, and is named", async () => {
  const alone = { at: "2024-06-12 12:31:00", km: 8.5, seconds: 2_700 };
  await world.plan([platform([...SUMMER, alone]), table(SUMMER)]);
  expect(await starts()).toContain("2024-06-12 10:31:12");
  const [remark] = found("plan/start-by-wrong-clock");
  expect(remark?.found).toContain(
    "1 workout of platform, whose local times by your log's offset were to be set 120 min",
  );
  expect(remark?.expected).toContain("--zone");
});

test("a triathlon of the platform is the legs of a table, by the time that their other workouts are apart", async () => {
  const day = "2024-05-29";
  const whole = { at: `${day} 10:00:00`, km: 25.7, seconds: 5_400, activity: "other" } as const;
  const legs = [
    { at: `${day} 10:00:00`, km: 0.75, seconds: 900, activity: "swim" },
    { at: `${day} 10:16:00`, km: 20, seconds: 2_700, activity: "bike" },
    { at: `${day} 11:02:00`, km: 5, seconds: 1_620, activity: "run" },
  ] as const;
  // Five pairs of the summer are apart, and none of those days.
  await world.plan([platform([...runs("09", 5), whole]), table([...runs("09", 5), ...legs])]);
  expect((await starts()).filter((start) => start.startsWith(day)).toSorted()).toEqual(legs.map(({ at }) => at));
});

test("what the log has by its own offset gets the local time that sources show later", async () => {
  const alone = { at: "2024-05-12 12:31:00", km: 8.5, seconds: 2_700 };
  await world.import([platform([...SUMMER, alone])]);
  const inLog = () => world.log.of("workout").map(({ body }) => `${body.date} ${body.time}`);
  expect(inLog()).toContain("2024-05-12 10:31:12");
  await world.import([platform([...SUMMER, alone]), table(SUMMER)]);
  expect(inLog().toSorted()).toEqual([...SUMMER, alone].map(late).toSorted());
  await world.import([platform([...SUMMER, alone])]);
  expect(inLog().toSorted()).toEqual([...SUMMER, alone].map(late).toSorted());
});
