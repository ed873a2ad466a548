/** Says in words which values of a source stayed out of the log, because an earlier run loaded the same workouts from another source. */
import { TRACK } from "../../transforms/merge/not-added.ts";
import { MORE_NOTES } from "../../transforms/merge/source-beside-log.ts";
import { grouped } from "../../transforms/text/grouped.ts";
import { namesInCommand } from "../../transforms/text/shell.ts";
import { optionsAgain, withOptionsOf } from "../journal/options-again.ts";
import type { NotAddedSummary, RunSummary } from "../journal/summary.ts";

/**
 * `58 workouts were in your log already, and lack values that only this source has: name and notes 58, equipment 30`
 *
 * @returns undefined if no workout lacks a value
 */
export function describeLacking({ notAdded, run }: RunSummary): string | undefined {
  if (notAdded === undefined || notAdded.workouts === 0) return undefined;
  const n = notAdded.workouts;
  const which = run.sources.length === 1 ? "only this source has" : "only these sources have";
  const who =
    n === 1
      ? "1 workout was in your log already, and lacks"
      : `${grouped(n)} workouts were in your log already, and lack`;
  return `${who} values that ${which}: ${countsOf(notAdded, "lacking")}`;
}

/** The same for the workouts that have other values in the log. */
export function describeDiffering({ notAdded }: RunSummary): string | undefined {
  if (notAdded === undefined) return undefined;
  const counts = countsOf(notAdded, "differing");
  return counts === "" ? undefined : `Your log has another value, and keeps it: ${counts}`;
}

/** The words for sources in a command: `path` for one that can be pasted in any folder, `name` for a report, which names no folder. */
export type SourceWords = "name" | "path";

/** The way to get these values into the log. */
export function bringTogether({ notAdded, run }: RunSummary, as: SourceWords = "name"): string {
  const { loadedFrom = [], loadedWith = [] } = notAdded ?? {};
  const names = [...new Set([...loadedFrom, ...run.sources].map((source) => source[as]))];
  // Without its options, the sources would be another plan: with other starts, and a shoe more.
  // What a person keeps names them all: its command is pasted later.
  const most = as === "path" ? names.length : undefined;
  // What an undo put back stays so without this word.
  const again = (notAdded?.undone ?? 0) > 0 ? " --again" : "";
  const command = `logferry import ${namesInCommand(names, "FIRST SECOND", most)}${optionsAgain(withOptionsOf(run.options, loadedWith), as === "name")}`;
  const lacking = (notAdded?.fields ?? []).filter((row) => row.lacking > 0).map(({ field }) => field);
  // Nobody loaded them with logferry, or this run has named their sources together already: the log keeps its values.
  const isTogether = loadedFrom.every(({ path }) => run.sources.some((source) => source.path === path));
  if (isTogether) return stepsFor(lacking, command, { again, isTyped: loadedFrom.length === 0 }).join(". ");
  const values = `Name the sources together, and logferry adds the values: ${command}${again}`;
  if (!lacking.includes(TRACK)) return values;
  const tracks = `${NEW_TRACK}: ${command} --restore-missing`;
  return lacking.length === 1 ? tracks : `${values}. ${tracks}`;
}

const NEW_TRACK = "A track comes with a new workout only. To have the tracks, delete these workouts in your log. Then";

/**
 * What a person does about workouts that keep what they have.
 *
 * @param how `again`: the word that a command needs after an undo, or nothing. `isTyped`: whether no run loaded the workouts
 */
function stepsFor(
  lacking: readonly string[],
  command: string,
  { again, isTyped }: { readonly again: string; readonly isTyped: boolean },
): readonly string[] {
  const track = isTyped
    ? `A log doesn't show whether a workout has a track. ${NEW_TRACK}: ${command}`
    : `${NEW_TRACK}: ${command} --restore-missing`;
  const [hasTracks, hasNotes] = [lacking.includes(TRACK), lacking.includes(MORE_NOTES)];
  const isFillable = lacking.some((field) => field !== TRACK && field !== MORE_NOTES);
  return [
    ...(isFillable || lacking.length === 0
      ? [`To fill only what is blank in your log: ${command} --enrich${again}`]
      : []),
    ...(hasNotes ? ["Your own notes stay as they are: copy the others into them by hand"] : []),
    ...(hasTracks ? [track] : []),
    ...(hasNotes || hasTracks ? [`To leave that so: ${command} --accept not-added`] : []),
  ];
}

function countsOf({ fields }: NotAddedSummary, of: "lacking" | "differing"): string {
  return fields
    .filter((row) => row[of] > 0)
    .toSorted((a, b) => b[of] - a[of])
    .map((row) => `${row.field} ${grouped(row[of])}`)
    .join(", ");
}
