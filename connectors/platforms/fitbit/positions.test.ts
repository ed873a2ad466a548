import { expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { positions } from "./positions.ts";

const HEADER = "timestamp,latitude,longitude,altitude,data source\n";
const FROM = Date.parse("2026-07-11T23:59:00Z");

async function read(files: Readonly<Record<string, string>>) {
  const archive = memoryArchive("a", files);
  const { points } = await positions.track(archive, [...archive.entries()], { from: FROM, until: FROM + 120_000 });
  return points.map(({ instant = 0, position, elevation }) => [(instant - FROM) / 1000, position?.lat, elevation]);
}

test("a track goes on in the next day's file, in the order of its times, and begins and ends with its workout", async () => {
  const first =
    "2026-07-11T23:59:30Z,48.2,16.4,170.5,App\n2026-07-11T23:58:59Z,48.1,16.4,170,App\n2026-07-11T23:59:00Z,48.15,16.4,,App\n";
  const second = "2026-07-12T00:01:00Z,48.4,16.4,171,App\n2026-07-12T00:00:10.250Z,48.3,16.4,171,App\n";
  expect(await read({ "1.csv": HEADER + first, "2.csv": HEADER + second })).toEqual([
    [0, 48.15, undefined],
    [30, 48.2, 170.5],
    [70.25, 48.3, 171],
  ]);
});

test("of several devices the one with most points counts, alone", async () => {
  const watch = "2026-07-11T23:59:01Z,48.21,16.4,1,Watch\n2026-07-11T23:59:02Z,48.22,16.4,2,Watch\n";
  const phone = "2026-07-11T23:59:01Z,48.9,16.4,9,Phone\n";
  expect(await read({ "1.csv": HEADER + phone + watch })).toEqual([
    [1, 48.21, 1],
    [2, 48.22, 2],
  ]);
});

test("lines without a time or a place are passed over, and a file of another kind gives nothing", async () => {
  const lines = "x,48.2,16.4,1,App\n2026-07-11T23:59:01Z,,16.4,1,App\n2026-07-11T23:59:02Z,91,16.4,1,App\n";
  expect(await read({ "1.csv": HEADER + lines, "2.csv": "a,b\n1,2\n", "3.csv": "" })).toEqual([]);
});
