/**
 * Applies the decisions that a person made by hand about records of the sources. A dropped record stays out, a fixed record is read with
 * the person's values, and an undone record stays undone. The plan names each of them, with the command that reverses it.
 */
import { utcDay } from "../../../transforms/calendar.ts";
import type { Fix } from "../../../transforms/model/fix.ts";
import { describeProblem, type Origin } from "../../../transforms/model/issue.ts";
import type { Reading, Rejected } from "../../../transforms/model/item.ts";
import type { ManualDecision } from "../../journal/audit-trail.ts";
import type { JournalReader } from "../../journal/journal.ts";
import { shortId } from "../../journal/short-id.ts";
import { NO_ANSWERS, PairAnswers } from "../pairs/pair-answers.ts";

/** The decisions of a journal, as they stood when a plan began. */
export interface ManualDecisions {
  /** The fixes, by the key under which a record was rejected, or by the record's own key. */
  readonly fixes: ReadonlyMap<string, Fix>;
  /** Whether a person gave values for a record since a moment, in milliseconds since 1970: by a fix, or by an answer about a pair. */
  isFixedSince(record: Pick<Reading, "key" | "origin">, at: number): boolean;
  /** The rejection of a reading that a person dropped; undefined for other readings. */
  dropped(reading: Reading): Rejected | undefined;
  /** The undo of a record, if there was one. A later plan then leaves the record as it is. */
  undone(key: string): ManualDecision | undefined;
  /** The answers about pairs of records. */
  readonly pairs: PairAnswers;
}

/** No decisions. */
export const NO_DECISIONS: ManualDecisions = {
  fixes: new Map(),
  isFixedSince: () => false,
  dropped: () => undefined,
  undone: () => undefined,
  pairs: NO_ANSWERS,
};

/** Reads the decisions of a journal. */
export async function readManualDecisions({ auditTrail, links }: JournalReader): Promise<ManualDecisions> {
  const all = await auditTrail.manualDecisions();
  const of = (kind: ManualDecision["decision"]) =>
    new Map(all.filter(({ decision }) => decision === kind).map((one) => [one.key, one]));
  const [drops, undos, fixed] = [of("dropped"), of("undone"), of("fixed")];
  const pairs = new PairAnswers(await links.answers());
  const fixes = new Map<string, Fix>();
  for (const [key, { fix }] of fixed) if (fix !== undefined) fixes.set(key, fix);
  return {
    fixes,
    // With a typed date a row has another key. Its place is the same.
    isFixedSince: ({ key, origin }, since) =>
      [...fixed.values()].some((one) => one.at > since && (one.key === key || isSamePlace(one.origin, origin))) ||
      pairs.all.some(({ at, records }) => at > since && records.some((one) => one.key === key)),
    dropped(reading) {
      const decision = drops.get(reading.key);
      return decision === undefined || !isAbout(decision, reading) ? undefined : rejectedBy(decision, reading);
    },
    undone: (key) => undos.get(key),
    pairs,
  };
}

/**
 * Whether a decision is about this reading. The key of a record identifies it. An unreadable record's key may belong to another file of the
 * same name, so the problem must be the same too.
 */
function isAbout({ issue, origin }: ManualDecision, reading: Reading): boolean {
  if (reading.kind !== "set-aside") return true;
  const { rule, field, found } = reading.issue;
  return (
    issue?.rule === rule &&
    issue.field === field &&
    issue.found === found &&
    lastPart(origin.entry) === lastPart(reading.origin.entry)
  );
}

function rejectedBy({ at, issue, key }: ManualDecision, reading: Reading): Rejected {
  return {
    kind: "set-aside",
    key: reading.key,
    origin: reading.origin,
    as: "skipped",
    issue: {
      severity: "info",
      rule: "plan/dropped",
      found: `dropped by you on ${utcDay(at)}${issue === undefined ? "" : `, for ${describeProblem(issue)}`}; logferry quarantine take-back ${shortId(key)} lets it in again`,
      origin: reading.origin,
    },
  };
}

function isSamePlace(one: Origin, other: Origin): boolean {
  return one.locator !== undefined && one.locator === other.locator && one.entry === other.entry;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
