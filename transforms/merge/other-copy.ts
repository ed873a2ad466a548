/**
 * Compares the copy of a duplicate that is not loaded with the copy that is kept, and names every value that the other copy has otherwise. A value
 * that only the source rounded is the same value.
 */
import { isSameDistance, RECORDING_NOTES } from "../duplicates.ts";
import type { Course } from "../model/course.ts";
import type { Equipment } from "../model/equipment.ts";
import type { Item } from "../model/item.ts";
import type { Start, UnsupportedValue, Workout } from "../model/workout.ts";
import { convert, type Dimension, inMetres, type Measure, measureText } from "../units.ts";
import { NUMBERS, TRACK } from "./not-added.ts";

/** A value of the other copy, and the kept one. */
export interface OtherValue extends UnsupportedValue {
  /** Absent if the kept copy has no such value. */
  readonly kept?: string | undefined;
}

/** The source's own values of a copy, before the plan changed them. */
export interface CopyAsRead {
  readonly sport?: string | undefined;
  readonly name?: string | undefined;
  readonly distance?: Measure<"distance"> | undefined;
}

type CopyOf<I> = I extends Item ? Pick<I, "kind" | "value"> : never;

/** A record, without its place. */
export type Copy = CopyOf<Item>;

/** The values of `copy` that differ from `kept`; none if the two are records of different kinds. */
export function findOtherValues(copy: Copy, kept: Copy, asRead: CopyAsRead): readonly OtherValue[] {
  if (copy.kind !== kept.kind) return [];
  return [...ofKind(copy, kept, asRead), ...unsupportedOf(copy.value, kept.value)];
}

function ofKind(copy: Copy, kept: Copy, asRead: CopyAsRead): readonly OtherValue[] {
  if (copy.kind === "workout" && kept.kind === "workout")
    return [...ofWorkouts(copy.value, kept.value, asRead), ...readersApart(WORKOUT_TEXTS, copy.value, kept.value)];
  if (copy.kind === "equipment" && kept.kind === "equipment")
    return readersApart(EQUIPMENT_TEXTS, copy.value, kept.value);
  return copy.kind === "course" && kept.kind === "course" ? readersApart(COURSE_TEXTS, copy.value, kept.value) : [];
}

function readersApart<V>(readers: readonly Reader<V>[], copy: V, kept: V): readonly OtherValue[] {
  return readers.flatMap(([field, read]) => textsApart(field, read(copy), read(kept)));
}

type Reader<V> = readonly [field: string, read: (value: V) => string | undefined];

const WORKOUT_TEXTS: readonly Reader<Workout>[] = [
  ["type", ({ type }) => type],
  ...NUMBERS.map(([field, read]): Reader<Workout> => [field, (workout) => text(read(workout))]),
  ["intervals", intervalsText],
  ["weather", ({ weather }) => listText(weather?.conditions)],
];

const EQUIPMENT_TEXTS: readonly Reader<Equipment>[] = [
  ["activity", ({ activity }) => activity],
  ["brand", ({ brandName }) => brandName],
  ["model", ({ modelName }) => modelName],
  ["serial", ({ serial }) => serial],
  ["gender", ({ gender }) => gender],
  ["notes", ({ notes }) => notes],
  ["purchase date", ({ purchaseDate }) => purchaseDate],
  ["price", ({ price }) => text(price)],
  ["rating", ({ ratings }) => text(ratings?.avgRating)],
];

const COURSE_TEXTS: readonly Reader<Course>[] = [
  ["name", ({ name }) => name],
  ["notes", ({ notes }) => notes],
  ["distance", ({ distance }) => distance && measureText(distance)],
  ["surfaces", ({ surfaces }) => listText(surfaces)],
];

/** Values that need more than a comparison of texts, in the order in which people read a workout. */
function ofWorkouts(copy: Workout, kept: Workout, asRead: CopyAsRead): readonly OtherValue[] {
  const [one, other] = [copy.distance, kept.distance];
  const isSameLength = one && other && isSameDistance(inMetres(one), inMetres(other));
  return [
    ...(copy.activity === kept.activity ? [] : textsApart("activity", asRead.sport ?? copy.activity, kept.activity)),
    ...wordsApart(copy, kept, asRead.name?.trim() ?? ""),
    ...(isSameStart(copy.start, kept.start) ? [] : textsApart("start", startText(copy.start), startText(kept.start))),
    ...(isSameLength === true ? [] : textsApart("distance", measured(asRead.distance ?? one), measured(other))),
    ...numbersApart(copy.duration, kept.duration),
    ...measuresApart("weight", copy.health?.weight, kept.health?.weight),
    ...measuresApart("temperature", copy.weather?.temperature, kept.weather?.temperature),
    ...(copy.track?.sha256 === kept.track?.sha256 ? [] : textsApart(TRACK, copy.track?.entry, kept.track?.entry, true)),
  ];
}

