/** The version of a record that edits in the log are measured against, before logferry overwrites it. */
import type { SaveBody } from "../../connectors/sink.ts";
import type { RecordLine } from "../journal/line.ts";
import { EARLIER_VERSION, LACKS_REFERENCE } from "../plan/compare/references.ts";

/**
 * The version to compare the log's record with. A field that differs from it was edited in the log, and stays.
 *
 * @param sent the body that was sent last; undefined before the first save
 * @param theirs the record as the log has it
 * @param ours the body that is about to be sent
 */
export function baseOf(
  { reason }: Pick<RecordLine, "reason">,
  sent: SaveBody | undefined,
  theirs: SaveBody,
  ours: SaveBody,
): SaveBody | undefined {
  if (reason?.startsWith(EARLIER_VERSION)) return sharedFields(theirs, ours);
  return reason?.startsWith(LACKS_REFERENCE) ? withoutGoneReferences(sent, theirs) : sent;
}

/** An earlier version is ours in every field that we send. Its other fields may be somebody's. */
function sharedFields(theirs: SaveBody, ours: SaveBody): SaveBody {
  return Object.fromEntries(Object.entries(theirs).filter(([name]) => name in ours)) as SaveBody;
}

/** The body we last sent, without a shoe or course that the log removed because they are gone themselves. Nobody edited the record then. */
function withoutGoneReferences(sent: SaveBody | undefined, theirs: SaveBody): SaveBody | undefined {
  if (sent === undefined) return undefined;
  const isDropped = ([name]: readonly [string, unknown]) =>
    (name === "equipment" || name === "course") && theirs[name] === undefined;
  return Object.fromEntries(Object.entries(sent).filter((entry) => !isDropped(entry))) as SaveBody;
}

/** Our body with the interval number that the log assigned, so that this number does not count as an edit. */
export function withSetId(body: SaveBody, theirs: SaveBody): SaveBody {
  const { id } = (theirs.intervalSet ?? {}) as { id?: unknown };
  return body.intervalSet === undefined || id === undefined
    ? body
    : { ...body, intervalSet: { ...body.intervalSet, id } };
}
