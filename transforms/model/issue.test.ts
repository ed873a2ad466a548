import { expect, test } from "vitest";
import { withoutRule, withRuleLast } from "./issue.ts";

test("what happened comes first, the name of the rule last", () => {
  expect(withRuleLast('log.csv line 3: csv/bad-date (Date is "31 Feb", expected a date)', "csv/bad-date")).toBe(
    'log.csv line 3: Date is "31 Feb", expected a date (csv/bad-date)',
  );
  expect(withRuleLast("log.csv: csv/empty", "csv/empty")).toBe("log.csv: csv/empty");
});

test("under a heading that names the rule, the rule is not repeated", () => {
  expect(withoutRule("csv/bad-date (Date is missing (twice))", "csv/bad-date")).toBe("Date is missing (twice)");
  expect(withoutRule("csv/bad-number (Distance is missing)", "csv/bad-date")).toBe(
    "csv/bad-number (Distance is missing)",
  );
});
