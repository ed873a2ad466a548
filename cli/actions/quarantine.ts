import type { DecisionKind, ManualDecision } from "../../pipelines/journal/audit-trail.ts";
import type { Journal, JournalReader } from "../../pipelines/journal/journal.ts";
import type { Line, LineState } from "../../pipelines/journal/line.ts";
import { importAgain } from "../../pipelines/journal/options-again.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { isNamedBy, shortId } from "../../pipelines/journal/short-id.ts";
import type { FixField } from "../../pipelines/plan/advice/advice.ts";
import { findOpenLines } from "../../pipelines/plan/records/open-lines.ts";
import { describeFix, readFix } from "../../pipelines/plan/records/overrides.ts";
import { settingsFor } from "../../pipelines/review/causes.ts";
import { type Decided, describeDecision, findDecided } from "../../pipelines/review/decided.ts";
import {
  byRule,
  chosen,
  findNotSent,
  findQuarantined,
  isDropped,
  isFixed,
  type Quarantined,
} from "../../pipelines/review/quarantine.ts";
import { utcDay } from "../../transforms/calendar.ts";
import type { Fix } from "../../transforms/model/fix.ts";
import { describeOrigin, describeProblem, withoutRule } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { letIn, retryWith } from "../printing/print-causes.ts";
import { journalPath, mayBeJournal, openOwnJournal, openOwnJournalToRead } from "../session/own-journal.ts";
import { checkIsOver, findBaseRun, retryRecords } from "../session/retry-records.ts";
import { openSession } from "../session/session.ts";
import { withIdOf } from "../suggested-commands.ts";
import { count, type Output, records } from "../terminal/output.ts";

/** The number of records of a rule that are shown without --verbose. */
const SHOWN = 10;

/** The actions on the records that a person names after the word. */
const ACTIONS: Readonly<Record<string, (context: CommandContext, words: readonly string[]) => Promise<ExitName>>> = {
  retry,
  fix,
  drop,
  "take-back": takeBack,
};

/** `logferry quarantine`: shows the rejected records, the reasons, and the remedies. */
export async function act(context: CommandContext): Promise<ExitName> {
  const [word = "", ...rest] = context.arguments;
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (context.options.set !== undefined && word !== "fix")
    throw new UsageError("Cannot use --set here: it goes with logferry quarantine fix ID");
  if (context.options.dryRun === true && action !== undefined && word !== "retry")
    throw new UsageError(
      `Cannot use --dry-run with ${word}: it sends nothing, and keeps a decision in the journal. See what a decision does with: logferry quarantine retry --dry-run`,
    );
  return action === undefined ? list(context) : action(context, rest);
}

