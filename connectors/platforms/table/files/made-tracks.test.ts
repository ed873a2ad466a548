import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { nike, samsung } from "../../index.ts";

const run = (at: number) => ({
  id: `run-${at}`,
  type: "run",
  start_epoch_ms: at,
  end_epoch_ms: at + 1_800_000,
  active_duration_ms: 1_800_000,
  summaries: [{ metric: "distance", summary: "total", value: 5 }],
  tags: {},
  metrics: ["latitude", "longitude"].map((type) => ({
    type,
    values: [0, 1000].map((after) => ({
      start_epoch_ms: at + after,
      end_epoch_ms: at + after,
      value: 48 + after / 1e6,
    })),
  })),
});

test("every file that tracks are made of is closed again", async () => {
  const runs = [0, 1, 2].map((day) => run(Date.UTC(2021, 4, 10 + day, 6)));
  const archive = memoryArchive("nike", { "activities.json": JSON.stringify({ activities: runs }) });
  let opened = 0;
  let closed = 0;
  const counted = {
    ...archive,
    async *stream(...args: Parameters<typeof archive.stream>) {
      opened++;
      try {
        yield* archive.stream(...args);
      } finally {
        closed++;
      }
    },
  };
  const { readings } = await readAll(nike, counted);
  expect(readings.filter(({ kind }) => kind === "workout")).toHaveLength(3);
  expect(opened).toBeGreaterThan(1);
  expect(closed).toBe(opened);
});

/**
 * A Samsung export with one exercise that names a file of each kind.
 *
 * @param present the kinds that the export has
 * @param cut those of them that break off
 */
function samsungExport(
  present: readonly ("live_data" | "location_data")[],
  cut: readonly ("live_data" | "location_data")[] = [],
) {
  const nameOf = (kind: string) => `1a.com.samsung.health.exercise.${kind}.json`;
  const columns = ["start_time", "time_offset", "exercise_type", "duration", "datauuid", "live_data", "location_data"];
  const header = columns.map((name) => `com.samsung.health.exercise.${name}`).join(",");
  const row = `2019-09-23 09:33:20.000,UTC+0530,1002,1800000,1a,${nameOf("live_data")},${nameOf("location_data")}`;
  const start = Date.UTC(2019, 8, 23, 9, 33, 20);
  const contents = {
    live_data: [0, 1000].map((after) => ({ start_time: start + after, heart_rate: 141 })),
    location_data: [0, 1000].map((after) => ({ start_time: start + after, latitude: 18.5, longitude: 73.8 })),
  };
  const files = present.map((kind) => [
    `jsons/com.samsung.shealth.exercise/1/${nameOf(kind)}`,
    JSON.stringify(contents[kind]).slice(0, cut.includes(kind) ? -9 : undefined),
  ]);
  return memoryArchive("samsung", {
    "com.samsung.shealth.exercise.1.csv": `com.samsung.shealth.exercise,6320001,17\n${header}\n${row},\n`,
    ...Object.fromEntries(files),
  });
}

const ROUTE = "1a.com.samsung.health.exercise.location_data.json";
const SERIES = "1a.com.samsung.health.exercise.live_data.json";

test.each([
  { present: [], missing: [ROUTE, SERIES], lost: ROUTE },
  { present: ["live_data"], missing: [ROUTE], lost: ROUTE },
  { present: ["location_data"], missing: [SERIES], lost: undefined },
  { present: ["live_data", "location_data"], missing: [], lost: undefined },
] as const)("of two files that a row names, with $present in the export, the missing are named", async (each) => {
  const { readings, issues } = await readAll(samsung, samsungExport(each.present));
  const found = issues.filter(({ rule }) => rule === "table/missing-file").map((issue) => issue.found);
  expect(found.toSorted()).toEqual(each.missing.toSorted());
  const [reading] = readings;
  const lostFile = reading?.kind === "workout" ? reading.value.lostFile : undefined;
  expect(lostFile).toEqual(each.lost === undefined ? undefined : { because: "missing", name: each.lost });
});

test.each(["live_data", "location_data"] as const)(
  "where %s breaks off, the track is made of the other file, and counts as a part of one",
  async (kind) => {
    const { readings, issues } = await readAll(samsung, samsungExport(["live_data", "location_data"], [kind]));
    expect(issues).toMatchObject([{ rule: "json/malformed" }]);
    const [workout] = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
    expect(workout?.track).toBeDefined();
    expect(workout?.lostFile).toMatchObject({ because: "cut", name: expect.stringContaining(`${kind}.json`) });
  },
);

test("files that tracks are made of are not among those that are left on purpose", async () => {
  const left: string[] = [];
  await readAll(samsung, samsungExport(["live_data", "location_data"]), { leftFile: (path) => left.push(path) });
  expect(left).toEqual([]);
});

const POSITIONS = ["latitude", "longitude"];
const whole = run(Date.UTC(2021, 4, 10, 6));
const heartRates = { type: "heart_rate", values: [0, 1000].map((at) => ({ start_epoch_ms: at, value: 140 })) };

test.each([
  { name: "an empty list of names", activity: { ...whole, metric_types: [] }, hasTrack: true },
  { name: "no list of names", activity: whole, hasTrack: true },
  { name: "names without lists", activity: { ...whole, metric_types: POSITIONS, metrics: [] }, isLost: true },
  {
    name: "names, and a list of heart rates alone",
    activity: { ...whole, metric_types: POSITIONS, metrics: [heartRates] },
    ...{ hasTrack: true, isLost: true },
  },
  { name: "latitudes without longitudes", activity: { ...whole, metrics: whole.metrics.slice(0, 1) }, isLost: true },
  { name: "neither names nor lists", activity: { ...whole, metric_types: [], metrics: [] } },
])("a Nike run with $name has its track, or counts as one that lost it", async (each) => {
  const { activity, hasTrack = false, isLost = false } = each;
  for (const file of [activity, { activities: [activity] }]) {
    const { readings, issues } = await readAll(nike, memoryArchive("nike", { "a.json": JSON.stringify(file) }));
    const [workout] = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
    expect(workout?.track !== undefined).toBe(hasTrack);
    expect(workout?.lostFile).toEqual(isLost ? { because: "missing", name: "the list of positions" } : undefined);
    expect(workout?.unsupported).toBeUndefined();
    expect(issues.map(({ found }) => found)).toEqual(
      isLost ? ["recorded with positions that are not in this file"] : [],
    );
  }
});
