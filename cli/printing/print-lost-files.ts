/** Lists the records of a run that lost a file, each with its place and the file. */
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import { lostByKind, type RunSummary } from "../../pipelines/journal/summary.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import { type LostBecause, sumOfLost } from "../../transforms/model/lost-file.ts";
import { printable } from "../../transforms/text/printable.ts";
import { count, type Output } from "../terminal/output.ts";

/** The number of records that are shown without --verbose. */
const SHOWN = 10;

const STATES: Readonly<Record<LostBecause, string>> = {
  missing: "is missing",
  damaged: "is damaged",
  cut: "is damaged, and only its beginning can be read",
};

/** Prints the records; prints nothing if every file could be read, or if the person didn't want the tracks. */
export async function printLostFiles(output: Output, journal: JournalReader, summary: RunSummary): Promise<void> {
  const { run } = summary;
  const lost = lostByKind(summary);
  const kinds = (["workout", "course"] as const).filter((kind) => sumOfLost(lost[kind]) > 0);
  if (kinds.length === 0) return;
  output.say("", "Without their whole device file:");
  let met = 0;
  for (const kind of kinds) {
    for await (const line of journal.lines(run.id, { kind, state: ["planned", "in-flight", "done", "unchanged"] })) {
      if ((line.kind !== "workout" && line.kind !== "course") || line.value.lostFile === undefined) continue;
      const { because, name } = line.value.lostFile;
      output.emit("lost-file", { key: line.key, kind, origin: line.origin, because, name });
      if (++met <= SHOWN || output.loudness === "verbose")
        output.say(`  ${describeOrigin(line.origin)}: ${printable(name, 200)} ${STATES[because]}`);
    }
  }
  if (met > SHOWN && output.loudness !== "verbose")
    output.say(`  ... and ${count(met - SHOWN)} more (--verbose shows all)`);
}
