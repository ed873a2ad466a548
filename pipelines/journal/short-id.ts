/** A short name for a record, to type: the same in every run, since a record's key is. */
import { createHash } from "node:crypto";

/** Hexadecimal digits: among ten thousand records some two share six of them, and are then told apart by more. */
const DIGITS = 6;

/** Every digit a record's name can be typed with. */
export function longId(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}

/** The name people see: `5f3a2c`. */
export function shortId(key: string): string {
  return longId(key).slice(0, DIGITS);
}

/** Whether a word could be such a name, or the longer beginning of one. */
export function isShortId(word: string): boolean {
  return /^[0-9a-f]{4,32}$/.test(word);
}
