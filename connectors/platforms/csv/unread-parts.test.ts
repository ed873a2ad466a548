import { expect, test } from "vitest";
import { readMapped } from "../../../test/support/mapped-lines.ts";

/** The distance, the duration and the intervals of a row, and what of it is lost. */
async function read(header: string, row: string, columns: readonly string[]) {
  const { values } = await readMapped([`Date,${header}`, `2024-03-05,${row}`], ["Date: { field: date }", ...columns]);
  const [{ distance, duration, intervalSet, unsupported = [] } = {}] = values;
  return {
    distance: distance?.value,
    duration,
    laps: intervalSet?.intervals.length,
    lost: unsupported.map(({ field, value, isUnread }) => [field, value, isUnread]),
  };
}

const METRES = ["km: { field: distance, unit: km, add: true }", "m: { field: distance, unit: m, add: true }"];
const TIMES = ['T1: { field: duration, format: "mm:ss", add: true }', 'T2: { field: duration, format: "mm:ss", add: true }']; // biome-ignore format: a table

test.each([
  ["a distance", "km,m,T1,T2", "4,7OO,30:00,20:10", { distance: undefined, duration: 3010, lost: [["distance", "7OO", true]] }],
  ["a duration", "km,m,T1,T2", "4,700,30:00,20:75", { distance: 4.7, duration: undefined, lost: [["duration", "20:75", true]] }],
  ["neither, where a part says that there is none", "km,m,T1,T2", "4,-,30:00,n/a", { distance: 4, duration: 1800, lost: [] }],
])("a part that can't be read is no 0 in the sum: %s is lost", async (_, header, row, expected) => {
  expect(await read(header, row, [...METRES, ...TIMES])).toMatchObject(expected);
}); // biome-ignore format: a table

test("hours without the minutes that can't be read are no duration", async () => {
  const columns = ["km: { field: distance, unit: km }", "h: { field: duration.hours }", "min: { field: duration.minutes }"]; // biome-ignore format: a list
  expect(await read("km,h,min", "9,1,abc", columns)).toMatchObject({
    duration: undefined,
    lost: [["duration", "abc", true]],
  });
});

test("without a lap that can't be read, no lap is kept", async () => {
  const columns = ['"Split *": { field: lap, format: "mm:ss", each: 1 km }', 'Time: { field: duration, format: "h:mm:ss" }']; // biome-ignore format: a list
  const header = "Split 1,Split 2,Split 3,Time";
  expect(await read(header, "5:00,5:10,4:00,0:14:10", columns)).toMatchObject({ laps: 3, lost: [] });
  expect(await read(header, "5:00,5:75,4:00,0:14:10", columns)).toMatchObject({
    laps: undefined,
    lost: [["lap", "5:75", "minor"]],
  });
});

test.each([
  ["an empty one between them", "5:00,,15:00,0:15:00", [["lap", "15:00", "minor"]]],
  ["one that goes back", "5:00,4:50,15:00,0:15:00", [["lap", "4:50", "minor"]]],
  ["none behind the last", "5:00,10:10,,0:10:10", []],
])("times of laps from the start are kept only without a gap: %s", async (_, row, lost) => {
  const columns = ['"Km *": { field: lap, format: "mm:ss", running: true, each: 1 km }', 'Time: { field: duration, format: "h:mm:ss" }']; // biome-ignore format: a list
  const { laps, lost: found } = await read("Km 1,Km 2,Km 3,Time", row, columns);
  expect([laps, found]).toEqual([lost.length > 0 ? undefined : 2, lost]);
});

const BESIDE = [
  "Start: { field: time }",
  'Time: { field: duration, format: "mm:ss" }',
  'El: { field: elapsed, format: "mm:ss" }',
  "End: { field: end }",
];

test.each([
  ["differ from it", "7:00,25:10,26:00,9:00", [["elapsed time", "26:00", undefined], ["end", "9:00", undefined]]],
  ["are nearly it", "7:00,25:10,25:10,7:25", []],
  ["can't be read", "7:00,25:10,27:75,9:9x", [["elapsed time", "27:75", "minor"], ["end", "9:9x", "minor"]]],
  ["have no start", ",25:10,,7:25", [["end", "7:25", undefined]]],
  ["say that there are none", "7:00,25:10,-,n/a", []],
])("the other times beside a duration are lost by name where they %s", async (_, row, lost) => {
  expect(await read("Start,Time,El,End", row, BESIDE)).toMatchObject({ duration: 1510, lost });
}); // biome-ignore format: a table

test("of the moving and the elapsed time, one that can't be read is lost by name", async () => {
  const columns = ['Mov: { field: moving, format: "mm:ss" }', 'El: { field: elapsed, format: "mm:ss" }'];
  expect(await read("Mov,El", "26:00,27:75", columns)).toMatchObject({
    duration: 1560,
    lost: [["elapsed time", "27:75", "minor"]],
  });
});

test("a value of all workouts of a row is lost by name, and a duration that none of them has counts as unread", async () => {
  const { values } = await readMapped(
    ["Date,AM km,PM km,Time,HR", "2024-03-05,5,7,1:02:30,148"],
    ["Date: { field: date }", "km: { field: distance, unit: km }", 'Time: { field: duration, format: "h:mm:ss" }', "HR: { field: avgHR }"],
    { more: "layout: { repeat: { km: [AM km, PM km] }, shared: [Time, HR] }" },
  );
  expect(values.map(({ distance, duration, unsupported = [] }) => [distance?.value, duration, unsupported.map(({ field, value, isUnread }) => [field, value, isUnread])])).toEqual([
    [5, undefined, [["duration", "1:02:30", true], ["HR", "148", "minor"]]],
    [7, undefined, []],
  ]);
}); // biome-ignore format: a table
