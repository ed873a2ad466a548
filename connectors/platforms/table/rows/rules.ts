/**
 * Applies the rules of a mapping: which rows are not workouts, and which cells get another value. A mapping file may come from a stranger.
 * So its patterns run in an engine that takes time linear in the length of the cell.
 */
import { fold } from "../mapping/fold.ts";
import { PATTERN_CHARACTERS } from "../mapping/limits.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { compile } from "../mapping/pattern.ts";

type Rule = Mapping["rows"][number];

/** Finds the first rule whose every condition a row meets; undefined if there is none. A cell that nobody knows meets no condition. */
export type MatchRule = (
  cellOf: (column: string) => string | undefined,
) => Partial<Pick<Rule, "skip" | "hold" | "set">> | undefined;

/** Prepares the rules of a mapping. A pattern sees the first 200 characters of a cell, and ignores letter case. */
export function ruleMatcher(rules: readonly Rule[]): MatchRule {
  const ready = rules.map((rule) => ({
    rule,
    conditions: rule.when.map(({ column, matches, isNot }) => ({ column, isMet: testOf(matches, isNot) })),
  }));
  return (cellOf) => {
    const meets = ({ column, isMet }: (typeof ready)[number]["conditions"][number]) => {
      const cell = cellOf(column);
      return cell !== undefined && isMet(cell);
    };
    return ready.find(({ conditions }) => conditions.every(meets))?.rule;
  };
}

/** The test of one cell. @param isNot a text that it must not be, whatever its case */
function testOf(matches: string | undefined, isNot: string | undefined): (cell: string) => boolean {
  if (matches === undefined) return (cell) => fold(cell) !== fold(isNot ?? "");
  const pattern = compile(matches);
  return (cell) => pattern.test(cell.slice(0, PATTERN_CHARACTERS));
}
