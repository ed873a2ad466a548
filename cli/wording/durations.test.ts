import { expect, test } from "vitest";
import { durationMs } from "./durations.ts";

test.each([
  ["90m", 5_400_000],
  ["2h", 7_200_000],
  ["1h30m", 5_400_000],
  ["2h30m", 9_000_000],
  ["3600s", 3_600_000],
  ["1d", 86_400_000],
  ["1h0m5s", 3_605_000],
  ["2H", 7_200_000],
  ["0s", 0],
  ["0", 0],
])("%s is %d ms", (text, ms) => expect(durationMs(text)).toBe(ms));

test.each(["", "90", "m", "1.5h", "30m2h", "-5m", "2 h", "1h1h", "forever", "1e3s", "99999999d"])(
  "%j is no duration",
  (text) => expect(durationMs(text)).toBeUndefined(),
);
