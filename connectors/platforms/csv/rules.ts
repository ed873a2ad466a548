/**
 * The rules of a mapping: which rows are no workouts, and which cells stand for something else. Patterns come from a file, so they
 * are short, see the beginning of a cell only, and are stopped when one of them runs away.
 */
import { createContext, Script } from "node:vm";
import { FatalError } from "../../errors.ts";
import { PATTERN_CHARACTERS } from "./limits.ts";
import type { Mapping } from "./mapping.ts";

type Rule = Mapping["rows"][number];

/**
 * How long the rules may compute on one row. A sound pattern takes some millionths of a second; on a busy machine it may have to
 * wait a good part of one for its turn, which is not its fault.
 */
const TIME_LIMIT_MS = 100;

/** Gives the first rule that a row meets, or undefined. */
export type MatchRule = (cellOf: (column: string) => string) => Rule | undefined;

/**
 * Makes the rules ready.
 *
 * @param name of the mapping file, for the message
 * @throws FatalError `csv/slow-pattern`, from the function returned, when a pattern takes longer than a moment on one row
 */
export function ruleMatcher(name: string, rules: readonly Rule[]): MatchRule {
  if (rules.length === 0) return () => undefined;
  const patterns = rules.map(({ when }) => new RegExp(when.matches, "i"));
  const context = createContext({ patterns, cells: [] as string[] });
  // Only inside a script can a running pattern be stopped.
  const script = new Script("patterns.findIndex((pattern, index) => pattern.test(cells[index]))");
  return (cellOf) => {
    context.cells = rules.map(({ when }) => cellOf(when.column).slice(0, PATTERN_CHARACTERS));
    const before = process.threadCpuUsage();
    for (;;) {
      try {
        return rules[script.runInContext(context, { timeout: TIME_LIMIT_MS }) as number];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
        const { user, system } = process.threadCpuUsage(before);
        if ((user + system) / 1000 < TIME_LIMIT_MS / 2) continue;
        throw new FatalError("csv/slow-pattern", "source", `Cannot use the rules of ${name}: a pattern takes too long`);
      }
    }
  };
}
