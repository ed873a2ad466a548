/**
 * Completes the commands that a message suggests, for a person who works with another profile or journal than the usual one. Pasted without
 * those options, the commands would go to somebody else's log.
 */
import { shellWord } from "../transforms/text/shell.ts";
import type { Command } from "./arguments/command.ts";
import { loadCommands } from "./commands/index.ts";
import type { Output } from "./terminal/output.ts";

/** Options of a command line that the next command needs, too. */
export interface TypedOptions {
  readonly profile?: string | undefined;
  readonly journal?: string | undefined;
}

const NAMES = ["profile", "journal"] as const;

/** The same output. Every command that it suggests gets the options that the person typed. */
export async function withTypedOptions(output: Output, options: TypedOptions): Promise<Output> {
  const typed = NAMES.filter((name) => options[name] !== undefined);
  if (typed.length === 0) return output;
  const commands = await loadCommands();
  const complete = (line: string) => completed(line, options, typed, commands);
  return {
    ...output,
    say: (...lines) => output.say(...lines.map(complete)),
    conclude: (...lines) => output.conclude(...lines.map(complete)),
    warn: (...lines) => output.warn(...lines.map(complete)),
    remark: (...lines) => output.remark(...lines.map(complete)),
  };
}

function completed(
  line: string,
  options: TypedOptions,
  typed: readonly (typeof NAMES)[number][],
  commands: readonly Command[],
): string {
  return line.replaceAll(SUGGESTED, (words: string, name: string) => {
    const command = commands.find((one) => one.name === name);
    const missing = typed.filter((option) => takes(command, option) && !line.includes(`--${option} `));
    return [words, ...missing.map((option) => `--${option} ${shellWord(options[option] ?? "")}`)].join(" ");
  });
}

/** Every command takes the profile, but a command that works without a log ignores it. */
function takes(command: Command | undefined, option: (typeof NAMES)[number]): boolean {
  if (command === undefined || !command.options.some((one) => one === "journal" || one === "url")) return false;
  return option === "profile" || command.options.includes(option);
}

const SUGGESTED = /\blogferry ([a-z]+)\b/g;
