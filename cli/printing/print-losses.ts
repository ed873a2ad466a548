/** Prints how many values of a run's sources the log doesn't hold, by field and in total, and the command that lists each of them. */
import type { LossRow } from "../../pipelines/journal/counts.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { countOtherCopies } from "../../pipelines/report/losses.ts";
import { LOSS_CAUSES, LOSS_WORDS } from "../../transforms/model/loss-cause.ts";
import { count, type Output } from "../terminal/output.ts";

/** Prints nothing if the log holds every value. */
export async function printLosses(output: Output, journal: JournalReader, run: Run): Promise<void> {
  const losses = await journal.losses(run.id);
  const copies = await countOtherCopies(journal, run);
  if (losses.length + copies.length === 0) return;
  output.emit("loss", { ...sumOf(losses), ...(copies.length > 0 && { otherCopies: sumOf(copies) }) });
  const lines = [
    ...LOSS_CAUSES.map((cause) =>
      described(
        losses.filter(({ because }) => because === cause),
        {
          one: `value is not put in the log, because ${LOSS_WORDS[cause].one}`,
          several: `values are not put in the log, because ${LOSS_WORDS[cause].several}`,
        },
      ),
    ),
    described(copies, {
      one: "value of a duplicate's other copy differs from what is kept",
      several: "values of duplicates' other copies differ from what is kept",
    }),
  ];
  output.say("", ...lines.filter((line) => line !== ""));
  output.say(`  Have each of them in a file: logferry status --run ${run.id} --report loss.csv`);
}

function sumOf(fields: readonly LossRow[]) {
  return { fields, values: fields.reduce((sum, row) => sum + row.count, 0) };
}

/** `640 values are not put in the log, because ...: calories 600, elevation gain 40`; empty for none. */
function described(fields: readonly LossRow[], words: { readonly one: string; readonly several: string }): string {
  const { values } = sumOf(fields);
  if (values === 0) return "";
  const list = fields.map(({ field, count: times }) => `${field} ${count(times)}`).join(", ");
  return `${count(values)} ${values === 1 ? words.one : words.several}: ${list}`;
}
