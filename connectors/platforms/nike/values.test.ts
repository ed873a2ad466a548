import { expect, test } from "vitest";
import { lapsOf, withSplits } from "./values.ts";

const total = [{ metric: "distance", summary: "total", value: 2.5 }];
const at = (key: string, value: string, seconds: number) => ({ key, value, timestamp: 1_000_000 + seconds * 1000 });
const run = (moments: unknown, active = 750, summaries: unknown = total) =>
  withSplits({ start_epoch_ms: 1_000_000, active_duration_ms: active * 1000, moments, summaries });
const splitsOf = (moments: unknown, active?: number, summaries?: unknown) =>
  lapsOf(run(moments, active, summaries).splits).map(({ distance, timer }) => [distance?.value, timer]);

test("each kilometre is a split, and so is the rest; pauses don't count, in whatever order the moments stand", () => {
  const moments = [
    at("split_km", "2", 700),
    at("halt", "auto_resume", 460),
    at("split_km", "1", 300),
    at("halt", "auto_pause", 400),
    at("halt", "pause", 810),
    at("split_mile", "1", 560),
  ];
  expect(splitsOf(moments)).toEqual([
    [1000, 300],
    [1000, 340],
    [500, 110],
  ]);
});

test("a run with miles alone has miles, and without a total no rest", () => {
  expect(splitsOf([at("split_mile", "1", 480)], 750, [])).toEqual([[1609.344, 480]]);
});

test.each([
  ["one is missing", [at("split_km", "2", 300)]],
  ["two are at one moment", [at("split_km", "1", 300), at("split_km", "2", 300)]],
  ["there are none", [at("halt", "pause", 300), { key: "split_km", value: "1" }, 7]],
  ["it has no moments", undefined],
])("a run has no splits where %s", (_, moments) => {
  expect(splitsOf(moments)).toEqual([]);
});
