/** The platforms that are tables: the sound inputs of each, and how they are damaged. `parsers.ts` has all readers. */
import { DatabaseSync } from "node:sqlite";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { adidasRunning } from "../../connectors/platforms/adidas-running/table.ts";
import { endomondo } from "../../connectors/platforms/endomondo/table.ts";
import { fitbit } from "../../connectors/platforms/fitbit/table.ts";
import { garmin } from "../../connectors/platforms/garmin/table.ts";
import { googleFit } from "../../connectors/platforms/google-fit/table.ts";
import { healthConnect } from "../../connectors/platforms/health-connect/table.ts";
import { mapMyRun } from "../../connectors/platforms/mapmyrun/table.ts";
import { miFitness } from "../../connectors/platforms/mi-fitness/table.ts";
import { nike } from "../../connectors/platforms/nike/table.ts";
import { opentracks } from "../../connectors/platforms/opentracks/table.ts";
import { runkeeper } from "../../connectors/platforms/runkeeper/table.ts";
import { tomtom } from "../../connectors/platforms/tomtom/table.ts";
import { wahoo } from "../../connectors/platforms/wahoo/table.ts";
import * as operators from "./operators.ts";
import { ofSource, readBy } from "./reading.ts";
import { fixture, GPX, NIKE_RUN, TCX, text } from "./seeds.ts";
import { CSV_WORDS, JSON_WORDS } from "./words.ts";

const SESSION = "0a1b2c3d-0000-4000-9000-000000000001";
const WALK = "2014-10-22T19_46_33.073+02_00_RUNNING";

/** A database of small pages, so that damage meets its structure. */
function healthDatabase(): Uint8Array {
  const database = new DatabaseSync(":memory:");
  database.exec(`PRAGMA page_size = 512;
    CREATE TABLE exercise_session_record_table (uuid BLOB, start_time INTEGER, end_time INTEGER, exercise_type INTEGER, title TEXT, app_info_id INTEGER);
    INSERT INTO exercise_session_record_table VALUES (x'01', 1700000000000, 1700000600000, 39, 'Morning', 1), (x'02', 1, 2, 8, NULL, 2);
    CREATE TABLE distance_record_table (start_time INTEGER, end_time INTEGER, app_info_id INTEGER, distance REAL);
    INSERT INTO distance_record_table VALUES (1700000000000, 1700000300000, 1, 1500.5);`);
  const bytes = database.serialize();
  database.close();
  return bytes;
}

/** Those whose files have a format that another row tries. The others read a format of their own. */
export const TABLES: readonly string[] = [
  ...["strava", "wahoo", "opentracks", "mi-fitness", "nike", "garmin-list", "garmin", "runkeeper", "mapmyrun"],
  ...["adidas-running", "endomondo", "fitbit", "fitbit-tables", "google-fit"],
];

