import { EDITED_SINCE, NOT_THERE, survey as surveyOf } from "../../pipelines/backup/restore.ts";
import { lockIfWritable, snapshotsOf } from "../../pipelines/backup/snapshots.ts";
import type { JournalReader, Line, Run } from "../../pipelines/journal/journal.ts";
import type { Equipment } from "../../transforms/model/equipment.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Command, CommandContext } from "../arguments/command.ts";
import {
  atRepository,
  many,
  openRepositoryOf,
  shortId,
  shortTime,
  snapshotAsJson,
  snapshotCalled,
} from "../backup/repository.ts";
import { KEY_OPTIONS } from "../backup/repository-keys.ts";
import { filterOf, planRestore, refuseOtherLog, refuseUnknown } from "../backup/restoring.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { exitOfRun, printPlan, printResult } from "../printing/print-run.ts";
import { loadRun } from "../session/load-run.ts";
import { checkReports, REPORT_OPTIONS, withReports } from "../session/report.ts";
import { openSession, pricing, RUN_OPTIONS, SESSION_OPTIONS, type Session, usedBy } from "../session/session.ts";
import { count, type Output } from "../terminal/output.ts";

/** `logferry restore`: a snapshot back into a log. */
export const restore: Command = {
  name: "restore",
  summary: "put a snapshot back into its log, or into another one",
  details: [
    "Begin with -n: it says of every record what would become of it, and changes nothing. A snapshot is named by the beginning of its id, or as latest, or as latest~1 for the one before that.",
    "Into its own log: what is there as it was costs no request but its reading; what is gone is made again; what was edited since is left as it is and listed, or written over with --overwrite. Into another log, which has to be named with --into: everything is made, equipment and courses first, with the new ids in the workouts; what is there already is recognised. A second restore changes nothing. Killed or stopped, run it again, or logferry apply.",
    "--since, --until and --only choose workouts, with the equipment and the courses they name; --kind chooses which records, --id single ones, --fields which fields of records that are there (docs/exports.md lists the words).",
    "What isn't put back is listed: training plans and the user, which the interface can't save; the preference, which is its owner's to choose; of equipment that is made again, that it is retired and how far it went. The tracks of workouts and the maps of courses are in no backup.",
  ],
  positional: { name: "snapshot", help: "which one: latest, or the beginning of its id", atLeast: 1, atMost: 1 },
  options: [
    "repository",
    ...KEY_OPTIONS,
    "dryRun",
    "overwrite",
    "into",
    "kind",
    "since",
    "until",
    "only",
    "id",
    "fields",
    "activity",
    ...RUN_OPTIONS,
    ...REPORT_OPTIONS,
    ...SESSION_OPTIONS,
  ],
  examples: [
    { line: "logferry restore latest --repository ~/backups/log -n", does: "what would become of every record" },
    { line: "logferry restore latest~7 --repository ~/backups/log", does: "what was lost since, again" },
    {
      line: "logferry restore latest~3 --fields notes --since 2024 --overwrite",
      does: "the notes of the workouts since 2024 as they were, and nothing else",
    },
    {
      line: "logferry restore latest --profile new --into ana",
      does: "the whole log into another one, which is ana's",
    },
  ],
  async run(context) {
    const { output, options } = context;
    const filter = filterOf(context);
    await checkReports(context);
    const repository = await openRepositoryOf(context, "restore");
    return atRepository(repository, async () => {
      let lock: Disposable | undefined;
      let session: Session | undefined;
      try {
        const { snapshots } = await snapshotsOf(repository);
        const snapshot = snapshotCalled(snapshots, context.arguments[0] ?? "", "restore");
        lock = lockIfWritable(repository);
        const survey = await surveyOf(repository, snapshot, filter);
        refuseUnknown(survey);
        session = await openSession(context);
        const overwrite = options.overwrite === true;
        const { account } = session.view;
        const approve = (isSameLog: boolean) => {
          if (isSameLog ? options.into !== undefined && options.into !== account.name : options.dryRun !== true)
            refuseOtherLog(snapshot, account, options.into);
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
        return await carryOut(context, session, run);
      } finally {
        lock?.[Symbol.dispose]();
        await session?.close();
      }
    });
  },
};

async function carryOut(context: CommandContext, session: Session, run: Run): Promise<ExitName> {
  const { output, options } = context;
  const { journal } = session;
  await printPlan(output, journal, run, "plan", pricing(options, "now"));
  const left = await printLeft(output, journal, run);
  return withReports(context, journal, run, async () => {
    if (options.dryRun === true) {
      output.conclude(`Dry run: nothing was changed.${left} Without -n, this is what will be done.`);
      return exitOfRun(journal, run, "plan");
    }
    const finished = await loadRun(context, session, run, true);
    const exit = await printResult(output, journal, finished, usedBy(session));
    if (left !== "") output.conclude(left.trimStart());
    return exit;
  });
}

/** How many records that were left are listed without --verbose. */
const SHOWN = 20;

/** Lists what is left as it is, and what can't be set. @returns a sentence about what was edited; empty when nothing was */
async function printLeft(output: Output, journal: JournalReader, run: Run): Promise<string> {
  const counts = new Map<string, number>();
  let edited = 0;
  for await (const line of journal.lines(run.id, { state: ["skipped"] })) {
    const { key, kind, state, origin, reason = "", twin } = line;
    output.emit("record", { key, kind, state, origin, reason, twin });
    const isListed = reason.startsWith(EDITED_SINCE) || reason.startsWith(NOT_THERE);
    if (!isListed) {
      const what = key.split(":")[1] ?? kind;
      counts.set(what, (counts.get(what) ?? 0) + 1);
      continue;
    }
    if (++edited === 1) output.say("Left as they are:");
    if (edited <= SHOWN || output.loudness === "verbose") output.say(`  ${described(line)}: ${reason}`);
  }
  if (edited > SHOWN && output.loudness !== "verbose")
    output.say(`  ... and ${count(edited - SHOWN)} more (--verbose shows all)`);
  if (counts.size > 0) {
    const what = [...counts].map(([kind, times]) => `${kind} ${count(times)}x`).join(", ");
    output.say(`Not put back: ${what} (the interface can't save it, or it is its owner's to choose)`);
  }
  if (edited === 0) return "";
  const was = edited === 1 ? "is" : "are";
  return ` ${many(edited, "record")} not as in the snapshot ${was} left as ${edited === 1 ? "it is" : "they are"}${run.options.restores?.fields === undefined ? "" : ", or not there"}: --overwrite puts back what was edited.`;
}

/** `workout 4f2c... (2024-02-11 run)`, by its id in the snapshot. */
function described({ kind, key, value }: Line): string {
  const { start, activity, name, brandName, modelName } = value as Partial<Workout & Equipment>;
  const words = [start?.date, start === undefined ? undefined : activity, name, brandName, modelName];
  return `${kind} ${key.split(":").slice(2).join(":")} (${words.filter((word) => word !== undefined).join(" ")})`;
}
