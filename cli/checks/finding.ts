/** The findings of `doctor`, one check each. */
import type { ExitName } from "../errors/exit-codes.ts";

/** `good`; `look`: works, and is worth knowing; `bad`: must be mended; `unknown`: can't be checked, because of another problem. */
export type FindingState = "good" | "look" | "bad" | "unknown";

/** The result of one check. */
export interface Finding {
  /** The subject of the check, in a word or two: `clock`. */
  readonly check: string;
  readonly state: FindingState;
  /** The finding, for people; never a token. */
  readonly found: string;
  readonly remedy?: string;
  /** The exit code, if this is the first bad finding. */
  readonly exit?: ExitName;
}
