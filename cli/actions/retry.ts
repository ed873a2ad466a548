import { tryToRead } from "../../connectors/sink.ts";
import type { Journal } from "../../pipelines/journal/journal.ts";
import { dayOf, type Line, type LineState, type RecordLine } from "../../pipelines/journal/line.ts";
import { toRemoteRecord } from "../../pipelines/journal/remote-record.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { isNamedBy, shortId } from "../../pipelines/journal/short-id.ts";
import { type CurrentLine, findCurrentLines, retriesOf } from "../../pipelines/plan/records/retry-selection.ts";
import { ruleIn } from "../../pipelines/review/quarantine.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { CommandContext } from "../arguments/command.ts";
import { PLANNING_ENDS } from "../arguments/stop-lines.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { markGone } from "../session/look-back.ts";
import { checkIsOver, findBaseRun, retryRecords } from "../session/retry-records.ts";
import { type LogSession, openSession } from "../session/session.ts";
import { settleLostAnswers } from "../session/settle-doubts.ts";

/** `logferry retry`: tries again, only with the records that didn't get into the log. */
export async function act(context: CommandContext): Promise<ExitName> {
  context.sayAtStop?.(PLANNING_ENDS);
  await using session = await openSession(context);
  const { journal } = session;
  const base = await findBaseRun(journal, context.options.run);
  await checkIsOver(journal, base);
  await settleLostAnswers(context, session);
  await assume(context, session);
  const inDoubt = await journal.doubtful();
  for (const line of inDoubt) {
    context.output.remark(
      `In doubt still: ${shortId(line.key)}, ${describeOrigin(line.origin)}: ${line.reason ?? "no answer came"}. Look in the log, then: logferry retry --assume-absent ${shortId(line.key)}, or --assume-done ${shortId(line.key)}=LOGID`,
    );
  }
  const bringsBack = context.options.restoreMissing === true;
  // A record that an earlier retry brought back may be gone again, and the lines of that run have its place.
  const loaded = bringsBack ? [base, ...(await retriesOf(journal, base))] : [];
  for (const run of loaded) await markGone(context, session, run);
  const wanted = await notInLog(journal, base, bringsBack ? ["gone"] : []);
  if (wanted.length === 0) {
    context.output.conclude(
      inDoubt.length === 0
        ? `Run ${base.id} has no refused or failed record${bringsBack ? ", and the log has everything it loaded" : ""}.`
        : `Run ${base.id} has records in doubt only. They are settled before anything is sent again.`,
    );
    return inDoubt.length === 0 ? "done" : "setAside";
  }
  const others = [...(await mergedWith(journal, wanted)), ...(await naming(journal, base, wanted))];
  return await retryRecords(context, session, base, [...wanted, ...others]);
}

/** The records that the run didn't put into the log, and that may be sent now. */
async function notInLog(journal: Journal, base: Run, also: readonly LineState[]): Promise<readonly CurrentLine[]> {
  const wanted: CurrentLine[] = [];
  for (const current of await findCurrentLines(journal, base, [
    "refused",
    "failed",
    "planned",
    "quarantined",
    ...also,
  ])) {
    const { line } = current;
    // An earlier run had sent the record, and its outcome is known by now.
    const isSettled = ruleIn(line) === "plan/in-doubt" && (await journal.runInDoubt(line.key)) === undefined;
    if (line.state !== "quarantined" || isSettled) wanted.push(current);
  }
  return wanted;
}

/** The records that were merged into these. Without them, a record would come back with fewer values than it had. */
async function mergedWith(journal: Journal, wanted: readonly CurrentLine[]): Promise<readonly CurrentLine[]> {
  const merged: CurrentLine[] = [];
  for (const { line } of wanted) {
    for (const other of await journal.mergedInto(line.run, line.key)) {
      const { retryOf } = await journal.auditTrail.details(other.run, other.seq);
      merged.push({ line: other, seq: retryOf ?? other.seq });
    }
  }
  return merged;
}

