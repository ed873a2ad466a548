/** The open records of a run, and the next steps for a person. */

import { sumOfLost } from "../../transforms/model/lost-file.ts";
import { describeFiles, inspectAll, sumOfUnread } from "../../transforms/model/unread.ts";
import { BRING_BACK } from "../journal/gone.ts";
import type { JournalReader } from "../journal/journal.ts";
import { resumeCommand } from "../journal/resume-command.ts";
import { isCurrent, type Run, type VerifiedRun } from "../journal/run.ts";
import { summarise } from "../journal/summary.ts";
import { leftByOthers, unreadByOthers } from "../plan/open-lines.ts";
import { baseRun, findCurrentLines } from "../plan/retry-selection.ts";
import { isFileChanged, planCommand } from "../sources/describe-changed.ts";
import { isMissing } from "../verify/verify.ts";
import { records } from "./causes.ts";
import { findQuarantined, isDropped } from "./quarantine.ts";

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
  const rejectedCount = (await findQuarantined(journal, base)).filter((one) => !isDropped(one)).length;
  if (rejectedCount > 0) steps.push({ left: `${records(rejectedCount)} rejected`, command: "logferry quarantine" });
  const missing = await findCurrentLines(journal, base, ["refused", "failed"]);
  const changed = missing.filter(({ line }) => line.state === "failed" && isFileChanged(line.reason)).length;
  const others = missing.length - changed;
  const again = run.options.restores && `logferry restore ${run.options.restores.snapshot.slice(0, 8)}`;
  const gone = (await findCurrentLines(journal, base, ["gone"])).length;
  if (gone > 0) steps.push({ left: `${records(gone)} no longer in the log`, command: again ?? BRING_BACK });
  if (others > 0) steps.push({ left: `${records(others)} refused or not sent`, command: again ?? "logferry retry" });
  if (changed > 0)
    steps.push({
      left: `${records(changed)} of ${changed === 1 ? "a file" : "files"} that changed`,
      command: planCommand(base),
    });
  const inDoubt = (await findCurrentLines(journal, base, ["in-doubt"])).length;
  if (inDoubt > 0) steps.push({ left: `${records(inDoubt)} in doubt`, command: "logferry retry" });
  if (perhapsInLog > 0)
    steps.push({ left: `${records(perhapsInLog)} perhaps twice in the log`, command: "logferry plan review --list" });
  if (unread !== undefined) steps.push({ left: describeFiles(unread), command: inspectAll(unread) });
  const lost = sumOfLost(all.lostFiles);
  if (lost > 0)
    steps.push({ left: `${records(lost)} without the whole device file`, command: "logferry status --verbose" });
  if (run.options.restores === undefined)
    for (const { run: id, count, quarantined } of await leftByOthers(journal, run)) {
      const command = quarantined > 0 ? "logferry quarantine" : "logferry retry";
      steps.push({ left: `${records(count)} of run ${id} not in the log`, command: `${command} --run ${id}` });
    }
  const verified = await journal.verified(run.id);
  if (verified !== undefined && isCurrent(run, verified)) steps.push(...mending(verified));
  if (run.state === "finished" && verified === undefined)
    steps.push({ left: "not verified yet", command: `logferry verify --run ${run.id}` });
  return steps;
}

/** The findings of a verification, with their remedies: missing records are loaded again, and differing or unread ones need a look. */
function mending({ differing, examples, unread }: VerifiedRun): readonly NextStep[] {
  const missing = examples.filter(({ differences }) => isMissing(differences)).length;
  const more = differing > examples.length && missing > 0 ? " or more" : "";
  return [
    ...(missing > 0 ? [{ left: `${records(missing)}${more} missing from the log`, command: BRING_BACK }] : []),
    ...(examples.length > missing
      ? [{ left: `${records(differing - missing)} not as planned`, command: "logferry verify --verbose" }]
      : []),
    ...(unread > 0 ? [{ left: `${records(unread)} could not be read back`, command: "logferry verify" }] : []),
  ];
}
