import { basename, resolve } from "node:path";
import { classWord, keepsOpen } from "../../pipelines/certificate/classes.ts";
import { issueCertificate } from "../../pipelines/certificate/issue.ts";
import { MARK } from "../../pipelines/certificate/layout.ts";
import { certificatePage, GENERATOR, MOST_NAMED } from "../../pipelines/certificate/page.ts";
import type { Acceptance, Certificate, CertifiedRecord } from "../../pipelines/certificate/schema.ts";
import { fingerprintOf, ownKey } from "../../pipelines/certificate/signature.ts";
import { WaitingRecords, writeCertificate } from "../../pipelines/certificate/write.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { ROWS_AWAY } from "../../pipelines/journal/summary.ts";
import { describeMinorValues } from "../../pipelines/report/minor-values.ts";
import { describeChangedSince } from "../../pipelines/report/verdict.ts";
import { checkFree, ReportError, writeWhole } from "../../pipelines/report/write.ts";
import { compareInventory, takeInventory } from "../../pipelines/sources/inventory.ts";
import { utcText } from "../../transforms/calendar.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import { describeColumns, describeSheets, newColumns, sumOfUnread } from "../../transforms/model/unread.ts";
import type { CommandContext } from "../arguments/command.ts";
import { NO_CERTIFICATE } from "../arguments/stop-lines.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { listing } from "../session/carry-out.ts";
import { lookAgain } from "../session/look-back.ts";
import type { LogSession } from "../session/session.ts";
import { verifyContext } from "../session/verify-context.ts";
import { watch } from "../session/watch.ts";
import { asPrinted } from "../suggested-commands.ts";
import { packageVersion } from "../system/version.ts";
import { count, many } from "../terminal/output.ts";
import { openRestored } from "./restored.ts";

/** The number of workouts that are printed without --verbose. */
const SHOWN = 20;

/** Where a certificate goes. */
export interface Paths {
  readonly path: string;
  readonly page: string;
  readonly keyPath: string;
}

/** Issues a certificate and writes it. @throws UsageError when the disk doesn't take it */
export function issueAndWrite(context: CommandContext, session: LogSession, run: Run, paths: Paths): Promise<ExitName> {
  return issueOnDisk(context, session, run, paths).catch(refuse);
}

async function issueOnDisk(context: CommandContext, session: LogSession, run: Run, paths: Paths): Promise<ExitName> {
  const { output, now } = context;
  const { path, page, keyPath } = paths;
  const findRestored = await openRestored(context, session, run);
  await lookAgain(context, session, run);
  const inventory = listing(context, session);
  const isTaken = await takeInventory(run, session.journal, now(), inventory);
  const sinceThen = await compareInventory(run, session.journal, inventory);
  // Only now, because the folder of the sources may be that of the certificate.
  await using records = await WaitingRecords.open(path);
  const named: CertifiedRecord[] = [];
  const beside: CertifiedRecord[] = [];
  const edited: CertifiedRecord[] = [];
  const leftOut: CertifiedRecord[] = [];
  const write = async (record: CertifiedRecord) => {
    if ((record.lacks ?? record.keeps) !== undefined && beside.length < MOST_NAMED) beside.push(record);
    if (record.class === "edited" && edited.length < MOST_NAMED) edited.push(record);
    if ((record.class === "skipped" || record.class === "dropped") && leftOut.length < MOST_NAMED) leftOut.push(record);
    if (keepsOpen(record.class) && named.length < MOST_NAMED) named.push(record);
    await records.add(record);
  };
  const watching = watch(context, session, "reading back");
  const restored = () => findRestored(records.records());
  const reading = { ...verifyContext(context, session, run, watching), now, version: packageVersion() };
  const issued = await issueCertificate(run, { ...reading, sinceThen, restored, write }).finally(watching.stop);
  const certificate = issued && asPrinted(issued, output);
  output.endProgress();
  if (!isTaken || certificate === undefined || context.signal.aborted) {
    output.conclude(NO_CERTIFICATE);
    return "stopped";
  }
  const signature = await writeCertificate(path, certificate, records, await ownKey(keyPath));
  const lists = { named, edited, beside, leftOut };
  const places = { file: basename(path), path: resolve(path), completes: output.completes };
  await writeWhole(page, certificatePage(certificate, { signature, ...lists, ...places }));
  tellEdited(context, edited);
  tellBeside(context, beside);
  return tell(context, certificate, { path, page, fingerprint: fingerprintOf(signature.publicKey) });
}

