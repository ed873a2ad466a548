/** Why an athlete of a batch is blocked: nothing is written for them. Their status is `held`. */
import type { AccountRef } from "../journal/remote-record.ts";
import type { Expected, LogOwner } from "../log/owner.ts";
import type { OwnerEvidence } from "./evidence.ts";

/** An athlete with what is known before anything is written. */
export interface Suspect {
  /** As the coach calls them. */
  readonly athlete: string;
  /** Names the person may have besides what the log says; the athlete's where left out. None where a screen name is all there is. */
  readonly called?: readonly string[];
  /** Whose log it must be. */
  readonly expects: Expected;
  /** The user of the token; undefined where the token was refused or not asked. */
  readonly owner?: LogOwner;
  readonly account?: AccountRef;
  /** A hash of the token: two logs without a name are one where it is the same. */
  readonly tokenHash?: string;
  /** Undefined where the archives can't be read. */
  readonly evidence?: OwnerEvidence;
}

/** The rules by which an athlete is blocked. */
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

/** Why an athlete is blocked. */
export interface Block {
  readonly athlete: string;
  readonly rule: BlockRule;
  /** What contradicts what, with the numbers; one sentence without a full stop, safe to print. */
  readonly says: string;
  /** The same for the same contradiction next time: what is trusted is remembered by it. */
  readonly key: string;
  /** The other athlete it points to. */
  readonly with?: string;
  /** No flag lets it pass. */
  readonly final?: true;
}
