import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { suunto } from "./table.ts";

async function read(log: object) {
  const bytes = Buffer.from(JSON.stringify(log));
  const { readings } = await readAll(suunto, memoryArchive("s", { "log.json": bytes }));
  return readings.map((each) => (each.kind === "workout" ? each.value : each.kind));
}

test("a log full of nulls is a workout with what is left", async () => {
  const Header = {
    DateTime: "2018-03-13T17:57:02+01:00",
    Duration: 60,
    PauseDuration: null,
    Distance: null,
    ActivityType: 3,
  };
  expect(await read({ DeviceLog: { Header, Windows: null, Samples: null, "R-R": null, Device: null } })).toMatchObject([
    { activity: "run", duration: 60, start: { time: "17:57:02", offsetMinutes: 60 } },
  ]);
});

test("pauses as long as the workout don't make its time zero", async () => {
  const Header = { DateTime: "2018-03-13T17:57:02+01:00", Duration: 60, PauseDuration: 60 };
  expect(await read({ DeviceLog: { Header } })).toMatchObject([{ duration: 60 }]);
});

test("a log without a head waits", async () => {
  expect(await read({ DeviceLog: { Windows: [] } })).toEqual(["set-aside"]);
});

test("two SML logs at one wall clock of the night when the clocks go back are two", async () => {
  const log = (utc: string, metres: number) =>
    `<sml><DeviceLog><Header><Duration>1800</Duration><Distance>${metres}</Distance><ActivityType>3</ActivityType>` +
    `<DateTime>2014-10-26T02:30:00</DateTime></Header><Samples><Sample><UTC>${utc}</UTC><Time>0</Time></Sample></Samples></DeviceLog></sml>`;
  const files = { "a.sml": log("2014-10-26T00:30:00Z", 5000), "b.sml": log("2014-10-26T01:30:00Z", 5600) };
  const { readings } = await readAll(suunto, memoryArchive("s", files));
  expect(readings.map((each) => (each.kind === "workout" ? each.value.start.offsetMinutes : each.kind))).toEqual([
    120, 60,
  ]);
});
