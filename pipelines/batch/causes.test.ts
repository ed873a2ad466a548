import { expect, test } from "vitest";
import { causesOf } from "./causes.ts";

test("records that came into a log after its plan are one cause, whatever the log calls them", () => {
  const records = ["b1", "b2", "b3"].map((id) => ({
    ...({ state: "failed", kind: "workout", rule: "plan/log-changed", file: "watch.zip" } as const),
    found: `plan/log-changed: since the plan was made, the log has ${id}. Not sent, so that it isn't there twice. Plan again`,
  }));
  expect(causesOf([{ athlete: "Ana", records }], "roster.csv")).toEqual([
    expect.objectContaining({
      what: "they came into the log after the plan was made, and were not sent a second time",
      records: 3,
      remedy: "Plan again: logferry batch roster.csv --retry-failed",
    }),
  ]);
});
