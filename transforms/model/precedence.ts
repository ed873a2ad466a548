/** The precedence by which two copies of a workout become one: for each field the kinds of sources, the first before the last. */
import type { TrackRef, Workout } from "./workout.ts";

/** A kind of source, as it matters for a field. */
export type SourceKind =
  | "whole file"
  | "FIT"
  | "TCX"
  | "GPX"
  | "pool length"
  | "measured course"
  | "time of day"
  | "surer zone"
  | "row"
  | "recording";

/** The meaning of each kind, for people. */
export const KIND_MEANINGS: Readonly<Record<SourceKind, string>> = {
  "whole file": "a whole file before a cut one",
  FIT: "a FIT file",
  TCX: "a TCX file",
  GPX: "a GPX file",
  "pool length": "a swim whose source gives the length of the pool",
  "measured course": "a source that names the course",
  "time of day": "a source with a time of day before one with the day alone",
  "surer zone": "a zone that the source, the device or the position gives before an assumed one",
  row: "the row of a platform or a spreadsheet, where a person wrote",
  recording: "a bare recording of a device",
};

/** The fields that obey one order. */
export interface Precedence {
  /** Names for people. Those that `--prefer` takes are the names of `CHOOSABLE`. */
  readonly fields: readonly string[];
  readonly kinds: readonly SourceKind[];
}

const TRACK: readonly SourceKind[] = ["whole file", "FIT", "TCX", "GPX"];
const DISTANCE: readonly SourceKind[] = ["pool length", "measured course", "row", "recording"];

/** The table. Among equals the source counts that you name first. Where it has no value, the next one fills the gap. */
export const PRECEDENCE: readonly Precedence[] = [
  { fields: ["track"], kinds: TRACK },
  { fields: ["distance"], kinds: DISTANCE },
  { fields: ["start"], kinds: ["time of day", "surer zone", "row", "recording"] },
  {
    fields: [
      ...["sport", "type", "duration", "notes", "equipment", "course", "average-heart-rate", "maximum-heart-rate"],
      ...["weight", "effort", "quality", "conditions", "temperature"],
    ],
    kinds: ["row", "recording"],
  },
];

/**
 * Chooses the copy whose distance is the better one. A distance of 0 counts as none: sources write it for "not measured". A source seldom says how it measured. A foot pod and satellites look alike in an export, so
 * their order can't be known.
 *
 * @param row the copy that counts first
 */
export function betterDistance(row: Workout, other: Workout): Workout {
  if (!isMeasured(row) || !isMeasured(other)) {
    const best = isMeasured(row) === isMeasured(other) ? row.distance !== undefined : isMeasured(row);
    return best ? row : other;
  }
  const rank = (workout: Workout) => {
    const kind = basisOf(workout);
    return kind === undefined ? DISTANCE.length : DISTANCE.indexOf(kind);
  };
  return rank(other) < rank(row) ? other : row;
}

function isMeasured({ distance }: Workout): boolean {
  return distance !== undefined && distance.value > 0;
}

function basisOf({ activity, unsupported = [], course }: Workout): SourceKind | undefined {
  if (activity === "swim" && unsupported.some(({ field }) => field === "pool length")) return "pool length";
  return course === undefined ? undefined : "measured course";
}

/** Compares two tracks for a sort: the better one comes first. */
export function compareTracks(
  a: { readonly track: TrackRef; readonly isCut: boolean },
  b: { readonly track: TrackRef; readonly isCut: boolean },
): number {
  const rank = ({ format }: TrackRef) => TRACK.indexOf(format.toUpperCase() as SourceKind);
  return Number(a.isCut) - Number(b.isCut) || rank(a.track) - rank(b.track);
}

/** The rows of the table in the docs. */
export function precedenceRows(): string[] {
  return [
    "| field | the first that has a value counts |",
    "|---|---|",
    ...PRECEDENCE.map(
      ({ fields, kinds }) =>
        `| ${fields.map((field) => `\`${field}\``).join(", ")} | ${kinds.map((kind) => KIND_MEANINGS[kind]).join("; ")} |`,
    ),
  ];
}
