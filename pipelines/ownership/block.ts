/** The reasons for blocking an athlete of a batch. logferry writes nothing for a blocked athlete. Their status is `held`. */
import type { AccountRef } from "../journal/remote-record.ts";
import type { Expected, LogOwner } from "../log/owner.ts";
import type { OwnerEvidence } from "./evidence.ts";
import type { Member } from "./memory.ts";

/** An athlete, with everything known before anything is written. */
export interface Suspect {
  /** The coach's name for the athlete. */
  readonly athlete: string;
  /** As in `Remembered`. */
  readonly member?: Member;
  /** Names that the person may have, besides the names in the log. Default: the athlete's name. Empty when only a screen name is known. */
  readonly called?: readonly string[];
  /** The expected owner of the log. */
  readonly expects: Expected;
  /** The user of the token; undefined when the token was refused or not used. */
  readonly owner?: LogOwner;
  readonly account?: AccountRef;
  /** A hash of the token. Two logs without a name are the same log if their tokens are equal. */
  readonly tokenHash?: string;
  /** Undefined when the archives can't be read. */
  readonly evidence?: OwnerEvidence;
}

/** The rules that block an athlete. */
export type BlockRule =
  | "other-owner"
  | "unknown-owner"
  | "same-log"
  | "other-log"
  | "same-archive"
  | "same-workouts"
  | "other-person"
  | "shared-device"
  | "weight"
  | "heart-rate"
  | "home";

/** The reason for blocking an athlete. */
export interface Block {
  readonly athlete: string;
  readonly rule: BlockRule;
  /** The contradiction with its numbers, in one sentence without a full stop, safe to print. */
  readonly says: string;
  /** Identifies this contradiction in later runs too. logferry remembers trusted contradictions by this key. */
  readonly key: string;
  /** The other athlete that the contradiction points to. */
  readonly with?: string;
  /** Set when no flag can override the block. */
  readonly final?: true;
}
