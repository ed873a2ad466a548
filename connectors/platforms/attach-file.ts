/**
 * A row and the device file it names, put together. Words, sport, distance and heart rate are the row's (the athlete may have corrected
 * them; the file is the original upload); the file gives local time, laps and track.
 */

import type { Activity } from "../../transforms/activities.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Beyond, TrackRef, Workout } from "../../transforms/model/workout.ts";
import type { Recording } from "../formats/recording.ts";
import { intervalsOf, isTransition, startOf, workoutOf } from "./from-recording.ts";
import type { Scanned } from "./scan-file.ts";

/** A part of what a row becomes: the whole workout, a leg of it, or a transition between two legs. */
export type Part =
  | { readonly part: "workout"; readonly workout: Workout; readonly index: number }
  | { readonly part: "leg"; readonly workout: Workout; readonly index: number }
  | { readonly part: "transition"; readonly index: number };

/**
 * What a row with a sound file becomes.
 *
 * - A file with one recording: the row's workout with its track.
 * - A multisport file (a transition, or more than one sport): one workout a leg, with the row's words on each and `Leg 2 of 3`
 *   in its notes, since the log holds one sport a workout. Values of the row as a whole (distance, heart rate, what
 *   the log can't hold) are the sum of the legs' own, or stay with the first. Transitions are parts of their own, to be
 *   counted and left.
 * - A file with several recordings of one sport (a watch that chains them): the row's workout with the one that began nearest
 *   to it. The platform made one activity of the file, and only one recording can be its track.
 */
export function attachFile(
  workout: Workout,
  path: string,
  { file, sha256 }: Scanned,
  sports: ReadonlyMap<string, Activity>,
): { parts: readonly Part[]; issues: readonly Issue[] } {
  const { recordings, format } = file;
  const trackOf = (recording: number): TrackRef | undefined =>
    format === "fit" || format === "gpx" || format === "tcx"
      ? { entry: path, format, recording, recordings: recordings.length, sha256 }
      : undefined;
  if (isMultisport(recordings)) return { parts: legsOf(workout, recordings, trackOf, sports), issues: [] };
  const index = nearest(recordings, workout.start.instant);
  const recording = recordings[index];
  if (recording === undefined) return { parts: [{ part: "workout", workout, index: 0 }], issues: [] };
  const { instant: _, ...place } = startOf(recording);
  const intervalSet = intervalsOf(recording.laps);
  const track = trackOf(index);
  const issues: Issue[] =
    recordings.length === 1
      ? []
      : [
          {
            severity: "warning",
            rule: "strava/several-recordings",
            found: `${recordings.length} recordings of one sport`,
            expected: "one; the track is the one that began nearest to the row's date",
          },
        ];
  return {
    parts: [
      {
        part: "workout",
        index,
        workout: {
          ...workout,
          start: { ...workout.start, ...place },
          ...(intervalSet !== undefined && { intervalSet }),
          ...(track !== undefined && { track }),
        },
      },
    ],
    issues,
  };
}

function isMultisport(recordings: readonly Recording[]): boolean {
  if (recordings.length < 2) return false;
  return recordings.some(isTransition) || new Set(recordings.map(({ sport }) => sport)).size > 1;
}

function legsOf(
  row: Workout,
  recordings: readonly Recording[],
  trackOf: (recording: number) => TrackRef | undefined,
  sports: ReadonlyMap<string, Activity>,
): Part[] {
  const legs = recordings.filter((recording) => !isTransition(recording)).length;
  const { type, name, notes, ratings, weather, equipment, beyond: ofRow = [] } = row;
  let leg = 0;
  return recordings.map((recording, index): Part => {
    if (isTransition(recording)) return { part: "transition", index };
    leg++;
    const own = workoutOf(recording, sports);
    const track = trackOf(index);
    const place = `Leg ${leg} of ${legs}`;
    const beyond: Beyond[] = [...(leg === 1 ? ofRow : []), ...(own.beyond ?? [])];
    const workout: Workout = {
      ...own,
      start: own.start.instant === undefined ? { ...own.start, ...(leg === 1 && row.start) } : own.start,
      ...(type !== undefined && { type }),
      ...(name !== undefined && { name }),
      notes: notes === undefined ? place : `${place}\n\n${notes}`,
      ...(ratings !== undefined && { ratings }),
      ...(weather !== undefined && { weather }),
      ...(leg === 1 && equipment !== undefined && { equipment }),
      ...(leg === 1 && row.health?.weight !== undefined && { health: { ...own.health, weight: row.health.weight } }),
      ...(track !== undefined && { track }),
      ...(beyond.length > 0 && { beyond }),
    };
    return { part: "leg", index, workout };
  });
}

/** The recording that began nearest to an instant; the first where none has a start. */
function nearest(recordings: readonly Recording[], instant: number | undefined): number {
  let best = 0;
  let apart = Number.POSITIVE_INFINITY;
  for (const [index, { start }] of recordings.entries()) {
    if (start === undefined || instant === undefined) continue;
    const distance = Math.abs(start - instant);
    if (distance < apart) [best, apart] = [index, distance];
  }
  return best;
}
