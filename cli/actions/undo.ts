import { dayOf } from "../../pipelines/journal/line.ts";
import { noteUndone } from "../../pipelines/journal/undone-run.ts";
import { sidesOf } from "../../pipelines/log/describe-difference.ts";
import { createdBy, keepsMap, type UndoneRecord, undo as undoRun } from "../../pipelines/review/undo.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { findRun } from "../session/own-journal.ts";
import { type LogSession, openSession } from "../session/session.ts";
import { count, type Output } from "../terminal/output.ts";

/** The number of records of a kind that are printed without --verbose. */
const SHOWN = 20;

/** `logferry undo`: restores the records that a run overwrote, and lists the records that it created. */
export async function act(context: CommandContext): Promise<ExitName> {
  const [word = ""] = context.arguments;
  if (!/^[1-9]\d{0,14}$/.test(word))
    throw new UsageError(`Cannot undo ${JSON.stringify(word)}: expected the number of a run`);
  await using session = await openSession(context);
  return await undoAndTell(context, session, Number(word));
}

async function undoAndTell(context: CommandContext, session: LogSession, number: number): Promise<ExitName> {
  const { output, options } = context;
  const { budget, journal, signal } = session;
  const run = await findRun(journal, number);
  if (run === undefined) throw new UsageError("No run yet. Begin with: logferry plan SOURCE");
  const dryRun = options.dryRun === true;
  const records = await undoRun(run, {
    journal,
    sink: session.sink,
    concurrency: session.concurrency,
    dryRun,
    signal,
    now: context.now,
    mayBegin: (requests) => budget.mayBegin(requests),
    onProgress: (done, total) => output.progress({ phase: dryRun ? "comparing" : "putting back", done, total }),
  });
  output.endProgress();
  for (const one of records) output.emit("undone", asJson(one));
  printRecords(output, records, dryRun);
  const made = await printCreated(output, session, run.id);
  if (!dryRun && !signal.aborted) await noteUndone(journal, run, made, context.now());
  if (signal.aborted) {
    const why = budget.why === undefined ? "" : `: ${budget.why}`;
    output.conclude(`Stopped${why}. The same command goes on where it was.`);
    return "stopped";
  }
  const tally = (...verdicts: readonly UndoneRecord["verdict"][]) =>
    records.filter(({ verdict }) => verdicts.includes(verdict)).length;
  if (records.length === 0 && made === 0) {
    output.conclude(`Run ${run.id} wrote nothing to your log, so there is nothing to undo.`);
    return "done";
  }
  const leftAlone = tally("edited", "written again", "gone", "in part", "unread", "put back unseen");
  const parts = [
    `${count(tally("put back"))} ${dryRun ? "would be put back" : "put back"}`,
    tally("as before") > 0 ? `${count(tally("as before"))} as before already` : undefined,
    leftAlone > 0 ? `${count(leftAlone)} left alone or not wholly put back` : undefined,
    `${count(made)} made by the run ${made === 1 ? "is" : "are"} yours to take out of the log`,
  ].filter((part) => part !== undefined);
  const asks =
    run.state === "stopped" ? ` Run ${run.id} is stopped, not over: logferry apply would go on with it.` : "";
  output.conclude(
    `${dryRun ? "Dry run: nothing was changed" : `Run ${run.id} is undone`}. ${parts.join("; ")}.${asks}`,
  );
  return leftAlone > 0 ? "setAside" : "done";
}

const TITLES: Readonly<Record<UndoneRecord["verdict"], readonly [does: string, would: string]>> = {
  "put back": ["Put back as they were", "Would be put back as they were"],
  "in part": ["Put back, and the log kept some of what the run wrote", ""],
  edited: ["Edited in the log since, and left alone", "Edited in the log since: will be left alone"],
  "written again": [
    "Written over again by a later run: undo that one first",
    "Written over again by a later run: undo that one first",
  ],
  gone: ["No longer in the log", "No longer in the log"],
  unread: ["Could not be read, and left alone", "Could not be read: will be left alone unless the log shows them then"],
  "put back unseen": [
    "Put back, but could not be read again: nobody knows whether the log kept some of what the run wrote",
    "",
  ],
  "as before": ["As before already", "As before already"],
};

function printRecords(output: Output, records: readonly UndoneRecord[], dryRun: boolean): void {
  for (const [verdict, titles] of Object.entries(TITLES)) {
    const some = records.filter((one) => one.verdict === verdict);
    if (some.length === 0 || verdict === "as before") continue;
    output.say(`${titles[dryRun ? 1 : 0]}:`);
    for (const one of shown(output, some)) {
      const { record, line, differences, byRun, reason } = one;
      const fields = differences.map((difference) => {
        const { expected, found } = sidesOf(difference);
        return `${difference.field} ${expected} -> ${found}`;
      });
      const more = [
        ...fields,
        ...(byRun === undefined ? [] : [`run ${byRun}`]),
        ...(reason === undefined ? [] : [reason]),
        ...(keepsMap(one) ? ["its line on the map stays as the run drew it"] : []),
      ];
      output.say(`  ${record.kind} ${record.id}, ${describeOrigin(line.origin)}: ${more.join("; ")}`);
    }
    output.say();
  }
}

/** @returns the number of records */
async function printCreated(output: Output, { journal, url }: LogSession, run: number): Promise<number> {
  let number = 0;
  const found = await journal.run(run);
  if (found === undefined) return 0;
  for await (const line of createdBy(journal, found)) {
    number++;
    const page = `${url}/${PAGES[line.kind]}/${line.remoteId}`;
    output.emit("created", {
      kind: line.kind,
      id: line.remoteId,
      key: line.key,
      date: dayOf(line),
      origin: line.origin,
      page,
    });
    if (number === 1)
      output.say(
        "Made by the run, and yours to take out of the log (pages as the service that comes with logferry has them):",
      );
    if (number <= SHOWN || output.loudness === "verbose")
      output.say(
        `  ${[dayOf(line), line.kind, page, describeOrigin(line.origin)].filter((part) => part !== undefined).join("  ")}`,
      );
  }
  if (number > SHOWN && output.loudness !== "verbose")
    output.say(`  ... and ${count(number - SHOWN)} more (--verbose shows all)`);
  if (number > 0) output.say();
  return number;
}

/** The path of a record's page, below the address of the log. */
const PAGES = { workout: "workouts", course: "courses", equipment: "equipment" } as const;

function shown<T>(output: Output, all: readonly T[]): readonly T[] {
  return output.loudness === "verbose" ? all : all.slice(0, SHOWN);
}

function asJson({ record, line, verdict, differences, byRun, reason }: UndoneRecord): Record<string, unknown> {
  return { kind: record.kind, id: record.id, key: line.key, origin: line.origin, verdict, differences, byRun, reason };
}
