import { expect, test } from "vitest";
import type { LocalDate } from "../../../../transforms/calendar.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { identifyArchive } from "../../../registry.ts";
import { strong } from "../../strong/table.ts";
import type { DayMonthOrder } from "./resaved-dates.ts";

/** Tables of platforms whose dates a spreadsheet program converts: their names, headers, and a row with its date left out. */
const TABLES = {
  garmin: ["Activities.csv", "Activity Type,Date,Favorite,Title,Distance,Time", "Yoga,DATE,FALSE,x,0.00,0:30:00"],
  strong: [
    "strong.csv",
    "Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,Workout Notes,RPE",
    "DATE,A,45m,Squat,1,100,8,0,0,,,",
  ],
  hevy: [
    "workouts.csv",
    "title,start_time,end_time,description,exercise_title,superset_id,exercise_notes,set_index,set_type,weight_kg,reps,distance_km,duration_seconds,rpe",
    "A,DATE,DATE,,Squat,,,0,normal,60,8,,,",
  ],
  runkeeper: [
    "cardioActivities.csv",
    "Activity Id,Date,Type,Route Name,Distance (km),Duration,Average Pace,Average Speed (km/h),Calories Burned,Climb (m),Average Heart Rate (bpm),Friend's Tagged,Notes,GPX File",
    "idDATE,DATE,Running,,5.00,0:25:00,5:00,12,300,10,140,,,",
  ],
  fitnotes: [
    "FitNotes_Export.csv",
    "Date,Exercise,Category,Weight,Weight Unit,Reps,Distance,Distance Unit,Time",
    "DATE,Squat,Legs,60,kgs,8,,,",
  ],
  trainingpeaks: [
    "workouts.csv",
    "Title,WorkoutType,WorkoutDescription,PlannedDuration,PlannedDistanceInMeters,WorkoutDay,CoachComments,DistanceInMeters,PowerAverage,PowerMax,Energy,AthleteComments,TimeTotalInHours,VelocityAverage,HeartRateAverage,HeartRateMax,Rpe,Feeling",
    "a,Run,,,,DATE,,5000,,,,,0.5,,140,150,,",
  ],
  concept2: [
    "concept2-season-2024.csv",
    '"Log ID","Date","Description","Work Time (Formatted)","Work Time (Seconds)","Rest Time (Formatted)","Rest Time (Seconds)","Work Distance","Rest Distance","Stroke Rate/Cadence","Stroke Count","Pace","Avg Watts","Cal/Hour","Total Cal","Avg Heart Rate","Drag Factor","Age","Weight","Type","Ranked","Comments","Date Entered"',
    "DATE,DATE,5000m row,20:00.0,1200,,,5000,,24,480,2:00,190,900,300,140,120,40,Hwt,Indoor Rower,No,,",
  ],
  whoop: [
    "workouts.csv",
    "Cycle start time,Cycle end time,Cycle timezone,Workout start time,Workout end time,Duration (min),Activity name,Activity Strain,Energy burned (cal),Max HR (bpm),Average HR (bpm),HR Zone 1 %,GPS enabled",
    "DATE,,UTC-05:00,DATE,,30,Running,5,300,150,130,1,false",
  ],
} as const satisfies Readonly<Record<string, readonly [file: string, header: string, row: string]>>;

/** The dates of a platform's table, as they are read, or what a rejected row expects. */
async function datesOf(
  platform: keyof typeof TABLES,
  dates: readonly string[],
  dateOrder?: DayMonthOrder,
  usesGiven = (_: string) => {},
) {
  const [file, header, row] = TABLES[platform];
  const lines = dates.map((date) => row.replaceAll("DATE", date));
  const archive = memoryArchive("a", { [file]: [header, ...lines, ""].join("\n") });
  const { connector } = await identifyArchive(archive);
  expect(connector.name).toBe(platform);
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map(), dateOrder, usesGiven };
  const found: string[] = [];
  for await (const reading of connector.read(archive, context)) {
    if (reading.kind === "set-aside") found.push(reading.issue.expected ?? "");
    if (reading.kind !== "workout") continue;
    const { date, time } = reading.value.start;
    found.push([date, time].filter((part) => part !== undefined).join(" "));
  }
  return found;
}

const ASKS = expect.stringContaining("--date-order mdy");
const CONTRADICTS = expect.stringContaining("take the file from its platform once more");

