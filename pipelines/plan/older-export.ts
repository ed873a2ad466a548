/** Warns when an older export is about to change workouts that a newer export of the same platform brought. */
import type { Origin } from "../../transforms/model/issue.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { RunSource } from "../journal/run.ts";
import { type ExportAge, newerFirst } from "../sources/export-age.ts";
import type { ComparisonContext } from "./comparison.ts";
import { CHANGED_AT_SOURCE } from "./settled-lines.ts";

/** The records of one source that an older export would change. */
interface Changes {
  count: number;
  readonly first: Origin;
  /** The run and the source that loaded them. The newest run counts. */
  loaded: Pick<Line, "run" | "source">;
}

/** Warns when a source would change records that a newer export of its platform brought. */
export async function warnOfOlderExport(run: number, { journal, sources, report }: ComparisonContext): Promise<void> {
  const changes = new Map<number, Changes>();
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    if (line.action !== "update" || line.reason?.startsWith(CHANGED_AT_SOURCE) !== true) continue;
    const remoteRecord = await journal.remoteRecord(line.key);
    const loaded = remoteRecord && (await journal.lineWithKey(remoteRecord.run, remoteRecord.key));
    if (loaded === undefined) continue;
    const known = changes.get(line.source);
    if (known === undefined) changes.set(line.source, { count: 1, first: line.origin, loaded });
    else {
      known.count++;
      if (loaded.run > known.loaded.run) known.loaded = loaded;
    }
  }
  for (const [index, { count, first, loaded }] of changes) {
    const [own, theirs] = [sources[index], (await journal.run(loaded.run))?.sources[loaded.source]];
    if (own === undefined || theirs === undefined || own.connector !== theirs.connector) continue;
    const age = await ageOf(journal, run, index, own);
    if (newerFirst(age, await ageOf(journal, loaded.run, loaded.source, theirs)) <= 0) continue;
    const workouts = count === 1 ? "1 workout gets" : `${count} workouts get`;
    await report({
      severity: "warning",
      rule: "plan/older-export",
      origin: first,
      found: `${own.name} is older than ${theirs.name}, which run ${loaded.run} loaded: ${workouts} the older values back`,
      expected: "the newer export: import it once more afterwards, or name both in one command",
    });
  }
}

/** The age of an export, by the lines that a run has of it. */
async function ageOf(journal: Journal, run: number, source: number, { changedAt }: RunSource): Promise<ExportAge> {
  let newest: string | undefined;
  for await (const line of journal.lines(run, { kind: "workout" })) {
    const { date } = line.value.start;
    if (line.source === source && date !== undefined && (newest === undefined || date > newest)) newest = date;
  }
  return { newest, changedAt };
}