/** Checks before the work that both files can be written. @throws UsageError when one can't be written */
export async function checkPaths(path: string, page: string): Promise<void> {
  const checks = [checkFree(path, MARK), checkFree(page, GENERATOR)];
  await Promise.all(checks).catch(refuse);
}

function refuse(error: unknown): never {
  throw error instanceof ReportError ? new UsageError(error.message, { cause: error }) : error;
}

/** Says the person's own conditions, and that earlier runs had others. */
function tellRule(output: CommandContext["output"], { conditions = [], hash = "", earlier = [] }: Acceptance): void {
  const inWords = (words: readonly string[]) => (words.length === 0 ? "without conditions of yours" : words.join(", "));
  if (conditions.length > 0) output.say(`Your rule: ${inWords(conditions)}. Its hash: ${hash.slice(0, 16)}.`);
  for (const { run, at, conditions: then } of earlier)
    output.remark(
      `This rule is not the first one: run ${run} of ${at.slice(0, 10)} sent records of these sources by another (${inWords(then)}). The certificate says so.`,
    );
}

/** Says that other imports had other sources, so that nobody takes the answer for one about all of them. */
function tellOthers(output: CommandContext["output"], { otherRuns = [] }: Certificate): void {
  const [first] = otherRuns;
  if (first === undefined) return;
  const records = otherRuns.reduce((sum, one) => sum + one.records, 0);
  const runs = otherRuns.map(({ run }) => run).join(", ");
  output.say(
    `This answer is about the sources of this run alone. ${otherRuns.length === 1 ? `Run ${runs}` : `Runs ${runs}`} had other sources (${many(records, "record")}). See also: logferry certify --run ${first.run}`,
  );
  for (const { run, undone = 0, madeByUndone = 0 } of otherRuns) {
    if (madeByUndone > 0)
      output.say(
        `Run ${run} was undone: ${many(madeByUndone, "record")} that it made ${madeByUndone === 1 ? "is" : "are"} yours to take out of the log. See them: logferry undo ${run} --dry-run`,
      );
    if (undone > 0)
      output.say(
        `Run ${run} was undone: ${many(undone, "record")} that it changed ${undone === 1 ? "is" : "are"} as before it. See them: logferry certify --run ${run}`,
      );
  }
}

/** Names the records with values that somebody edited in the log: twenty, or all that are kept with --verbose. */
function tellEdited({ output }: CommandContext, records: readonly CertifiedRecord[]): void {
  for (const [index, { id, kind, origin, logId, differs: fields = [] }] of records.entries()) {
    output.emit("edited", { id, kind, logId, origin, fields });
    if (index >= SHOWN && output.loudness !== "verbose") continue;
    output.say(`${describeOrigin(origin)} (${kind} ${logId}): edited in your log, and kept: ${fields.join(", ")}`);
  }
}

/** Names the workouts that the log had before and that lack values of the sources, or have others: twenty, or all that are kept with --verbose. */
function tellBeside({ output }: CommandContext, records: readonly CertifiedRecord[]): void {
  for (const [index, { id, origin, logId, lacks = [], keeps = [] }] of records.entries()) {
    output.emit("lacking", { id, logId, origin, lacks, keeps });
    if (index >= SHOWN && output.loudness !== "verbose") continue;
    const parts = [
      lacks.length > 0 && `lacks ${lacks.join(", ")}`,
      keeps.length > 0 && `has another ${keeps.join(", ")}`,
    ].filter((part) => part !== false);
    output.say(`${describeOrigin(origin)} (workout ${logId} of your log): ${parts.join("; ")}`);
  }
}

