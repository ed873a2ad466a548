/** Merges two workouts of a plan, or those that they were merged into before. */
import { mergeDuplicates, secondsBetweenStarts, toFacts } from "../../../transforms/duplicates.ts";
import { isAssumed } from "../../../transforms/matching/assumed-starts.ts";
import { MOST_SECONDS_APART } from "../../../transforms/matching/likeness.ts";
import { at, withAt } from "../../../transforms/merge/at-path.ts";
import { withChosenHeartRate } from "../../../transforms/model/heart-rates.ts";
import { describeOrigin, type Issue } from "../../../transforms/model/issue.ts";
import type { Start, Workout } from "../../../transforms/model/workout.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { PairAnswer } from "../../journal/links.ts";
import { chooseLine, isFixedByHand, isRecording } from "../compare/choose-line.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import type { Groups } from "../compare/groups.ts";
import { offsetInWords } from "../pairs/describe-match.ts";
import { BOTH_IN_LOG, CHOOSABLE, describeAnswer, type PairAnswers } from "../pairs/pair-answers.ts";
import { withSecondEquipment } from "../pairs/second-equipment.ts";
import type { Pair } from "./candidate-pairs.ts";
import type { KnownClocks, StartOfLine } from "./known-clocks.ts";

/** Two records that become one workout. */
export interface Sides {
  readonly one: string;
  readonly other: string;
  /** The clock of `other` is to be set so much later. */
  readonly ms: number;
  /** The one of the two whose local time was assumed, where the other one knows it. */
  readonly assumed?: string | undefined;
  /** Why they are one, for people. */
  readonly reason: string;
  /** Whether a person said so. Then two rows of one source may be one, too. */
  readonly isSaid: boolean;
}

/** The plan, and what is known of its groups. */
export type GroupsContext = ComparisonContext & {
  readonly groups: Groups;
  readonly answers: PairAnswers;
  readonly clocks: KnownClocks;
};

/**
 * Merges the two workouts of a pair, or those that they were merged into before. Two rows of one source, and of one app in it, stay two workouts, unless a
 * person said otherwise.
 *
 * @returns why it can't; undefined when they are one now
 */
export async function mergeGroups(run: number, sides: Sides, context: GroupsContext): Promise<string | undefined> {
  const { journal, sources, groups, answers } = context;
  const { one, other, ms, assumed, reason, isSaid } = sides;
  const [ofOne, ofOther] = [groups.rootOf(one), groups.rootOf(other)];
  if (ofOne === ofOther) return "they are one already";
  if (!isSaid && groups.shareApp(ofOne, ofOther)) return "they are of one source";
  if (answers.separate(groups.membersOf(ofOne), groups.membersOf(ofOther)))
    return "you said of one of them that it is apart from a workout that the other one is merged with";
  const [a, b] = [await journal.lineWithKey(run, ofOne), await journal.lineWithKey(run, ofOther)];
  if (a?.kind !== "workout" || b?.kind !== "workout" || a.state !== "planned" || b.state !== "planned")
    return "one of them is left out of the plan";
  if (isFixedByHand(a, context) || isFixedByHand(b, context)) return "you let one of them in by hand";
  const chosen = await chooseLine(a, b, context, "may join");
  if (chosen === undefined) return BOTH_IN_LOG;
  const { kept, dropped } = chosen;
  const both = mergeDuplicates(kept.value, dropped.value, isRecording(dropped, sources));
  const merged = await withSecondEquipment(both, dropped.value, { run, journal });
  const { start, from } = surerStart(kept, dropped, context.clocks);
  const owner = merged.track === kept.value.track ? kept : dropped;
  const value = ms === 0 ? merged : withStart(merged, start, owner.value.start);
  if (ms !== 0 && from === dropped) context.clocks.keepStart(kept, dropped);
  await journal.patchLine(run, kept.seq, { value, facts: toFacts(value) });
  for (const line of await journal.mergedInto(run, dropped.key))
    await journal.patchLine(run, line.seq, { duplicateOf: kept.key });
  const later = kept.key === ofOne ? ms : -ms;
  // The log's offset is no clock. Where the line that stays has its start by it, that start is set.
  const isSetThere = assumed !== undefined && groups.membersOf(kept.key).has(assumed);
  const setting = isSetThere
    ? `, whose start by your log's offset is set ${offsetInWords(-later)}`
    : `, once its clock is set ${offsetInWords(later)}`;
  await journal.patchLine(run, dropped.seq, {
    state: "merged",
    action: "none",
    duplicateOf: kept.key,
    reason: `${reason} as ${describeOrigin(kept.origin)}${later === 0 ? "" : setting}`,
  });
  groups.join(dropped.key, kept.key);
  return undefined;
}

