import { expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { goldenCheetah } from "./table.ts";

const ride = (time: string) =>
  `"RIDE":{"STARTTIME":"2016\\/07\\/01 ${time} UTC ","RECINTSECS":1,"TAGS":{"Sport":"Run "},"SAMPLES":[{"SECS":0,"KM":0},{"SECS":599,"KM":2}]}`;

test("the second ride of a file is as far from UTC as the first, whose local time is the file's name", async () => {
  const file = `{${ride("06:00:00")},\n${ride("06:10:00")}}`;
  const archive = memoryArchive("a", { "Athlete/activities/2016_07_01_08_00_00.json": file });
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const starts: unknown[] = [];
  for await (const reading of goldenCheetah.read(archive, context))
    if (reading.kind === "workout") starts.push(reading.value.start);
  expect(starts).toMatchObject([
    { date: "2016-07-01", time: "08:00:00", instant: Date.UTC(2016, 6, 1, 6) },
    { date: "2016-07-01", time: "08:10:00", instant: Date.UTC(2016, 6, 1, 6, 10) },
  ]);
});