test.each(["strong", "hevy", "runkeeper", "concept2", "whoop"] as const)(
  "a date of %s that Excel saved is read where a day above 12 shows the order, or a person says it",
  async (platform) => {
    expect(await datesOf(platform, ["3/10/2024 17:05", "3/13/2024 5:05 PM"])).toEqual([
      "2024-03-10 17:05:00",
      "2024-03-13 17:05:00",
    ]);
    expect(await datesOf(platform, ["10/03/24 17:05", "13/03/24 17:05:09"])).toEqual([
      "2024-03-10 17:05:00",
      "2024-03-13 17:05:09",
    ]);
    expect(await datesOf(platform, ["3/10/2024 17:05"])).toEqual([ASKS]);
    expect(await datesOf(platform, ["3/10/2024 17:05"], "mdy")).toEqual(["2024-03-10 17:05:00"]);
    expect(await datesOf(platform, ["3/10/2024 17:05"], "dmy")).toEqual(["2024-10-03 17:05:00"]);
  },
);

test.each(["fitnotes", "trainingpeaks"] as const)("a day of %s without a time is read as well", async (platform) => {
  expect(await datesOf(platform, ["3/10/24", "3/13/24"])).toEqual(["2024-03-10", "2024-03-13"]);
  expect(await datesOf(platform, ["3/10/24"])).toEqual([ASKS]);
});

test.each([
  [
    "a 13 shows that the day is first",
    ["12/11/20 11:59", "13/11/20 7:05"],
    ["2020-11-12 11:59:00", "2020-11-13 07:05:00"],
  ],
  [
    "a 13 shows that the month is first",
    ["12/11/20 11:59", "11/13/20 7:05"],
    ["2020-12-11 11:59:00", "2020-11-13 07:05:00"],
  ],
  ["dots stand behind a day", ["10.03.2020 23:59:01"], ["2020-03-10 23:59:01"]],
  [
    "other rows have the platform's form",
    ["2020-11-12 11:59:07", "13/11/20 7:05"],
    ["2020-11-12 11:59:07", "2020-11-13 07:05:00"],
  ],
  ["nothing shows it", ["12/11/20 11:59", "1/2/20 7:05"], [ASKS, ASKS]],
  ["hyphens stand beside a year of four digits", ["13-11-2020 11:59"], ["2020-11-13 11:59:00"]],
  ["hyphens stand beside a year of two digits", ["20-06-23 11:59"], [ASKS]],
  ["rows contradict each other", ["13/11/20 11:59", "11/13/20 7:05"], [CONTRADICTS, CONTRADICTS]],
  ["a day that doesn't exist shows nothing", ["99/99/20 11:59", "12/11/20 11:59"], [ASKS, ASKS]],
  [
    "Excel's years of two digits begin in 1930",
    ["13/11/29 7:05", "13/11/30 7:05"],
    ["2029-11-13 07:05:00", "1930-11-13 07:05:00"],
  ],
])("where %s, the dates of Garmin's list follow it", async (_, dates, expected) => {
  expect(await datesOf("garmin", dates)).toEqual(expected);
});

test("what the dates show wins over what a person says", async () => {
  const used: string[] = [];
  const use = (word: string) => used.push(word);
  expect(await datesOf("garmin", ["13/11/20 11:59"], "mdy", use)).toEqual(["2020-11-13 11:59:00"]);
  expect(await datesOf("garmin", ["13/11/20 11:59", "11/13/20 7:05"], "mdy", use)).toEqual([CONTRADICTS, CONTRADICTS]);
  expect(used).toEqual([]);
  expect(await datesOf("garmin", ["12/11/20 11:59"], "mdy", use)).toEqual(["2020-12-11 11:59:00"]);
  expect(new Set(used)).toEqual(new Set(["mdy"]));
});

test("between hyphens, only a person's word shows that the year of two digits is the last number", async () => {
  const used: string[] = [];
  const use = (word: string) => used.push(word);
  const dates = ["06-05-25 11:59", "24-07-21 7:05"];
  expect(await datesOf("garmin", dates)).toEqual([ASKS, ASKS]);
  expect(await datesOf("garmin", dates, "dmy", use)).toEqual(["2025-05-06 11:59:00", "2021-07-24 07:05:00"]);
  expect(new Set(used)).toEqual(new Set(["dmy"]));
  const UNFIT = expect.stringContaining("doesn't fit");
  expect(await datesOf("garmin", dates, "mdy")).toEqual([UNFIT, UNFIT]);
});

test("a day that a person says for one row keeps the row's time", async () => {
  const [file, header, row] = TABLES.strong;
  const archive = memoryArchive("a", { [file]: `${header}\n${row.replace("DATE", "3/10/2024 5:05 PM")}\n` });
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const readings: Reading[] = [];
  for await (const reading of strong.read(archive, context)) readings.push(reading);
  const fixes = new Map([[readings[0]?.key ?? "", { date: "2024-03-10" as LocalDate }]]);
  for await (const reading of strong.read(archive, { ...context, fixes })) readings.push(reading);
  expect(readings).toMatchObject([
    { kind: "set-aside" },
    { kind: "workout", value: { start: { date: "2024-03-10", time: "17:05:00" } } },
  ]);
});
