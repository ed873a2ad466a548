/** Chooses how the plan sends each new workout: save it as a body, or import its device file. */
import type { TrackRef } from "../../../transforms/model/workout.ts";
import type { Journal } from "../../journal/journal.ts";
import { sentAlone } from "../../sources/legs.ts";
import type { ComparisonContext } from "../compare/comparison.ts";

/**
 * Chooses import for a workout with a device file. An import makes a record of every recording in the file, and the log can delete none. So
 * if the plan doesn't create all recordings of a file, each one is sent as a file of its own. Examples of the others: the transitions of a
 * triathlon, or a leg that is in the log already. So is a recording with a wrong time, because the log would take the time over.
 */
export async function chooseUploadMethods(run: number, { journal, options, report }: ComparisonContext): Promise<void> {
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    if (line.action !== "create") continue;
    const { track } = line.value;
    if (track === undefined || !options.tracks) {
      await journal.patchLine(run, line.seq, { uploadMethod: "save" });
      continue;
    }
    if (await isSentWhole(run, journal, track)) {
      await journal.patchLine(run, line.seq, { uploadMethod: "import" });
      continue;
    }
    await journal.patchLine(run, line.seq, {
      uploadMethod: "import",
      value: sentAlone(line.value),
    });
    await report({
      severity: "info",
      rule: "plan/recording-alone",
      origin: line.origin,
      ...(track.corrected === true
        ? {
            found: "a file with a wrong time",
            expected: "Its recording is sent as a file of its own, without the wrong time",
          }
        : {
            found: `${track.recordings} recordings in one file, not all of them to be made`,
            expected: "Its recording is sent as a file of its own, with its track",
          }),
    });
  }
}

/** Whether the log gets the file itself: all its recordings are to be made, and all its times are right. */
async function isSentWhole(run: number, journal: Journal, track: TrackRef): Promise<boolean> {
  if (track.corrected === true) return false;
  return track.recordings === 1 || (await isPlannedWhole(run, journal, track));
}

async function isPlannedWhole(run: number, journal: Journal, track: TrackRef): Promise<boolean> {
  const legs = new Set<number>();
  for (const line of await journal.linesOfFile(run, track.source ?? 0, track.entry)) {
    if (line.value.track?.corrected === true) return false;
    const leg = line.value.track?.recording;
    if (line.state === "planned" && line.action === "create" && leg !== undefined) legs.add(leg);
  }
  return legs.size === track.recordings;
}
