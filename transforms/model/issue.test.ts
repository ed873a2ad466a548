import { expect, test } from "vitest";
import { describeInLines, withoutRule, withRuleLast } from "./issue.ts";

test("what happened comes first, the name of the rule last", () => {
  expect(withRuleLast('log.csv line 3: csv/bad-date (Date is "31 Feb", expected a date)', "csv/bad-date")).toBe(
    'log.csv line 3: Date is "31 Feb", expected a date (csv/bad-date)',
  );
  expect(withRuleLast("log.csv: csv/empty", "csv/empty")).toBe("log.csv: csv/empty");
});

test("several findings have a line each, and then comes what to do", () => {
  const issue = { severity: "warning", rule: "plan/clocks-apart", expected: "clocks that agree" } as const;
  expect(describeInLines({ ...issue, found: "an hour", each: ["an hour"] })).toEqual([
    "an hour, expected clocks that agree (plan/clocks-apart)",
  ]);
  const each = ["an hour in May", "two hours in June"];
  const last = "expected clocks that agree (plan/clocks-apart)";
  expect(describeInLines({ ...issue, found: each.join("; "), each })).toEqual([
    "an hour in May",
    "  two hours in June",
    `  ${last}`,
  ]);
  expect(describeInLines({ ...issue, found: `perhaps one: ${each.join("; ")}`, each })).toEqual([
    "perhaps one:",
    "  an hour in May",
    "  two hours in June",
    `  ${last}`,
  ]);
});

test("under a heading that names the rule, the rule is not repeated", () => {
  expect(withoutRule("csv/bad-date (Date is missing (twice))", "csv/bad-date")).toBe("Date is missing (twice)");
  expect(withoutRule("csv/bad-number (Distance is missing)", "csv/bad-date")).toBe(
    "csv/bad-number (Distance is missing)",
  );
});