/** A workout with another start. Its track begins as before. @param before the start of the record that the track is from */
function withStart(value: Workout, start: Start, before: Start): Workout {
  const { track } = value;
  const isOther = before.instant !== undefined && before.instant !== start.instant;
  if (track === undefined || track.beginsAt !== undefined || !isOther) return { ...value, start };
  return { ...value, start, track: { ...track, beginsAt: before.instant } };
}

/**
 * The start that surely is right: a device has it from satellites, or a platform knows the zone. Of two such starts, or none, that of a source whose clock isn't known to be off,
 * and else that of the line that stays. A local time that the other line knows counts before one by the log's offset.
 */
function surerStart(kept: WorkoutLine, dropped: WorkoutLine, clocks: KnownClocks): StartOfLine {
  const [knowsOurs, knowsTheirs] = [clocks.isStartSure(kept), clocks.isStartSure(dropped)];
  const isTheirs = knowsOurs === knowsTheirs ? clocks.isOnlyRight(dropped, kept) : knowsTheirs;
  return isTheirs ? clocks.startOf(dropped, kept) : clocks.startOf(kept, dropped);
}

/**
 * Gives workouts whose starts are apart the one whose clock is right: those that a person called one, and those that were merged by a set clock. When they
 * were merged, less was known of the clocks. A start that the person chose stays, and so does one that neither clock explains.
 *
 * @param merged the merged pairs
 */
export async function takeSurerStarts(
  run: number,
  { journal, groups, answers, clocks }: GroupsContext,
  isWanted: (key: string) => boolean,
  merged: Iterable<Pair>,
): Promise<void> {
  const said = answers.ones();
  const isChosen = new Set(
    said.flatMap(({ records, take }) => (take.start === undefined ? [] : records.map(({ key }) => key))),
  );
  const ofAnswers = said.map(({ records }) => [records[0].key, records[1].key] as const);
  const apart = [...merged].filter(({ ms, differences }) => ms !== 0 || differences.roundedTo !== undefined);
  for (const [one, other] of [...apart.map((pair) => [pair.one.key, pair.other.key] as const), ...ofAnswers]) {
    const [a, b] = [await journal.lineWithKey(run, one), await journal.lineWithKey(run, other)];
    if (a?.kind !== "workout" || b?.kind !== "workout" || !isWanted(a.key)) continue;
    if (isChosen.has(a.key) || isChosen.has(b.key)) continue;
    const line = await journal.lineWithKey(run, groups.rootOf(a.key));
    if (line?.kind !== "workout" || line.state !== "planned" || groups.rootOf(b.key) !== line.key) continue;
    const { start } = line.value;
    const own = async (one: WorkoutLine) => {
      const value = (await journal.links.ownValue(run, one.seq)) ?? one.value;
      // A file of the same recording may know the zone.
      const knowsZone = isAssumed(value.start) && start.instant === value.start.instant && !isGuessed(start);
      return { ...one, value: knowsZone ? { ...value, start } : value };
    };
    const [ours, theirs] = [await own(a), await own(b)];
    const right = rightStart(ours, theirs, clocks);
    // One that neither of the two explains is of a third record.
    if (right === undefined || isSame(start, right.start) || !isOfTwo(start, ours, theirs)) continue;
    clocks.keepStart(line, right.from);
    const value = withStart(line.value, right.start, start);
    await journal.patchLine(run, line.seq, { value, facts: toFacts(value) });
  }
}

