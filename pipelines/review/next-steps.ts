/** The open records of a run, and the next steps for a person. */

import { sumOfLost } from "../../transforms/model/lost-file.ts";
import { describeFiles, inspectAll, sumOfUnread } from "../../transforms/model/unread.ts";
import { BRING_BACK } from "../journal/gone.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { LineState } from "../journal/line.ts";
import { importAgain } from "../journal/options-again.ts";
import { isPromoteRule } from "../journal/promote-rules.ts";
import { resumeCommand } from "../journal/resume-command.ts";
import { isCurrent, type Run, type VerifiedRun } from "../journal/run.ts";
import { summarise } from "../journal/summary.ts";
import { isGone } from "../log/describe-difference.ts";
import { findOpenLines, leftByOthers, unreadByOthers } from "../plan/records/open-lines.ts";
import { baseRun, retriesOf } from "../plan/records/retry-selection.ts";
import { isFileChanged, planCommand } from "../sources/describe-changed.ts";
import { records } from "./causes.ts";
import { ruleIn } from "./quarantine.ts";

/** One next step. */
export interface NextStep {
  /** `3 records are rejected`. */
  readonly left: string;
  /** The command to type. */
  readonly command: string;
}

/** The open records of a run and of its retries, the most urgent first; empty for a run that a later plan replaced. */
export async function nextSteps(journal: JournalReader, run: Run): Promise<readonly NextStep[]> {
  if (run.state === "superseded") return [];
  const steps: NextStep[] = [];
  const { all, unreadFiles, perhapsInLog = 0 } = await summarise(journal, run);
  const unread = sumOfUnread([
    unreadFiles,
    run.options.restores === undefined ? await unreadByOthers(journal, run) : undefined,
  ]);
  if (all.left > 0 && run.state !== "finished")
    steps.push({ left: `${records(all.left)} still to do`, command: resumeCommand(run) });
  const base = (await baseRun(journal, run.id)) ?? run;
  const newest = await baseRun(journal, undefined);
  const isNewest = newest === undefined || newest.id === base.id;
  const findOpen = (states: readonly LineState[]) => findOpenLines(journal, base, states);
  // A retry is for the newest run alone. What an older one left out is in the plan of its sources.
  const retry = isNewest ? "logferry retry" : importAgain(base);
  const rejected = await findOpen(["quarantined"]);
  const waiting = rejected.filter(({ line }) => isPromoteRule(ruleIn(line))).length;
  const quarantine = `logferry quarantine${isNewest ? "" : ` --run ${base.id}`}`;
  if (rejected.length > waiting)
    steps.push({ left: `${records(rejected.length - waiting)} rejected`, command: quarantine });
  if (waiting > 0) steps.push({ left: `${records(waiting)} waiting for your decision`, command: quarantine });
  const missing = await findOpen(["refused", "failed"]);
  const changed = missing.filter(({ line }) => line.state === "failed" && isFileChanged(line.reason)).length;
  const others = missing.length - changed;
  const again = run.options.restores && `logferry restore ${run.options.restores.snapshot.slice(0, 8)}`;
  const gone = (await findOpen(["gone"])).length;
  const bringBack = isNewest ? BRING_BACK : `${importAgain(base)} --restore-missing`;
  if (gone > 0) steps.push({ left: `${records(gone)} no longer in the log`, command: again ?? bringBack });
  if (others > 0) steps.push({ left: `${records(others)} refused or not sent`, command: again ?? retry });
  if (changed > 0)
    steps.push({
      left: `${records(changed)} of ${changed === 1 ? "a file" : "files"} that changed`,
      command: planCommand(base),
    });
  const inDoubt = (await findOpen(["in-doubt"])).length;
  if (inDoubt > 0) steps.push({ left: `${records(inDoubt)} in doubt`, command: "logferry retry" });
  if (perhapsInLog > 0)
    steps.push({ left: `${records(perhapsInLog)} perhaps twice in the log`, command: "logferry plan review --list" });
  if (unread !== undefined) steps.push({ left: describeFiles(unread), command: inspectAll(unread) });
  const lost = sumOfLost(all.lostFiles);
  if (lost > 0)
    steps.push({ left: `${records(lost)} without the whole device file`, command: "logferry status --verbose" });
  if (run.options.restores === undefined)
    for (const { run: id, count, quarantined, again } of await leftByOthers(journal, run)) {
      const command = quarantined > 0 ? `logferry quarantine --run ${id}` : again;
      steps.push({ left: `${records(count)} of run ${id} not in the log`, command });
    }
  const verified = await journal.verified(run.id);
  const retries = await retriesOf(journal, base);
  const isOvertaken = verified === undefined || retries.some(({ createdAt }) => createdAt > verified.at);
  if (!isOvertaken && isCurrent(run, verified)) steps.push(...mending(verified));
  if (run.state === "finished" && verified === undefined)
    steps.push({ left: "not verified yet", command: `logferry verify --run ${run.id}` });
  return steps;
}

/** The findings of a verification, with their remedies: missing records are loaded again, and differing or unread ones need a look. */
function mending({ differing, examples, unread }: VerifiedRun): readonly NextStep[] {
  const missing = examples.filter(({ differences }) => differences.some(isGone)).length;
  const more = differing > examples.length && missing > 0 ? " or more" : "";
  return [
    ...(missing > 0 ? [{ left: `${records(missing)}${more} missing from the log`, command: BRING_BACK }] : []),
    ...(examples.length > missing
      ? [{ left: `${records(differing - missing)} not as planned`, command: "logferry verify --verbose" }]
      : []),
    ...(unread > 0 ? [{ left: `${records(unread)} could not be read back`, command: "logferry verify" }] : []),
  ];
}
