/** Decides what becomes of a line whose record is in the log, or may be there: the state, the action and the reason of the line. */

import { utcDay } from "../../../transforms/calendar.ts";
import { defined } from "../../../transforms/model/defined.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { ManualDecision } from "../../journal/audit-trail.ts";
import type { Line } from "../../journal/line.ts";
import type { RemoteRecord } from "../../journal/remote-record.ts";
import { EARLIER_VERSION, LACKS_REFERENCE } from "../compare/references.ts";

/** Begins the reason of an update with other values of the same source. */
export const CHANGED_AT_SOURCE = "changed at the source";

/** What else is known of a record that logferry loaded. */
export interface SinceLoaded {
  /** A workout of another source that was merged into it since. */
  readonly newcomer?: Line | undefined;
  /** The key of a shoe or course that it lacks in the log. */
  readonly lacking?: string | undefined;
  /** The fields that the source has otherwise now; undefined if they aren't known. */
  readonly changed?: readonly string[] | undefined;
  /** Whether a person gave values for it since. */
  readonly isFixed?: boolean;
}

/** Brings a record that logferry loaded up to date, or leaves it as it is. */
export function putBefore(
  line: Line,
  remoteRecord: RemoteRecord,
  { newcomer, lacking, changed = [UNKNOWN_FIELD], isFixed = false }: SinceLoaded = {},
) {
  const isMerged = remoteRecord.key !== line.key;
  const isSame = isMerged || remoteRecord.content === line.content || changed.length === 0;
  const isComplete = remoteRecord.finished && isSame && newcomer === undefined;
  if (isComplete && lacking !== undefined) {
    const reason = `${LACKS_REFERENCE} (run ${remoteRecord.run} put it there without ${lacking})`;
    return { action: "update", uploadMethod: "save", remoteId: remoteRecord.remoteId, reason } as const;
  }
  if (isComplete) {
    return {
      state: "unchanged",
      action: "none",
      duplicateOf: remoteRecord.remoteId,
      remoteId: remoteRecord.remoteId,
      reason: `put there by run ${remoteRecord.run}${isMerged ? `, as one with ${remoteRecord.key}` : ""}`,
    } as const;
  }
  return {
    action: "update",
    uploadMethod: "save",
    remoteId: remoteRecord.remoteId,
    reason: whyUpdate(remoteRecord, isSame ? [] : changed, isFixed),
  } as const;
}

/** Stands for the fields of a record of which the journal has no earlier version. */
const UNKNOWN_FIELD = "";

function whyUpdate({ finished, run }: RemoteRecord, changed: readonly string[], isFixed: boolean): string {
  if (!finished) return `run ${run} had not finished it`;
  if (changed.length === 0) return `found in another source since run ${run}`;
  const fields = changed.filter((field) => field !== UNKNOWN_FIELD).join(", ");
  const why = isFixed ? `${CHANGED_AT_SOURCE}, or by the values that you gave,` : CHANGED_AT_SOURCE;
  return `${why} since run ${run}${fields === "" ? "" : `: ${fields}`}`;
}

/** The reason of an update where a platform's row comes after the recording of its workout. */
export function completesRecording({ origin }: Line, { run }: RemoteRecord, recording: Line): string {
  return `the row ${describeOrigin(origin)} comes to the recording ${describeOrigin(recording.origin)}, which run ${run} loaded: what a person wrote counts first`;
}

/** A record with other values in an older export keeps the values of the newer export, which an earlier run loaded. */
export function keptNewer(line: Line, loaded: Line, newer: string) {
  return {
    state: "unchanged",
    action: "none",
    ...defined({ duplicateOf: line.remoteId }),
    reason: `plan/older-export (run ${loaded.run} loaded it from ${newer}, which is newer: its values stay; --allow older-values changes them back)`,
  } as const;
}

/** The log has an earlier record, which is brought up to date. */
export function beforeRun({ run }: RemoteRecord, remoteId: string) {
  const reason = `${EARLIER_VERSION}, from before run ${run}`;
  return { action: "update", uploadMethod: "save", remoteId, reason } as const;
}

/** A record that a person undid stays undone, unless they ask for it with `--again`. */
export function undoneBefore(
  { run, at }: ManualDecision,
  { remoteId }: RemoteRecord,
  again: boolean | "decided since" | undefined,
) {
  const why = again === true ? "and asked for again" : "and you decided since";
  if (again !== undefined && again !== false)
    return { action: "update", uploadMethod: "save", remoteId, reason: `undone of run ${run}, ${why}` } as const;
  return {
    state: "skipped",
    action: "none",
    duplicateOf: remoteId,
    reason: `plan/undone (run ${run} was undone on ${utcDay(at)}: left as it is; --again brings it up to date)`,
  } as const;
}

/** Rejects a line that may be in the log already, so that it is not sent twice. */
export function inDoubtSince(run: number) {
  return {
    state: "quarantined",
    action: "none",
    reason: `plan/in-doubt (run ${run} sent it, the answer was lost, and the service can't list what it has: look in the log)`,
  } as const;
}