/** What was written, and what the terminal says besides. */
interface Written {
  readonly path: string;
  readonly page: string;
  readonly fingerprint: string;
}

function tell({ output }: CommandContext, certificate: Certificate, { path, page, fingerprint }: Written): ExitName {
  const { classes, verdict, isBalanced, sinceThen, acceptance, assumedTimes } = certificate;
  const { canClose } = verdict;
  const { conditions, hash, earlier = [] } = acceptance;
  const rule = { conditions, hash, earlier };
  output.emit("certificate", {
    run: certificate.run.number,
    path,
    page,
    fingerprint,
    canClose,
    classes,
    isBalanced,
    rule,
    notAdded: certificate.notAdded,
  });
  for (const { class: name, count: n, means } of classes) output.say(`${count(n)} ${classWord(name)}: ${means}`);
  const { added, changed, gone, unreadable } = sinceThen;
  const absent = unreadable.filter(({ wasListed }) => wasListed).map(({ name }) => name);
  const since = [
    added.length > 0 && `${many(added.length, "file")} came later`,
    changed.length > 0 && `${many(changed.length, "file")} changed`,
    gone.length > 0 && `${many(gone.length, "file")} went away`,
    absent.length > 0 && `${many(absent.length, "source")} can't be read any more (${absent.join(", ")})`,
  ].filter((part) => part !== false);
  if (since.length > 0) output.say(`The sources changed since the inventory: ${since.join(", ")}.`);
  if (assumedTimes !== undefined)
    output.say(
      `${many(assumedTimes.workouts, "workout")} without a known time zone: assumed at your log's offset, ${utcText(assumedTimes.utcOffset * 60)}.`,
    );
  const away = certificate.issues.find(({ rule: id }) => id === ROWS_AWAY)?.example.found;
  if (away !== undefined) output.say(`${away}.`);
  tellOthers(output, certificate);
  tellRule(output, acceptance);
  for (const { code, todo } of verdict.obstacles) if (TOLD_HERE.has(code)) output.say(todo.replace(/\.?$/, "."));
  output.say(`Certificate: ${path}, and to read: ${page}. Key ${fingerprint}.`);
  const day = verdict.cutOff.slice(0, 10);
  const last = verdict.newestWorkout === undefined ? "" : `, whose newest workout is of ${verdict.newestWorkout}`;
  const later =
    added.length + changed.length === 0 ? "" : " What came into the sources later is not in it: import them again.";
  const edited = describeChangedSince(changed);
  output.conclude(
    canClose
      ? `Can the old account be closed? Yes, up to what these sources held on ${day}${last}${newColumnsOf(certificate)}${sheetsOf(verdict)}${describeMinorValues(verdict.minorValues)}${edited}.${later}`
      : `Can the old account be closed? ${verdict.sentence}`,
  );
  if (!isBalanced) return "bug";
  if (canClose) return "done";
  const isOther =
    classes.some(({ class: name }) => name === "differs" || name === "missing") ||
    verdict.obstacles.some(({ code }) => code === "differs" || code === "gone");
  return isOther ? "differs" : "setAside";
}

/** What a yes adds about columns and tables that nobody read, as `status` does: `; 1 new column was not read: mood`. Empty where there is none. */
function newColumnsOf({ issues }: Certificate): string {
  const columns = sumOfUnread(issues.map(({ example }) => newColumns(example)));
  return columns === undefined ? "" : `; ${describeColumns(columns)}`;
}

/** What a yes adds about sheets that nobody read. */
function sheetsOf({ sheetsLeft }: Certificate["verdict"]): string {
  return sheetsLeft === undefined ? "" : `; ${describeSheets(sheetsLeft)}`;
}

/** Obstacles whose remedies the terminal says. The page has those of all. */
const TOLD_HERE: ReadonlySet<string> = new Set(["not-added", "own-rule"]);
