import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { jefit } from "./table.ts";

const section = (title: string, ...lines: readonly string[]) => [`### ${title} ###`, ...lines, "##########"].join("\n");

const SESSIONS = section("WORKOUT SESSIONS", "_id,mydate,total_time,mood", "1,2022-03-01,3600,fine");
const LOGS = section(
  "EXERCISE LOGS",
  "_id,belongsession,ename,logs,mydate,frobnik",
  "11,1,Bench,60x10,2022-03-01,q1",
  "12,1,Running,,2022-03-01,",
  "13,1,Rower,,2022-03-01,q3",
);
const SETS = section(
  "EXERCISE SET LOGS",
  "_id,exercise_log_id,set_index,weight_lbs,reps,calories,distance_mi,speed_mph,laps,duration,zeug",
  "1,11,0,132.277,10,40,0,0,0,0,",
  "2,12,0,0,0,210,2.5,6.2,0,1452,w2",
  "3,13,0,0,0,60.5,0,4.5,0,600,",
);

const read = async (...sections: readonly string[]) =>
  (await readAll(jefit, memoryArchive("a", { "jefit.csv": `${sections.join("\n")}\n` }))).readings;

test("what the log has no field for counts with the workout of its set, its session or its day", async () => {
  const notes = section("NOTES", "_id,mydate,mynote", "1,2022-03-01,elbow hurts", "2,2022-03-01,slept badly");
  const [gym, run, ...others] = await read(notes, SESSIONS, LOGS, SETS);
  expect(others).toEqual([]);
  expect(gym).toMatchObject({ value: { activity: "weight" } });
  expect(gym).toHaveProperty("value.unsupported", [
    { field: "frobnik", value: "2 values" },
    { field: "calories", value: "100.5 kcal" },
    { field: "mood", value: "fine" },
    { field: "NOTES: mynote", value: "2 values" },
    { field: "speed", value: "4.5 mi/h" },
  ]);
  expect(run).toMatchObject({ value: { activity: "run", duration: 1452 } });
  expect(run).toHaveProperty("value.unsupported", [
    { field: "calories", value: "210 kcal" },
    { field: "zeug", value: "w2" },
  ]);
});

test("a new table whose rows belong to no workout is one rejected record, but for body measures", async () => {
  const cardio = section("CARDIO LOGS", "_id,mydate,km", "1,2021-01-01,5", "2,2021-01-02,6", "3,2022-03-01,7");
  const measures = section("BODY MEASURES", "_id,mydate,weight", "1,2021-01-01,80.5");
  const readings = await read(cardio, measures, SESSIONS, LOGS, SETS);
  expect(readings.filter(({ kind }) => kind !== "workout")).toMatchObject([
    {
      as: "quarantined",
      issue: { rule: "jefit/new-table", found: expect.stringContaining("2 rows of the table CARDIO LOGS") },
    },
  ]);
});
