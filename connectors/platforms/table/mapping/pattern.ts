/** Checks the regular expressions of a mapping file. They are matched in linear time. */
import { RE2JS, RE2JSSyntaxException } from "re2js";
import { printable } from "../../../../transforms/text/printable.ts";
import { PATTERN_STEPS } from "./limits.ts";

/**
 * Why a pattern can't be used, in words; undefined if it can. RE2 has no look-around and no back-references, because these can't be matched
 * in linear time. It repeats a part at most a thousand times, and its time grows with the repetitions, so they are capped.
 */
export function patternProblem(source: string): string | undefined {
  try {
    return tooLarge(compile(source).programSize());
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    // The engine adds the letter case to the pattern that it got.
    return problemAt((error.getPattern() ?? source).replace(/^\(\?i\)/, ""), error.getDescription());
  }
}

function tooLarge(steps: number): string | undefined {
  if (steps <= PATTERN_STEPS) return undefined;
  return `expected a smaller pattern: it has ${steps} steps, and may have ${PATTERN_STEPS}. A repetition counts as often as it may repeat, so write * or + instead of a count such as {0,1000}`;
}

/** The problem in words. @param piece the part of the pattern that the engine rejects. @param engineSays the engine's reason */
export function problemAt(piece: string, engineSays: string): string {
  const found = JSON.stringify(printable(piece, 40));
  const [, least, most] = /^\{(\d+),(\d+)\}$/.exec(piece) ?? [];
  if (least !== undefined && Number(least) > Number(most)) return `expected the smaller number first, found ${found}`;
  if (engineSays === "invalid repeat count")
    return `expected at most 1000 repetitions, those within one another multiplied, found ${found}`;
  if (/^(\(\?(?!P?<[a-z])|\\\d)/i.test(piece))
    return `expected a regular expression without look-ahead, look-behind and \\1, found ${found}`;
  return `expected a regular expression, found ${found}: ${engineSays}`;
}

/** A pattern that must fit a whole text, of several lines too. */
export function compileWhole(source: string): RE2JS {
  return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL);
}

/** The names of a pattern's groups, in their order. */
export function groupsOf(source: string): readonly string[] {
  return Object.entries(compileWhole(source).namedGroups())
    .sort(([, a], [, b]) => a - b)
    .map(([name]) => name);
}

/** The name of the column for a group. */
export function partName(column: string, group: string): string {
  return `${column}/${group}`;
}

/** A pattern that may fit a part of a text. It ignores upper and lower case. @throws RE2JSSyntaxException for a pattern that `patternProblem` refuses */
export function compile(source: string): RE2JS {
  return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
}
