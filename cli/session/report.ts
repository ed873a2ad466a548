/**
 * `--report FILE`: writes the result of a run to files. The run matters more: logferry reports a file that can't be written, but neither
 * the work nor the exit code changes.
 */

import { TransferError } from "../../connectors/errors.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { otherwiseThanPlanned } from "../../pipelines/log/describe-difference.ts";
import { createReport, verdictOn } from "../../pipelines/report/report.ts";
import type { CommandContext } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { asPrinted } from "../suggested-commands.ts";
import { packageVersion } from "../system/version.ts";
import { count, type Output } from "../terminal/output.ts";

/** The writers of reports. Few commands write one, so they are loaded only then. */
const writers = () => import("../../pipelines/report/write.ts");

/**
 * Checks before the work that the requested reports can be written.
 *
 * @throws UsageError when one can't
 */
export async function checkReports({ options }: CommandContext): Promise<void> {
  const paths = options.report ?? [];
  if (paths.length === 0) return;
  const { checkReportPath, ReportError } = await writers();
  for (const path of paths) {
    await checkReportPath(path).catch((error: unknown) => {
      throw error instanceof ReportError ? new UsageError(error.message, { cause: error }) : error;
    });
  }
}

/**
 * Does the work and then writes the requested reports of the run, even when the work stopped half-way.
 *
 * @returns the result of the work
 */
export async function withReports<T>(
  context: CommandContext,
  journal: JournalReader,
  run: Run,
  work: () => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    if (error instanceof TransferError) await writeReports(context, journal, run);
    throw error;
  }
  await writeReports(context, journal, run);
  return result;
}

/** Writes the requested reports of a run in its current state. @returns whether all could be written */
export async function writeReports(
  { options, output, now }: CommandContext,
  journal: JournalReader,
  { id }: Run,
): Promise<boolean> {
  const paths = options.report ?? [];
  if (paths.length === 0) return true;
  const { ReportError, writeReport } = await writers();
  const fail = (error: unknown) => {
    // A journal that can't be read has ended the run already, and that error was reported.
    if (!(error instanceof ReportError) && !(error instanceof TransferError)) throw error;
    output.warn(
      `${error.message}. The run itself is fine. Write the report again with: logferry status --run ${id} --report FILE`,
    );
    return false;
  };
  try {
    const run = await journal.run(id);
    if (run === undefined) return false;
    const places = options.noPlaces !== true;
    const facts = await createReport(journal, run, { now: now(), version: packageVersion(), places });
    const report = asPrinted(facts, output);
    let isWhole = true;
    for (const path of paths) {
      try {
        await writeReport(journal, run, report, path, output.completes);
        output.emit("report", { run: id, path });
        output.say(`Report: ${path}`);
      } catch (error) {
        isWhole = fail(error);
      }
    }
    return isWhole;
  } catch (error) {
    return fail(error);
  }
}

/** Prints the findings of a run's last verification, and whether the old account can be closed. */
export async function sayVerified(output: Output, journal: JournalReader, run: Run): Promise<void> {
  const verified = await journal.verified(run.id);
  if (verified !== undefined) {
    const { at, checked, differing, edited, claimedTwice, doubled, unread } = verified;
    const wrong = differing + claimedTwice + doubled;
    const exceptions = otherwiseThanPlanned(edited, await journal.undone(run.id));
    output.say(
      `Verified on ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC: ${count(checked)} ${checked === 1 ? "record" : "records"} read back, ${wrong === 0 ? `all fields as planned${exceptions}` : `${count(wrong)} not as planned`}${unread === 0 ? "" : `, and ${count(unread)} could not be read`}.`,
    );
  }
  if (run.state === "planned" || run.state === "superseded" || run.options.restores !== undefined) return;
  const verdict = await verdictOn(journal, run);
  output.say(`Can the old account be closed? ${verdict.sentence}`);
}
