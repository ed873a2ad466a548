/**
 * Completes the commands that a message suggests, for a person who works with another profile or journal than the usual one. Pasted without
 * those options, the commands would go to somebody else's log.
 */
import { shellWord } from "../transforms/text/shell.ts";
import type { Output } from "./terminal/output.ts";

/** Options of a command line that the next command needs, too. */
export interface TypedOptions {
  readonly profile?: string | undefined;
  readonly journal?: string | undefined;
}

const NAMES = ["profile", "journal"] as const;

const LOG_ONLY = ["export", "backup", "schedule", "batch", "login"];
const JOURNAL_AND_LOG =
  "promote plan import apply status history explain quarantine retry undo verify certify restore whoami doctor".split(
    " ",
  );

/**
 * The commands that take each option, and that need it: a command that works without a log ignores the profile. The commands' own tables say
 * the same, which a test checks. Loading all of them would double the time until the first line.
 */
export const COMMANDS_WITH: Readonly<Record<(typeof NAMES)[number], readonly string[]>> = {
  profile: [...LOG_ONLY, ...JOURNAL_AND_LOG],
  journal: JOURNAL_AND_LOG,
};

/** The same output. Every command that it suggests gets the options that the person typed. */
export function withTypedOptions(output: Output, options: TypedOptions): Output {
  const typed = NAMES.filter((name) => options[name] !== undefined);
  if (typed.length === 0) return output;
  const complete = (line: string) => completed(line, options, typed);
  return {
    ...output,
    say: (...lines) => output.say(...lines.map(complete)),
    conclude: (...lines) => output.conclude(...lines.map(complete)),
    warn: (...lines) => output.warn(...lines.map(complete)),
    remark: (...lines) => output.remark(...lines.map(complete)),
  };
}

function completed(line: string, options: TypedOptions, typed: readonly (typeof NAMES)[number][]): string {
  return line.replaceAll(SUGGESTED, (words: string, name: string) => {
    const missing = typed.filter((option) => COMMANDS_WITH[option].includes(name) && !line.includes(`--${option} `));
    return [words, ...missing.map((option) => `--${option} ${shellWord(options[option] ?? "")}`)].join(" ");
  });
}

const SUGGESTED = /\blogferry ([a-z]+)\b/g;
