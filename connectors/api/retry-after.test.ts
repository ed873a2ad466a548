import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

test.each([
  ["3", undefined, 3000],
  [" 120 ", undefined, 120_000],
  ["0", undefined, 0],
  ["999999", undefined, 999_999_000],
  ["Thu, 01 Jan 2026 00:00:07 GMT", undefined, 7000],
  ["Wed, 31 Dec 2025 23:59:00 GMT", undefined, 0],
  // The server's clock is an hour ahead of ours, then an hour behind. The pause is ten seconds in both cases.
  ["Thu, 01 Jan 2026 01:00:10 GMT", "Thu, 01 Jan 2026 01:00:00 GMT", 10_000],
  ["Wed, 31 Dec 2025 23:00:10 GMT", "Wed, 31 Dec 2025 23:00:00 GMT", 10_000],
  ["Thu, 01 Jan 2026 00:00:07 GMT", "nonsense", 7000],
])("Retry-After %j with Date %j is %d ms", (header, date, expected) => {
  expect(retryAfterMs(header, date, NOW)).toBe(expected);
});

test.each(["soon", "-5", "", "3.5", "12345678901234567890", undefined])("Retry-After %j says nothing", (header) => {
  expect(retryAfterMs(header, undefined, NOW)).toBeUndefined();
});