async function list({ options, output, arguments: words }: CommandContext): Promise<ExitName> {
  const path = journalPath(options);
  if (!mayBeJournal(path)) {
    if (words.length > 0)
      throw new UsageError(
        `Cannot show ${words.map((word) => printable(word, 60)).join(" ")}: there is no journal ${path}. Name the journal that has it: --journal FILE`,
      );
    output.conclude(`No run yet: there is no journal ${path}. Begin with: logferry plan SOURCE`);
    return "done";
  }
  await using journal = await openOwnJournalToRead(options);
  const base = await findBaseRun(journal, options.run);
  const older = await olderThanNewest(journal, base);
  const notSent = older === undefined ? [] : await findNotSent(journal, older);
  const all = [...(await findQuarantined(journal, base)), ...notSent];
  const named = words.length === 0 ? all : namedIn(all, words, base);
  const stillOut = new Set((await findOpenLines(journal, base, ["quarantined"])).map(({ seq }) => seq));
  for (const { seq } of notSent) stillOut.add(seq);
  const open = named.filter((one) => !isDropped(one) && stillOut.has(one.seq));
  const settled = named.filter((one) => !isDropped(one) && !stillOut.has(one.seq));
  const left = notSent.length > 0 ? "left out" : "rejected";
  for (const one of named) output.emit("quarantined", asJson(one));
  if (open.length > 0) output.say(`Run ${base.id} ${left} ${records(open.length)}:`);
  const groups = byRule(open);
  for (const [rule, entries] of groups)
    printRule(output, { rule, entries, rules: groups.map(([each]) => each), older });
  if (settled.length > 0) {
    output.say("", "Read by a later run since, so there is nothing to do:");
    printEntries(output, settled);
  }
  const dropped = named.filter(isDropped);
  if (dropped.length > 0) {
    output.say("", `Dropped by you (logferry quarantine take-back ${dropped[0]?.id} lets the first in again):`);
    printEntries(output, dropped);
  }
  const decided = words.length === 0 ? await findDecided(journal, all) : [];
  if (decided.length > 0) printDecided(output, decided);
  if (open.length > 0) output.say();
  const [again, exceptions] = [
    older === undefined ? "logferry quarantine retry" : importAgain(older),
    [
      ...(dropped.length > 0 ? [`${count(dropped.length)} that you dropped`] : []),
      ...(settled.length > 0 ? [`${count(settled.length)} that a later run read`] : []),
    ],
  ];
  output.conclude(
    open.length === 0
      ? `Run ${base.id} rejected no record${exceptions.length > 0 ? `, except ${exceptions.join(" and ")}` : ""}.`
      : `Run ${base.id} ${left} ${records(open.length)}. Fix the cause, then try again with: ${again}`,
  );
  return "done";
}

/** The run, if a later one read whole sources since: then only the newest can be retried. Undefined for the newest. */
async function olderThanNewest(journal: JournalReader, base: Run): Promise<Run | undefined> {
  const runs = await journal.runs();
  return runs.some(({ id, options }) => id > base.id && options.retryOf === undefined) ? base : undefined;
}

/** The records that are no longer rejected, because a person decided about them. */
function printDecided(output: Output, decided: readonly Decided[]): void {
  for (const { id, key, origin, decision, fix } of decided) output.emit("decided", { id, key, origin, decision, fix });
  output.say(
    "",
    `Decided by you, and obeyed since (logferry quarantine take-back ${decided[0]?.id} undoes the first):`,
  );
  for (const one of decided.slice(0, output.loudness === "verbose" ? decided.length : SHOWN))
    output.say(`    ${one.id}  ${describeOrigin(one.origin)}: ${describeDecision(one)}`);
  if (output.loudness !== "verbose" && decided.length > SHOWN)
    output.say(`    ... and ${count(decided.length - SHOWN)} more (--verbose shows all)`);
}

/** The rejected records of one rule, and the rules of all. */
interface OfRule {
  readonly rule: string;
  readonly entries: readonly Quarantined[];
  readonly rules: readonly string[];
  /** The run, if it is not the newest. */
  readonly older: Run | undefined;
}

function printRule(output: Output, { rule, entries, rules, older }: OfRule): void {
  const advice = entries[0]?.advice;
  output.say("", `${records(entries.length)}${advice === undefined ? "" : `: ${advice.means}`} (${rule})`);
  const { settings, parts, first } = settingsFor(rule, entries, rules);
  if (first !== undefined) output.say(`  ${first}`);
  if (settings.length > 0 && older === undefined)
    output.say(`  To let ${letIn({ settings, parts })} in: ${retryWith(settings)}`);
  if (advice !== undefined) {
    const remedy = withIdOf(entries[0]?.id ?? "ID", withDistanceOf(entries[0], advice.remedy));
    output.say(`  ${older === undefined ? remedy : ofOlder(remedy, older)}`);
  }
  printEntries(output, entries);
}

/** A remedy for a record of a run that is not the newest: `drop` and `fix` name the run, and its sources are imported again in place of a retry. */
function ofOlder(remedy: string, older: Run): string {
  return remedy
    .replaceAll(/\blogferry quarantine (?:drop|fix) [\da-f]+/g, `$& --run ${older.id}`)
    .replaceAll(/\blogferry quarantine retry(?: (?:[\da-f]{6,32}\b|[a-z-]+\/[a-z-]+))?/g, importAgain(older));
}

