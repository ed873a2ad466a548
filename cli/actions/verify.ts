import { BRING_BACK } from "../../pipelines/journal/gone.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import { isPromoteRule } from "../../pipelines/journal/promote-rules.ts";
import type { Difference, Run } from "../../pipelines/journal/run.ts";
import { describeStaying, type RunSummary, summarise } from "../../pipelines/journal/summary.ts";
import { isGone, sidesOf } from "../../pipelines/log/describe-difference.ts";
import { lastLook, surplusOf } from "../../pipelines/plan/records/last-look.ts";
import { ledgerNow, resolvedSince } from "../../pipelines/plan/records/open-lines.ts";
import { bringTogether, describeLacking } from "../../pipelines/report/not-added.ts";
import { countedIn } from "../../pipelines/report/report.ts";
import { verifyAllOf } from "../../pipelines/report/verdict.ts";
import { findQuarantined, isDropped } from "../../pipelines/review/quarantine.ts";
import { countFileChanged } from "../../pipelines/sources/describe-changed.ts";
import { keepVerification } from "../../pipelines/verify/keep.ts";
import { type Verification, verify as verifyRun } from "../../pipelines/verify/verify.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { CommandContext } from "../arguments/command.ts";
import { NOT_ALL_COMPARED } from "../arguments/stop-lines.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { exitOfVerified, notReadBack } from "../printing/closing.ts";
import { gearLines } from "../printing/gear-lines.ts";
import { distanceIn } from "../printing/print-run.ts";
import { lookAgain } from "../session/look-back.ts";
import { findRun } from "../session/own-journal.ts";
import { checkReports, writeReports } from "../session/report.ts";
import { openSession } from "../session/session.ts";
import { verifyContext } from "../session/verify-context.ts";
import { watch } from "../session/watch.ts";
import { count, type Output, records, span } from "../terminal/output.ts";

/** The number of discrepancies that are printed without --verbose. */
const SHOWN = 20;

/** The first word of a remark about a record, by its kind. */
const NAMES: Readonly<Record<Kind, string>> = { workout: "Workout", equipment: "Equipment", course: "Course" };

/** `logferry verify`: reads the log back and compares it. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { output, options } = context;
  await checkReports(context);
  await using session = await openSession(context);
  const run = await findRun(session.journal, options.run);
  if (run === undefined) throw new UsageError("There is no run to verify. Begin with: logferry import SOURCE");
  await lookAgain(context, session, run);
  const watching = watch(context, session, "reading back");
  const read = await verifyRun(run, verifyContext(context, session, run, watching)).finally(watching.stop);
  output.endProgress();
  if (context.signal.aborted) {
    output.conclude(NOT_ALL_COMPARED);
    return "stopped";
  }
  await keepVerification(session.journal, run, read, context.now());
  // What a retry of the run brought in twice is none of the records that were read now.
  const surplus = surplusOf((await lastLook(session.journal, run))?.looked);
  const result = { ...read, doubled: Math.max(read.doubled, surplus) };
  tellDifferences(output, result);
  await tellClaimedTwice(output, session.journal, run, result.claimedTwice);
  const { metres, seconds, checked, present, discrepancyCount, edited, claimedTwice } = result;
  const { doubled, unread, equal, gear, notAdded } = result;
  const putBack = await session.journal.undone(run.id);
  output.emit("verification", {
    run: run.id,
    checked,
    present,
    differing: discrepancyCount,
    edited: edited.count,
    putBack,
    claimedTwice,
    unread: unread.count,
    ...{ equal, gear, notAdded },
    metres,
    seconds,
  });
  const unit = countedIn(session.view.preference.distanceUnit);
  output.say(
    `Distance planned ${distanceIn(unit, metres.planned)}, in the log ${distanceIn(unit, metres.found)}; time planned ${span(seconds.planned)}, in the log ${span(seconds.found)}.`,
  );
  for (const line of gearLines(gear, unit)) output.say(line);
  const isGood = discrepancyCount === 0 && claimedTwice.length === 0 && doubled === 0;
  const summary = await summarise(session.journal, run);
  const all = await ledgerNow(session.journal, run, summary.all);
  const [waiting, changed] = [await countWaiting(session.journal, run), await countFileChanged(session.journal, run)];
  const open = notReadBack(run, { all, waiting, changed: Math.min(changed, all.failed) });
  output.conclude(isGood ? whenGood(run, result, open, putBack) : whenDifferent(run, result, open));
  tellMore(output, run, summary, { settled: resolvedSince(summary.all, all), pairs: equal.length - read.doubled });
  await writeReports(context, session.journal, run);
  if (!isGood) return "differs";
  const exit = exitOfVerified(all, open);
  return exit === "done" && unread.count > 0 ? "setAside" : exit;
}

/** Records of a promotion that wait, because they are not as the rehearsal showed them. */
async function countWaiting(journal: JournalReader, run: Run): Promise<number> {
  if (run.options.promotes === undefined) return 0;
  return (await findQuarantined(journal, run)).filter((one) => isPromoteRule(one.rule) && !isDropped(one)).length;
}

