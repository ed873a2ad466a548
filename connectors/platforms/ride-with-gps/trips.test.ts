import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { rideWithGps } from "./table.ts";

const trip = (id: number, more: object) => ({ id, departed_at: `2015-06-0${id}T09:00:00+02:00`, ...more });

test.each([
  ["some trips of a list", [trip(1, { is_gps: true, duration: 3600 }), trip(2, { duration: "1:00:00" })]],
  ["all trips of a list", { results: [trip(1, { duration: 3600 }), trip(2, { duration: 3600, visibility: 1 })] }],
])("%s may say nothing of GPS, and are read", async (_, list) => {
  const { readings } = await readAll(rideWithGps, memoryArchive("a", { "trips.json": JSON.stringify(list) }));
  expect(readings).toMatchObject([
    { key: "ride-with-gps:workout:1", value: { activity: "bike", duration: 3600 } },
    { key: "ride-with-gps:workout:2", value: { activity: "bike", duration: 3600 } },
  ]);
});