/** A remedy with the distance of a record as its example, where the number can't be a group of thousands. */
function withDistanceOf(one: Quarantined | undefined, remedy: string): string {
  const found = /^table\/(?:unit-of-row|unknown-unit)$/.test(one?.rule ?? "") ? (one?.issue?.found ?? "") : "";
  return /^\d{1,6}(?:[.,]\d{1,2})?$/.test(found)
    ? remedy.replace('distance="10 km"', `distance="${found.replace(",", ".")} km"`)
    : remedy;
}

function printEntries(output: Output, entries: readonly Quarantined[]): void {
  const shown = output.loudness === "verbose" ? entries : entries.slice(0, SHOWN);
  for (const one of shown) {
    const fixes = one.manualDecisions.flatMap(({ fix }) => (fix === undefined ? [] : [describeFix(fix)]));
    output.say(
      `    ${one.id}  ${describeOrigin(one.line.origin)}: ${withIdOf(one.id, withoutRule(one.issue === undefined ? (one.line.reason ?? "") : describeProblem(one.issue), one.rule))}${fixes.length > 0 ? `; you said ${fixes.join(", ")}` : ""}`,
    );
  }
  if (shown.length < entries.length)
    output.say(`    ... and ${count(entries.length - shown.length)} more (--verbose shows all)`);
}

function asJson(one: Quarantined): Record<string, unknown> {
  const { line, issue, advice, manualDecisions } = one;
  return {
    id: one.id,
    run: line.run,
    key: line.key,
    rule: one.rule,
    origin: line.origin,
    field: issue?.field,
    found: issue?.found ?? (issue === undefined ? line.reason : undefined),
    expected: issue?.expected,
    means: advice?.means,
    remedy: advice?.remedy,
    needs: advice?.needs,
    decisions: manualDecisions.map(({ decision, at, fix }) => ({
      decision,
      at: new Date(at).toISOString(),
      fix,
    })),
  };
}

async function retry(context: CommandContext, words: readonly string[]): Promise<ExitName> {
  await using session = await openSession(context);
  const { journal } = session;
  const base = await findBaseRun(journal, context.options.run);
  const all = await findQuarantined(journal, base);
  const wanted = (words.length === 0 ? all : namedIn(all, words, base)).filter((one) => !isDropped(one));
  if (wanted.length === 0) {
    context.output.conclude(
      all.length === 0 ? `Run ${base.id} rejected no record.` : "Nothing to retry: you dropped all rejected records.",
    );
    return "done";
  }
  await checkIsOver(journal, base);
  return await retryRecords(context, session, base, wanted);
}

function fix(context: CommandContext, words: readonly string[]): Promise<ExitName> {
  return fixByHand(context, words, "beside earlier values");
}

/**
 * Keeps typed values for a record.
 *
 * @param how a form has all values, so they come in place of those of an earlier fix. A command may say one value after the other
 */
export async function fixByHand(
  context: CommandContext,
  words: readonly string[],
  how: "beside earlier values" | "in place of earlier values",
): Promise<ExitName> {
  const { options, output, now } = context;
  const pairs = options.set ?? [];
  const allows = options.allow?.includes("implausible") === true;
  if (words.length !== 1 || (pairs.length === 0 && !allows))
    throw new UsageError("Say which record, and what it is: logferry quarantine fix ID --set date=2019-05-04");
  const read = readFix(pairs, now());
  if ("error" in read) throw new UsageError(`Cannot use --set: ${read.error}`);
  return withQuarantined(context, words, async (journal, [one]) => {
    const earlier = one.manualDecisions.find(({ decision }) => decision === "fixed")?.fix;
    const before = how === "beside earlier values" ? earlier : undefined;
    const fix: Fix = { ...before, ...read.fix, ...(allows && { implausible: "allowed" }) };
    checkSettles(one, fix);
    await journal.auditTrail.takeBack(one.line.key, "dropped");
    await journal.auditTrail.recordDecision({ ...decisionOn(one, "fixed", now()), fix });
    output.conclude(
      `From now on ${describeOrigin(one.line.origin)} is read with ${describeFix(fix)}. Load it with: logferry quarantine retry ${one.id}`,
    );
  });
}

