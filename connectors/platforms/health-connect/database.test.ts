import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { healthConnect } from "./table.ts";

function databaseOf(sql: string): Uint8Array {
  const database = new DatabaseSync(":memory:");
  database.exec(sql);
  const bytes = Uint8Array.from(database.serialize());
  database.close();
  return bytes;
}

const read = (bytes: Uint8Array) =>
  readAll(healthConnect, memoryArchive("phone.zip", { "health_connect_export.db": bytes }));

const SOUND = databaseOf(`
  CREATE TABLE exercise_session_record_table (uuid BLOB, start_time INTEGER, end_time INTEGER, exercise_type INTEGER);
  INSERT INTO exercise_session_record_table VALUES (x'01', 1700000000000, 1700000600000, 39);
`);

const unreadable = [{ as: "quarantined", issue: { rule: "health-connect/unreadable-database" } }];

test("a database of an old Android, with few columns and no other table, is read", async () => {
  const { readings, issues } = await read(SOUND);
  expect(issues).toEqual([]);
  expect(readings).toMatchObject([
    {
      key: "health-connect:workout:01",
      value: { activity: "run", duration: 600, start: { instant: 1_700_000_000_000 } },
    },
  ]);
});

test("a view in the place of the sessions, which could compute for ever, is not read", async () => {
  const view = databaseOf(`CREATE VIEW exercise_session_record_table AS
    WITH RECURSIVE n(start_time) AS (SELECT 1 UNION ALL SELECT start_time + 1 FROM n) SELECT start_time, 39 AS exercise_type FROM n`);
  expect((await read(view)).readings).toMatchObject(unreadable);
});

test.each([
  ["cut in its middle", SOUND.subarray(0, 5000)],
  ["overwritten", Uint8Array.from(SOUND, (byte, index) => (index > 100 && index % 3 === 0 ? 255 : byte))],
  ["nothing but its first words", SOUND.subarray(0, 20)],
])("a database that is %s is rejected for a person to look at", async (_, bytes) => {
  expect((await read(bytes)).readings).toMatchObject(unreadable);
});

test("a column that computes, or numbers beyond all bounds, cost their row at the most", async () => {
  const odd = databaseOf(`
    CREATE TABLE exercise_session_record_table (uuid BLOB, start_time INTEGER, end_time INTEGER, exercise_type INTEGER, app_info_id ANY);
    INSERT INTO exercise_session_record_table VALUES (x'02', 9223372036854775807, 1, 39, zeroblob(100000));
    INSERT INTO exercise_session_record_table VALUES (x'03', 'x', NULL, 39, 1e308);
    CREATE TABLE distance_record_table (start_time INTEGER, end_time INTEGER, app_info_id INTEGER, distance REAL);
    INSERT INTO distance_record_table VALUES (1, 2, 3, 9e999);
  `);
  expect((await read(odd)).readings.map((reading) => "as" in reading && reading.as)).toEqual([
    "quarantined",
    "quarantined",
  ]);
});

test("a session has the weight and the resting heart rate of its day, and its segments are counted", async () => {
  const bytes = databaseOf(`
    CREATE TABLE exercise_session_record_table (row_id INTEGER, uuid BLOB, start_time INTEGER, start_zone_offset INTEGER, end_time INTEGER, exercise_type INTEGER);
    INSERT INTO exercise_session_record_table VALUES (7, x'01', 1700000000000, -18000, 1700000600000, 39);
    CREATE TABLE exercise_segments_table (parent_key INTEGER, segment_type INTEGER, repetitions_count INTEGER);
    INSERT INTO exercise_segments_table VALUES (7, 1, 0), (7, 2, 0), (8, 1, 0);
    CREATE TABLE weight_record_table (time INTEGER, zone_offset INTEGER, weight REAL);
    INSERT INTO weight_record_table VALUES (1700006400000, -18000, 70500.0), (1700110800000, -18000, 71000.0);
    CREATE TABLE resting_heart_rate_record_table (time INTEGER, zone_offset INTEGER, beats_per_minute INTEGER);
    INSERT INTO resting_heart_rate_record_table VALUES (1699970400000, -18000, 51);
  `);
  const { readings, issues } = await read(bytes);
  expect(issues).toEqual([]);
  // The session is of 2023-11-14 17:13 at five hours behind UTC, and the weight of 19:00 on that day is written on the next day of UTC.
  expect(readings).toMatchObject([
    {
      value: {
        start: { date: "2023-11-14" },
        health: { restHR: 51, weight: { unit: "kg", value: 70.5 } },
        unsupported: [{ field: "segments", value: "2" }],
      },
    },
  ]);
});

test("what other tables and new columns say of a session is counted with it and named, and what belongs to none or can't be read is named", async () => {
  const bytes = databaseOf(`
    CREATE TABLE exercise_session_record_table (row_id INTEGER, uuid BLOB, start_time INTEGER, end_time INTEGER, exercise_type INTEGER, app_info_id INTEGER, rpe REAL);
    INSERT INTO exercise_session_record_table VALUES (7, x'01', 1700000000000, 1700000600000, 39, 1, 7.5);
    CREATE TABLE distance_record_table (start_time INTEGER, end_time INTEGER, app_info_id INTEGER, distance REAL, slope REAL);
    INSERT INTO distance_record_table VALUES (1700000000000, 1700000300000, 1, 1000, 2.5), (1700000300000, 1700000600000, 1, 900, NULL);
    CREATE TABLE exercise_laps_table (parent_key INTEGER, length REAL);
    INSERT INTO exercise_laps_table VALUES (7, 400), (7, 400);
    CREATE TABLE PowerRecordTable (row_id INTEGER, start_time INTEGER, end_time INTEGER, app_info_id INTEGER);
    INSERT INTO PowerRecordTable VALUES (1, 1700000000000, 1700000600000, 1), (2, 1700000000000, 1700000600000, 2), (3, 1600000000000, 1600000600000, 1);
    CREATE TABLE power_record_table (parent_key INTEGER, power REAL);
    INSERT INTO power_record_table VALUES (1, 210), (1, 220);
    CREATE TABLE moods_table (mood TEXT);
    INSERT INTO moods_table VALUES ('fine');
    CREATE TABLE preference_table (key TEXT);
    INSERT INTO preference_table VALUES ('retention');
    CREATE TABLE "sums ""of"" laps" (lap INTEGER, length INTEGER AS (quote(lap)));
    INSERT INTO "sums ""of"" laps" (lap) VALUES (1);
  `);
  // A function that only the phone has.
  const damaged = Buffer.from(Buffer.from(bytes).toString("latin1").replace("quote(lap)", "phone(lap)"), "latin1");
  const { readings, issues } = await read(damaged);
  expect(readings).toHaveLength(1);
  expect(readings).toHaveProperty("0.value.unsupported", [
    { field: "rpe", value: "7.5" },
    { field: "distance_record_table: slope", value: "2.5" },
    { field: "exercise_laps_table (a whole table)", value: "2 rows" },
    { field: "PowerRecordTable (a whole table)", value: "1 row" },
  ]);
  expect(issues.map(({ rule, field }) => `${rule} ${field}`).sort()).toEqual([
    "table/unknown-column PowerRecordTable (a whole table)",
    "table/unknown-column distance_record_table: slope",
    "table/unknown-column exercise_laps_table (a whole table)",
    "table/unknown-column moods_table (a whole table)",
    "table/unknown-column rpe",
    'table/unknown-column sums "of" laps (a whole table)',
  ]);
});
