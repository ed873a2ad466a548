/** What the journal says of a record that the log refused: why, what the log holds of it all the same, and what to type. */
import type { ItemError } from "../../connectors/errors.ts";
import type { Line, LineState } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { LOG_CHANGED } from "./check-assumptions.ts";

/**
 * Where a line goes that the log doesn't take: one whose record is gone was planned for another log than this.
 *
 * @returns the state, and the patch with the reason
 */
export function refusal(line: Line, error: ItemError, run: Run): readonly [LineState, { readonly reason: string }] {
  const { remoteId } = line;
  if (error.code === "api/gone" && remoteId !== undefined)
    return ["failed", { reason: `${LOG_CHANGED}: ${remoteId} is no longer in the log. Plan again` }];
  return ["refused", { reason: `${error.code}: ${error.message}${whatStands(line, run)}` }];
}

/** What was to be written over is there, although the log refused the values. A run that puts a snapshot back is not retried. */
function whatStands({ action, uploadMethod, remoteId }: Line, { options }: Run): string {
  if (remoteId === undefined) return "";
  const isImported = action === "create" && uploadMethod === "import";
  const how = isImported ? ", with the values that the log made of the device file" : "";
  const next = options.restores === undefined ? ". Once the cause is mended: logferry retry" : "";
  return `. The log holds the record as ${remoteId}${how}${next}`;
}
