/** Makes a workout and its parts one in a plan: the whole stays, or its parts do. No value is summed or shared out. */
import { matchDuplicates, mergeDuplicates, toFacts } from "../../../transforms/duplicates.ts";
import { isAssumed, withLocalTimeSet } from "../../../transforms/matching/assumed-starts.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import { isFixedByHand, isRecording } from "../compare/choose-line.ts";
import { withTrackNotAdded } from "../compare/lost-before.ts";
import { reasonOf, type WholeAndParts } from "../pairs/describe-split.ts";
import type { GroupsContext } from "./merge-groups.ts";
import type { Split } from "./split-recordings.ts";

/** The lines that stand for a workout and its parts in a plan. */
interface Lines {
  readonly whole: WorkoutLine;
  readonly parts: readonly WorkoutLine[];
}

/**
 * Leaves the whole out of the plan, or its parts. In this order, what stays is: what your log has, what has a track, the legs of a triathlon, the whole.
 * The words of what is left out go to what stays, the shoe of a whole to each of its parts, and the loss file has its other values.
 *
 * @param why what shows that they are one, where a person said so
 * @returns why it can't be done; undefined when they are one now
 */
export async function mergeParts(
  run: number,
  { split, why }: { readonly split: Split; readonly why: string | undefined },
  context: GroupsContext,
): Promise<string | undefined> {
  const prepared = await prepare(run, split, context);
  if (typeof prepared === "string") return prepared;
  const { lines, isLoaded } = prepared;
  const { whole, parts } = lines;
  if (staysWhole(lines, isLoaded)) {
    await takeRightStart(whole, parts, context);
    for (const part of parts) await leaveOut(part, whole, reasonOf("part", split, why), context);
    return undefined;
  }
  const [first, ...others] = parts;
  if (first?.value.start.time === undefined) await takeRightStart(first, [whole], context);
  else await setAssumedParts(parts, whole, context);
  if (first !== undefined) await leaveOut(whole, first, wholeReason(split, parts, why), context);
  for (const part of others) await lendEquipment(whole, part, context);
  return undefined;
}

/** Why a workout and its parts stay apart that were loaded both: a log can't delete. */
export const WHOLE_AND_PART_IN_LOG =
  "your log has the whole and a part, and a log can delete nothing. Delete one of them there, or answer that they are two";

/** What keeps a workout and its parts from being made one; undefined when nothing does. */
export async function findObstacle(run: number, split: Split, context: GroupsContext): Promise<string | undefined> {
  const prepared = await prepare(run, split, context);
  return typeof prepared === "string" ? prepared : undefined;
}

