/** Finds the tracks that a run left out, because its person asked for that with `--no-tracks`. */
import type { JournalReader } from "../journal/journal.ts";
import type { Line, LineState, WorkoutLine } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";

/** Tracks that are not in the log: their number, and the files of the first ones. */
export interface TracksLeftOut {
  readonly count: number;
  readonly files: readonly string[];
}

/** Tracks that other runs left out. */
export interface TracksOfOthers extends TracksLeftOut {
  readonly runs: readonly number[];
}

/** The tracks that these runs left out; undefined if there are none. */
export async function tracksOfOthers(
  journal: JournalReader,
  others: readonly Run[],
): Promise<TracksOfOthers | undefined> {
  const runs: number[] = [];
  const files: string[] = [];
  let count = 0;
  for (const other of others) {
    const left = await tracksLeftOut(journal, other);
    if (left === undefined) continue;
    runs.push(other.id);
    files.push(...left.files);
    count += left.count;
  }
  return count === 0 ? undefined : { count, runs, files: files.slice(0, NAMED) };
}

/** The number of files that are named. */
const NAMED = 5;

/** States in which the log has the workout, or gets it. */
const IN_LOG: readonly LineState[] = ["planned", "in-flight", "done", "unchanged"];

/** The connector whose records come from a log. No log gives tracks and maps back. */
const EXPORT_OF_LOG = "logferry-export";

/** The number of workouts and courses that this run or an earlier one made from an export of a log, without a track or a map. */
export async function madeFromLog(journal: JournalReader, run: Run): Promise<number> {
  const ofLog = run.sources.map(({ connector }) => connector === EXPORT_OF_LOG);
  if (!ofLog.includes(true)) return 0;
  const isMade = async ({ key, remoteId }: Line) =>
    (await journal.auditTrail.linesWithKey(key)).some(
      (line) => line.action === "create" && line.state === "done" && line.remoteId === remoteId && isBare(line),
    );
  let count = 0;
  for await (const line of journal.lines(run.id, { state: IN_LOG })) {
    if (ofLog[line.source] !== true || !isBare(line)) continue;
    if (line.action === "create" || (await isMade(line))) count++;
  }
  return count;
}

function isBare(line: Line): boolean {
  if (line.kind === "workout") return line.value.track === undefined;
  return line.kind === "course" && line.value.map === undefined;
}

/** The tracks that a run left out and that no other run brought in; undefined if there are none. */
export async function tracksLeftOut(journal: JournalReader, run: Run): Promise<TracksLeftOut | undefined> {
  if (run.options.tracks !== false) return undefined;
  const sendTracks = new Map((await journal.runs()).map(({ id, options }) => [id, options.tracks !== false]));
  const isLoaded = async ({ key }: WorkoutLine) =>
    (await journal.auditTrail.linesWithKey(key)).some(
      (line) =>
        line.kind === "workout" &&
        line.state === "done" &&
        line.action === "create" &&
        line.value.track !== undefined &&
        sendTracks.get(line.run) === true,
    );
  const files: string[] = [];
  let count = 0;
  for await (const line of journal.lines(run.id, { state: IN_LOG, kind: "workout" })) {
    const { track } = line.value;
    // A workout that the log has already may have its track from an earlier run. The track of a new one stays out.
    if (track === undefined || (line.action !== "create" && (await isLoaded(line)))) continue;
    count++;
    if (files.length < NAMED) files.push(track.entry);
  }
  return count === 0 ? undefined : { count, files };
}