/**
 * The words of the other copy that the kept notes lack. The plan puts a title into the first line of the notes. Notes of a recording are counted
 * with the kept copy, so they are left out here.
 */
function wordsApart(copy: Workout, kept: Workout, title: string): readonly OtherValue[] {
  const notes = copy.notes ?? "";
  const isCounted = (kept.unsupported ?? []).some(({ field, value }) => field === RECORDING_NOTES && value === notes);
  if (isCounted) return [];
  const own = title !== "" && notes.startsWith(title) ? notes.slice(title.length).trim() : notes;
  const lacks = (words: string) => words !== "" && kept.notes?.includes(words) !== true;
  const isLost = own.split(/\n{2,}/).some((part) => lacks(part.trim()));
  return [
    ...(lacks(title) ? [{ field: "title", value: title, kept: kept.notes?.split("\n", 1)[0] }] : []),
    ...(isLost ? [{ field: "notes", value: own, kept: kept.notes }] : []),
  ];
}

/** The values that the log has no field for. The kept copy takes one of each field from the other. */
function unsupportedOf(copy: Item["value"], kept: Item["value"]): readonly OtherValue[] {
  return (copy.unsupported ?? []).flatMap(({ field, value }) => {
    const same = (kept.unsupported ?? []).filter((one) => one.field === field);
    return same.some((one) => plainNumber(one.value) === plainNumber(value))
      ? []
      : [{ field, value, kept: same[0]?.value }];
  });
}

/** `384.0 kcal` as `384 kcal`: the sources write the same number in several ways. */
function plainNumber(value: string): string {
  const [number = "", ...unit] = value.split(" ");
  return /^\d+\.\d+$/.test(number) ? [Number(number), ...unit].join(" ") : value;
}

/** Two instants are one start, whatever the zones. A time without seconds is the same as one within its minute. */
function isSameStart(a: Start, b: Start): boolean {
  if (a.instant !== undefined && b.instant !== undefined) return Math.abs(a.instant - b.instant) < 1000;
  if (a.date !== b.date) return false;
  if (a.time === undefined || a.time === b.time) return true;
  const isRounded = a.time.endsWith(":00") || b.time?.endsWith(":00") === true;
  return isRounded && a.time.slice(0, 5) === b.time?.slice(0, 5);
}

function startText({ date, time }: Start): string | undefined {
  return date === undefined ? undefined : [date, time].filter((part) => part !== undefined).join(" ");
}

/** Durations that differ by less than a second are one duration, rounded. */
function numbersApart(value: number | undefined, kept: number | undefined): readonly OtherValue[] {
  if (value !== undefined && kept !== undefined && Math.abs(value - kept) < 1) return [];
  return textsApart("duration", seconds(value), seconds(kept));
}

/** Sources round weights to 0.1 and temperatures to whole degrees. */
const ROUNDED_TO = { weight: ["kg", 0.1], temperature: ["C", 0.6] } as const;

function measuresApart<D extends keyof typeof ROUNDED_TO & Dimension>(
  dimension: D,
  value: Measure<D> | undefined,
  kept: Measure<D> | undefined,
): readonly OtherValue[] {
  const [, most] = ROUNDED_TO[dimension];
  const isSame =
    value !== undefined &&
    kept !== undefined &&
    Math.abs(convert(dimension, value, kept.unit).value - kept.value) < most;
  return isSame ? [] : textsApart(dimension, measured(value), measured(kept));
}

function textsApart(
  field: string,
  value: string | undefined,
  kept: string | undefined,
  onlyIfBoth = false,
): readonly OtherValue[] {
  if (value === undefined || value === "" || value === kept || (onlyIfBoth && kept === undefined)) return [];
  return [{ field, value, kept }];
}

function intervalsText({ intervalSet }: Workout): string | undefined {
  const all = intervalSet?.intervals ?? [];
  if (all.length === 0) return undefined;
  return all
    .map(({ type, distance, duration }) =>
      [type, measured(distance), seconds(duration)].filter((part) => part !== undefined).join(" "),
    )
    .join("; ");
}

function measured(measure: { readonly unit: string; readonly value: number } | undefined): string | undefined {
  return measure && measureText(measure);
}

function seconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : measureText({ unit: "s", value });
}

function listText(words: readonly string[] | undefined): string | undefined {
  return words?.toSorted().join(", ");
}

function text(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
