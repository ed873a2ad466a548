/** Decides whether a workout of the log has its track. The file at the time of loading counts, not the file of today. */
import { toFacts } from "../../transforms/duplicates.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { RemoteRecord } from "../journal/remote-record.ts";

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

/** Copies to a line the lost file that was noted when its workout was loaded. */
export async function keepLostFile(line: Line, { run, key }: RemoteRecord, journal: Journal): Promise<void> {
  if (line.kind !== "workout" || run === line.run) return;
  const loaded = await journal.lineWithKey(run, key);
  if (loaded?.kind !== "workout" || loaded.value.lostFile?.because === line.value.lostFile?.because) return;
  const value = lostAsLoaded(line.value, loaded.value);
  await journal.patchLine(line.run, line.seq, { value, facts: toFacts(value) });
}
