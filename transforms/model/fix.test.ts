import { expect, test } from "vitest";
import { withFix } from "./fix.ts";

const VIENNA = { lat: 48.2, lon: 16.37 };
/** 2023-04-22 05:00 UTC. */
const INSTANT = Date.UTC(2023, 3, 22, 5);

test.each([
  ["a row keeps its time of day", { date: "2035-04-05", time: "08:00:00", basis: "source" }, { date: "2025-04-05" }, { date: "2025-04-05", time: "08:00:00", basis: "source" }],
  ["a row whose date can't be read keeps it, too", { time: "08:00:00" }, { date: "2025-04-05" }, { date: "2025-04-05", time: "08:00:00", basis: "source" }],
  ["a typed time of day counts", { date: "2035-04-05", time: "08:00:00" }, { date: "2025-04-05", time: "09:30:00" }, { date: "2025-04-05", time: "09:30:00", basis: "source", isTyped: true }],
  ["the very day of an instant in a known place changes nothing", { instant: INSTANT, position: VIENNA }, { date: "2023-04-22" }, { instant: INSTANT, position: VIENNA, date: "2023-04-22", time: "07:00:00", basis: "position" }],
  ["a zone beside the day of its instant gives the time of day", { instant: INSTANT }, { date: "2023-04-22", zone: "Asia/Tokyo" }, { instant: INSTANT, date: "2023-04-22", time: "14:00:00", basis: "named zone" }],
  ["a zone beside another day is nothing", { instant: INSTANT }, { date: "2023-05-01", zone: "Asia/Tokyo" }, { date: "2023-05-01", basis: "source" }],
  ["a watch whose clock was set to 1989 knows no time of day", { instant: Date.UTC(1989, 11, 31, 0, 5), position: VIENNA, date: "1989-12-31", time: "01:05:00" }, { date: "2023-04-22" }, { position: VIENNA, date: "2023-04-22", basis: "source" }],
  ["an instant without a zone has no time of day", { instant: INSTANT }, { date: "2023-04-22" }, { date: "2023-04-22", basis: "source" }],
] as const)("of a typed date %s", (_, start, fix, expected) => {
  expect(withFix({ start }, fix).start).toEqual(expected);
}); // biome-ignore format: a table
