/** Prints the values of the sources that stay out of the log, because the log had their workouts already. */
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import { dayOf } from "../../pipelines/journal/line.ts";
import type { RunSummary } from "../../pipelines/journal/summary.ts";
import { bringTogether, describeDiffering, describeLacking } from "../../pipelines/report/not-added.ts";
import type { Output } from "../terminal/output.ts";

/** Prints nothing if the log has every value. */
export async function printNotAdded(output: Output, journal: JournalReader, summary: RunSummary): Promise<void> {
  if (summary.notAdded === undefined) return;
  const { workouts, fields } = summary.notAdded;
  output.emit("not-added", { workouts, fields });
  const lacking = describeLacking(summary);
  const differing = describeDiffering(summary);
  output.say("", "Values that are not added, because your log had their workouts already:");
  if (lacking !== undefined) output.say(`  ${lacking}`, `  ${bringTogether(summary, "path")}`);
  if (differing !== undefined) output.say(`  ${differing}`);
  output.say(`  See the values of one workout: logferry explain ${(await dayOfFirst(journal, summary)) ?? "DAY"}`);
  output.say(`  See the values of all: logferry status --run ${summary.run.id} --report loss.csv`);
}

/** The day of the first workout with such values. Some of its other values may be updated. */
async function dayOfFirst(journal: JournalReader, { run }: RunSummary): Promise<string | undefined> {
  for await (const line of journal.lines(run.id, {
    state: ["planned", "in-flight", "done", "unchanged"],
    kind: "workout",
  }))
    if (line.value.notAdded !== undefined) return dayOf(line);
  return undefined;
}
