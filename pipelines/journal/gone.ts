/** Records that were loaded and are no longer in the log. One may be its owner's wish, so none is brought back unasked. */
import type { RemoteRecord } from "./remote-record.ts";

/** Begins the reason of a record that was loaded by an earlier run and was gone when the next one was planned. */
export const GONE = "plan/gone-from-log";

/** Begins the reason of a record that was in the log during a run and was gone at its end. */
export const GONE_MEANWHILE = "load/gone-from-log";

/** What brings back every record that is gone. */
export const BRING_BACK = "logferry retry --restore-missing";

/** Where a planned line goes whose record is gone. */
export function goneSince({ run, remoteId }: RemoteRecord) {
  return {
    state: "gone",
    action: "none",
    duplicateOf: remoteId,
    reason: `${GONE} (run ${run} put it there as ${remoteId}, and the log no longer has it)`,
  } as const;
}
