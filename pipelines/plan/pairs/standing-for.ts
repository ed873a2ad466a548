/** Follows merged lines to the one that stands for them. */
import type { JournalReader } from "../../journal/journal.ts";
import type { Line } from "../../journal/line.ts";

/** The line that a record of a run was merged into, one after another, or its own. Undefined when the run lacks one of them. */
export async function standingFor(key: string, run: number, journal: Pick<JournalReader, "lineWithKey">) {
  const seen = new Set<string>();
  let line: Line | undefined = await journal.lineWithKey(run, key);
  while (line?.state === "merged" && line.duplicateOf !== undefined && !seen.has(line.key)) {
    seen.add(line.key);
    line = await journal.lineWithKey(run, line.duplicateOf);
  }
  return line;
}
