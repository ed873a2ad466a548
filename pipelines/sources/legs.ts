/**
 * Workouts that share a device file: the legs of a triathlon, chained recordings.
 */
import type { TrackRef, Workout } from "../../transforms/model/workout.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Line, WorkoutLine } from "../journal/line.ts";

/** The workout, with its recording (if it has one) sent as a file of its own. */
export function sentAlone(workout: Workout): Workout {
  return workout.track === undefined ? workout : { ...workout, track: { ...workout.track, alone: true } };
}

/** All workouts of this run with the same device file. Without a file, or with a file of its own, it is only the workout itself. */
export async function findLegs(line: WorkoutLine, journal: JournalReader): Promise<readonly WorkoutLine[]> {
  const { track } = line.value;
  if (track === undefined || track.alone) return [line];
  return journal.linesOfFile(line.run, track.source ?? line.source, track.entry);
}

/** The device file of a workout, as one text to compare. */
export function fileOf(line: Line): string {
  const track = findTrack(line);
  return `${track?.source ?? line.source}\u0000${track?.entry}`;
}

/** The device file of a workout, if it has one. */
export function findTrack(line: Line): TrackRef | undefined {
  return line.kind === "workout" ? line.value.track : undefined;
}

/** Whether the leg's file must still be sent. */
export function isToImport({ state, uploadMethod, remoteId }: Line): boolean {
  return state === "planned" && uploadMethod === "import" && remoteId === undefined;
}

/** Whether the leg's file was sent, and created a record, or may have. */
export function wasImported({ state, uploadMethod, remoteId }: Line): boolean {
  return uploadMethod === "import" && (remoteId !== undefined || state === "in-flight" || state === "in-doubt");
}
