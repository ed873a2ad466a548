/**
 * The class of a record on a certificate. Every record of the sources is in exactly one class. There is no class for the rest: a record that fits
 * nowhere is an error.
 */
import type { Line, LineState } from "../journal/line.ts";
import { isPromoteRule } from "../journal/promote-rules.ts";

/** A class of records. `isInLog`: the log has them. `isHeldBack`: while there is one, the old account stays open. */
export interface RecordClass {
  readonly means: string;
  readonly isInLog?: true;
  readonly isHeldBack?: true;
}

/** All classes, in the order of the certificate. */
export const CLASSES = {
  created: { means: "new in the log, and every field is as planned", isInLog: true },
  updated: { means: "was in the log and was changed, and every field is as planned", isInLog: true },
  undone: {
    means: "was in the log and was changed, and you put it back as it was before",
    isInLog: true,
    isHeldBack: true,
  },
  unchanged: { means: "was in the log already, and is still there", isInLog: true },
  edited: { means: "in the log, with values that were edited there and left so", isInLog: true },
  later: { means: "stayed out of this run, and came in with a later one", isInLog: true },
  differs: { means: "in the log, with other values than planned", isInLog: true, isHeldBack: true },
  merged: { means: "a duplicate of another record of these sources" },
  missing: { means: "was loaded, and is not in the log any more", isHeldBack: true },
  unread: { means: "the log refused to show it", isHeldBack: true },
  skipped: { means: "left out by a rule" },
  dropped: { means: "you said that it stays out, or stays as an undo put it back" },
  waiting: { means: "is not as the rehearsal showed it, and waits for you to decide", isHeldBack: true },
  rejected: { means: "could not be read, or can't be true", isHeldBack: true },
  refused: { means: "the log refused it", isHeldBack: true },
  failed: { means: "could not be sent", isHeldBack: true },
  inDoubt: { means: "the answer was lost", isHeldBack: true },
  left: { means: "planned, not done yet", isHeldBack: true },
} as const satisfies Readonly<Record<string, RecordClass>>;

/** The name of a class. */
export type ClassName = keyof typeof CLASSES;

/** The names of all classes, in the order of the certificate. */
export const CLASS_NAMES = Object.keys(CLASSES) as readonly ClassName[];

/** A class in words, for people. */
export function classWord(name: ClassName): string {
  return name === "inDoubt" ? "in doubt" : name;
}

/** Whether a record of this class keeps the old account open. */
export function keepsOpen(name: ClassName): boolean {
  return "isHeldBack" in CLASSES[name];
}

/** The classes of records that are not in the log, or not for sure, by the state of their line. */
const BY_STATE: Readonly<Record<Exclude<LineState, "done" | "unchanged">, ClassName>> = {
  planned: "left",
  "in-flight": "left",
  "in-doubt": "inDoubt",
  gone: "missing",
  refused: "refused",
  failed: "failed",
  merged: "merged",
  skipped: "skipped",
  quarantined: "rejected",
};

/** The findings about a record that the log should have: it is there as planned, or put back by an undo, or edited by somebody, it differs, it is not there, or the log refused to show it. */
export type Found = "asPlanned" | "undone" | "edited" | "differs" | "missing" | "unread";

/** The class of a record that was read back. */
export function classOfRead({ state, action }: Line, found: Found): ClassName {
  if (found !== "asPlanned") return found;
  if (state === "unchanged") return "unchanged";
  return action === "update" ? "updated" : "created";
}

/** The class of a record that this run did not bring in, and nobody settled since. */
export function classOfOther({ state, reason = "" }: Line): ClassName {
  if (state === "quarantined" && isPromoteRule(reason.split(" ", 1)[0] ?? "")) return "waiting";
  return state === "done" || state === "unchanged" ? "left" : BY_STATE[state];
}
