/**
 * Ids and tokens. Ids are 32 hexadecimal digits that sort by creation. So "in the order they were made" needs no column of its own in any
 * database. Tokens are 32 letters and digits (190 bits), and only their hash is kept.
 */
import { createHash, randomBytes, randomInt } from "node:crypto";

let lastMs = 0;
let count = 0;

/**
 * A new id: 12 digits of milliseconds, 4 of a counter within the millisecond, 16 random. Later calls of one process give greater ids,
 * even when the clock is set back.
 */
export function newId(nowMs: number = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    count = 0;
  } else if (++count > 0xffff) {
    lastMs++;
    count = 0;
  }
  return lastMs.toString(16).padStart(12, "0") + count.toString(16).padStart(4, "0") + randomBytes(8).toString("hex");
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** "Access token: at most 32 characters." */
export const TOKEN_LENGTH = 32;

/** A new access token, from the system's random source. Each letter is equally likely. */
export function newToken(): string {
  return Array.from({ length: TOKEN_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/** SHA-256 in hex: the form in which a token is stored. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