/** Names each difference, and each record that looks like another: twenty of both, or all of them with --verbose. */
function tellDifferences(output: Output, { discrepancies, edited, equal, unread }: Verification): void {
  for (const [index, { line, differences }] of discrepancies.entries()) {
    const { key, kind, remoteId: id, origin } = line;
    output.emit("difference", { key, kind, id, origin, differences });
    if (index >= SHOWN && output.loudness !== "verbose") continue;
    output.remark(`${describeOrigin(origin)} (${kind} ${id}): ${fieldsOf(differences, "planned")}`);
  }
  for (const [index, { line, differences }] of edited.first.entries()) {
    const { key, kind, remoteId: id, origin } = line;
    output.emit("edited", { key, kind, id, origin, differences });
    if (index >= SHOWN && output.loudness !== "verbose") continue;
    output.say(
      `${describeOrigin(origin)} (${kind} ${id}): ${fieldsOf(differences, "sent")}. Edited in your log, and kept.`,
    );
  }
  for (const [index, { line, reason }] of unread.first.entries()) {
    const { key, kind, remoteId: id, origin } = line;
    output.emit("unread", { key, kind, id, origin, reason });
    if (index >= SHOWN && output.loudness !== "verbose") continue;
    output.remark(`${describeOrigin(origin)} (${kind} ${id}): it could not be read: ${reason}`);
  }
  for (const [index, { kind, id, like, wasThere }] of equal.entries()) {
    if (index >= SHOWN && output.loudness !== "verbose") continue;
    output.remark(
      wasThere
        ? `${NAMES[kind]} ${id} of the log looks the same as ${like}. Both were there before logferry sent anything.`
        : `${NAMES[kind]} ${id} of the log looks the same as ${like}. It was sent twice, or typed by hand: nothing you brought stands for it.`,
    );
  }
}

/** Names each record of the log that stands for two of the sources, with both. */
async function tellClaimedTwice(
  output: Output,
  { auditTrail }: Pick<JournalReader, "auditTrail">,
  run: Run,
  ids: readonly string[],
): Promise<void> {
  for (const [index, id] of ids.entries()) {
    if (index >= SHOWN && output.loudness !== "verbose") return;
    const lines = (await auditTrail.find({ remoteId: id })).filter(
      (line) => line.run === run.id && (line.state === "done" || line.state === "unchanged"),
    );
    const kind = lines[0]?.kind;
    const what = kind === undefined || kind === "set-aside" ? "Record" : NAMES[kind];
    output.remark(
      `${what} ${id} of the log stands for ${lines.length} records: ${lines.map(({ origin }) => describeOrigin(origin)).join(" and ")}. The log has it once. To see why: logferry explain ${id}`,
    );
  }
}

/** Differences in words: `notes is "easy", planned "Easy"`. */
function fieldsOf(differences: readonly Difference[], before: "planned" | "sent"): string {
  const fields = differences.map((difference) => {
    if (isGone(difference)) return "it is no longer in the log";
    const { expected, found } = sidesOf(difference);
    return `${difference.field} is ${found}, ${before} ${expected}`;
  });
  return fields.join("; ");
}

