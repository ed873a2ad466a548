import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { adidasRunning } from "./table.ts";

const activity = (id: string, day: number, more: object) => ({
  ...{ id, sport_type_id: "1", duration: 1_200_000, start_time: Date.UTC(2022, 3, day, 10) },
  start_time_timezone_offset: 7_200_000,
  features: [{ type: "map", attributes: { trace_available: true, start_latitude: 38.5, ...more } }],
});
const GPX = `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
<trkpt lat="38.5" lon="-120.2"><time>2022-04-01T10:00:00Z</time></trkpt>
<trkpt lat="38.51" lon="-120.2"><time>2022-04-01T10:20:00Z</time></trkpt></trkseg></trk></gpx>`;

test("the drawing of a track is counted where no file has the track", async () => {
  const drawn = { encoded_trace: "_p~iF~ps|U_ulLnnqC" };
  const { readings, issues } = await readAll(
    adidasRunning,
    memoryArchive("a", {
      "Sport-sessions/a.json": JSON.stringify(activity("a", 1, drawn)),
      "Sport-sessions/GPS-data/a.gpx": GPX,
      "Sport-sessions/b.json": JSON.stringify(activity("b", 2, drawn)),
      "Sport-sessions/c.json": JSON.stringify(activity("c", 3, { trace_available: false })),
    }),
  );
  expect(issues).toEqual([]);
  expect(readings.map((each) => each.kind === "workout" && [each.key.at(-1), each.value.unsupported])).toEqual([
    ["a", undefined],
    ["b", [{ field: "drawing of the track", value: "yes" }]],
    ["c", undefined],
  ]);
});
