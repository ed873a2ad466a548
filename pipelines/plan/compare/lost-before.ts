/** Decides whether a workout of the log has its track. The file at the time of loading counts, not the file of today. */
import { toFacts } from "../../../transforms/duplicates.ts";
import { TRACK } from "../../../transforms/merge/not-added.ts";
import type { TrackRef, Workout } from "../../../transforms/model/workout.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Line, WorkoutLine } from "../../journal/line.ts";
import type { RemoteRecord } from "../../journal/remote-record.ts";
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
 * Copies to a line the lost file that was noted when its workout was loaded. A whole track that only the sources have now is noted too: it comes
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
  const made = await lineThatMade(loaded, journal);
  const { track, lostFile } = line.value;
  const own = lostAsLoaded(line.value, made.value);
  if (options.tracks && track !== undefined && lostFile === undefined && (await lacksTrack(line, made, journal))) {
    const value = withNoted(line.value, track, isOtherVersion(track, made) ? line : made);
    return journal.patchLine(line.run, line.seq, { value, facts: toFacts(value) });
  }
  if (own.lostFile?.because === lostFile?.because) return;
  await journal.patchLine(line.run, line.seq, { value: own, facts: toFacts(own) });
}

/**
 * The line that made the workout of a line in the log. A later run may have updated it, and an update brings no track. Where a platform's row came to a
 * recording, the recording made it.
 */
export async function lineThatMade(loaded: WorkoutLine, journal: Journal): Promise<WorkoutLine> {
  const { action: own, remoteId: id } = loaded;
  if (own === "create") return loaded;
  const isMaker = ({ run, action, remoteId }: Line) => run < loaded.run && action === "create" && remoteId === id;
  const made =
    (await journal.auditTrail.linesWithKey(loaded.key)).findLast(isMaker) ??
    (id === undefined ? undefined : (await journal.auditTrail.find({ placedAs: id })).findLast(isMaker));
  return made?.kind === "workout" ? made : loaded;
}

/**
 * Whether the log lacks the track of a line. It does if it got none or a part of one, and also if the same file had other bytes then: its owner cropped
 * the workout since, or corrected it. The track of another file is a copy, and the log has one already.
 *
 * @param made the line that made the workout in the log
 */
export async function lacksTrack(line: WorkoutLine, made: WorkoutLine, journal: Journal): Promise<boolean> {
  const { track, lostFile } = line.value;
  const { track: sent, lostFile: lostThen } = made.value;
  if (track === undefined) return false;
  if (sent === undefined || (await journal.run(made.run))?.options.tracks === false) return true;
  if (lostFile !== undefined) return false;
  if (lostThen !== undefined) return true;
  if (track.sha256 === sent.sha256) return false;
  const [now, then] = [await trackHolder(line, journal), await trackHolder(made, journal)];
  return now.key === then.key || placeOfFile(now, track) === placeOfFile(then, sent);
}

/** The line that the track of a line is from: its own, or that of a copy that was merged into it. */
async function trackHolder(line: WorkoutLine, journal: Journal): Promise<Line> {
  const copies = await journal.mergedInto(line.run, line.key);
  const { sha256 } = line.value.track ?? {};
  return copies.find((copy) => copy.kind === "workout" && copy.value.track?.sha256 === sha256) ?? line;
}

function placeOfFile({ origin: { connector, archive } }: Line, { entry }: TrackRef): string {
  return JSON.stringify([connector, archive, entry]);
}

/** Whether the log has an earlier version of a track. Then the present sources alone have the newer one. */
function isOtherVersion(track: TrackRef, { value: { track: sent } }: WorkoutLine): boolean {
  return sent !== undefined && sent.sha256 !== track.sha256;
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

/** @param from the line whose source is to be named beside the present ones */
function withNoted(workout: Workout, { entry }: TrackRef, { run, source }: Line): Workout {
  const { lostFile: _whole, ...value } = workout;
  return { ...value, notAdded: { run, source, values: [{ field: TRACK, value: entry }] } };
}