/** The lines below the last sentence: values that were not added, records of other runs, and pairs that were there before. */
function tellMore(
  output: Output,
  run: Run,
  summary: RunSummary,
  { settled, pairs }: { readonly settled: number; readonly pairs: number },
): void {
  const {
    id,
    options: { retryOf },
  } = run;
  const lacking = describeLacking(summary);
  if (summary.rowsAway !== undefined) output.say(`${summary.rowsAway}.`);
  if (summary.droppedInLog !== undefined)
    output.say(`${summary.droppedInLog}. logferry can't delete in your log: delete them there.`);
  if (summary.staysInLog !== undefined) output.say(`${describeStaying(summary.staysInLog)}.`);
  if (lacking !== undefined) output.say(`${lacking}. ${bringTogether(summary, "path")}`);
  if (settled > 0)
    output.say(
      `${records(settled)} that run ${id} left out came in with a later run, or you dropped ${settled === 1 ? "it" : "them"}: logferry status`,
    );
  if (retryOf !== undefined)
    output.say(`Run ${id} retried single records of run ${retryOf}. Check the others with: ${verifyAllOf(run)}`);
  if (pairs > 0)
    output.say(
      `${pairs === 1 ? "1 record of the log is" : `${count(pairs)} records of the log are`} equal to another, and both were there before: nothing was doubled by these runs.`,
    );
}

/** The sentence about records that the log refused to show. They may be there. Empty if there are none. */
function unreadSentence({ id }: Run, n: number): string {
  if (n === 0) return "";
  const [them, they] = n === 1 ? ["it", "it"] : ["them", "they"];
  return `${records(n)} of run ${id} could not be read back: the log refused to show ${them}, and ${they} may be there. Try again with: logferry verify. `;
}

/**
 * The last sentence if nothing differs.
 *
 * @param open the records that can't be read back, in words; empty if there are none
 * @param putBack the number of records that an undo put back as they were before the run
 */
function whenGood(
  run: Run,
  { checked, present, unread, edited: { count: edited } }: Verification,
  open: string,
  putBack: number,
): string {
  const { id } = run;
  const others = [
    ...(edited === 0 ? [] : [`, in ${records(edited)}, edited in your log and kept`]),
    ...(putBack === 0
      ? []
      : [`, in ${records(putBack)}, as before the run: logferry undo put ${putBack === 1 ? "it" : "them"} back`]),
  ];
  const asPlanned = ["every field as planned", ...others].join(" or");
  const before = present > 0 ? ` (${count(present)} of them were there before)` : "";
  if (open === "" && unread.count === 0)
    return `Verified: all ${count(checked)} records of run ${id} are in the log, ${asPlanned}${before}.`;
  const missing = open === "" ? "" : `Not everything of run ${id} is in the log: ${open}. `;
  const rest =
    checked === 0
      ? ""
      : `${checked === 1 ? "The other record is" : `The other ${count(checked)} records are`} there, ${asPlanned}${before}.`;
  return `${unreadSentence(run, unread.count)}${missing}${rest}`.trimEnd();
}

type Counted = Verification & { readonly discrepancyCount: number };

/** The last sentence if something differs. */
function whenDifferent(run: Run, result: Counted, open: string): string {
  const { id } = run;
  const { checked, missing, discrepancies, discrepancyCount, claimedTwice, doubled, unread } = result;
  const unsaved = discrepancies.filter((one) => one.unsaved !== undefined).length;
  const lost =
    unsaved === 0
      ? ""
      : ` The log confirmed the save of ${count(unsaved)} of them, and doesn't have it. The same import sends ${unsaved === 1 ? "it" : "them"} again.`;
  const [are, them] = missing === 1 ? ["is", "it"] : ["are", "them"];
  const gone =
    missing === 0
      ? ""
      : `${records(missing)} of run ${id} ${are} missing from the log. Load ${them} again with: ${BRING_BACK}. `;
  const twice = claimedTwice.length > 0 ? `, and ${claimedTwice.length} standing for two` : "";
  const more = doubled > 0 ? `, and ${count(doubled)} that may be there twice` : "";
  const besides = open === "" ? "" : ` Besides, ${open}.`;
  return `${gone}${unreadSentence(run, unread.count)}Verification found ${count(discrepancyCount)} of ${count(checked)} records of run ${id} different${twice}${more}.${lost}${besides}`;
}