/** The lines of a split and what your log has of them, or why they can't be one. */
async function prepare(run: number, split: Split, context: GroupsContext) {
  const lines = await linesOf(run, split, context);
  if (lines === undefined) return "one of them is left out of the plan";
  const isLoaded = await loadedAmong(run, lines, context);
  if (isLoaded.whole && isLoaded.parts) return WHOLE_AND_PART_IN_LOG;
  return { lines, isLoaded };
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

/**
 * Whether your log has the whole, and whether it has parts. A record that an earlier run made belongs to the line with its key. Lines that were left out
 * then have it only through that line. Other records show it by their values.
 */
async function loadedAmong(run: number, { parts, whole }: Lines, context: GroupsContext) {
  const { journal, groups } = context;
  const ofParts = new Set(parts.flatMap(({ key }) => [...groups.membersOf(key)]));
  const keys = [...groups.membersOf(whole.key), ...ofParts];
  const isLoaded = { whole: false, parts: false };
  for (const key of keys) {
    const record = await journal.remoteRecord(key);
    // What is loaded once more is not there: the side with a track may stay then.
    const isToRestore = context.settings.restoreMissing === true && context.capabilities.listsWorkouts;
    if (record === undefined || (isToRestore && !(await journal.logHas("workout", record.remoteId)))) continue;
    isLoaded[ofParts.has(record.key) ? "parts" : "whole"] = true;
  }
  if (isLoaded.whole || isLoaded.parts || (await journal.logSize("workout")) === 0) return isLoaded;
  if (await areInLog(run, [whole], context)) return { whole: true, parts: false };
  return { whole: false, parts: await areInLog(run, parts, context) };
}

/** Whether your log has a record of its own for each of these lines, by their values. */
async function areInLog(
  run: number,
  lines: readonly WorkoutLine[],
  { journal, settings }: GroupsContext,
): Promise<boolean> {
  const taken = new Set<string>();
  for (const { value } of lines) {
    const ours = toFacts(value);
    const activityID = ours?.activity === undefined ? undefined : settings.activityIDs[ours.activity];
    if (ours === undefined || activityID === undefined) return false;
    const records = await journal.logCandidates(run, ours, activityID);
    const found = records.find(({ id, facts }) => {
      // The log gives only the number of an activity, which is the same.
      const theirs = facts && { ...facts, activity: ours.activity };
      return !taken.has(id) && theirs !== undefined && matchDuplicates(ours, theirs) !== undefined;
    });
    if (found === undefined) return false;
    taken.add(found.id);
  }
  return true;
}

function staysWhole({ whole, parts }: Lines, isLoaded: { readonly whole: boolean; readonly parts: boolean }): boolean {
  if (isLoaded.whole || isLoaded.parts) return isLoaded.whole;
  // Of legs, often one alone has a track: nobody swims with a phone. That track would be lost with them.
  if (hasTrack(whole) !== parts.some(hasTrack)) return hasTrack(whole);
  if (hasTrack(whole) && !parts.every(hasTrack)) return true;
  return parts.every(({ value }) => value.activity === whole.value.activity);
}

function hasTrack({ value }: WorkoutLine): boolean {
  return value.track !== undefined;
}

/** Gives a line the start of what it stands for, where it has no time of day itself, or where only its own clock is known to be off. */
async function takeRightStart(
  line: WorkoutLine | undefined,
  [first]: readonly WorkoutLine[],
  { clocks, journal }: GroupsContext,
) {
  if (line === undefined || first?.value.start.time === undefined) return;
  const isAssumedOnly = isAssumed(line.value.start) && !isAssumed(first.value.start);
  if (!isAssumedOnly && line.value.start.instant !== undefined) return;
  if (!isAssumedOnly && line.value.start.time !== undefined && !clocks.isOnlyRight(first, line)) return;
  const { start, from } = isAssumedOnly ? clocks.startOf(line, first) : { start: first.value.start, from: first };
  const value = { ...line.value, start };
  clocks.keepStart(line, from);
  await journal.patchLine(line.run, line.seq, { value, facts: toFacts(value) });
}

/** Sets parts whose local times are assumed as far as the whole shows it. One zone holds for all of them. */
async function setAssumedParts(parts: readonly WorkoutLine[], whole: WorkoutLine, { clocks, journal }: GroupsContext) {
  const [first] = parts;
  if (first === undefined || !isAssumed(first.value.start) || isAssumed(whole.value.start)) return;
  const later = clocks.startOf(first, whole).start.clockSet ?? 0;
  for (const part of parts) {
    if (!isAssumed(part.value.start)) continue;
    const value = { ...part.value, start: withLocalTimeSet(part.value.start, later) };
    await journal.patchLine(part.run, part.seq, { value, facts: toFacts(value) });
  }
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
  const both = mergeDuplicates(now.value, wordsOf(dropped.value, now.value), isRecording(dropped, sources));
  const record = context.options.tracks ? await journal.remoteRecord(kept.key) : undefined;
  const loaded = record && (await journal.lineWithKey(record.run, record.key));
  const value = withTrackNotAdded(both, dropped.value.track, loaded);
  await journal.patchLine(kept.run, kept.seq, { value });
  await journal.patchLine(dropped.run, dropped.seq, {
    state: "merged",
    action: "none",
    duplicateOf: kept.key,
    reason: `${reason} as ${describeOrigin(kept.origin)}`,
  });
}

/** Gives a part the shoe of the whole, too: each part has its own kilometres. Notes are there once, with the first part. */
async function lendEquipment(whole: WorkoutLine, part: WorkoutLine, { journal }: GroupsContext) {
  const { equipment, activity } = whole.value;
  const now = await journal.line(part.run, part.seq);
  if (equipment === undefined || now?.kind !== "workout") return;
  if (now.value.equipment !== undefined || now.value.activity !== activity) return;
  await journal.patchLine(part.run, part.seq, { value: { ...now.value, equipment } });
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
