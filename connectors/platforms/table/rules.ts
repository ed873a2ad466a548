/**
 * The rules of a mapping: which rows are no workouts, and which cells stand for something else. Patterns come from a file that may be
 * a stranger's, so an engine runs them that takes time by the length of the cell and never more.
 */
import { PATTERN_CHARACTERS } from "./limits.ts";
import type { Mapping } from "./mapping.ts";
import { compile } from "./pattern.ts";

type Rule = Mapping["rows"][number];

/** Gives the first rule that a row meets, or undefined. */
export type MatchRule = (cellOf: (column: string) => string) => Pick<Rule, "skip" | "set"> | undefined;

/** Makes the rules of a mapping ready. A pattern looks at the first 200 characters of a cell, in any letter case. */
export function ruleMatcher(rules: readonly Rule[]): MatchRule {
  const ready = rules.map((rule) => ({ rule, pattern: compile(rule.when.matches) }));
  return (cellOf) =>
    ready.find(({ rule, pattern }) => pattern.test(cellOf(rule.when.column).slice(0, PATTERN_CHARACTERS)))?.rule;
}
