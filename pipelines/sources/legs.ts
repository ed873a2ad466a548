/**
 * Workouts that share a device file: the legs of a triathlon, chained recordings.
 */
import type { TrackRef, Workout } from "../../transforms/model/workout.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Line, WorkoutLine } from "../journal/line.ts";

/** A workout whose recording is sent as a file of its own, where it has one. */
export function sentAlone(workout: Workout): Workout {
  return workout.track === undefined ? workout : { ...workout, track: { ...workout.track, alone: true } };
}

/** Every workout of a device file that is of the same run as this one: itself, where it has none, or goes as a file of its own. */
export async function findLegs(line: WorkoutLine, journal: JournalReader): Promise<readonly WorkoutLine[]> {
  const { track } = line.value;
  if (track === undefined || track.alone) return [line];
  return journal.linesOfFile(line.run, track.source ?? line.source, track.entry);
}

/** The device file of a workout, as a word of its own. */
export function fileOf(line: Line): string {
  const track = findTrack(line);
  return `${track?.source ?? line.source}\u0000${track?.entry}`;
}

/** Where a workout's device file is, if it has one. */
export function findTrack(line: Line): TrackRef | undefined {
  return line.kind === "workout" ? line.value.track : undefined;
}

/** A leg whose file is still to be sent for it. */
export function isToImport({ state, uploadMethod, remoteId }: Line): boolean {
  return state === "planned" && uploadMethod === "import" && remoteId === undefined;
}

/** A leg whose file was sent and made something, or may have. */
export function wasImported({ state, uploadMethod, remoteId }: Line): boolean {
  return uploadMethod === "import" && (remoteId !== undefined || state === "in-flight" || state === "in-doubt");
}
