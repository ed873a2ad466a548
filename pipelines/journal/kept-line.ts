/** Finds the record that stands for a merged one. */
import type { JournalReader } from "./journal.ts";
import type { Line } from "./line.ts";

/** Merges in a row that are followed. More of them would be a circle. */
const MOST_MERGES = 16;

/**
 * The line that a merged line ends in, over all merges in between. Any other line stands for itself.
 *
 * @returns undefined if no line of the run stands for it: a record that was in the log before does
 */
export async function keptLine(journal: Pick<JournalReader, "lineWithKey">, line: Line): Promise<Line | undefined> {
  let current = line;
  for (let merges = 0; merges < MOST_MERGES; merges++) {
    if (current.state !== "merged" || current.duplicateOf === undefined) return current;
    const next = await journal.lineWithKey(line.run, current.duplicateOf);
    if (next === undefined || next.seq === current.seq) return undefined;
    current = next;
  }
  return undefined;
}
