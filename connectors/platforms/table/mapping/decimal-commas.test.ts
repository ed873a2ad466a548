import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { identifyArchive } from "../../../registry.ts";

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
  [
    "FitNotes, whose exercises have commas of their own",
    {
      "FitNotes_Export.csv":
        "Date;Exercise;Category;Weight;Weight Unit;Reps;Distance;Distance Unit;Time;Comment\n2025-04-29;Overhead Press (Each Side, Dumbbells);Shoulders;8,0;kgs;5;;;;\n2025-04-29;Press, seated;Shoulders;7,5;kgs;5;;;;\n",
    },
    { activity: "weight", notes: "Overhead Press (Each Side, Dumbbells): 1×5 @ 8 kg\nPress, seated: 1×5 @ 7.5 kg" },
  ],
  [
    "Fitbod, whose distances stand in sets",
    {
      "WorkoutExport.csv":
        "Date;Exercise;Reps;Weight(kg);Duration(s);Distance(m);Incline;Resistance;isWarmup;Note;multiplier\n2022-01-05 23:20:09 +0000;Running;0;0,0;1200,0;3218,69;0,0;0,0;false;;1,0\n",
    },
    { distance: { unit: "m", value: 3218.69 }, duration: 1200 },
  ],
  [
    "Health Export, whose heart rates have three digits behind the comma",
    {
      "workouts.csv":
        "Date;Activity;Duration(Seconds);Distance(km);Heart rate: Average(count/min);Heart rate: Maximum(count/min)\n2022-01-02 15:05:17 - 2022-01-02 16:12:32;Running;4015,0;10,37;143,918;170,000\n",
    },
    { distance: { unit: "km", value: 10.37 }, health: { avgHR: 144, maxHR: 170 } },
  ],
];

test.each(SAVED)("decimal commas of %s", async (_, files, gives) => {
  const { workouts, remarks } = await read(files);
  expect(workouts).toMatchObject([gives]);
  expect(remarks).toHaveLength(1);
});

test("decimal commas of points are read: OpenTracks' distance, positions and climb", async () => {
  const path = join(import.meta.dirname, "../../../../fixtures/opentracks/tables/archive/b.csv");
  const table = readFileSync(path, "utf8");
  const saved = table.replaceAll(",", ";").replace(/\b(\d+)\.(\d+)\b/g, "$1,$2");
  const [first] = (await read({ "b.csv": saved })).workouts;
  expect(first).toMatchObject({
    distance: { unit: "m", value: 667.2 },
    start: { position: { lat: 48.2, lon: 16.4 } },
    unsupported: [{ field: "elevation gain", value: "6 m" }],
  });
});

test("JEFIT's tables are read where semicolons took the place of its commas", async () => {
  const [first] = (
    await read({
      "jefit_backup.csv": [
        "### WORKOUT SESSIONS ####",
        "_id;mydate;starttime;starttimie;total_time;mood",
        "101;2024-03-01;;1709290800;2700;fine",
        "####",
        "### EXERCISE LOGS ####",
        "belongsession;ename;logs;_id;mydate",
        '101;Barbell Squat;"225,5x5,245x3";1;2024-03-01',
        "####",
      ].join("\n"),
    })
  ).workouts;
  expect(first).toMatchObject({ start: { date: "2024-03-01" }, duration: 2700 });
});

/** Lists of a value in each row, saved in a country with decimal commas. A weight or an hour with three digits behind the comma is no thousand. */
const OF_DAYS: readonly (readonly [name: string, files: Readonly<Record<string, string>>, gives: object])[] = [
  [
    "Runkeeper's weights",
    {
      "cardioActivities.csv":
        "Date;Type;Distance (km);Duration;Average Pace;Calories Burned;GPX File\n2024-02-29 07:00:00;Running;8,05;45:00;5:35;300,0;\n",
      "measurements.csv": "Date;Type;Value\n2024-02-29 00:00:00;weight;80,739\n",
    },
    { distance: { unit: "km", value: 8.05 }, health: { weight: { unit: "kg", value: 80.739 } } },
  ],
  [
    "FitNotes' weights of the body",
    {
      "FitNotes_Export.csv":
        "Date;Exercise;Category;Weight (kg);Reps;Distance;Distance Unit;Time\n2024-02-29;Squat;Legs;100,5;5;;;\n",
      "FitNotes_BodyTracker_Export.csv": "Date;Time;Measurement;Value;Unit\n2024-02-29;07:00:00;Bodyweight;176,4;lbs\n",
    },
    { notes: "Squat: 1×5 @ 100.5 kg", health: { weight: { unit: "lb", value: 176.4 } } },
  ],
  [
    "TrainingPeaks' hours and pulses",
    {
      "workouts.csv":
        "Title;WorkoutType;WorkoutDay;DistanceInMeters;TimeTotalInHours\nLong;Run;2024-02-29;12560,25;1,125\n",
      "metrics.csv": "Timestamp;Type;Value\n2024-02-29 07:00:00;Pulse;52,0\n2024-02-29 07:05:00;Pulse;48,0\n",
    },
    { distance: { unit: "m", value: 12560.25 }, duration: 4050, health: { restHR: 48 } },
  ],
];

test.each(OF_DAYS)("decimal commas of %s", async (_, files, gives) => {
  expect((await read(files)).workouts).toMatchObject([gives]);
});

test("decimal commas of Withings' weights are read, and the weight comes to the workout of its day", async () => {
  const { workouts } = await read({
    "activities.csv":
      'from;to;"from (manual)";"to (manual)";Timezone;"Activity type";Data;GPS;Modified\n2023-02-06T10:35:00+01:00;2023-02-06T11:35:00+01:00;;;Europe/Berlin;Running;"{""distance"":5000}";;2023-02-06T12:40:00+01:00\n',
    "weight.csv": 'Date;"Weight (kg)";"Fat mass (kg)";Comments\n"2023-02-06 08:00:00";70,55;;\n',
  });
  expect(workouts).toMatchObject([
    { distance: { unit: "m", value: 5000 }, health: { weight: { unit: "kg", value: 70.55 } } },
  ]);
});
