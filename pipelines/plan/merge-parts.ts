/** Makes a workout and its parts one in a plan: the whole stays, or its parts do. No value is summed or shared out. */
import { mergeDuplicates } from "../../transforms/duplicates.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { WorkoutLine } from "../journal/line.ts";
import { isFixedByHand, isRecording } from "./choose-line.ts";
import { reasonOf, type WholeAndParts } from "./describe-split.ts";
import type { GroupsContext } from "./merge-groups.ts";
import type { Split } from "./split-recordings.ts";

/** The lines that stand for a workout and its parts in a plan. */
interface Lines {
  readonly whole: WorkoutLine;
  readonly parts: readonly WorkoutLine[];
}

/**
 * Leaves the whole out of the plan, or its parts. In this order, what stays is: what your log has, what has a track, the legs of a triathlon, the whole.
 * The words of what is left out go to what stays, and the loss file has its other values.
 *
 * @param why what shows that they are one, where a person said so
 * @returns why it can't be done; undefined when they are one now
 */
export async function mergeParts(
  run: number,
  { split, why }: { readonly split: Split; readonly why: string | undefined },
  context: GroupsContext,
): Promise<string | undefined> {
  const lines = await linesOf(run, split, context);
  if (lines === undefined) return "one of them is left out of the plan";
  const { whole, parts } = lines;
  const isLoaded = await loadedAmong(lines, context);
  if (isLoaded.whole && isLoaded.parts)
    return "your log has the whole and a part, and a log can delete nothing. Delete one of them there, or answer that they are two";
  if (staysWhole(lines, isLoaded)) {
    for (const part of parts) await leaveOut(part, whole, reasonOf("part", split, why), context);
    return undefined;
  }
  const [first] = parts;
  if (first !== undefined) await leaveOut(whole, first, wholeReason(split, parts, why), context);
  return undefined;
}

/** Undefined when a line is not in the plan, or when two of them are one. */
async function linesOf(
  run: number,
  split: Split,
  { journal, groups, ...context }: GroupsContext,
): Promise<Lines | undefined> {
  const keys = [split.whole, ...split.parts].map(({ key }) => groups.rootOf(key));
  if (new Set(keys).size < keys.length) return undefined;
  const lines: WorkoutLine[] = [];
  for (const key of keys) {
    const line = await journal.lineWithKey(run, key);
    if (line?.kind !== "workout" || line.state !== "planned") return undefined;
    if (isFixedByHand(line, { ...context, journal })) return undefined;
    lines.push(line);
  }
  const [whole, ...parts] = lines;
  return whole === undefined ? undefined : { whole, parts };
}

/** A record that an earlier run made belongs to the line with its key. Lines that were left out then have it only through that line. */
async function loadedAmong({ parts, ...lines }: Lines, { journal, groups }: GroupsContext) {
  const ofParts = new Set(parts.flatMap(({ key }) => [...groups.membersOf(key)]));
  const keys = [...groups.membersOf(lines.whole.key), ...ofParts];
  const isLoaded = { whole: false, parts: false };
  for (const key of keys) {
    const record = await journal.remoteRecord(key);
    if (record !== undefined) isLoaded[ofParts.has(record.key) ? "parts" : "whole"] = true;
  }
  return isLoaded;
}

function staysWhole({ whole, parts }: Lines, isLoaded: { readonly whole: boolean; readonly parts: boolean }): boolean {
  if (isLoaded.whole || isLoaded.parts) return isLoaded.whole;
  const hasTrack = ({ value }: WorkoutLine) => value.track !== undefined;
  if (hasTrack(whole) || parts.some(hasTrack)) return hasTrack(whole) || !parts.every(hasTrack);
  return parts.every(({ value }) => value.activity === whole.value.activity);
}

function wholeReason(split: WholeAndParts, parts: readonly WorkoutLine[], why: string | undefined): string {
  const [, ...others] = parts.map(({ origin }) => describeOrigin(origin));
  const reason = reasonOf("whole", split, why);
  return others.length === 0 ? reason : `${reason}, with ${others.join(" and ")},`;
}

async function leaveOut(dropped: WorkoutLine, kept: WorkoutLine, reason: string, context: GroupsContext) {
  const { journal, sources } = context;
  const now = await journal.line(kept.run, kept.seq);
  if (now?.kind !== "workout") return;
  const value = mergeDuplicates(now.value, wordsOf(dropped.value, now.value), isRecording(dropped, sources));
  await journal.patchLine(kept.run, kept.seq, { value });
  await journal.patchLine(dropped.run, dropped.seq, {
    state: "merged",
    action: "none",
    duplicateOf: kept.key,
    reason: `${reason} as ${describeOrigin(kept.origin)}`,
  });
}

/** What is as true of a whole as of its parts: what a person wrote, and the weather. The shoe of a run is not that of a swim. */
function wordsOf({ activity, notes, equipment, weather }: Workout, { start, activity: other }: Workout): Workout {
  return {
    start,
    ...(notes !== undefined && { notes }),
    ...(weather !== undefined && { weather }),
    ...(equipment !== undefined && activity === other && { equipment }),
  };
}
