/** Collects the history of a journal: every run, newest first. */
import type { JournalReader } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";
import type { HistoryRun } from "../report/page/history.ts";
import { recordGroups } from "../report/page/records.ts";
import { createReport, type ReportOptions, readRecords } from "../report/report.ts";
import { nextSteps } from "./next-steps.ts";

/** Reads the runs of a journal one by one, newest first. */
export async function* readHistory(journal: JournalReader, options: ReportOptions): AsyncIterable<HistoryRun> {
  for (const run of (await journal.runs()).toReversed()) {
    const report = await createReport(journal, run, options);
    yield {
      report,
      what: kindOfRun(run),
      groups: await recordGroups(report, readRecords(journal, run)),
      steps: await nextSteps(journal, run),
    };
  }
}

/** What kind of run it was, in words. */
export function kindOfRun({ state, options: { retryOf, restores, promotes } }: Run): string {
  if (retryOf !== undefined) return `retry of run ${retryOf}`;
  if (restores !== undefined) return `restore of snapshot ${restores.snapshot.slice(0, 8)}`;
  if (promotes !== undefined)
    return `${state === "planned" ? "plan of a promotion" : "promotion"} of the rehearsal in ${promotes.folder}`;
  return state === "planned" ? "plan" : "import";
}
