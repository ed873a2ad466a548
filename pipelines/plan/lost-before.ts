/** Decides whether a workout of the log has its track. The file at the time of loading counts, not the file of today. */
import { toFacts } from "../../transforms/duplicates.ts";
import { TRACK } from "../../transforms/merge/not-added.ts";
import type { NotAdded, Workout } from "../../transforms/model/workout.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line, WorkoutLine } from "../journal/line.ts";
import type { RemoteRecord } from "../journal/remote-record.ts";
import type { ComparisonContext } from "./comparison.ts";

/**
 * Gives a workout of the log the lost file that was noted when it was loaded. The log takes a track only together with a new workout. So a
 * file that was repaired since adds no track, and a file that was damaged since removes none.
 *
 * @param loaded the workout as planned when it was loaded
 */
export function lostAsLoaded(workout: Workout, loaded: Workout): Workout {
  // This gives no evidence: the row named no file at that time, or an older logferry loaded it and did not count lost files.
  if (loaded.track === undefined && loaded.lostFile === undefined) return workout;
  const { lostFile: _today, ...rest } = workout;
  return loaded.lostFile === undefined ? rest : { ...rest, lostFile: loaded.lostFile };
}

/**
 * Copies to a line the lost file that was noted when its workout was loaded. A track that the sources have only now is noted too: it comes
 * with a new workout only, so the log does not get it.
 */
export async function keepLostFile(
  line: Line,
  { run, key }: RemoteRecord,
  { journal, options }: Pick<ComparisonContext, "journal" | "options">,
): Promise<void> {
  if (line.kind !== "workout" || run === line.run) return;
  const loaded = await journal.lineWithKey(run, key);
  if (loaded?.kind !== "workout") return;
  const isSame = loaded.value.lostFile?.because === line.value.lostFile?.because;
  const own = isSame ? line.value : lostAsLoaded(line.value, loaded.value);
  const notAdded = options.tracks && own.lostFile === undefined ? await trackNotAdded(own, loaded, journal) : undefined;
  if (isSame && notAdded === undefined) return;
  const value = { ...own, ...(notAdded !== undefined && { notAdded }) };
  await journal.patchLine(line.run, line.seq, { value, facts: toFacts(value) });
}

/**
 * Counts the track of a part of a workout, or of its whole, where the log has the other side without a track. Like every track, it would come with a new
 * workout only.
 *
 * @param track of the side that stays out
 * @param loaded the line of the side that the log has, as planned when it was loaded
 */
export function withTrackNotAdded(value: Workout, track: Workout["track"], loaded: Line | undefined): Workout {
  if (track === undefined || value.track !== undefined || loaded?.kind !== "workout") return value;
  if (loaded.value.track !== undefined) return value;
  const values = [...(value.notAdded?.values ?? []), { field: TRACK, value: track.entry }];
  return { ...value, notAdded: { run: loaded.run, source: loaded.source, values } };
}

async function trackNotAdded({ track }: Workout, loaded: WorkoutLine, journal: Journal): Promise<NotAdded | undefined> {
  if (track === undefined) return undefined;
  const { run, source, value } = loaded;
  // A later run noted the track with the workout, and did not send it either.
  const earlier = value.notAdded?.values.some(({ field }) => field === TRACK) === true ? value.notAdded : undefined;
  const isSent = value.track !== undefined && (await journal.run(run))?.options.tracks !== false;
  if (isSent && earlier === undefined) return undefined;
  return {
    run: earlier?.run ?? run,
    source: earlier?.source ?? source,
    values: [{ field: TRACK, value: track.entry }],
  };
}
