/** What `doctor` finds, one thing at a time. */
import type { ExitName } from "../errors/exit-codes.ts";

/** `good`; `look`: works, and is worth knowing; `bad`: must be mended; `unknown`: can't be told, for another reason than its own. */
export type FindingState = "good" | "look" | "bad" | "unknown";

/** The result of one check. */
export interface Finding {
  /** What was looked at, in a word or two: `clock`. */
  readonly check: string;
  readonly state: FindingState;
  /** What was found, for people; never a token. */
  readonly found: string;
  /** What to do about it. */
  readonly remedy?: string;
  /** What the exit code says when this is the first thing that is bad. */
  readonly exit?: ExitName;
}
