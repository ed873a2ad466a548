/** Finds what the last look at the log showed of a run. */
import type { JournalReader } from "../../journal/journal.ts";
import type { Looked, Run, Surplus } from "../../journal/run.ts";
import { retriesOf } from "./retry-selection.ts";

/** A look, and the run after which it was taken. */
export interface LastLook {
  readonly looked: Looked;
  readonly of: Run;
}

/**
 * The last look after a run, or after a retry of its records. Each look holds the whole list of the log against all that the journal has made, so the
 * newest one says what the log has too much. Each names only the records of its own run as gone, so these add up.
 *
 * @returns undefined if the log was never listed after any of them
 */
export async function lastLook(journal: JournalReader, run: Run): Promise<LastLook | undefined> {
  let last: LastLook | undefined;
  for (const of of [run, ...(await retriesOf(journal, run))]) {
    const looked = await journal.looked(of.id);
    if (looked !== undefined) last = { looked: { ...looked, gone: looked.gone + (last?.looked.gone ?? 0) }, of };
  }
  return last;
}

/** How many records the log has too much, by a look. */
export function surplusOf(looked: { readonly surplus: readonly Pick<Surplus, "count">[] } | undefined): number {
  return (looked?.surplus ?? []).reduce((sum, { count }) => sum + count, 0);
}