function isSame(a: Start, b: Start): boolean {
  return a.date === b.date && a.time === b.time;
}

/** Whether the local time is by the log's offset, or by that of another source. */
function isGuessed(start: Start): boolean {
  return isAssumed(start) || start.basis === "other source";
}

/** Whether a start is that of one of two lines, or the instant of one by the local time of the other, whose clock may be set since. */
function isOfTwo(start: Start, one: WorkoutLine, other: WorkoutLine): boolean {
  const isOfInstant = (side: Start) => isAssumed(side) && side.instant === start.instant && isGuessed(start);
  return [one.value.start, other.value.start].some((side) => isSame(start, side) || isOfInstant(side));
}

/** Of two whose starts are apart, the right start. Undefined where no clock is known to be off, and neither start, or both, are sure. */
function rightStart(one: WorkoutLine, other: WorkoutLine, clocks: KnownClocks): StartOfLine | undefined {
  const [ours, theirs] = [toFacts(one.value), toFacts(other.value)];
  if (ours?.time === undefined || theirs?.time === undefined) return undefined;
  const isOnlyOneSure = clocks.isStartSure(one) !== clocks.isStartSure(other);
  const isKnown = isOnlyOneSure || clocks.isStartOff(one) || clocks.isStartOff(other);
  if (secondsBetweenStarts(ours, theirs) <= MOST_SECONDS_APART || !isKnown) return undefined;
  return surerStart(one, other, clocks);
}

/** Gives merged workouts the values that a person chose. Of two choices of one field of one workout, the later one counts, and the other is named. */
export async function takeChosenFields(
  run: number,
  context: GroupsContext,
  isWanted: (key: string) => boolean,
): Promise<void> {
  const { journal, groups } = context;
  const choices = new Map<string, PairAnswer>();
  for (const answer of context.answers.ones()) {
    const [one, other] = [answer.records[0].key, answer.records[1].key];
    if (Object.keys(answer.take).length === 0 || !isWanted(one) || groups.rootOf(one) !== groups.rootOf(other))
      continue;
    const line = await journal.lineWithKey(run, groups.rootOf(one));
    if (line?.kind !== "workout" || line.state !== "planned") continue;
    for (const field of Object.keys(answer.take)) {
      const earlier = choices.get(`${line.key} ${field}`);
      if (earlier !== undefined && earlier.take[field] !== answer.take[field])
        await context.report(overruled(earlier, answer, field));
      choices.set(`${line.key} ${field}`, answer);
    }
    const value = await withChosen(line, answer, context);
    await journal.patchLine(run, line.seq, { value, facts: toFacts(value) });
  }
}

function overruled(earlier: PairAnswer, later: PairAnswer, field: string): Issue {
  return {
    severity: "warning",
    rule: "plan/answers-not-used",
    found: `${describeAnswer(earlier)}: its ${field} is that of a later answer, ${describeAnswer(later)}`,
    expected:
      "one choice for each field of a workout: answer again, or forget one of the two, with logferry plan review",
  };
}

async function withChosen(
  { run, value }: WorkoutLine,
  { take }: PairAnswer,
  { journal, clocks }: GroupsContext,
): Promise<Workout> {
  let body = value;
  for (const [field, path] of CHOOSABLE) {
    const key = take[field];
    const line = key === undefined ? undefined : await journal.lineWithKey(run, key);
    const own = line === undefined ? undefined : await journal.links.ownValue(run, line.seq);
    if (line === undefined || own === undefined) continue;
    // A start that was set is shown so.
    const shown = line.kind === "workout" ? { ...own, start: clocks.ownStart(line, own) } : own;
    body = withChosenHeartRate(withAt(body, path, at(shown, path)), path);
  }
  return body;
}
