/** What is left of a run, and what a person can do about it next. */
import type { JournalReader, Run } from "./journal/journal.ts";
import { summarise } from "./journal/summary.ts";
import { baseRun, standingIn } from "./plan/retry-selection.ts";
import { isDropped, quarantinedOf } from "./review/quarantine.ts";

/** One thing to do. */
export interface NextStep {
  /** `3 records are set aside`. */
  readonly left: string;
  /** What to type. */
  readonly command: string;
}

/** What is left of a run and of those that took it up, most pressing first; nothing for a run that a later plan replaced. */
export async function nextSteps(journal: JournalReader, run: Run): Promise<readonly NextStep[]> {
  if (run.state === "superseded") return [];
  const steps: NextStep[] = [];
  const { all } = await summarise(journal, run);
  if (all.left > 0 && run.state !== "finished")
    steps.push({ left: `${records(all.left)} still to do`, command: "logferry apply" });
  const base = (await baseRun(journal, run.id)) ?? run;
  const aside = (await quarantinedOf(journal, base)).filter((one) => !isDropped(one)).length;
  if (aside > 0) steps.push({ left: `${records(aside)} set aside`, command: "logferry quarantine" });
  const missing = (await standingIn(journal, base, ["refused", "failed"])).length;
  const again = run.options.restores && `logferry restore ${run.options.restores.snapshot.slice(0, 8)}`;
  if (missing > 0) steps.push({ left: `${records(missing)} refused or not sent`, command: again ?? "logferry retry" });
  const inDoubt = (await standingIn(journal, base, ["in-doubt"])).length;
  if (inDoubt > 0) steps.push({ left: `${records(inDoubt)} in doubt`, command: "logferry retry" });
  if (run.state === "finished" && (await journal.verified(run.id)) === undefined)
    steps.push({ left: "not verified yet", command: `logferry verify --run ${run.id}` });
  return steps;
}

function records(count: number): string {
  return count === 1 ? "1 record" : `${count} records`;
}
