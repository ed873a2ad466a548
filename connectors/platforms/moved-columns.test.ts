import { expect, test } from "vitest";
import { readAll } from "../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../containers/memory.ts";
import { identifyArchive } from "../registry.ts";

// A newer export may have its columns in another order, and more of them. The names count, wherever a platform has any.

async function read(files: Readonly<Record<string, string>>) {
  const archive = memoryArchive("export.zip", files);
  const { connector } = await identifyArchive(archive);
  const { readings, issues } = await readAll(connector, archive);
  return {
    connector: connector.name,
    values: readings.flatMap((one) => (one.kind === "workout" || one.kind === "equipment" ? [one.value] : [])),
    unknown: issues.filter(({ rule }) => rule === "table/unknown-column").map(({ field }) => field),
  };
}

test("a list of Strava's bikes is read by its names, and a column that nobody knows is named", async () => {
  const found = await read({
    "activities.csv":
      'Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Commute,Activity Gear,Filename\n1,"May 4, 2018, 7:30:11 AM",Ride,Ride,,3600,20.5,false,Stahlross,\n',
    "bikes.csv": "Bike Name,Bike Colour,Bike Model,Bike Brand\nStahlross,red,Strada 1000,KTM\n",
  });
  expect(found.values).toMatchObject([
    { activity: "bike", brandName: "KTM", modelName: "Strada 1000", serial: "Stahlross" },
    { activity: "bike" },
  ]);
  expect(found.unknown).toEqual(["Bike Colour"]);
});

test("metrics of TrainingPeaks give the resting heart rate in any order of their columns", async () => {
  const { values } = await read({
    "workouts.csv": "Title,WorkoutType,WorkoutDay,DistanceInMeters,TimeTotalInHours\nTempo,Run,2021-03-04,5000,0.5\n",
    "metrics.csv": "Value,Type,Source,Timestamp\n48,Pulse,watch,2021-03-04 06:00:00\n",
  });
  expect(values).toMatchObject([{ duration: 1800, health: { restHR: 48 } }]);
});

test("a table of Health Auto Export is known in another order and with a column more", async () => {
  const { connector, values, unknown } = await read({
    "Workouts.csv":
      "Start,Workout Type,Aura,End,Duration,Active Energy (kcal),Distance (km)\n2026-03-20 07:04,Outdoor Run,7,2026-03-20 07:36,00:32:15,310,5.6\n",
  });
  expect(connector).toBe("health-auto-export");
  expect(values).toMatchObject([{ activity: "run", duration: 1935, distance: { unit: "km", value: 5.6 } }]);
  expect(unknown).toEqual(["Aura"]);
});

test("Withings' start and end are found by their names", async () => {
  const { values } = await read({
    "activities.csv":
      'Modified,to,from,"to (manual)","from (manual)",Timezone,"Activity type",GPS,Data\n2023-02-06T12:40:00+01:00,2023-02-06T11:35:00+01:00,2023-02-06T10:35:00+01:00,,,Europe/Berlin,Running,,"{""distance"":5000}"\n',
  });
  expect(values).toMatchObject([{ start: { date: "2023-02-06", time: "10:35:00" }, duration: 3600 }]);
});

test("a tag of a person's own in Golden Cheetah's list of rides is named", async () => {
  const ride = {
    date: "2018/01/02 07:00:00 UTC",
    filename: "2018_01_02_07_00_00.json",
    sport: "Run",
    METRICS: { workout_time: "60" },
    TAGS: { Aura: "7" },
  };
  const { values, unknown } = await read({ "rideDB.json": JSON.stringify({ VERSION: "1.5", RIDES: [ride] }) });
  expect(values).toMatchObject([{ activity: "run", duration: 60 }]);
  expect(unknown).toEqual(["TAGS/Aura"]);
});
