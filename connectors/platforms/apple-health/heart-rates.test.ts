import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { appleHealth } from "./table.ts";

const at = (minute: number) => `2019-06-11 08:${String(minute).padStart(2, "0")}:00 +0200`;

const beat = (minute: number, value: number, unit = "count/min", source = "Watch") =>
  `<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="${source}" unit="${unit}" startDate="${at(minute)}" endDate="${at(minute)}" value="${value}"/>`;

const STATISTICS =
  '<WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="140" maximum="160" unit="count/min"/>';

const workout = (type: string, from: number, until: number, inside = "", source = "Watch") =>
  `<Workout workoutActivityType="HKWorkoutActivityType${type}" sourceName="${source}" duration="${until - from}" durationUnit="min" startDate="${at(from)}" endDate="${at(until)}">${inside}</Workout>`;

const xmlOf = (...elements: readonly string[]) => `<HealthData locale="en_AT">${elements.join("\n")}</HealthData>`;

/** The sport and the heart rates of each workout. */
async function heartRates(xml: string) {
  const { readings } = await readAll(appleHealth, memoryArchive("export.zip", { "export.xml": xml }));
  return readings.flatMap((reading) =>
    reading.kind === "workout" ? [[reading.value.sport, reading.value.health?.avgHR, reading.value.health?.maxHR]] : [],
  );
}

test("a heart rate counts for each workout of its source that it lies in, wherever it stands in the file", async () => {
  const xml = xmlOf(
    workout("Running", 30, 40),
    ...[beat(5, 100), beat(12, 150), beat(20, 110), beat(25, 90), beat(30, 120), beat(40, 131), beat(41, 180)],
    ...[beat(13, 0), beat(14, 200, "count/min", "Strap"), beat(15, 3, "count/s")],
    workout("Hiking", 0, 20),
    workout("Walking", 10, 15),
    workout("Cycling", 50, 59),
  );
  expect(await heartRates(xml)).toEqual([
    ["Running", 126, 131],
    ["Hiking", 120, 150],
    ["Walking", 150, 150],
    ["Cycling", undefined, undefined],
  ]);
});

test("a workout whose app measured none has those of the other device that measured most, and never of two", async () => {
  const strap = (minute: number, value: number) => beat(minute, value, "count/min", "Strap");
  const xml = xmlOf(
    ...[strap(1, 140), strap(5, 151), strap(9, 159), beat(2, 90), beat(6, 100)],
    workout("Running", 0, 10, "", "Phone"),
    ...[strap(21, 200), strap(22, 200), beat(23, 120)],
    workout("Hiking", 20, 30),
    workout("Cycling", 40, 50, "", "Phone"),
  );
  expect(await heartRates(xml)).toEqual([
    ["Running", 150, 159],
    ["Hiking", 120, 120],
    ["Cycling", undefined, undefined],
  ]);
});

test("a workout's own statistics count, and its measurements stay unread", async () => {
  expect(await heartRates(xmlOf(beat(5, 99), workout("Running", 0, 20, STATISTICS)))).toEqual([["Running", 140, 160]]);
});

test("a workout that was never ended has no heart rates, and those within it have theirs", async () => {
  const endless = workout("Yoga", 0, 59).replace('endDate="2019-06-11', 'endDate="2019-07-11');
  expect(await heartRates(xmlOf(beat(5, 99), endless, workout("Running", 0, 20)))).toEqual([
    ["Yoga", undefined, undefined],
    ["Running", 99, 99],
  ]);
});

test("measurements before the damage of a file count", async () => {
  const cut = xmlOf(beat(5, 99), workout("Running", 0, 20), "<Record type=").replace("</HealthData>", "");
  expect(await heartRates(cut)).toEqual([["Running", 99, 99]]);
});