/** @throws UsageError for a fix without the value that caused the rejection */
function checkSettles(one: Quarantined, fix: Fix): void {
  const { id, rule, advice } = one;
  if (fix.implausible === "allowed" && advice?.allows === "implausible") return;
  const needs = needsOf(one);
  const either = [needs, ...(advice?.orNeeds ?? [])];
  if (either.some((field) => fix[field] !== undefined)) return;
  throw new UsageError(
    `Cannot fix ${id} so: it is rejected for its ${either.join(" or ")} (${rule}). Say --set ${needs}=${EXAMPLES[needs]} too`,
  );
}

/** Examples for the message that asks for a field. */
const EXAMPLES: Readonly<Record<FixField, string>> = {
  date: "2019-05-04",
  zone: "Europe/Vienna",
  time: "18:05",
  activity: "run",
  distance: '"10 km"',
  duration: "1:02:03",
  name: "TEXT",
  notes: "TEXT",
};

/** @throws UsageError for a record that no typed value can mend; the message names another remedy */
function needsOf({ id, rule, advice, line }: Quarantined): FixField {
  if (advice?.needs !== undefined) return advice.needs;
  throw new UsageError(
    `Cannot fix ${id}: nothing of ${describeOrigin(line.origin)} could be read that a value would mend (${rule}). ${(advice?.remedy ?? "").replaceAll(/\bID\b/g, id)}`,
  );
}

async function drop(context: CommandContext, words: readonly string[]): Promise<ExitName> {
  if (words.length === 0) throw new UsageError("Say which record to leave out: logferry quarantine drop ID");
  const decide = async (journal: Journal, named: readonly Quarantined[]) => {
    const copies: Line[] = [];
    const isNamed = ({ line: { key } }: Quarantined) => words.some((word) => isNamedBy(word, key));
    // The name of a rule is no word about a record that the person fixed, unless it was loaded so and is gone from the log.
    const entries = named.filter((one) => isNamed(one) || one.line.state === "gone" || !isFixed(one));
    if (entries.length < named.length)
      context.output.say(
        `${records(named.length - entries.length)} that you fixed or kept ${entries.length === named.length - 1 ? "stays" : "stay"} so.`,
      );
    for (const one of entries) {
      await journal.auditTrail.recordDecision(decisionOn(one, "dropped", context.now()));
      copies.push(...(await dropCopies(journal, one.line, context.now())));
    }
    if (copies.length > 0)
      context.output.remark(
        `${records(copies.length)} of the same ${copies.length === 1 ? "workout" : "workouts"} ${copies.length === 1 ? "stays" : "stay"} out, too: ${copies.map(({ origin }) => describeOrigin(origin)).join(", ")}`,
      );
    if (entries.length === 0) return context.output.conclude("Nothing was dropped.");
    context.output.conclude(
      `${records(entries.length)} will be left out of later plans, and counted as skipped. Taken back with: logferry quarantine take-back ${entries
        .map(({ id }) => id)
        .slice(0, 3)
        .join(" ")}`,
    );
  };
  // A person who deleted a workout from the log confirms it with this action, and gets no more warnings about it.
  return withQuarantined(context, words, decide, ["quarantined", "gone"]);
}

/** Drops the copies of a dropped workout. By itself, each would be a workout of its own in the next plan. */
async function dropCopies(journal: Journal, { run, key }: Line, at: number): Promise<readonly Line[]> {
  const copies = await journal.mergedInto(run, key);
  const undecided = { issue: undefined, fix: undefined } as const;
  for (const { seq, key: copy, origin } of copies)
    await journal.auditTrail.recordDecision({ key: copy, decision: "dropped", at, run, seq, origin, ...undecided });
  return copies;
}