/** The workouts of shoes and courses that are gone. The retry gives them their shoes and courses back. */
async function naming(journal: Journal, base: Run, wanted: readonly CurrentLine[]): Promise<readonly CurrentLine[]> {
  const keys = new Set<string>();
  for (const { line } of wanted) {
    if (line.state !== "gone" || (line.kind !== "equipment" && line.kind !== "course")) continue;
    for (const { key } of [line, ...(await journal.mergedInto(line.run, line.key))]) keys.add(key);
  }
  if (keys.size === 0) return [];
  return (await findCurrentLines(journal, base, ["done", "unchanged"])).filter(
    ({ line }) =>
      line.kind === "workout" &&
      [line.value.course, line.value.equipment?.[0]].some((key) => key !== undefined && keys.has(key)),
  );
}

/** Keeps a person's decisions about records in doubt. It checks them as far as possible, and checks all of them before it keeps any. */
async function assume(context: CommandContext, session: LogSession): Promise<void> {
  const { assumeAbsent = [], assumeDone = [] } = context.options;
  const { journal } = session;
  const absent = [];
  for (const word of assumeAbsent) absent.push(await doubtful(journal, word, "--assume-absent"));
  const there = [];
  for (const pair of assumeDone) {
    const [, word = "", id = ""] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (id === "") throw new UsageError(`Cannot use --assume-done ${JSON.stringify(pair)}: expected ID=LOGID`);
    const line = await doubtful(journal, word, "--assume-done");
    await checkIsIt(context, session, line, id);
    there.push({ line, id });
  }
  checkAreApart(absent, there);
  for (const line of absent) {
    await journal.receive(line, "planned", {
      reason: "the answer was lost, and you said that the log doesn't hold it",
    });
  }
  for (const { line, id } of there) {
    await journal.receive(
      line,
      "planned",
      { remoteId: id, reason: `the answer was lost, and you said that it is ${id} in the log` },
      toRemoteRecord(line, id),
    );
  }
}

/** Refuses two decisions about one record, and two records with the same id in the log. @throws UsageError */
function checkAreApart(absent: readonly Line[], there: readonly { readonly line: Line; readonly id: string }[]): void {
  const keys = [...absent, ...there.map(({ line }) => line)].map(({ key }) => key);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw new UsageError(`Cannot use what you say of ${shortId(twice)}: it is said twice`);
  const ids = there.map(({ line, id }) => `${line.kind} ${id}`);
  const same = ids.find((id, index) => ids.indexOf(id) !== index);
  if (same !== undefined) throw new UsageError(`Cannot use --assume-done: ${same} is said to be two records`);
}

/** @throws UsageError when the word doesn't name a record in doubt */
async function doubtful(journal: Journal, word: string, flag: string): Promise<RecordLine> {
  const lines = await journal.doubtful();
  const [line, second] = lines.filter(({ key }) => isNamedBy(word, key));
  if (line !== undefined && second === undefined) return line;
  const names = lines.map(({ key }) => shortId(key)).join(", ");
  throw new UsageError(
    `Cannot use ${flag} ${word}: ${line !== undefined ? "several begin with it" : "nothing in doubt has that id"}${names === "" ? "" : `; in doubt are ${names}`}`,
  );
}

/**
 * The named record must exist in the log, have the same day, and not belong to another line. Otherwise the retry would overwrite somebody's
 * other record.
 */
async function checkIsIt(
  { signal }: CommandContext,
  { journal, sink }: LogSession,
  line: RecordLine,
  id: string,
): Promise<void> {
  const { kind } = line;
  const result = await tryToRead(() => sink.read(kind, id, signal));
  if ("refused" in result)
    throw new UsageError(`Cannot use --assume-done: ${kind} ${id} could not be read: ${result.refused}`);
  const { found } = result;
  if (found === undefined) throw new UsageError(`Cannot use --assume-done: the log has no ${kind} ${id}`);
  const date = dayOf(line);
  if (kind === "workout" && found.date !== date)
    throw new UsageError(
      `Cannot use --assume-done: ${kind} ${id} is of ${found.date}, and ${shortId(line.key)} of ${date}`,
    );
  const others = await journal.auditTrail.find({ remoteId: id });
  const other = others.find((one) => one.kind === kind && one.key !== line.key);
  if (other !== undefined)
    throw new UsageError(`Cannot use --assume-done: ${kind} ${id} is ${describeOrigin(other.origin)} already`);
}
