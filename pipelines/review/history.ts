/** Collects the history of a journal: every run, newest first. */
import { GONE_MEANWHILE } from "../journal/gone.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";
import { madeByUndone } from "../journal/undone-run.ts";
import { findOpenLines } from "../plan/records/open-lines.ts";
import { baseRun } from "../plan/records/retry-selection.ts";
import type { HistoryRun } from "../report/page/history.ts";
import { type RecordGroup, recordGroups } from "../report/page/records.ts";
import { createReport, type ReportOptions, readRecords } from "../report/report.ts";
import type { Report } from "../report/schema.ts";
import { nextSteps } from "./next-steps.ts";

/** Reads the runs of a journal one by one, newest first. */
export async function* readHistory(journal: JournalReader, options: ReportOptions): AsyncIterable<HistoryRun> {
  for (const run of (await journal.runs()).toReversed()) {
    const report = await createReport(journal, run, options);
    const settled = await settledIn(journal, run);
    const { ledger, goneSince } = await ledgerOfThen(journal, run, report.ledger);
    const [putBack, made] = [await journal.undone(run.id), await madeByUndone(journal, run)];
    yield {
      report: { ...report, ledger },
      ...(goneSince > 0 && { goneSince }),
      ...(putBack + made > 0 && { undone: { putBack, made } }),
      what: kindOfRun(run),
      groups: (await recordGroups(report, readRecords(journal, run))).map((group) => asHistory(group, settled)),
      steps: await nextSteps(journal, run),
    };
  }
}

/**
 * The ledger with what a run did at its time. What somebody took out of the log after it counts as what the run made of it.
 *
 * @returns it, and how many records are gone since
 */
async function ledgerOfThen(journal: JournalReader, run: Run, ledger: Report["ledger"]) {
  const then = { ...ledger };
  let goneSince = 0;
  const takeBack = (column: "created" | "updated" | "unchanged" | "merged") => {
    then[column]++;
    then.gone--;
    goneSince++;
  };
  for await (const line of journal.lines(run.id, { state: ["gone"] })) {
    if (line.reason?.startsWith(GONE_MEANWHILE) !== true) continue;
    takeBack(line.action === "create" ? "created" : line.action === "update" ? "updated" : "unchanged");
    for (let twins = await journal.mergedInto(run.id, line.key); twins.length > 0; ) {
      for (const _ of twins) takeBack("merged");
      twins = (await Promise.all(twins.map(({ key }) => journal.mergedInto(run.id, key)))).flat();
    }
  }
  return { ledger: then, goneSince };
}

/** The states of a run that ask for something, of which later runs have left nothing open. */
async function settledIn(journal: JournalReader, run: Run): Promise<ReadonlySet<string>> {
  const base = (await baseRun(journal, run.id)) ?? run;
  const open = new Set((await findOpenLines(journal, base, ASKING)).map(({ line }) => line.state));
  return new Set(ASKING.filter((state) => !open.has(state)));
}

const ASKING = ["quarantined", "refused", "failed", "in-doubt", "gone"] as const;

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
