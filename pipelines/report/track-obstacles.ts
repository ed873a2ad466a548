/** The obstacles of a verdict that are about tracks and maps. */
import { addLost, describeLost, type LostByKind, NO_LOST_FILES, sumOfLost } from "../../transforms/model/lost-file.ts";
import { sourceWords } from "../../transforms/model/unread.ts";
import { grouped } from "../../transforms/text/grouped.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { Run } from "../journal/run.ts";
import { lostByKind, type RunSummary } from "../journal/summary.ts";
import { obstacle } from "./obstacle.ts";
import type { Verdict } from "./schema.ts";
import type { TracksLeftOut, TracksOfOthers } from "./tracks-left-out.ts";

type Obstacle = Verdict["obstacles"][number];

/** What is known of tracks and maps that are not in the log. */
export interface TrackFacts {
  /** Lost files of the records of other runs. */
  readonly lostByOthers?: LostByKind;
  /** The tracks that a person left out. */
  readonly tracks?: TracksLeftOut | undefined;
  /** The tracks that a person left out of runs of other sources. */
  readonly tracksByOthers?: TracksOfOthers | undefined;
  /** Workouts and courses that were made from an export of a log, without a track or a map. */
  readonly madeFromLog?: number;
}

/** Tracks and maps that closing the old account would lose. */
export function withoutTracks(summary: RunSummary, facts: TrackFacts): readonly Obstacle[] {
  return [
    ...withoutFile(summary, facts.lostByOthers ?? {}),
    ...leftOut(summary.run, facts.tracks),
    ...leftOutBefore(facts.tracksByOthers),
    ...fromLog(facts.madeFromLog ?? 0),
  ];
}

/** A track that could not be read is still in the old account. A person who closes that account loses the track for good. */
function withoutFile(summary: RunSummary, others: LostByKind): readonly Obstacle[] {
  const own = lostByKind(summary);
  const both = (kind: keyof LostByKind) => addLost(own[kind] ?? NO_LOST_FILES, others[kind] ?? NO_LOST_FILES);
  const paths = [...new Set(summary.run.sources.map(({ path }) => path))];
  const lost = { workout: both("workout"), course: both("course") };
  return obstacle(sumOfLost(lost.workout) + sumOfLost(lost.course), {
    code: "without-file",
    text: () =>
      describeLost(lost, summary.run.state === "planned" ? "go" : "went")
        .map(({ text }) => text)
        .join("; "),
    todo: `Save these files from the old account while it is open, or ask it for a new export. A track comes with a new workout only. Delete these workouts in your log, then import the whole files with: logferry import ${sourceWords(paths)} --restore-missing`,
  });
}

/** Workouts without their tracks, and the first files. */
function describeTracks(n: number, files: readonly string[], of = ""): string {
  const named = files.map((file) => printable(file, 120)).join(", ");
  return `${grouped(n)} ${n === 1 ? "workout" : "workouts"}${of} ${n === 1 ? "is without its track" : "are without their tracks"}, because you left tracks out with --no-tracks: ${named}${n > files.length ? " ..." : ""}`;
}

/** What another run left out is in its sources alone, also where this run doesn't name them. */
function leftOutBefore(tracks: TracksOfOthers | undefined): readonly Obstacle[] {
  const { count = 0, files = [], runs = [] } = tracks ?? {};
  return obstacle(count, {
    code: "tracks-left-out-by-others",
    text: (n) => describeTracks(n, files, ` of ${runs.length === 1 ? "run" : "runs"} ${runs.join(", ")}`),
    todo: `See them: logferry certify --run ${runs[0]}. To leave that so, import with --accept lost-files`,
  });
}

function leftOut({ sources }: Run, tracks: TracksLeftOut | undefined): readonly Obstacle[] {
  const { count = 0, files = [] } = tracks ?? {};
  return obstacle(count, {
    code: "tracks-left-out",
    text: (n) => describeTracks(n, files),
    todo: `A track comes with a new workout only. Delete these workouts in your log, then: logferry import ${sourceWords([...new Set(sources.map(({ path }) => path))])} --restore-missing. To leave that so, import with --no-tracks --accept lost-files`,
  });
}

/** Nobody can read from a log whether it has tracks and maps, so a person says whether they may stay there. */
function fromLog(count: number): readonly Obstacle[] {
  return obstacle(count, {
    code: "export-without-tracks",
    text: (n) =>
      `${n === 1 ? "1 workout or course" : `${grouped(n)} workouts and courses`} came from an export of a log, which has no tracks and no maps`,
    todo: "If the old log has tracks and maps, keep the archives that they came from. To have them here too, delete these workouts in your log, then import the archives and the export together with --restore-missing. If there are none, or they may be lost, import the export once more with --accept lost-files",
  });
}
