/** Finds the shoe or the course that a workout lacks in the log. */
import type { Journal } from "../../journal/journal.ts";
import type { Line } from "../../journal/line.ts";
import type { RemoteRecord } from "../../journal/remote-record.ts";
import { findRemoteId } from "../compare/references.ts";

interface WithId {
  readonly id?: string;
}

/** The key of a shoe or course that a workout lacks in the log. The workout can get it now, or after this run creates it. */
export async function lackingReference(
  line: Line,
  remoteRecord: Pick<RemoteRecord, "sent">,
  journal: Journal,
): Promise<string | undefined> {
  if (line.kind !== "workout" || remoteRecord.sent === undefined) return undefined;
  const { course, equipment } = line.value;
  const sent = remoteRecord.sent as { readonly course?: WithId; readonly equipment?: readonly WithId[] };
  const references = [
    { key: equipment?.[0], sentId: sent.equipment?.[0]?.id },
    { key: course, sentId: sent.course?.id },
  ];
  for (const { key, sentId } of references) {
    if (key === undefined) continue;
    const thing = await journal.lineWithKey(line.run, key);
    const isPlanned = thing?.state === "planned";
    const id = await findRemoteId(journal, line.run, key);
    if (sentId === undefined) {
      if (isPlanned || id !== undefined) return key;
      continue;
    }
    // This run makes the shoe again, or another run did so since. So the shoe has another id than the one sent with the workout.
    const isMadeAgain = isPlanned && thing.action === "create" && (await journal.remoteRecord(key)) !== undefined;
    if (isMadeAgain || (!isPlanned && id !== undefined && id !== sentId)) return key;
  }
  return undefined;
}
