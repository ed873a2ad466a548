import { EDITED_SINCE, NOT_THERE, survey as surveyOf } from "../../pipelines/backup/restore.ts";
import { lockIfWritable, snapshotsOf } from "../../pipelines/backup/snapshots.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { RecordLine } from "../../pipelines/journal/line.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import type { CommandContext } from "../arguments/command.ts";
import { PLANNING_ENDS } from "../arguments/stop-lines.ts";
import {
  atRepository,
  openOwnRepository,
  shortId,
  shortTime,
  snapshotAsJson,
  snapshotCalled,
} from "../backup/repository.ts";
import { filterOf, type OtherLog, planRestore, refusalOf, refuseUnknown } from "../backup/restoring.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { exitOfRun } from "../printing/closing.ts";
import { printPlan, printResult } from "../printing/print-run.ts";
import { carryOut } from "../session/carry-out.ts";
import { pricing } from "../session/own-journal.ts";
import { checkReports, withReports } from "../session/report.ts";
import { type LogSession, openSession, usedBy } from "../session/session.ts";
import { count, many, type Output } from "../terminal/output.ts";

/** `logferry restore`: puts a snapshot back into a log. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { output, options } = context;
  const filter = filterOf(context);
  await checkReports(context);
  context.sayAtStop?.(PLANNING_ENDS);
  const repository = await openOwnRepository(context, "restore");
  return atRepository(repository, async () => {
    let lock: Disposable | undefined;
    let session: LogSession | undefined;
    try {
      const { snapshots } = await snapshotsOf(repository);
      const snapshot = snapshotCalled(snapshots, context.arguments[0] ?? "", "restore");
      lock = lockIfWritable(repository);
      const survey = await surveyOf(repository, snapshot, filter);
      refuseUnknown(survey);
      session = await openSession(context);
      const overwrite = options.overwrite === true;
      const { account } = session.view;
      let refused: OtherLog | undefined;
      const approve = (isSameLog: boolean) => {
        if (isSameLog && (options.into === undefined || options.into === account.name)) return;
        refused = refusalOf(snapshot, account, options.into);
        if (refused !== undefined && options.dryRun !== true)
          throw new UsageError(`Cannot restore: ${refused.because}. ${refused.remedy}`);
      };
      const run = await planRestore(context, session, { repository, snapshot, survey, filter, overwrite, approve });
      lock[Symbol.dispose]();
      lock = undefined;
      if (run === undefined) {
        output.conclude("Stopped before the plan was complete: nothing was changed.");
        return "stopped";
      }
      output.emit("snapshot", snapshotAsJson(snapshot));
      output.say(`Snapshot ${shortId(snapshot)} of ${shortTime(snapshot)} UTC, of the log of ${snapshot.log.name}`);
      return await restoreAll(context, session, run, refused);
    } finally {
      lock?.[Symbol.dispose]();
      await session?.close();
    }
  });
}

/** @param refused why this command can't be done for real */
async function restoreAll(
  context: CommandContext,
  session: LogSession,
  run: Run,
  refused: OtherLog | undefined,
): Promise<ExitName> {
  const { output, options } = context;
  const { journal } = session;
  await printPlan(output, journal, run, "plan", pricing(options, session.url, "now"));
  const left = await printLeft(output, journal, run, options.overwrite === true);
  context.sayAtStop?.(undefined);
  return withReports(context, journal, run, async () => {
    if (options.dryRun === true) {
      const next =
        refused === undefined
          ? "Without -n, this is what will be done."
          : `Without -n it is refused, because ${refused.because}. ${refused.remedy}`;
      output.conclude(`Dry run: nothing was changed.${left} ${next}`);
      return exitOfRun(journal, run, "plan");
    }
    const finished = await carryOut(context, session, run, true);
    const exit = await printResult(output, journal, finished, usedBy(session));
    if (left !== "") output.conclude(left.trimStart());
    return exit;
  });
}

/** The number of unchanged records that are listed without --verbose. */
const SHOWN = 20;

/**
 * Lists the records that stay as they are, and the values that can't be set. @returns sentences about these records and the command that
 * overwrites them; empty when there are none
 */
async function printLeft(output: Output, journal: JournalReader, run: Run, overwrites: boolean): Promise<string> {
  const counts = new Map<string, number>();
  let [edited, notThere] = [0, 0];
  for await (const line of journal.lines(run.id, { state: ["skipped"] })) {
    const { key, kind, state, origin, reason = "", duplicateOf } = line;
    output.emit("record", { key, kind, state, origin, reason, duplicateOf });
    const [isEdited, isNotThere] = [reason.startsWith(EDITED_SINCE), reason.startsWith(NOT_THERE)];
    if (line.kind === "set-aside" || (!isEdited && !isNotThere)) {
      const what = key.split(":")[1] ?? kind;
      counts.set(what, (counts.get(what) ?? 0) + 1);
      continue;
    }
    if (isEdited) edited++;
    else notThere++;
    const listed = edited + notThere;
    if (listed === 1) output.say("Left as they are:");
    if (listed <= SHOWN || output.loudness === "verbose") output.say(`  ${described(line)}: ${reason}`);
  }
  if (edited + notThere > SHOWN && output.loudness !== "verbose")
    output.say(`  ... and ${count(edited + notThere - SHOWN)} more (--verbose shows all)`);
  if (counts.size > 0) {
    const what = [...counts].map(([kind, times]) => `${kind} ${count(times)}x`).join(", ");
    output.say(`Not put back: ${what} (the interface can't save it, or it is its owner's to choose)`);
  }
  const [was, they] = edited === 1 ? ["is", "it is"] : ["are", "they are"];
  const remedy = overwrites ? "" : `: --overwrite puts ${edited === 1 ? "it" : "them"} back`;
  const ofEdited =
    edited === 0 ? "" : ` ${many(edited, "record")} not as in the snapshot ${was} left as ${they}${remedy}.`;
  if (notThere === 0) return ofEdited;
  const missing = `${many(notThere, "record")} of the snapshot ${notThere === 1 ? "is" : "are"} not in the log`;
  return `${ofEdited} ${missing}: without --fields ${notThere === 1 ? "it is" : "they are"} made again.`;
}

/** `workout 4f2c... (2024-02-11 run)`, by its id in the snapshot. */
function described({ kind, key, value }: RecordLine): string {
  const words =
    kind === "workout"
      ? [value.start.date, value.activity, value.name]
      : kind === "course"
        ? [value.name]
        : [value.brandName, value.modelName];
  return `${kind} ${key.split(":").slice(2).join(":")} (${words.filter((word) => word !== undefined).join(" ")})`;
}
