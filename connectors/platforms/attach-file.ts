/**
 * Joins a row with the device file that it names. Words, sport, distance and heart rate come from the row: the athlete may have corrected them, and
 * the file is the original upload. Laps and track come from the file. It also gives the local time or the instant, if the row lacks it.
 */

import type { Activity } from "../../transforms/activities.ts";
import { asIfUtc } from "../../transforms/calendar.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { TrackRef, UnsupportedValue, Workout } from "../../transforms/model/workout.ts";
import type { Recording } from "../formats/recording.ts";
import { atInstant } from "./at-instant.ts";
import { hasTrack, intervalsOf, isTransition, startOf, toWorkout } from "./from-recording.ts";
import type { Scanned } from "./scan-file.ts";

/** A part that a row becomes: the whole workout, a leg of it, or a transition between two legs. */
export type Part =
  | { readonly part: "workout"; readonly workout: Workout; readonly index: number }
  | { readonly part: "leg"; readonly workout: Workout; readonly index: number }
  | { readonly part: "transition"; readonly index: number };

/** The rules of a platform for joining its rows and files. */
export interface Joined {
  /** The prefix of the rules of its issues. */
  readonly rules: string;
  /** The file gives distance, duration and heart rate if the row lacks them, because the platform leaves out values that its files have. */
  readonly fills?: boolean;
  /** The index of the row's recording in the file, if it is known. Each leg of a triathlon may have its own row. */
  readonly recording?: number;
}

/**
 * Joins a row with a sound file. The result depends on the file.
 *
 * - A file with one recording: the row's workout with its track.
 * - A multisport file (a transition, or more than one sport): one workout for each leg, because the log holds one sport a workout. Each leg has the
 * row's words, and `Leg 2 of 3` in its notes. Values of the whole row (distance, heart rate, unsupported values) come from each leg's own
 * recording, or stay with the first leg. Transitions are separate parts. They are counted and left out.
 * - A file with several recordings of one sport (a watch that chains them): the row's workout with the recording that began nearest to it. The
 * platform made one activity of the file, and only one recording can be its track.
 */
export function attachFile(
  workout: Workout,
  path: string,
  { file, sha256 }: Scanned,
  sports: ReadonlyMap<string, Activity>,
  { rules, fills = false, recording: own }: Joined,
): { parts: readonly Part[]; issues: readonly Issue[] } {
  const { recordings, format } = file;
  const trackOf = (recording: number): TrackRef | undefined =>
    format === "fit" || format === "gpx" || format === "tcx"
      ? {
          ...{ entry: path, format, recording, recordings: recordings.length, sha256 },
          ...(recordings[recording]?.isCorrected && { corrected: true }),
        }
      : undefined;
  const lostIn = (recording: Recording | undefined) => lostOf(path, file, recording);
  if (own === undefined && isMultisport(recordings))
    return { parts: legsOf(workout, recordings, trackOf, sports, lostIn), issues: [] };
  const index = own ?? nearest(recordings, workout.start.instant);
  const recording = recordings[index];
  const lost = lostIn(recording);
  if (recording === undefined)
    return { parts: [{ part: "workout", workout: { ...workout, ...lost }, index: 0 }], issues: [] };
  const filled = fills ? toWorkout(recording, sports) : undefined;
  const intervalSet = intervalsOf(recording.laps);
  const track = hasTrack(recording) ? trackOf(index) : undefined;
  const issues: Issue[] =
    recordings.length === 1 || own !== undefined
      ? []
      : [
          {
            severity: "warning",
            rule: `${rules}/several-recordings`,
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
          ...(filled?.distance !== undefined && { distance: filled.distance }),
          ...(filled?.duration !== undefined && { duration: filled.duration }),
          ...(filled?.health !== undefined && { health: filled.health }),
          ...workout,
          // A row with 0 for its time says that nobody measured it, if its file has one.
          ...(workout.duration === 0 && filled?.duration !== undefined && { duration: filled.duration }),
          start: startWith(workout.start, recording),
          ...(intervalSet !== undefined && { intervalSet }),
          ...(track !== undefined && { track }),
          ...lost,
        },
      },
    ],
    issues,
  };
}

/** The loss of a damaged file. The whole file is lost if its damage leaves no track. If the file is cut, the rest of the track is lost. */
function lostOf(
  name: string,
  { issues }: Scanned["file"],
  recording: Recording | undefined,
): Pick<Workout, "lostFile"> {
  if (recording !== undefined && hasTrack(recording))
    return recording.doubts?.some(({ isCut }) => isCut) ? { lostFile: { because: "cut", name } } : {};
  // A sound file may hold no activity, or an activity without points. Then no data is lost.
  const isDamaged = issues.some(({ severity }) => severity === "error");
  return isDamaged ? { lostFile: { because: "damaged", name } } : {};
}

/** The file and the row come from two clocks. A button pressed a few minutes late does not mean another time zone. */
const SLACK_MINUTES = 5;

/** A row of a day and its file are of one workout, wherever on earth that day was. */
const MOST_APART = 36 * 3_600_000;

/** Gives a row of local time its instant from the file, a row with an instant its local time, and a row with a day alone both. */
function startWith(start: Workout["start"], recording: Recording): Workout["start"] {
  const { instant, ...place } = startOf(recording);
  if (start.date === undefined) return { ...start, ...place };
  if (instant !== undefined && isOfDay(start, instant)) return { ...start, ...place, instant };
  const { position } = place;
  const known = instant === undefined || start.instant !== undefined ? start : atInstant(start, instant, SLACK_MINUTES);
  return { ...known, ...(position !== undefined && { position }) };
}

/** Whether a start is a day alone, and an instant may be on it. A log that imports the file takes the time of its clock, which is often UTC. */
function isOfDay({ date = "", time, instant: own, untimed }: Workout["start"], instant: number): boolean {
  if (time !== undefined || own !== undefined || untimed !== undefined) return false;
  return Math.abs(asIfUtc({ date, time: "12:00:00" }) - instant) <= MOST_APART;
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
  lostIn: (recording: Recording) => Pick<Workout, "lostFile">,
): Part[] {
  const legs = recordings.filter((recording) => !isTransition(recording)).length;
  const { type, name, notes, ratings, weather, equipment, unsupported: ofRow = [] } = row;
  let leg = 0;
  return recordings.map((recording, index): Part => {
    if (isTransition(recording)) return { part: "transition", index };
    leg++;
    const own = toWorkout(recording, sports);
    const track = trackOf(index);
    const place = `Leg ${leg} of ${legs}`;
    const unsupported: UnsupportedValue[] = [...(leg === 1 ? ofRow : []), ...(own.unsupported ?? [])];
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
      ...lostIn(recording),
      ...(unsupported.length > 0 && { unsupported }),
    };
    return { part: "leg", index, workout };
  });
}

/** Finds the recording that began nearest to an instant. If no recording has a start, it takes the first. */
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
