import { expect, test } from "vitest";
import { shownOf } from "./doubt.ts";

test.each([
  [12, undefined, { from: 0, until: 12 }],
  [45, undefined, { from: 0, until: 20, more: "1 to 20 of 45 pairs.", pages: [{ label: "The next 20", from: 20 }] }],
  [
    45,
    { group: "pairs", from: 40 },
    { from: 40, until: 45, more: "41 to 45 of 45 pairs.", pages: [{ label: "The 20 before", from: 20 }] },
  ],
  // Another group keeps its first page. Beyond the last doubt the last page is shown.
  [45, { group: "records", from: 20 }, { from: 0, until: 20 }],
  [45, { group: "pairs", from: 900 }, { from: 40, until: 45 }],
])("of %i pairs, %j shows a page that leads to all others", (all, view, shown) => {
  expect(shownOf("pairs", all, "pair", view)).toMatchObject(shown);
});
