/** Prints how the plan for the real log compares with the rehearsal. */
import type { Comparison, Differing } from "../../pipelines/promote/compare-runs.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import { count, type Output } from "../terminal/output.ts";

/** The number of differences that are shown without --verbose. */
const SHOWN = 10;

/** Prints the counts, and the first of the differences. With --json each of them was printed as it was found. */
export function printComparison(
  output: Output,
  comparison: Comparison,
  differing: readonly Differing[],
  acceptAll: string,
): void {
  const { same, alreadyThere, loadedBefore, waiting, others, notRead } = comparison;
  const rows: readonly (readonly [number, string])[] = [
    [same, "as in the rehearsal"],
    [loadedBefore, "in your log already, loaded by an earlier run: not sent again"],
    [alreadyThere, "in your log already: not sent again"],
    [waiting, "not as in the rehearsal: they wait, and nothing of them is sent"],
    [others, "not as in the rehearsal, for you to know"],
  ];
  output.say("Compared with the rehearsal:");
  for (const [number, means] of rows) if (number > 0) output.say(`  ${count(number).padStart(7)}  ${means}`);
  const shown = output.loudness === "verbose" ? differing : differing.slice(0, SHOWN);
  for (const { origin, says, rule } of shown) output.say(`    ${describeOrigin(origin)}: ${says} (${rule})`);
  const more = waiting + others - shown.length;
  if (more > 0) output.say(`    ... and ${count(more)} more`);
  if (waiting > 0) output.say(`  To send those that wait as they are now: ${acceptAll}`);
  if (notRead > 0)
    output.say(
      `  ${count(notRead)} ${notRead === 1 ? "record" : "records"} of an earlier rehearsal in the folder ${notRead === 1 ? "is" : "are"} not promoted: the last rehearsal did not read ${notRead === 1 ? "its" : "their"} source. Rehearse all sources at once.`,
    );
  output.say();
}

/** A difference for scripts. */
export function emitDifference(output: Output, { says: found, waits, ...differing }: Differing): void {
  output.emit("difference", { ...differing, found, waits });
}
