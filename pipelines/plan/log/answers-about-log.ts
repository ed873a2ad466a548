/**
 * Obeys a person's answers about a workout of the plan and a workout of the log, which the plan lacks: somebody typed that one, another journal loaded
 * it, or an earlier run did from another source.
 */
import { utcDay } from "../../../transforms/calendar.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { Journal } from "../../journal/journal.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { AnsweredRecord, PairAnswer } from "../../journal/links.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { changeOf, isOfParts, type UnusedAnswer, unusedIssues } from "../pairs/pair-answers.ts";
import { valuesInLog } from "../pairs/record-in-log.ts";
import { standingFor } from "../pairs/standing-for.ts";

/**
 * Settles the workouts that are one with a workout of the log by a person's word. The plan names the answers about a record of the log that is gone or
 * has other values now.
 *
 * @param settle takes a line for a record of the log
 */
export async function obeyAnswersAboutLog(
  run: number,
  context: ComparisonContext,
  settle: (line: WorkoutLine, entry: ClaimedEntry, why: string) => Promise<void>,
): Promise<void> {
  const { journal, settings, report } = context;
  const unused: UnusedAnswer[] = [];
  for (const answer of settings.manualDecisions?.pairs.all ?? []) {
    const sides = isOfParts(answer) ? undefined : await sidesOf(run, answer, journal);
    if (sides === undefined) continue;
    const { line, other } = sides;
    const found = await entryOf(other, journal);
    if (found === undefined) continue;
    const why = "why" in found ? found.why : await cannotBe(line, other, found.entry, answer, journal);
    if (why !== undefined) unused.push({ answer, why });
    else if ("entry" in found && answer.answer === "one" && line.state === "planned" && line.action === "create") {
      // What a person forgets later is planned again from here.
      await journal.links.begin();
      const day = utcDay(answer.at);
      const reason = `you said on ${day} that it is the same workout as ${describeOrigin(other.origin)}`;
      await settle(line, found.entry, reason);
    }
  }
  for (const issue of unusedIssues(unused)) await report(issue);
}

/** The line of an answer that this run may create, and the record that this run lacks. Undefined for other answers. */
async function sidesOf(run: number, { records }: PairAnswer, journal: Journal) {
  const lines = [await journal.lineWithKey(run, records[0].key), await journal.lineWithKey(run, records[1].key)];
  const at = lines[0] === undefined ? 1 : 0;
  const [own, other, line] = [records[at], records[1 - at] as AnsweredRecord, lines[at]];
  if (line === undefined || lines[1 - at] !== undefined) return undefined;
  // What this journal loaded already needs no answer any more.
  if ((await journal.remoteRecord(line.key)) !== undefined) return undefined;
  // The plan says this of its own records.
  if (changeOf(own, (await journal.auditTrail.details(run, line.seq)).asRead) !== undefined) return undefined;
  const kept = await standingFor(line.key, line.run, journal);
  return kept?.kind === "workout" ? { line: kept, other } : undefined;
}

/** The record of an answer in the log; or why it is not the same any more; undefined if this journal knows nothing of it there. */
async function entryOf(
  record: AnsweredRecord,
  journal: Journal,
): Promise<{ readonly entry: ClaimedEntry } | { readonly why: string } | undefined> {
  const id = record.inLog ?? (await journal.remoteRecord(record.key))?.remoteId;
  const entry = id === undefined ? undefined : await journal.logEntry("workout", id);
  if (record.inLog === undefined) return entry && { entry };
  if (entry === undefined) return { why: `${describeOrigin(record.origin)} is no longer there` };
  const why = changeOf(record, valuesInLog(entry));
  return why === undefined ? { entry } : { why };
}

/** Why a workout can't be one with a record of the log: another one of the plan is, or it is another record of the log. */
async function cannotBe(
  line: WorkoutLine,
  other: AnsweredRecord,
  entry: ClaimedEntry,
  { answer }: PairAnswer,
  journal: Journal,
): Promise<string | undefined> {
  if (answer === "two" || line.remoteId === entry.id) return undefined;
  if (line.state === "unchanged" && line.remoteId !== undefined)
    return `the plan has ${describeOrigin(line.origin)} as ${line.remoteId} in your log`;
  const holder = entry.claimedBy === undefined ? undefined : await journal.lineWithKey(line.run, entry.claimedBy);
  if (holder === undefined || holder.key === line.key) return undefined;
  return `the plan has ${describeOrigin(other.origin)} as ${describeOrigin(holder.origin)}`;
}
