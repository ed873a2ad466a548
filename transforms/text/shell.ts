/**
 * Words of a command that a person pastes into a shell. Archives, rosters and services choose some of them (the name of a sport, of an
 * athlete, of a folder), so a shell must read each as plain text, whatever stands in it.
 */
import { hasUnprintable } from "./printable.ts";

/** What no shell takes for special. A leading `=` is special to zsh, a leading `~` to every shell. */
const PLAIN = /^[\w./:@%+,-][\w./:@%+,=-]*$/;

/** The most characters that a suggested word may have: a longer one is typed by nobody and fills the screen. */
const LONGEST = 120;

/**
 * A word as sh, bash and zsh read it back, to the letter: bare where nothing in it is special, else in single quotes.
 *
 * Source: POSIX.1-2024, Shell Command Language, 2.2.2 "Single-Quotes"
 */
export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/**
 * Whether a word can be part of a suggested command: short enough, and free of what a terminal doesn't show. Suggest the config file or
 * a record's id instead of a word that can't.
 */
export function canBePasted(word: string): boolean {
  return word.length <= LONGEST && !hasUnprintable(word);
}

/** `--sport 'Nordic Walking=ACTIVITY'`, or the place in the config file for a name that can't be pasted. */
export function sportSetting(name: string): string {
  const inConfig = '"sports" in the config file';
  if (!canBePasted(name)) return inConfig;
  // After a blank, a name that begins with a dash would be read as an option.
  return `${inConfig}, or --sport${name.startsWith("-") ? "=" : " "}${shellWord(`${name}=ACTIVITY`)}`;
}

/** The option that trusts an athlete, as it is pasted. */
export function trustOption(athlete: string): string {
  return `--trust ${canBePasted(athlete) ? shellWord(athlete) : "NAME"}`;
}
