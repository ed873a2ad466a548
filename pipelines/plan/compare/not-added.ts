/** Names the values of a workout that stay out of the log, because an earlier run loaded the workout from another source. */
import { isSameDistance, type WorkoutFacts } from "../../../transforms/duplicates.ts";
import { findNotAdded } from "../../../transforms/merge/not-added.ts";
import type { ValueNotAdded, Workout } from "../../../transforms/model/workout.ts";
import { convert, inMetres, measureText, roundMeasure, type UnitOf } from "../../../transforms/units.ts";
import type { Line, RecordLine, WorkoutLine } from "../../journal/line.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import { isRecording } from "./choose-line.ts";
import type { ComparisonContext } from "./comparison.ts";
import { lacksTrack, lineThatMade } from "./lost-before.ts";
import { findRemoteId } from "./references.ts";

/**
 * The change of a line that is in the log already: its value names what the log's workout lacks or has otherwise. Of a workout that
 * logferry did not load, the listing shows the time, the distance and the duration. Of the other fields it is unknown.
 *
 * @param entry the log's record, as it was claimed before this run
 */
export async function notAddedTo(
  line: RecordLine,
  entry: Pick<ClaimedEntry, "claimedBy" | "facts">,
  context: ComparisonContext,
): Promise<{ readonly value?: Workout }> {
  const { journal, options } = context;
  // An export of a log has the values that the log has now, with the edits of its owner.
  if (line.kind !== "workout" || context.isOfLog?.(line.source) === true) return {};
  const remoteRecord = entry.claimedBy === undefined ? undefined : await journal.remoteRecord(entry.claimedBy);
  if (remoteRecord === undefined) return notAddedToTyped(line, entry, context);
  const loaded = await journal.lineWithKey(remoteRecord.run, remoteRecord.key);
  if (loaded?.kind !== "workout") return {};
  const made = await lineThatMade(loaded, journal);
  const values = [
    ...findNotAdded(line.value, loaded.value, {
      isRecording: isRecording(line, context.sources),
      lacksTrack: options.tracks && (await lacksTrack(line, made, journal)),
    }),
    ...(await referenceNotAdded("equipment", line, loaded, context)),
    ...(await referenceNotAdded("course", line, loaded, context)),
  ];
  if (values.length === 0) return {};
  return { value: { ...line.value, notAdded: { run: loaded.run, source: loaded.source, values } } };
}

/** The fields that a listing shows. */
const LISTED: ReadonlySet<string> = new Set(["time of day", "distance", "duration"]);

/** A workout without values: what it would lack is unknown. */
const NOTHING: Workout = { start: {} };

/** The same for a workout that logferry did not load. */
async function notAddedToTyped(
  line: WorkoutLine,
  { facts }: Pick<ClaimedEntry, "facts">,
  { journal, sources, options }: ComparisonContext,
): Promise<{ readonly value?: Workout }> {
  if (facts === undefined) return {};
  const { equipment, course } = line.value;
  const comparing = { isRecording: isRecording(line, sources), lacksTrack: options.tracks };
  const unlisted = findNotAdded(line.value, NOTHING, comparing).filter(({ field }) => !LISTED.has(field));
  for (const [field, key] of [
    ["equipment", equipment?.[0]],
    ["course", course],
  ] as const)
    if (key !== undefined) unlisted.push({ field, value: nameOf(await journal.lineWithKey(line.run, key)) ?? key });
  const unknown = unlisted.map((value) => ({ ...value, isUnknown: true as const }));
  const values = [...listedNotAdded(line.value, facts), ...unknown];
  return values.length === 0 ? {} : { value: { ...line.value, notAdded: { values } } };
}

/** The values that a listing shows otherwise, or not at all. A value that a log only rounded is the same value. */
function listedNotAdded({ start, distance, duration }: Workout, inLog: WorkoutFacts): readonly ValueNotAdded[] {
  const values: ValueNotAdded[] = [];
  if (start.time !== undefined && inLog.time === undefined) values.push({ field: "time of day", value: start.time });
  if (distance !== undefined && distance.value > 0 && !isSameDistance(inMetres(distance), inLog.metres ?? 0)) {
    const theirs = inLog.metres && roundMeasure("distance", fromMetres(inLog.metres, distance.unit));
    values.push({ field: "distance", value: measureText(distance), ...(theirs && { inLog: measureText(theirs) }) });
  }
  if (duration !== undefined && duration > 0 && Math.abs(duration - (inLog.seconds ?? 0)) >= 1)
    values.push({
      field: "duration",
      value: `${duration} s`,
      ...(inLog.seconds !== undefined && { inLog: `${inLog.seconds} s` }),
    });
  return values;
}

function fromMetres(value: number, unit: UnitOf<"distance">) {
  return convert("distance", { unit: "m", value }, unit);
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
