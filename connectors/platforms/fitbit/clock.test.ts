import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { fitbit } from "./table.ts";

const HOUR = 3_600_000;
const COLUMNS = "exercise_id,exercise_start,exercise_end,utc_offset,activity_name,tracker_total_distance_mm";

interface Run {
  /** When it began. */
  readonly utc: number;
  /** How far the athlete's clock was from UTC, in hours. */
  readonly offset: number;
  /** How far the clock of the JSON file was from UTC, in hours. */
  readonly shown: number;
}

/** Reads an archive in which a table and a JSON file have the same runs of half an hour. */
async function read(runs: readonly Run[]) {
  const iso = (at: number) => new Date(at).toISOString();
  const row = ({ utc, offset }: Run, at: number) =>
    `${at},${iso(utc)},${iso(utc + HOUR / 2)},${offset < 0 ? "-" : "+"}0${Math.abs(offset)}:00,Run,5000000`;
  const logged = ({ utc, shown }: Run, at: number) => {
    const text = iso(utc + shown * HOUR);
    const startTime = `${text.slice(5, 7)}/${text.slice(8, 10)}/${text.slice(2, 4)} ${text.slice(11, 19)}`;
    return {
      logId: 100 + at,
      activityName: "Run",
      logType: "tracker",
      startTime,
      duration: HOUR / 2,
      distance: 5,
      distanceUnit: "Kilometer",
    };
  };
  const folder = "Takeout/Fitbit/Global Export Data";
  const archive = memoryArchive("a", {
    "Takeout/Fitbit/Health Fitness Data_GoogleData/UserExercises_2025-01-01.csv": [COLUMNS, ...runs.map(row), ""].join(
      "\n",
    ),
    [`${folder}/exercise-0.json`]: JSON.stringify(runs.map(logged)),
  });
  const issues: Issue[] = [];
  const starts: unknown[] = [];
  const context = {
    signal: new AbortController().signal,
    report: (issue: Issue) => issues.push(issue),
    sports: new Map(),
  };
  for await (const reading of fitbit.read(archive, context))
    if (reading.kind === "workout" && reading.value.recorder === "exercise.json") starts.push(reading.value.start);
  return { starts, clocks: issues.filter(({ rule }) => rule === "fitbit/local-times").map(({ found }) => found) };
}

const runsOf = (count: number, offset: number, shown: number): readonly Run[] =>
  Array.from({ length: count }, (_, at) => ({ utc: Date.UTC(2025, at, 3, 16, 4, 10), offset, shown }));

test("where the tables show that JSON files have the athlete's clock, their times are local", async () => {
  const { starts, clocks } = await read([...runsOf(3, -5, -5), { utc: Date.UTC(2025, 6, 1, 2), offset: 2, shown: 2 }]);
  expect(starts[0]).toEqual({ date: "2025-01-03", time: "11:04:10" });
  expect(starts[3]).toEqual({ date: "2025-07-01", time: "04:00:00" });
  expect(clocks).toEqual([expect.stringContaining("4 of 4 workouts")]);
});

test.each([
  ["their times are UTC", runsOf(6, -5, 0)],
  ["two workouts alone are at the athlete's clock", runsOf(2, -5, -5)],
  ["one workout in three is at UTC", [...runsOf(4, -5, -5), ...runsOf(8, -5, 0).slice(4, 6)]],
  ["the athlete's clock is UTC", runsOf(6, 0, 0)],
] as const)("JSON files stay at UTC where %s", async (_, runs) => {
  const { starts, clocks } = await read(runs);
  expect(starts[0]).toMatchObject({ instant: (runs[0] as Run).utc + (runs[0] as Run).shown * HOUR });
  expect(clocks).toEqual([]);
});

test("a JSON row has the offset of its workout in the tables, and one that was removed there is skipped", async () => {
  const folder = "Takeout/Fitbit";
  const header = `${COLUMNS},deletion_reason`;
  const row = (id: number, hour: number, offset: string, gone: string) =>
    `${id},2025-01-0${id}T${hour}:00:00Z,2025-01-0${id}T${hour}:30:00Z,${offset},Run,5000000,${gone}`;
  const logged = (day: number, hour: number) => ({
    ...{ logId: 100 + day, activityName: "Run", logType: "tracker", startTime: `01/0${day}/25 ${hour}:00:02` },
    ...{ duration: 1_800_000, distance: 5, distanceUnit: "Kilometer" },
  });
  const archive = memoryArchive("a", {
    [`${folder}/x_GoogleData/UserExercises_2025-01-01.csv`]: [
      header,
      row(1, 23, "+10:00", ""),
      row(2, 10, "+10:00", "USER_DELETED"),
      "",
    ].join("\n"),
    [`${folder}/Global Export Data/exercise-0.json`]: JSON.stringify([logged(1, 23), logged(2, 10), logged(3, 10)]),
  });
  const { readings } = await readAll(fitbit, archive);
  expect(
    readings.map((reading) =>
      reading.kind === "workout"
        ? [reading.value.recorder, reading.value.start]
        : "issue" in reading && [reading.kind, reading.issue.found],
    ),
  ).toEqual([
    ["UserExercises", expect.objectContaining({ date: "2025-01-02", time: "09:00:00" })],
    ["set-aside", "removed by its owner"],
    ["exercise.json", expect.objectContaining({ date: "2025-01-02", time: "09:00:02" })],
    ["set-aside", "removed by its owner"],
    ["exercise.json", { instant: Date.UTC(2025, 0, 3, 10, 0, 2) }],
  ]);
});
