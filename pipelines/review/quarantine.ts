/** The rejected records of a run, for a person who works through them: named, grouped by problem, each with its remedy. */
import type { Issue } from "../../transforms/model/issue.ts";
import type { ManualDecision } from "../journal/audit-trail.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Line, LineState } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { isNamedBy, shortId } from "../journal/short-id.ts";
import { type Advice, adviceFor } from "../plan/advice/advice.ts";
import { findOpenLines } from "../plan/records/open-lines.ts";
import { type CurrentLine, findCurrentLines } from "../plan/records/retry-selection.ts";

/** A record that was rejected and still is. */
export interface Quarantined extends CurrentLine {
  /** The name for the record, which is the same in every run. */
  readonly id: string;
  readonly rule: string;
  /** Undefined for a record from before the journal kept whole reasons. */
  readonly issue: Issue | undefined;
  readonly advice: Advice | undefined;
  /** The values of its source, where they could be read. */
  readonly asRead: Readonly<Record<string, unknown>> | undefined;
  /** A person's decisions about it since. */
  readonly manualDecisions: readonly ManualDecision[];
}

/**
 * All records of a run that are still rejected, in the order of reading. Dropped records are included, with their decision.
 *
 * @param states may include `gone`, if a person decides about records that they may have deleted from the log
 */
export async function findQuarantined(
  journal: JournalReader,
  base: Run,
  states: readonly LineState[] = ["quarantined"],
): Promise<readonly Quarantined[]> {
  return describeLines(journal, await findCurrentLines(journal, base, states));
}

/** The rule of a record of an older run that it was to send, and didn't. */
const NOT_SENT = "plan/not-sent";

/**
 * The records of an older run that it was to send, that nobody sent, and that no later run or decision settled: they keep the old account open, also where
 * their row is no longer in its source. In the order of reading.
 */
export async function findNotSent(journal: JournalReader, older: Run): Promise<readonly Quarantined[]> {
  const open = await findOpenLines(journal, older, ["planned", "in-flight", "refused", "failed"]);
  const advice = adviceFor(NOT_SENT);
  return (await describeLines(journal, open)).map((one) => ({ ...one, rule: NOT_SENT, issue: undefined, advice }));
}

async function describeLines(journal: JournalReader, lines: readonly CurrentLine[]): Promise<readonly Quarantined[]> {
  const manualDecisions = await journal.auditTrail.manualDecisions();
  const all: Quarantined[] = [];
  for (const current of lines) {
    const { line } = current;
    const { issue, asRead } = await journal.auditTrail.details(line.run, line.seq);
    const rule = issue?.rule ?? ruleIn(line);
    all.push({
      ...current,
      id: shortId(line.key),
      rule,
      issue,
      asRead,
      advice: adviceFor(rule),
      manualDecisions: manualDecisions.filter(({ key, decision }) => key === line.key && decision !== "undone"),
    });
  }
  return all;
}

/** Whether a person decided that it stays out. */
export function isDropped({ manualDecisions }: Quarantined): boolean {
  return manualDecisions.some(({ decision }) => decision === "dropped");
}

/** Whether a person said how it is read, or that it is right as it is. */
export function isFixed({ manualDecisions }: Quarantined): boolean {
  return manualDecisions.some(({ decision }) => decision === "fixed");
}

/** The rule of a part of a download that is missing. Other records may be rejected only because of it, so it comes first. */
export const MISSING_PART = "archive/missing-part";

/** A rule, and the number of records that it rejected. */
interface OfOneRule {
  readonly rule: string;
  readonly count: number;
}

/** Sorts causes in the order in which a person mends them. */
export function byUrgency(a: OfOneRule, b: OfOneRule): number {
  const first = Number(b.rule === MISSING_PART) - Number(a.rule === MISSING_PART);
  return first || b.count - a.count || (a.rule < b.rule ? -1 : 1);
}

/** The records by rule, the most frequent rule first. */
export function byRule(
  all: readonly Quarantined[],
): readonly (readonly [rule: string, entries: readonly Quarantined[]])[] {
  const groups = new Map<string, Quarantined[]>();
  for (const one of all) groups.set(one.rule, [...(groups.get(one.rule) ?? []), one]);
  return [...groups].sort(([a, x], [b, y]) => byUrgency({ rule: a, count: x.length }, { rule: b, count: y.length }));
}

/**
 * The records that the words name: an id or its beginning, a key, a rule (`csv/bad-date`), all rules of a kind (`csv/`), or all rules with
 * the same first words (`workout/implausible`).
 *
 * @returns the named records, in their order; as `unknown` the words that name none, and as `several` the words that name two
 */
export function chosen<T extends { readonly id: string; readonly rule: string; readonly line: Line }>(
  all: readonly T[],
  words: readonly string[],
): { readonly entries: readonly T[]; readonly unknown: readonly string[]; readonly several: readonly string[] } {
  const entries = new Set<T>();
  const unknown: string[] = [];
  const several: string[] = [];
  for (const word of words) {
    const byName = all.filter(({ line }) => isNamedBy(word, line.key));
    const found =
      byName.length > 0
        ? byName
        : all.filter(({ rule }) => rule === word || rule.startsWith(word.endsWith("/") ? word : `${word}-`));
    if (found.length === 0) unknown.push(word);
    if (byName.length > 1) several.push(word);
    for (const one of found) entries.add(one);
  }
  return { entries: all.filter((one) => entries.has(one)), unknown, several };
}

/** The rule at the start of a reason. */
export function ruleIn({ reason = "" }: Line): string {
  return /^[a-z-]+\/[a-z0-9-]+/.exec(reason)?.[0] ?? "plan/unknown";
}
