import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { isOpen, writeMapping } from "../infer.ts";

/** The open questions of a proposal, and the workouts of the table by it. */
async function read(lines: readonly string[]) {
  const table = lines.join("\n");
  const proposal = await proposalFor(table, new Map());
  const open = proposal.choices.filter(isOpen).map(({ place }) => place);
  if (open.length > 0) return { open, workouts: [] };
  const mapping = writeMapping(proposal, "log.csv");
  const { readings } = await readAll(csv, memoryArchive("log", { "log.csv": table, "log.csv.map.yaml": mapping }));
  const workouts = readings.flatMap((reading) => {
    if (reading.kind !== "workout" || !("value" in reading)) return [];
    const { start, activity, distance, duration, health } = reading.value;
    return [[start.date, activity, `${distance?.value} ${distance?.unit}`, duration, health?.avgHR].join(" ").trim()];
  });
  return { open, workouts };
}

test.each([
  "Date,Run,Time,Bike,Time,Swim,Time",
  "Date,Run km,Time,Bike km,Time,Swim m,Time",
  "Datum,Laufen,Zeit,Rad,Zeit,Schwimmen,Zeit",
])("each Time of %s is of the sport before it", async (header) => {
  const { open, workouts } = await read([
    header,
    "2024-03-10,10.5,0:38:00,,,,",
    "2024-03-11,,,40.2,1:01:00,,",
    "2024-03-12,,,,,1500,0:31:15",
    "2024-03-13,8.4,0:30:30,32.5,0:50:10,,",
    "2024-03-14,12.1,0:44:00,,,1200,0:26:00",
  ]);
  expect(open).toEqual([]);
  expect(workouts).toEqual([
    "2024-03-10 run 10.5 km 2280",
    "2024-03-11 bike 40.2 km 3660",
    "2024-03-12 swim 1500 m 1875",
    "2024-03-13 run 8.4 km 1830",
    "2024-03-13 bike 32.5 km 3010",
    "2024-03-14 run 12.1 km 2640",
    "2024-03-14 swim 1200 m 1560",
  ]);
});

test("heart rates behind each sport are of it, and a durations column may be called by its sport", async () => {
  const hearts = await read([
    "Date,Run,Time,HR,Bike,Time,HR",
    "2024-03-10,10.5,0:38:00,150,,,",
    "2024-03-11,,,,40.2,1:01:00,131",
    "2024-03-12,8.4,0:30:30,152,32.5,0:50:10,128",
  ]);
  expect(hearts.workouts).toEqual([
    "2024-03-10 run 10.5 km 2280 150",
    "2024-03-11 bike 40.2 km 3660 131",
    "2024-03-12 run 8.4 km 1830 152",
    "2024-03-12 bike 32.5 km 3010 128",
  ]);
  const timed = await read([
    "Date,Run,km,Bike,km",
    "2024-03-10,0:38:00,10.5,,",
    "2024-03-11,,,1:01:00,40.2",
    "2024-03-12,0:30:30,8.4,0:50:10,32.5",
  ]);
  expect(timed.workouts).toEqual([
    "2024-03-10 run 10.5 km 2280",
    "2024-03-11 bike 40.2 km 3660",
    "2024-03-12 run 8.4 km 1830",
    "2024-03-12 bike 32.5 km 3010",
  ]);
});

test("a time behind one of two sports alone is of none of them for sure, and is asked about", async () => {
  const { open } = await read([
    "Date,Run,Time,Bike",
    "2024-03-10,10.5,0:38:00,",
    "2024-03-11,,1:01:00,40.2",
    "2024-03-12,8.4,0:30:30,",
  ]);
  expect(open).not.toEqual([]);
});
