/** Names the values of a workout that stay out of the log, because an earlier run loaded the workout from another source. */
import { findNotAdded } from "../../transforms/merge/not-added.ts";
import type { ValueNotAdded, Workout } from "../../transforms/model/workout.ts";
import type { Line, RecordLine, WorkoutLine } from "../journal/line.ts";
import type { ClaimedEntry } from "../journal/remote-record.ts";
import { isBareRecording } from "./bare-recording.ts";
import type { ComparisonContext } from "./comparison.ts";
import { findRemoteId } from "./references.ts";

/**
 * The change of a line that is in the log already: its value names what the log's workout lacks or has otherwise. Of a workout that
 * logferry did not load, the listing shows too little to tell.
 *
 * @param entry the log's record, as it was claimed before this run
 */
export async function notAddedTo(
  line: RecordLine,
  entry: Pick<ClaimedEntry, "claimedBy">,
  context: ComparisonContext,
): Promise<{ readonly value?: Workout }> {
  const { journal, sources, options } = context;
  // An export of a log has the values that the log has now, with the edits of its owner.
  if (line.kind !== "workout" || entry.claimedBy === undefined || context.isOfLog?.(line.source) === true) return {};
  const remoteRecord = await journal.remoteRecord(entry.claimedBy);
  const loaded = remoteRecord && (await journal.lineWithKey(remoteRecord.run, remoteRecord.key));
  if (loaded?.kind !== "workout") return {};
  const sentTracks = (await journal.run(loaded.run))?.options.tracks !== false;
  const values = [
    ...findNotAdded(line.value, loaded.value, {
      isRecording: sources[line.source]?.recordings === true || isBareRecording(line),
      lacksTrack: options.tracks && (loaded.value.track === undefined || !sentTracks),
    }),
    ...(await referenceNotAdded("equipment", line, loaded, context)),
    ...(await referenceNotAdded("course", line, loaded, context)),
  ];
  if (values.length === 0) return {};
  return { value: { ...line.value, notAdded: { run: loaded.run, source: loaded.source, values } } };
}

/** The shoe or the course of a workout. Two sources have two keys for one shoe, so the ids of the log decide. */
async function referenceNotAdded(
  kind: "equipment" | "course",
  line: WorkoutLine,
  loaded: WorkoutLine,
  { journal }: ComparisonContext,
): Promise<readonly ValueNotAdded[]> {
  const [own, theirs] = [line, loaded].map(({ value }) => (kind === "course" ? value.course : value.equipment?.[0]));
  if (own === undefined) return [];
  const value = nameOf(await journal.lineWithKey(line.run, own)) ?? own;
  if (theirs === undefined) return [{ field: kind, value }];
  const ids = [await findRemoteId(journal, line.run, own), await findRemoteId(journal, loaded.run, theirs)];
  // A shoe without an id may still turn out to be one that the log has.
  if (ids[0] === undefined || ids[1] === undefined || ids[0] === ids[1]) return [];
  return [{ field: kind, value, inLog: nameOf(await journal.lineWithKey(loaded.run, theirs)) ?? theirs }];
}

/** `Nike Pegasus`, or the name of a course; undefined if the line has none. */
export function nameOf(line: Line | undefined): string | undefined {
  if (line?.kind === "course") return line.value.name;
  if (line?.kind !== "equipment") return undefined;
  const name = [line.value.brandName, line.value.modelName].filter((part) => part !== undefined).join(" ");
  return name === "" ? undefined : name;
}
