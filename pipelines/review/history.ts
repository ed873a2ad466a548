/** Collects the history of a journal: every run, newest first. */
import type { JournalReader } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";
import { baseRun, findCurrentLines } from "../plan/retry-selection.ts";
import type { HistoryRun } from "../report/page/history.ts";
import { type RecordGroup, recordGroups } from "../report/page/records.ts";
import { createReport, type ReportOptions, readRecords } from "../report/report.ts";
import { nextSteps } from "./next-steps.ts";

/** Reads the runs of a journal one by one, newest first. */
export async function* readHistory(journal: JournalReader, options: ReportOptions): AsyncIterable<HistoryRun> {
  for (const run of (await journal.runs()).toReversed()) {
    const report = await createReport(journal, run, options);
    const settled = await settledIn(journal, run);
    yield {
      report,
      what: kindOfRun(run),
      groups: (await recordGroups(report, readRecords(journal, run))).map((group) => asHistory(group, settled)),
      steps: await nextSteps(journal, run),
    };
  }
}

/** The states of a run that ask for something, of which later runs have left nothing open. */
async function settledIn(journal: JournalReader, run: Run): Promise<ReadonlySet<string>> {
  const base = (await baseRun(journal, run.id)) ?? run;
  const open = new Set((await findCurrentLines(journal, base, ASKING)).map(({ line }) => line.state));
  return new Set(ASKING.filter((state) => !open.has(state)));
}

const ASKING = ["quarantined", "refused", "failed", "in-doubt"] as const;

/**
 * The reasons of a group as history. The journal's words name the command to type, which `steps` say as long as something is open. A settled record asks
 * for nothing.
 */
function asHistory(group: RecordGroup, settled: ReadonlySet<string>): RecordGroup & { readonly isSettled?: true } {
  const records = group.records.map(({ reason, ...record }) => ({
    ...record,
    ...(reason !== undefined && { reason: reason.replace(/\. Once the cause is mended: logferry retry$/, "") }),
  }));
  if (!settled.has(group.state)) return { ...group, records };
  return { ...group, records, remedy: undefined, isSettled: true };
}

/** What kind of run it was, in words. */
export function kindOfRun({ state, options: { retryOf, restores, promotes } }: Run): string {
  if (retryOf !== undefined) return `retry of run ${retryOf}`;
  if (restores !== undefined) return `restore of snapshot ${restores.snapshot.slice(0, 8)}`;
  if (promotes !== undefined)
    return `${state === "planned" ? "plan of a promotion" : "promotion"} of the rehearsal in ${promotes.folder}`;
  return state === "planned" ? "plan" : "import";
}
