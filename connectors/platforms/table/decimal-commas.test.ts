import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { identifyArchive } from "../../registry.ts";

const RUNKEEPER = [
  "Activity Id",
  "Date",
  "Type",
  "Route Name",
  "Distance (km)",
  "Duration",
  "Average Pace",
  "Average Speed (km/h)",
  "Calories Burned",
  "Climb (m)",
  "Average Heart Rate (bpm)",
  "Friend's Tagged",
  "Notes",
  "GPX File",
];

/** A Runkeeper list as a spreadsheet program saves it in a country with decimal commas. */
function runkeeper(mark: string, rows: readonly (readonly [distance: string, climb: string, notes?: string])[]) {
  const lines = rows.map(([distance, climb, notes = ""], index) => [
    ...[`id${index}`, `2024-03-1${index} 07:00:00`, "Running", "", distance, "50:00", "5:00", "12,00"],
    ...["610,0", climb, "151", "", notes, ""],
  ]);
  const cell = (text: string) => (text.includes(mark) ? `"${text}"` : text);
  return { "cardioActivities.csv": [RUNKEEPER, ...lines].map((each) => each.map(cell).join(mark)).join("\n") };
}

async function read(files: Readonly<Record<string, string>>) {
  const archive = memoryArchive("a", files);
  const { connector } = await identifyArchive(archive);
  const { readings, issues } = await readAll(connector, archive);
  const workouts = readings.flatMap((each) => (each.kind === "workout" ? [each.value] : []));
  return {
    workouts,
    remarks: issues.filter(({ rule }) => rule === "table/decimal-comma").map(({ found }) => found),
    advice: workouts.flatMap(({ doubts = [] }) => doubts.map(({ issue }) => issue.expected))[0],
    waits: workouts.filter(({ doubts }) => doubts?.some(({ isUnread }) => isUnread)).length,
  };
}

test.each([";", "\t"])("decimal commas of a table that %j separates are read, and said once", async (mark) => {
  const rows = [
    ["8,05", "88", "5,5 to go"],
    ["12,125", "1,234"],
    ["10", "7"],
    ["5,5", "3"],
  ] as const;
  const { workouts, remarks, waits } = await read(runkeeper(mark, rows));
  expect(workouts.map(({ distance }) => distance)).toEqual(
    [8.05, 12.125, 10, 5.5].map((value) => ({ unit: "km", value })),
  );
  expect(workouts[0]?.notes).toBe("5,5 to go");
  // Nothing shows what the comma of 1,234 m of climbing means, so it stays.
  expect(workouts[1]?.unsupported).toContainEqual({ field: "elevation gain", value: "1,234 m" });
  expect(workouts[0]?.unsupported).toContainEqual({ field: "calories", value: "610.0 kcal" });
  expect(remarks).toEqual(["numbers like 8,05 in Distance (km), Calories Burned"]);
  expect(waits).toBe(0);
});

test.each([
  [
    "a number of the table has a point",
    ";",
    [
      ["8,05", "88"],
      ["12,5", "90.5"],
      ["5,5", "3"],
    ],
  ],
  [
    "commas separate its columns",
    ",",
    [
      ["8,05", "88"],
      ["12,5", "90"],
      ["5,5", "3"],
    ],
  ],
] as const)("they stay, and the rows wait, where %s", async (_why, mark, rows) => {
  const { remarks, waits, advice } = await read(runkeeper(mark, rows));
  expect(advice).toContain("Or write each of its numbers with a decimal point");
  expect([remarks, waits]).toEqual([[], 3]);
});

test("thousands of a platform are never decimals", async () => {
  const files = {
    "concept2-season-2024.csv": [
      "ID;Date;Description;Work Time (Seconds);Work Distance;Type",
      "1;2024-03-01 06:10:00;5000m row;1200;5,000;Indoor Rower",
      "2;2024-03-02 06:10:00;10000m row;2400,5;10,000;Indoor Rower",
    ].join("\n"),
  };
  const { workouts } = await read(files);
  expect(workouts.map(({ distance, duration }) => [distance?.value, duration])).toEqual([
    [5000, 1200],
    [10_000, 2400.5],
  ]);
});

test("a list that a spreadsheet program saved as Unicode text is known by its header, in UTF-16 and under .txt", async () => {
  const list = [
    "Date Submitted\tWorkout Date\tActivity Type\tDistance (km)\tWorkout Time (seconds)\tLink",
    "01.01.2026\t31-Dec-99\tWalk\t5,0000\t3600\t",
    "01.01.2026\t29-Feb-24\tRun\t8,0467\t2700\t",
  ].join("\r\n");
  const archive = memoryArchive("a", { "user_workout_history.txt": Buffer.from(`\ufeff${list}`, "utf16le") });
  const { connector } = await identifyArchive(archive);
  const { readings } = await readAll(connector, archive);
  const workouts = readings.flatMap((each) => (each.kind === "workout" ? [each.value] : []));
  expect(connector.name).toBe("mapmyrun");
  expect(workouts.map(({ start, distance }) => [start.date, distance?.value])).toEqual([
    ["1999-12-31", 5],
    ["2024-02-29", 8.0467],
  ]);
});

/** Lists as a spreadsheet program saves them in a country with decimal commas, and what each workout must have. */
const SAVED: readonly (readonly [name: string, files: Readonly<Record<string, string>>, gives: object])[] = [
  [
    "Zepp, whose distances are read by a function",
    {
      "SPORT/SPORT_1.csv":
        "type;startTime;sportTime(s);maxPace(/meter);minPace(/meter);distance(m);avgPace(/meter);calories(kcal)\n1;2022-03-07 05:27:55+0000;3508;0,1;0,2;12549,7;0,28;817,5\n",
    },
    { distance: { unit: "m", value: 12549.7 } },
  ],
  [
    "Hevy, whose distances stand in sets",
    {
      "workout_data.csv":
        "title;start_time;end_time;description;exercise_title;superset_id;exercise_notes;set_index;set_type;weight_kg;reps;distance_km;duration_seconds;rpe\nRun;29 Feb 2024, 07:00;29 Feb 2024, 07:45;;Running;;;0;normal;;;8,05;2700;\n",
    },
    { distance: { unit: "km", value: 8.05 } },
  ],
];

test.each(SAVED)("decimal commas of %s", async (_, files, gives) => {
  const { workouts, remarks } = await read(files);
  expect(workouts).toMatchObject([gives]);
  expect(remarks).toHaveLength(1);
});
