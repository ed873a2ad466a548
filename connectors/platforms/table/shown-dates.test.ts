import { expect, test } from "vitest";
import { growth, LINEAR } from "../../../test/support/growth.ts";
import { parseShownDate as parseActivityDate } from "./shown-dates.ts";

test.each([
  ["May 29, 2022, 3:53:35 PM", "2022-05-29T15:53:35Z"],
  ["May 29, 2022, 3:53:35\u00a0PM", "2022-05-29T15:53:35Z"],
  ["May 29, 2022, 3:53:35\u202fPM", "2022-05-29T15:53:35Z"],
  ["Jan 1, 2020, 12:00:05 AM", "2020-01-01T00:00:05Z"],
  ["Jan 1, 2020, 12:00:05 PM", "2020-01-01T12:00:05Z"],
  ["24 Dec 2020, 08:13:59", "2020-12-24T08:13:59Z"],
  ["29.05.2022, 15:53:35", "2022-05-29T15:53:35Z"],
  ["28 août 2026, 17:33:44", "2026-08-28T17:33:44Z"],
  ["27 juil. 2026, 17:33:44", "2026-07-27T17:33:44Z"],
  ["1 févr. 2025, 00:00:00", "2025-02-01T00:00:00Z"],
  ["6 mrt. 2024, 14:23:15", "2024-03-06T14:23:15Z"],
  ["2018-09-12 15:02:23", "2018-09-12T15:02:23Z"],
])("%s is UTC, whatever its language", (text, instant) => {
  expect(parseActivityDate(text)).toBe(Date.parse(instant));
});

test.each([
  "",
  "12/11/20 11:59",
  "Feb 30, 2022, 3:53:35 PM",
  "May 29, 2022, 13:53:35 PM",
  "May 29, 2022, 3:60:35 PM",
  "Mayday 29, 2022, 3:53:35 PM",
  "May 29, 2022",
  "1653839615",
])("%j is not taken for a date", (text) => {
  expect(parseActivityDate(text)).toBeUndefined();
});

test.each(["1", ".", " ", "May ", "\u202f"])("a cell of %j over and over costs by its length", async (piece) => {
  expect(await growth((count) => piece.repeat(count), parseActivityDate, 32_768)).toBeLessThanOrEqual(LINEAR);
});
