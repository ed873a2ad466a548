/**
 * Preloaded into a process (`node --import`), this makes its wall clock jump by JUMP_MS milliseconds once the file JUMP_WHEN is there. It is as if
 * somebody or the network set the clock. Code that uses the monotonic clock doesn't notice.
 */
import { existsSync } from "node:fs";

const { JUMP_WHEN = "", JUMP_MS = "0" } = process.env;
const real = Date.now;
let hasJumped = false;

Date.now = () => {
  hasJumped ||= existsSync(JUMP_WHEN);
  return real() + (hasJumped ? Number(JUMP_MS) : 0);
};
