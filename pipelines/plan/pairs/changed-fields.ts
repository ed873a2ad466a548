/**
 * Names the fields in which two versions of a record differ. Only what the log gets counts: a platform's word for a sport, the name of a folder or the
 * mileage of a shoe may change without any change in the log.
 */
import { TRACK } from "../../../transforms/merge/not-added.ts";
import type { Course } from "../../../transforms/model/course.ts";
import type { Equipment } from "../../../transforms/model/equipment.ts";
import type { Item } from "../../../transforms/model/item.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import { canonicalJson } from "../../../transforms/text/canonical.ts";
import type { JournalReader } from "../../journal/journal.ts";
import type { Line, RecordLine } from "../../journal/line.ts";
import type { RemoteRecord } from "../../journal/remote-record.ts";

type Fields<V> = readonly (readonly [field: string, read: (value: V) => unknown])[];

const OF_WORKOUTS: Fields<Workout> = [
  ["name or notes", ({ notes }) => notes],
  ["sport", ({ activity }) => activity],
  ["type", ({ type }) => type],
  ["start", ({ start: { date, time } }) => [date, time]],
  ["distance", ({ distance }) => distance],
  ["duration", ({ duration }) => duration],
  ["heart rate or weight", ({ health }) => health],
  ["intervals", ({ intervalSet }) => intervalSet],
  ["race result", ({ raceStats }) => raceStats],
  ["rating", ({ ratings }) => ratings],
  ["weather", ({ weather }) => weather],
  ["course", ({ course }) => course],
  ["equipment", ({ equipment }) => equipment],
  [TRACK, ({ track }) => track?.sha256],
];

const OF_EQUIPMENT: Fields<Equipment> = [
  ["sport", ({ activity }) => activity],
  ["brand or model", ({ brandName, modelName }) => [brandName, modelName]],
  ["serial", ({ serial }) => serial],
  ["gender", ({ gender }) => gender],
  ["notes", ({ notes }) => notes],
  ["rating", ({ ratings }) => ratings],
  ["purchase date", ({ purchaseDate }) => purchaseDate],
  ["price", ({ price }) => price],
];

const OF_COURSES: Fields<Course> = [
  ["name", ({ name }) => name],
  ["notes", ({ notes }) => notes],
  ["distance", ({ distance }) => distance],
  ["surfaces", ({ surfaces, falseSurfaces }) => [surfaces, falseSurfaces]],
  ["map", ({ map }) => map && [map.sha256, map.line]],
];

/** Whether the log would get the same of two values of a field. */
type IsSame = (loaded: unknown, now: unknown) => boolean;

type ValueOf<I> = I extends Item ? Pick<I, "kind" | "value"> : never;

/** The names of the fields that differ; none if the log would get the same of both, or if they are records of two kinds. */
export function changedFields(one: ValueOf<Item>, other: ValueOf<Item>, isSame: IsSame = isEqual): readonly string[] {
  if (one.kind === "workout" && other.kind === "workout")
    return differing(OF_WORKOUTS, [one.value, other.value], isSame);
  if (one.kind === "equipment" && other.kind === "equipment")
    return differing(OF_EQUIPMENT, [one.value, other.value], isSame);
  if (one.kind === "course" && other.kind === "course") return differing(OF_COURSES, [one.value, other.value], isSame);
  return [];
}

function differing<V>(fields: Fields<V>, [one, other]: readonly [V, V], isSame: IsSame): readonly string[] {
  return fields.flatMap(([field, read]) => (isSame(read(one), read(other)) ? [] : [field]));
}

function isEqual(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}

/** Whether a field with the values of several sources has those of one source. */
function isWithin(loaded: unknown, now: unknown): boolean {
  if (now === undefined || isEqual(loaded, now)) return true;
  if (!isRecord(loaded) || !isRecord(now)) return false;
  return Object.entries(now).every(([name, value]) => value === undefined || isEqual(loaded[name], value));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The fields in which a record differs from the version that is in the log. The values of duplicates that were merged into it are no difference. Nor is
 * the track: an update brings none (see `keepLostFile`).
 *
 * @returns undefined if the content is the same, or if the journal doesn't have the loaded version
 */
export async function changedSinceLoaded(
  line: Line,
  record: RemoteRecord,
  journal: JournalReader,
): Promise<readonly string[] | undefined> {
  if (line.kind === "set-aside" || record.key !== line.key || record.content === line.content) return undefined;
  const loaded = await journal.loadedLine(record);
  if (loaded === undefined || loaded.kind === "set-aside" || loaded.kind !== line.kind) return undefined;
  // The journal keeps the values before a merge for the newest plan only.
  const isMerged = (await journal.mergedInto(loaded.run, loaded.key)).length > 0;
  const [before, now] = [await asOfSource(loaded, journal), await asOfSource(line, journal)];
  return changedFields(before, now, isMerged ? isWithin : isEqual).filter((field) => field !== TRACK);
}

async function asOfSource(line: RecordLine, journal: JournalReader): Promise<ValueOf<Item>> {
  const own = line.kind === "workout" ? await journal.links.ownValue(line.run, line.seq) : undefined;
  return own === undefined ? line : { kind: "workout", value: own };
}