/** A decision stays even if a later run doesn't meet its record again, so logferry searches all decisions. */
async function takeBack(context: CommandContext, words: readonly string[]): Promise<ExitName> {
  if (words.length === 0) throw new UsageError("Say what to take back: logferry quarantine take-back ID");
  await using journal = await openOwnJournal(context.options);
  const manualDecisions = (await journal.auditTrail.manualDecisions()).filter(({ decision }) => decision !== "undone");
  const taken: ManualDecision[] = [];
  for (const word of words) {
    const found = manualDecisions.filter(({ key }) => isNamedBy(word, key));
    if (found.length === 0) {
      throw new UsageError(
        `Cannot take back ${JSON.stringify(word)}: ${
          manualDecisions.length === 0
            ? "nothing was decided by hand"
            : `decided were ${manualDecisions
                .slice(0, SHOWN)
                .map(({ key, decision, at }) => `${shortId(key)} (${decision} on ${utcDay(at)})`)
                .join(", ")}`
        }`,
      );
    }
    taken.push(...found);
    for (const { key, run } of found) {
      const copies = new Set((await journal.mergedInto(run, key)).map((copy) => copy.key));
      taken.push(
        ...manualDecisions.filter((one) => one.decision === "dropped" && one.run === run && copies.has(one.key)),
      );
    }
  }
  for (const { key, decision } of new Set(taken)) await journal.auditTrail.takeBack(key, decision);
  context.output.conclude(
    `Taken back: ${[...new Set(taken)].map(({ key, decision }) => `${shortId(key)} is no longer ${decision}`).join(", ")}. The next plan, or logferry quarantine retry, reads it as the source has it.`,
  );
  return "done";
}

/** Opens the journal, finds the records that the words name, and continues with them. */
async function withQuarantined(
  { options }: CommandContext,
  words: readonly string[],
  then: (journal: Journal, entries: readonly [Quarantined, ...Quarantined[]]) => Promise<void>,
  states: readonly LineState[] = ["quarantined"],
): Promise<ExitName> {
  await using journal = await openOwnJournal(options);
  const base = await findBaseRun(journal, options.run);
  const older = await olderThanNewest(journal, base);
  const notSent = older === undefined ? [] : await findNotSent(journal, older);
  const all = [...(await findQuarantined(journal, base, states)), ...notSent];
  for (const { id, key } of await findDecided(journal, all))
    if (words.some((word) => isNamedBy(word, key)))
      throw new UsageError(
        `You decided about ${id} already, and run ${base.id} has it so. Take that back first, and read its source once more: logferry quarantine take-back ${id}`,
      );
  const [first, ...more] = namedIn(all, words, base);
  if (first !== undefined) await then(journal, [first, ...more]);
  return "done";
}

/** @throws UsageError for a word that doesn't name a rejected record, or names two */
function namedIn(all: readonly Quarantined[], words: readonly string[], base: Run): readonly Quarantined[] {
  const { entries, unknown, several } = chosen(all, words);
  const [word] = unknown;
  if (word !== undefined) {
    const rules = byRule(all).map(([rule]) => rule);
    throw new UsageError(
      `Cannot find ${JSON.stringify(word)} among what run ${base.id} rejected${rules.length === 0 ? ": there is nothing" : `: name an id, or one of ${rules.join(", ")}`}. If you took a decision back, read its source once more first, with the next plan or rehearsal`,
    );
  }
  if (several.length > 0) throw new UsageError(`Several records begin with ${several.join(", ")}: type more of the id`);
  return entries;
}

function decisionOn({ line, issue }: Quarantined, decision: DecisionKind, at: number): ManualDecision {
  return { key: line.key, decision, at, run: line.run, seq: line.seq, origin: line.origin, issue, fix: undefined };
}
