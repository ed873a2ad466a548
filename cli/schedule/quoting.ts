/** Quotes the words of a command line for a systemd unit and for a crontab. Each has its own special characters. */
import { hasUnprintable } from "../../transforms/text/printable.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { UsageError } from "../errors/exit-codes.ts";

/**
 * A command line for `ExecStart=`. Specifiers begin with `%`, variables with `$` (except in the program's own name).
 *
 * Source: systemd.service(5), "Command lines"; systemd.syntax(7), "Quoting"
 * @throws UsageError for words that can't be in a line
 */
export function systemdLine(words: readonly string[]): string {
  return words.map((word, index) => systemdWord(index === 0 ? word : word.replaceAll("$", "$$$$"))).join(" ");
}

/** A word in double quotes, for `ExecStart=` and `Environment=`. */
export function systemdWord(word: string): string {
  return `"${inOneLine(word).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
}

/** Text after `Description=`. */
export function systemdText(text: string): string {
  return inOneLine(text).replaceAll("%", "%%").replaceAll("\\", "\\\\");
}

/** Longest command of a crontab's line, in bytes: Vixie's cron and its kin refuse a longer one. */
const LONGEST_COMMAND = 990;

/**
 * A command for a line of a crontab. It is for `/bin/sh`, and escapes `%`, which is special to cron itself. Every cron reads a backslash
 * differently, so a word with a backslash is refused.
 *
 * Source: crontab(5)
 * @throws UsageError for words that can't be in a line
 */
export function crontabCommand(words: readonly string[], variables: Readonly<Record<string, string>> = {}): string {
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${cronWord(value)}`);
  const line = [...assignments, ...words.map(cronWord)].join(" ").replaceAll("%", "\\%");
  const bytes = Buffer.byteLength(line);
  if (bytes <= LONGEST_COMMAND) return line;
  throw new UsageError(
    `Cannot write to the crontab: the command would have ${bytes} bytes, and cron takes ${LONGEST_COMMAND}. Put settings into the config file, or use --with systemd`,
  );
}

/** A word for the shell that cron starts. */
function cronWord(word: string): string {
  if (inOneLine(word).includes("\\")) {
    throw new UsageError(
      `Cannot write ${JSON.stringify(word)} to the crontab: every cron reads a backslash otherwise. Use another name, or --with systemd`,
    );
  }
  return shellWord(word);
}

function inOneLine(word: string): string {
  if (!hasUnprintable(word)) return word;
  throw new UsageError(`Cannot schedule with ${JSON.stringify(word)}: it holds what can't stand in a line`);
}
