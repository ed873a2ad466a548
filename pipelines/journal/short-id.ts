/** A short name for a record, to type. It is the same in every run, because it comes from the record's key. */
import { createHash } from "node:crypto";

/** Number of hexadecimal digits. Among ten thousand records, some pair shares six digits. More digits then distinguish the two. */
const DIGITS = 6;

/** All digits of a record's name. A person may type any number of them. */
export function longId(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}

/** The name that people see: `5f3a2c`. */
export function shortId(key: string): string {
  return longId(key).slice(0, DIGITS);
}

/** Whether a text may be such a name, with fewer or more digits. */
export function isShortId(word: string): boolean {
  return /^[0-9a-f]{4,32}$/.test(word);
}

/** Whether a person means a record by a word: its key, or the beginning of its name. */
export function isNamedBy(word: string, key: string): boolean {
  return word === key || (isShortId(word) && longId(key).startsWith(word));
}
