/** Compares a workout of a source with the workout of the log that stands for it and that logferry left as it was. */
import { isSameDistance } from "../duplicates.ts";
import { contradictsLog } from "../model/heart-rates.ts";
import { inMetres } from "../units.ts";
import { at, type Body } from "./at-path.ts";
import { FILLABLE, isBlank } from "./fill-blanks.ts";

/** The name of notes that stand in the log beside other words, which logferry never changes. */
export const MORE_NOTES = "more notes";

/** The values of a source that the log doesn't have, by the names of their fields. */
export interface ValuesBeside {
  /** Fields that are blank in the log. */
  readonly lacking: readonly string[];
  /** Fields that have another value in the log. */
  readonly differing: readonly string[];
}

/** What decides besides the values. */
export interface BesideOptions {
  /** Whether the notes of the source count. Those of a recording are the default title of a device. */
  readonly hasNotes: boolean;
  /** The paths that logferry wrote once. If one is blank now, the owner of the log emptied it: the log has another value, namely none. */
  readonly written: ReadonlySet<string>;
  /** Paths that are not compared. */
  readonly leave?: ReadonlySet<string>;
}

/** The fields that are compared, in the order in which people read a workout. The day and the sport are never blank. */
const COMPARED: typeof FILLABLE = [["date", "date"], ["activityID", "activity"], ...FILLABLE];

/**
 * Compares two workouts in the form of a save, field by field.
 *
 * @param isSame whether two values are equal within the rounding of the log
 */
export function besideLog(
  ours: Body,
  theirs: Body,
  { hasNotes, written, leave }: BesideOptions,
  isSame: (one: unknown, other: unknown) => boolean,
): ValuesBeside {
  const [lacking, differing]: [string[], string[]] = [[], []];
  for (const [path, field] of COMPARED) {
    const [own, inLog] = [at(ours, path), at(theirs, path)];
    if (isNothing(own) || leave?.has(path) === true || (path === "notes" && !hasNotes)) continue;
    if (isBlank(inLog)) (written.has(path) || contradictsLog(theirs, ours, path) ? differing : lacking).push(field);
    else if (path === "notes") {
      if (!hasAllWords(String(own), String(inLog))) lacking.push(MORE_NOTES);
    } else if (!isAlike(path, own, inLog) && !isSame(own, inLog)) differing.push(field);
  }
  return { lacking, differing };
}

/** A distance or a time of 0 is no value that anybody would miss. */
function isNothing(value: unknown): boolean {
  return isBlank(value) || value === 0 || (value as { readonly value?: unknown }).value === 0;
}

/** Whether each line of a text stands in another one, whatever the blanks between the words. */
function hasAllWords(text: string, other: string): boolean {
  const whole = oneLine(other);
  return text.split("\n").every((line) => whole.includes(oneLine(line)));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

type Metres = Parameters<typeof inMetres>[0];

/** The fields by which a workout was found in the log. A value that is only rounded there is the same. */
const ALIKE: Readonly<Record<string, (own: unknown, inLog: unknown) => boolean>> = {
  time: () => true,
  "details.distance": (own, inLog) => isSameDistance(inMetres(own as Metres), inMetres(inLog as Metres)),
  "details.duration": (own, inLog) => Math.abs(Number(own) - Number(inLog)) < 1,
};

function isAlike(path: string, own: unknown, inLog: unknown): boolean {
  return ALIKE[path]?.(own, inLog) === true;
}
