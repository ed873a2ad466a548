/** The commands that the guide runs for a person, and how it shows them. */
import { join, sep } from "node:path";
import { shellWord } from "../../transforms/text/shell.ts";
import { kebab, type OptionName, type OptionValues } from "../arguments/options.ts";
import type { Asking } from "./asking.ts";

/** A command line of logferry. */
export interface Step {
  /** Without `logferry`. */
  readonly words: readonly string[];
  /** The file that gets the output. It must not exist yet. */
  readonly into?: string;
}

/** What a step needs. */
export interface Runner {
  readonly ask: Asking;
  /** The person's home folder. */
  readonly home: string;
  /** Runs a command to its end. @returns its exit code */
  readonly run: (step: Step) => Promise<number>;
}

/** The step as a person types it: `logferry inspect ~/Downloads/export_123.zip`. */
export function typed({ words, into }: Step, home: string): string {
  const line = ["logferry", ...words.map((word) => homeWord(word, home))].join(" ");
  return into === undefined ? line : `${line} > ${homeWord(into, home)}`;
}

/** Says which command comes, and runs it. @returns its exit code */
export async function take({ ask, home, run }: Runner, does: string, step: Step): Promise<number> {
  ask.say(does, `This is: ${typed(step, home)}`);
  return await run(step);
}

/** Whether a command did its work. It may have found things that need a look. */
export function isOver(code: number): boolean {
  return code === 0 || code === 3 || code === 7;
}

/** Options as words of a command line. */
export function optionWords(options: OptionValues): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${kebab(name as OptionName)}`;
    if (value === false || value === undefined) return [];
    if (value === true) return [flag];
    return [value].flat().flatMap((one) => {
      const word = String(one);
      // The parser would read such a value as the next option.
      return word.startsWith("-") ? [`${flag}=${word}`] : [flag, word];
    });
  });
}

/** A path as a person typed it, whole: `~/watch` without the tilde, which only a shell understands. */
export function whole(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
}

/** A word for a shell, with a tilde for the home folder. */
function homeWord(word: string, home: string): string {
  const [, at = "", path = ""] = /^(@?)(.*)$/s.exec(word) ?? [];
  // After an @, a shell leaves the tilde as it is.
  if (at !== "" || !path.startsWith(home + sep)) return shellWord(word);
  return `~/${shellWord(path.slice(home.length + 1))}`;
}
