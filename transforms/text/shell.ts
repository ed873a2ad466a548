/**
 * Words of a command that a person pastes into a shell. Archives, rosters and services choose some of these words (the name of a sport, of
 * an athlete, of a folder). So a shell must read each word as plain text, whatever it contains.
 */
import { hasUnprintable } from "./printable.ts";

/** Words without characters that are special to a shell. A leading `=` is special to zsh, and a leading `~` to every shell. */
const PLAIN = /^[\w./:@%+,-][\w./:@%+,=-]*$/;

/** The most characters of a suggested word. A longer word fills the screen, and a person can't type it. */
const LONGEST = 120;

/**
 * Writes a word so that sh, bash and zsh read back exactly this word. A word without special characters stays as it is, and any other word
 * gets single quotes.
 *
 * Source: POSIX.1-2024, Shell Command Language, 2.2.2 "Single-Quotes"
 */
export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/**
 * Whether a suggested command may contain a word: it is short enough, and a terminal shows every character of it. For other words, suggest
 * the config file or a record's id.
 */
export function canBePasted(word: string): boolean {
  return word.length <= LONGEST && !hasUnprintable(word);
}

/** The most names of sources in a suggested command. */
const MOST_NAMES = 6;

/** The names of sources in a suggested command: `strava 'my log.csv'`. If there are too many, or one can't be pasted, the `otherwise` words. */
export function namesInCommand(names: readonly string[], otherwise: string, most = MOST_NAMES): string {
  return names.length <= most && names.every(canBePasted) ? names.map(shellWord).join(" ") : otherwise;
}

/** `--sport 'Nordic Walking=ACTIVITY'`, or the place in the config file for a name that can't be pasted. */
export function sportSetting(name: string): string {
  const inConfig = '"sports" in the config file';
  if (!canBePasted(name)) return inConfig;
  // After a blank, the parser would read a name with a leading dash as an option.
  return `${inConfig}, or --sport${name.startsWith("-") ? "=" : " "}${shellWord(`${name}=ACTIVITY`)}`;
}

/** The option that trusts an athlete, ready to paste. */
export function trustOption(athlete: string): string {
  return `--trust ${canBePasted(athlete) ? shellWord(athlete) : "NAME"}`;
}
