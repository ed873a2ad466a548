/** Prints the blank fields of workouts in the log that a run fills. */
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import { dayOf } from "../../pipelines/journal/line.ts";
import type { RunSummary } from "../../pipelines/journal/summary.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import { count, type Output } from "../terminal/output.ts";

/** The number of workouts that are listed. */
const SHOWN = 20;

/** Prints the fields with their counts, and the first workouts with the fields of each. Prints nothing if no field is filled. */
export async function printFilled(output: Output, journal: JournalReader, { filled, run }: RunSummary): Promise<void> {
  if (filled === undefined) return;
  output.emit("filled", { ...filled });
  const counts = filled.fields.map((row) => `${row.field} ${count(row.count)}`).join(", ");
  const workouts = filled.workouts === 1 ? "1 workout" : `${count(filled.workouts)} workouts`;
  output.say("", `Blank fields that are filled, in ${workouts} of your log. No value there is changed:`, `  ${counts}`);
  const shown = output.loudness === "verbose" ? filled.workouts : SHOWN;
  let met = 0;
  let day: string | undefined;
  for await (const line of journal.lines(run.id, { state: ["planned", "in-flight", "done"], kind: "workout" })) {
    if (line.value.completes === undefined || ++met > shown) continue;
    day ??= dayOf(line);
    const fields = line.value.completes.values.map(({ field }) => field).join(", ");
    output.say(`  ${describeOrigin(line.origin)}: ${fields}`);
  }
  if (met > shown) output.say(`  ... and ${count(met - shown)} more (--verbose shows all)`);
  output.say(`  See the values of one workout: logferry explain ${day ?? "DAY"}`);
}