export const PLATFORMS = [
  {
    name: "health-connect",
    seeds: () => [healthDatabase()],
    damage: [],
    words: ["CREATE TABLE", "CREATE VIEW", "SELECT", "exercise_session_record_table", "GENERATED ALWAYS AS", "\u0000"],
    read: (input: Buffer) => readBy(healthConnect, memoryArchive("e", { "health_connect_export.db": input })),
    mayThrow: ofSource,
  },
  {
    name: "tomtom-watch",
    seeds: () => [
      fixture("tomtom/watch/archive/MyWatch/2015-05-06/Running_08-30-20.ttbin"),
      fixture("tomtom/watch/archive/MyWatch/2015-05-07/Cycling_08-30-20.ttbin"),
    ],
    damage: [],
    words: ["\u0020\u0005\u0000", "\u0027", "\u002f", "\u0022", "\u0000\u0000"],
    read: (input: Buffer) => readBy(tomtom, memoryArchive("e", { "a.ttbin": input })),
    mayThrow: ofSource,
  },
  {
    name: "wahoo",
    seeds: () => [fixture("wahoo/phone-csv/archive/2015-06-09.csv"), fixture("wahoo/phone-csv/archive/2015-11-20.csv")],
    damage: operators.TEXT,
    words: [...CSV_WORDS, "Device,", "Year,", "comments", "workout,", "interval,", "time,", "1e308", "__proto__"],
    read: (input: Buffer) => readBy(wahoo, memoryArchive("e", { "a.csv": input })),
    mayThrow: ofSource,
  },
  {
    name: "opentracks",
    seeds: () => [fixture("opentracks/tables/archive/b.csv")],
    damage: operators.TEXT,
    words: [
      ...CSV_WORDS,
      "SEGMENT_START_MANUAL",
      "SEGMENT_START_AUTOMATIC",
      "TRACKPOINT",
      "+14:00",
      "Z",
      "1e308",
      "NaN",
    ],
    read: (input: Buffer) => readBy(opentracks, memoryArchive("e", { "a.csv": input })),
    mayThrow: ofSource,
  },
  {
    name: "mi-fitness",
    seeds: () => [
      fixture("mi-fitness/data-copy/archive/20241101_123_MiFitness_hlth_center_sport_record.csv"),
      fixture("mi-fitness/utf-7/archive/sport.csv"),
    ],
    damage: operators.TEXT,
    words: [
      ...CSV_WORDS,
      ...JSON_WORDS,
      "+ACI-",
      "+AF8-",
      "+AHs-",
      "+-",
      "+////-",
      '"start_time"',
      "8.64e15",
      "__proto__",
    ],
    read: (input: Buffer) => readBy(miFitness, memoryArchive("e", { "a.csv": input })),
    mayThrow: ofSource,
  },
  {
    name: "nike",
    seeds: () => [fixture("nike/list/archive/activities.json"), fixture(NIKE_RUN)],
    damage: operators.TEXT,
    words: [...JSON_WORDS, '"activities"', '"summaries"', '"start_epoch_ms"', "1e308", '"id"'],
    read: (input: Buffer) => readBy(nike, memoryArchive("e", { "a.json": input })),
    mayThrow: ofSource,
  },
  {
    name: "garmin-list",
    seeds: () => [
      fixture("garmin/web-list-kilometres/archive/Activities.csv"),
      fixture("garmin/web-list-miles-german/archive/meine Liste.csv"),
    ],
    damage: operators.TEXT,
    words: [...CSV_WORDS, "Avg Stride Length", "Distance", '"1,200"', '"5,81"', "Pool Swim"],
    read: (input: Buffer) => readBy(garmin, memoryArchive("e", { "Activities.csv": input, "1.gpx": GPX[0] as Buffer })),
    mayThrow: ofSource,
  },
  {
    name: "garmin",
    seeds: () => [fixture("garmin/plain-list/archive/anna_summarizedActivities.json")],
    damage: operators.TEXT,
    words: [
      ...JSON_WORDS,
      '"activityId"',
      '"startTimeGmt"',
      '"activityType":{"typeKey":"running"}',
      "1e308",
      '"parent":true',
    ],
    read: (input: Buffer) =>
      readBy(
        garmin,
        memoryArchive("e", { "0_summarizedActivities.json": input, "0_gear.json": input, "1.gpx": GPX[0] as Buffer }),
      ),
    mayThrow: ofSource,
  },
  {
    name: "runkeeper",
    seeds: () => [fixture("runkeeper/km-12-columns/archive/cardioActivities.csv")],
    damage: operators.TEXT,
    words: [...CSV_WORDS, "1.gpx", "../1.gpx", "Distance (mi)", "GPX File"],
    read: (input: Buffer) =>
      readBy(runkeeper, memoryArchive("e", { "cardioActivities.csv": input, "2016-08-13-0902.gpx": GPX[0] as Buffer })),
    mayThrow: ofSource,
  },
  {
    name: "mapmyrun",
    seeds: () => [
      fixture("mapmyrun/miles/archive/user_workout_history.csv"),
      fixture("mapmyrun/kilometres-old-header/archive/workouts 2025.csv"),
    ],
    damage: operators.TEXT,
    words: [...CSV_WORDS, "b'", "\\xc3\\xa9", "\\n", "Shoes: ", "Sept. 9, 2018", "31-Jul-24", "/workout/1"],
    read: (input: Buffer) => readBy(mapMyRun, memoryArchive("e", { "user_workout_history.csv": input })),
    mayThrow: ofSource,
  },
  {
    name: "adidas-running",
    seeds: () => [
      fixture(`adidas-running/until-2020/archive/Sport-sessions/${SESSION}.json`),
      fixture("adidas-running/until-2020/archive/User/Shoes/5c2dec05afb74519edc02d02.json"),
      ...text(
        '{"start_time":1,"start_time_timezone_offset":-12600000,"duration":"1","features":[{"type":"weather","attributes":{"temperature":"1"}}],"sport_type_id":"1"}',
      ),
    ],
    damage: operators.TEXT,
    words: [...JSON_WORDS, '"start_time_timezone_offset"', '"features"', '"samples_ids"', "8.64e15", "1e308", '"id"'],
    read: (input: Buffer) =>
      readBy(
        adidasRunning,
        memoryArchive("e", {
          "Sport-sessions/1.json": input,
          "GPS-data/1.gpx": GPX[0] as Buffer,
          "Shoes/1.json": input,
        }),
      ),
    mayThrow: ofSource,
  },
  {
    name: "endomondo",
    seeds: () =>
      text(
        '[{"sport":"RUNNING"},{"source":"X","created_date":"2016-04-29 10:30:32.0"},{"start_time":"2016-04-29 10:30:32.0"},{"duration_s":60},{"tags":[[{"name":"a"}],[{"name":"b"}]]},{"points":[[{"location":[[{"latitude":1}]]}]]}]',
      ),
    damage: operators.TEXT,
    words: [...JSON_WORDS, '"points"', '{"sport":', "[[", "]]", '"__proto__"', '"duration_s"'],
    read: (input: Buffer) =>
      readBy(endomondo, memoryArchive("e", { "Workouts/a.json": input, "Workouts/a.tcx": TCX[0] as Buffer })),
    mayThrow: ofSource,
  },
  {
    name: "fitbit",
    seeds: () => [fixture("fitbit/my-fitbit-data/archive/MyFitbitData/Jo/Physical Activity/exercise-0.json")],
    damage: operators.TEXT,
    words: [...JSON_WORDS, '"startTime"', '"distanceUnit"', '"Mile"', "99/99/99 99:99:99", '"activeDuration"'],
    read: (input: Buffer) =>
      readBy(fitbit, memoryArchive("e", { "exercise-0.json": input, "1.tcx": TCX[0] as Buffer })),
    mayThrow: ofSource,
  },
  {
    name: "fitbit-tables",
    seeds: () =>
      text(
        "exercise_id,exercise_start,exercise_end,utc_offset,activity_name,tracker_total_distance_mm,events\n1,2026-03-01T22:30:00Z,2026-03-01T23:00:00Z,+05:30,Run,5010000,[]\n",
      ),
    damage: operators.TEXT,
    words: [
      ...CSV_WORDS,
      "utc_offset",
      "-99:99",
      "+14:00",
      "exercise_end",
      "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59Z",
    ],
    read: (input: Buffer) =>
      readBy(fitbit, memoryArchive("e", { "UserExercises_1.csv": input, "UserExercises_2.csv": input })),
    mayThrow: ofSource,
  },
  {
    name: "google-fit",
    seeds: () => [fixture(`google-fit/dutch/archive/Takeout/Fit/Alle sessies/${WALK}.json`)],
    damage: operators.TEXT,
    words: [...JSON_WORDS, '"fitnessActivity"', '"startTime"', "+02:00", "Z", "1e9s", '"aggregate"', '"metricName"'],
    read: (input: Buffer) =>
      readBy(googleFit, memoryArchive("e", { [`${WALK}.json`]: input, "1.tcx": TCX[0] as Buffer })),
    mayThrow: ofSource,
  },
];
