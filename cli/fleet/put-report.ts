/** Puts the report of an athlete where their row of the roster says, from the worker that loaded them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { putFile } from "../../connectors/exports/put-file.ts";
import { isOver, type Outcome } from "../../pipelines/batch/outcome.ts";
import type { CommandContext } from "../arguments/command.ts";
import { failureOf } from "../batch/athlete.ts";
import { writeReports } from "../batch/report.ts";
import type { Athlete } from "../batch/roster.ts";
import type { BatchStore } from "../batch/store.ts";

/**
 * Puts the report of an athlete whose load is over. It never throws: the load matters more.
 *
 * @returns the outcome, with a note for the coach when the report didn't arrive
 */
export async function withPutReport(
  context: CommandContext,
  { reportTo }: Pick<Athlete, "reportTo">,
  outcome: Outcome,
  store: BatchStore,
): Promise<Outcome> {
  if (reportTo === undefined || !isOver(outcome)) return outcome;
  const problem = await store.trace.part("put report", () => put(context, reportTo, outcome, store));
  return problem === undefined ? outcome : { ...outcome, note: `the report was not put: ${problem}` };
}

/**
 * Puts the report of an athlete who was done before, where it did not arrive then. The row may have another address by now, or none.
 *
 * @param before the last outcome. Its note says that the report is outstanding
 */
export async function withOutstandingReport(
  context: CommandContext,
  athlete: Pick<Athlete, "reportTo">,
  before: Outcome,
  store: BatchStore,
): Promise<Outcome> {
  if (before.note === undefined) return before;
  const { note: _, ...rest } = before;
  return withPutReport(context, athlete, rest, store);
}

async function put(
  context: CommandContext,
  address: string,
  outcome: Outcome,
  store: BatchStore,
): Promise<string | undefined> {
  const { signal, sleep } = context;
  const folder = await mkdtemp(join(tmpdir(), "logferry-report-"));
  try {
    await writeReports(context, outcome, folder, store);
    const path = join(folder, "report.html");
    return await putFile(address, { path, type: "text/html; charset=utf-8", signal, sleep });
  } catch (error) {
    return failureOf(error, signal.aborted).why;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
