/**
 * Words the journal's entry for a record that the log refused: the reason, the values that the log holds all the same, and the command to
 * type.
 */
import type { ItemError } from "../../connectors/errors.ts";
import type { Line, LineState } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { LOG_CHANGED } from "./check-assumptions.ts";

/**
 * The new state of a line that the log refused. If the line's record is gone, the plan was made for another state of the log.
 *
 * @returns the state, and the patch with the reason
 */
export function refusal(line: Line, error: ItemError, run: Run): readonly [LineState, { readonly reason: string }] {
  const { remoteId } = line;
  if (error.code === "api/gone" && remoteId !== undefined)
    return ["failed", { reason: `${LOG_CHANGED}: ${remoteId} is no longer in the log. Plan again` }];
  return ["refused", { reason: `${error.code}: ${error.message}${whatStands(line, run)}` }];
}

/**
 * Says that the existing record is still in the log, although the log refused new values. A run that restores a snapshot is not retried.
 */
function whatStands({ action, uploadMethod, remoteId }: Line, { options }: Run): string {
  if (remoteId === undefined) return "";
  const isImported = action === "create" && uploadMethod === "import";
  const how = isImported ? ", with the values that the log made of the device file" : "";
  const next = options.restores === undefined ? ". Once the cause is mended: logferry retry" : "";
  return `. The log holds the record as ${remoteId}${how}${next}`;
}
