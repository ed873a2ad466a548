/**
 * Records that were loaded and are no longer in the log. The log's owner may have removed them on purpose, so logferry restores them only
 * on request.
 */
import type { RemoteRecord } from "./remote-record.ts";

/** Begins the reason of a record that an earlier run loaded, and that was gone when the next run was planned. */
export const GONE = "plan/gone-from-log";

/** Begins the reason of a record that was in the log during a run and was gone at its end, or at a later look. */
export const GONE_MEANWHILE = "load/gone-from-log";

/** The command that restores all gone records. */
export const BRING_BACK = "logferry retry --restore-missing";

/** The new state of a planned line whose record is gone. */
export function goneSince({ run, remoteId }: RemoteRecord) {
  return {
    state: "gone",
    action: "none",
    duplicateOf: remoteId,
    reason: `${GONE} (run ${run} put it there as ${remoteId}, and the log no longer has it)`,
  } as const;
}
