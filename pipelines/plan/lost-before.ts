/** Whether a workout of the log has its track: what it was made with says so, not what its file is today. */
import { toFacts } from "../../transforms/duplicates.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { RemoteRecord } from "../journal/remote-record.ts";

/**
 * A workout that is in the log, with what is lost of its file as it was loaded. A track comes with a new workout only: a file that was
 * mended since brings none, and one that was damaged since took none away.
 *
 * @param loaded the workout as it was planned when it was loaded
 */
export function lostAsLoaded(workout: Workout, loaded: Workout): Workout {
  // A row that named no file then, or was loaded by a logferry that didn't count them, says nothing.
  if (loaded.track === undefined && loaded.lostFile === undefined) return workout;
  const { lostFile: _today, ...rest } = workout;
  return loaded.lostFile === undefined ? rest : { ...rest, lostFile: loaded.lostFile };
}

/** Keeps with a line what was lost when its workout was put into the log. */
export async function keepLostFile(line: Line, { run, key }: RemoteRecord, journal: Journal): Promise<void> {
  if (line.kind !== "workout" || run === line.run) return;
  const loaded = await journal.lineWithKey(run, key);
  if (loaded?.kind !== "workout" || loaded.value.lostFile?.because === line.value.lostFile?.because) return;
  const value = lostAsLoaded(line.value, loaded.value);
  await journal.patchLine(line.run, line.seq, { value, facts: toFacts(value) });
}
