/** What the journals of a batch hold of records that did not come over. */
import { TransferError } from "../../connectors/errors.ts";
import { type Cause, causesOf } from "../../pipelines/batch/causes.ts";
import { type OpenRecord, openRecordsOf } from "../../pipelines/batch/open-records.ts";
import type { Outcome } from "../../pipelines/batch/outcome.ts";
import { openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import { needsAttention } from "../../pipelines/journal/summary.ts";
import { printable } from "../../transforms/text/printable.ts";
import { isOfSystem } from "../errors/system-errors.ts";
import { count, type Output } from "../terminal/output.ts";
import type { AthleteResult } from "./run.ts";

/** Athletes named with a cause; of more only how many. */
const NAMED = 5;

/** An athlete's open records; none where nothing of theirs is open, or their journal can't be read: that is told elsewhere. */
export async function openRecordsIn({
  journal: path,
  run: id,
  ledger,
  status,
}: Outcome): Promise<readonly OpenRecord[]> {
  // What was held may be somebody else's.
  if (path === undefined || id === undefined || ledger === undefined || status === "held") return [];
  if (needsAttention(ledger) === 0) return [];
  try {
    const journal = await openJournalToRead(path);
    try {
      const run = await journal.run(id);
      return run === undefined ? [] : await openRecordsOf(journal, run);
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof TransferError) && !isOfSystem(error)) throw error;
    return [];
  }
}

/** The causes over all athletes, of what is open now. */
export async function causesAmong(results: readonly AthleteResult[], roster: string): Promise<readonly Cause[]> {
  const all = [];
  for (const { athlete, outcome } of results)
    all.push({ athlete: athlete.name, records: await openRecordsIn(outcome) });
  return causesOf(all, roster);
}

/** Says each cause once: how many records of whom, why, and what to type. */
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
