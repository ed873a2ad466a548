/** The front of the command line. It prints the list of commands itself, and loads everything else only for words that need it. */
import { asksForOverview, overview } from "./overview.ts";
import { packageVersion } from "./system/version.ts";

/**
 * Runs one command line.
 *
 * @param words without `node` and the script
 * @returns the exit code, from the table of `exit-codes.ts`
 */
export async function main(words: readonly string[]): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  if (words.length === 0 && isAtTerminal()) {
    const { openGuide } = await import("./guide/open.ts");
    return openGuide();
  }
  const text = shortAnswer(words);
  if (text === undefined) {
    const { runWords } = await import("./run-words.ts");
    return runWords(words);
  }
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Whether a person can be asked. A dumb terminal can't move its cursor, so questions would be unreadable there. */
function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== "dumb";
}

/** What needs no command: the list of commands and the version. */
function shortAnswer(words: readonly string[]): string | undefined {
  if (words.length === 1 && words[0] === "--version") return packageVersion();
  return asksForOverview(words) ? overview(process.stdout.columns) : undefined;
}

/** `logferry status | head` closes our output early, and so does a terminal. That is no reason to end an import, or to complain. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
}
