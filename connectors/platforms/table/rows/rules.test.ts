import { expect, test } from "vitest";
import { growth, LINEAR } from "../../../../test/support/growth.ts";
import { patternProblem } from "../mapping/pattern.ts";
import { ruleMatcher } from "./rules.ts";

const rule = (matches: string) => ({ when: [{ column: "Day", matches }], skip: "a rest day" });

test.each(["^(a+)+$", "(a*)*b", "(.*a){20}", "(x+x+)+y"])(
  "the pattern %s costs by the number of rows, however a cell provokes it",
  async (matches) => {
    const match = ruleMatcher([rule(matches)]);
    const cell = `${"a".repeat(199)}!`;
    const rows = (count: number) => Array.from({ length: count }, () => cell);
    expect(await growth(rows, (cells) => cells.map((one) => match(() => one)), 200)).toBeLessThanOrEqual(LINEAR);
  },
);

test("a longer cell costs by its length, for a pattern that takes a common engine the square or worse", async () => {
  const match = ruleMatcher([rule("^(a+)+$")]);
  const cells = (length: number) => `${"a".repeat(length)}!`;
  expect(await growth(cells, (cell) => match(() => cell), 90)).toBeLessThanOrEqual(LINEAR);
});

test("the first rule that matches is taken, in any letter case, anywhere in the cell but where the pattern says", () => {
  const rules = [rule("^rest$"), rule("day\\b"), rule("ß|\\p{Lu}x")];
  const match = ruleMatcher(rules);
  expect(match(() => "Rest")).toBe(rules[0]);
  expect(match(() => "a rest DAY off")).toBe(rules[1]);
  expect(match(() => "Straße")).toBe(rules[2]);
  expect(match(() => "run")).toBeUndefined();
});

test("a rule with several conditions holds where a row meets each of them", () => {
  const rule = {
    when: [
      { column: "km", matches: "^-?$" },
      { column: "Time", matches: "^-?$" },
    ],
    skip: "nothing done",
  };
  const match = ruleMatcher([rule]);
  const row = (km: string, time: string) => match((column) => (column === "km" ? km : time));
  expect([row("", ""), row("-", ""), row("", "55:00"), row("10", "")]).toEqual([rule, rule, undefined, undefined]);
});

const WITHOUT = "expected a regular expression without look-ahead, look-behind and \\1, found";
const REPETITIONS = "expected at most 1000 repetitions, those within one another multiplied, found";

test.each([
  ["(", 'expected a regular expression, found "(": missing closing )'],
  ["[", 'expected a regular expression, found "[": missing closing ]'],
  ["a(?=b)", `${WITHOUT} "(?="`],
  ["(a)\\1", `${WITHOUT} "\\\\1"`],
  ["(?<!a)b", `${WITHOUT} "(?<!a)b"`],
  ["a{1001}", `${REPETITIONS} "{1001}"`],
  ["(a{500}){3}", `${REPETITIONS} "{3}"`],
  [
    "a{1000}",
    "expected a smaller pattern: it has 1002 steps, and may have 500. A repetition counts as often as it may repeat, so write * or + instead of a count such as {0,1000}",
  ],
  ["a{2,1}", 'expected the smaller number first, found "{2,1}"'],
])("%s is no pattern, and the reason is the right one", (source, problem) => {
  expect(patternProblem(source)).toBe(problem);
});

test.each(["a{400}", "(a{200}){2}", "^(rest|frei)$"])("%s is a pattern", (source) => {
  expect(patternProblem(source)).toBeUndefined();
});
