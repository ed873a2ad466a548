/**
 * What a person decided by hand about records of the sources, as a plan follows it: what was dropped stays out, what was fixed is
 * read as they said, what was undone is not done again. Each is named in the plan, with what takes it back.
 */
import type { Fix } from "../../transforms/model/fix.ts";
import { describeProblem } from "../../transforms/model/issue.ts";
import type { Reading, Rejected } from "../../transforms/model/item.ts";
import type { AuditTrailReader, ManualDecision } from "../journal/audit-trail.ts";
import { shortId } from "../journal/short-id.ts";

/** The decisions of a journal, as they stood when a plan began. */
export interface ManualDecisions {
  /** By the key a record was rejected under, or its own. */
  readonly fixes: ReadonlyMap<string, Fix>;
  /** The rejected record of a reading that a person dropped; undefined for any other. */
  dropped(reading: Reading): Rejected | undefined;
  /** What was undone of a record, so that a later plan leaves it as it is. */
  undone(key: string): ManualDecision | undefined;
}

/** No decisions. */
export const NO_DECISIONS: ManualDecisions = { fixes: new Map(), dropped: () => undefined, undone: () => undefined };

/** Reads the decisions of a journal. */
export async function readManualDecisions(auditTrail: AuditTrailReader): Promise<ManualDecisions> {
  const all = await auditTrail.manualDecisions();
  const of = (kind: ManualDecision["decision"]) =>
    new Map(all.filter(({ decision }) => decision === kind).map((one) => [one.key, one]));
  const [drops, undos, fixed] = [of("dropped"), of("undone"), of("fixed")];
  const fixes = new Map<string, Fix>();
  for (const [key, { fix }] of fixed) if (fix !== undefined) fixes.set(key, fix);
  return {
    fixes,
    dropped(reading) {
      const decision = drops.get(reading.key);
      return decision === undefined || !isAbout(decision, reading) ? undefined : rejectedBy(decision, reading);
    },
    undone: (key) => undos.get(key),
  };
}

/**
 * Whether a decision is about this reading. The key of a record says which it is; the key of what couldn't be read may be
 * another file's of the same name, so there the problem must be the same too.
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
      found: `dropped by you on ${dayOf(at)}${issue === undefined ? "" : `, for ${describeProblem(issue)}`}; logferry quarantine take-back ${shortId(key)} lets it in again`,
      origin: reading.origin,
    },
  };
}

/** The UTC day of a time, for people. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
