/** Collects the records that a batch did not load, from the journals. */
import { TransferError } from "../../connectors/errors.ts";
import { type Cause, causesOf } from "../../pipelines/batch/causes.ts";
import { type OpenRecord, openRecordsOf } from "../../pipelines/batch/open-records.ts";
import type { Outcome } from "../../pipelines/batch/outcome.ts";
import { needsAttention } from "../../pipelines/journal/summary.ts";
import { printable } from "../../transforms/text/printable.ts";
import { isOfSystem } from "../errors/system-errors.ts";
import { count, type Output } from "../terminal/output.ts";
import type { AthleteResult } from "./run.ts";
import type { BatchStore } from "./store.ts";

/** The most athletes that are named with a cause. Further athletes are only counted. */
const NAMED = 5;

/** An athlete's open records; empty if nothing is open. It is also empty if the journal can't be read, which is reported elsewhere. */
export async function openRecordsIn(
  { journal: path, run: id, ledger, status }: Outcome,
  store: BatchStore,
): Promise<readonly OpenRecord[]> {
  // The records of a held athlete may be somebody else's.
  if (path === undefined || id === undefined || ledger === undefined || status === "held") return [];
  if (needsAttention(ledger) === 0) return [];
  try {
    await using journal = await store.readJournal(path);
    const run = await journal.run(id);
    return run === undefined ? [] : await openRecordsOf(journal, run);
  } catch (error) {
    if (!(error instanceof TransferError) && !isOfSystem(error)) throw error;
    return [];
  }
}

/** The causes of all open records, over all athletes. */
export async function causesAmong(
  results: readonly AthleteResult[],
  roster: string,
  store: BatchStore,
): Promise<readonly Cause[]> {
  const all = [];
  for (const { athlete, outcome } of results)
    all.push({ athlete: athlete.name, records: await openRecordsIn(outcome, store) });
  return causesOf(all, roster);
}

/** Prints each cause once: the number of records, the athletes, the reason, and the command. */
export function printCauses(output: Output, causes: readonly Cause[]): void {
  for (const cause of causes) output.emit("cause", { ...cause });
  if (causes.length === 0) return;
  output.remark("Why records did not come over:");
  for (const { what, records, athletes, remedy } of causes) {
    const named = athletes.slice(0, NAMED).map((name) => printable(name, 28));
    const others = athletes.length - named.length;
    const whose = [...named, ...(others > 0 ? [`${count(others)} more`] : [])].join(", ");
    output.remark(`  ${count(records)} ${records === 1 ? "record" : "records"} of ${whose}: ${printable(what, 300)}`);
    output.remark(`    ${remedy}`);
  }
}
