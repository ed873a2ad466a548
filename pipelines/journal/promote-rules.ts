/** The rules of records that a promotion found to be not as the rehearsal showed them. */

import { STAYS_IN_LOG } from "./summary.ts";

/** Why a record waits, as the rule of its line. */
export type PromoteRule = (typeof PROMOTE_RULES)[keyof typeof PROMOTE_RULES];

/** All such rules. */
export const PROMOTE_RULES = {
  changed: "promote/changed",
  notSeen: "promote/not-seen",
  wouldChange: "promote/would-change",
  left: "promote/left-out-now",
  stays: STAYS_IN_LOG,
  perhapsThere: "promote/perhaps-in-log",
  waits: "promote/waits-for",
} as const;

/** Whether a record with this rule is not as a rehearsal showed it. */
export function isPromoteRule(rule: string): boolean {
  return Object.values<string>(PROMOTE_RULES).includes(rule);
}
