/**
 * Finds workouts of two sources, or of two apps in one, that were done at the same time, and are too different to count as one, or even to be doubtful: a phone that was started
 * later and stopped early. Nobody does a sport twice at once, so the plan names them. No score changes.
 */
import { asIfUtc } from "../../transforms/calendar.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { LineState } from "../journal/line.ts";
import { shortId } from "../journal/short-id.ts";
import type { ComparisonContext } from "./comparison.ts";
import { areOfOneApp, type LinkedWorkout } from "./linked-workout.ts";

/** The rule of the remark. */
export const OVERLAPS = "plan/same-time";

/** So much of the shorter one must lie within the longer one. At a start, a note of yesterday may still touch. */
const LEAST_SHARE = 0.5;

/** A watch that somebody forgot to stop says nothing about the hours behind this, in milliseconds. */
const LONGEST_MS = 12 * 3_600_000;

/** So many workouts behind one are looked at. Damaged clocks put thousands at one time. */
const MOST_BEHIND = 20;

/** The most pairs that the remark names. */
const MOST_NAMED = 4;

/** Two workouts at one time. */
export type Overlap = readonly [one: LinkedWorkout, other: LinkedWorkout];

interface Span {
  readonly workout: LinkedWorkout;
  readonly from: number;
  readonly until: number;
}

/**
 * Finds the pairs, by the times that their sources show.
 *
 * @param isSettled whether the two are one already, are named as doubtful, or are two by a person's word
 */
export function findOverlaps(
  workouts: Iterable<LinkedWorkout>,
  isSettled: (one: LinkedWorkout, other: LinkedWorkout) => boolean,
): readonly Overlap[] {
  const spans = [...workouts].flatMap(spanOf).toSorted((a, b) => a.from - b.from);
  const found: Overlap[] = [];
  for (const bySport of Map.groupBy(spans, ({ workout }) => workout.facts.activity).values())
    for (const [at, one] of bySport.entries())
      for (const other of bySport.slice(at + 1, at + 1 + MOST_BEHIND)) {
        if (other.from >= one.until) break;
        const shared = Math.min(one.until, other.until) - other.from;
        const shorter = Math.min(one.until - one.from, other.until - other.from);
        if (areOfOneApp(one.workout, other.workout) || shared < LEAST_SHARE * shorter) continue;
        if (!isSettled(one.workout, other.workout)) found.push([one.workout, other.workout]);
      }
  return found;
}

/**
 * Finds the pairs of a run that the plan named, with the keys of both, without those that a person decided about since. The answer reads each workout of
 * the run, unless the plan named none.
 */
export async function overlapsOfRun(
  journal: JournalReader,
  run: number,
): Promise<readonly (readonly [string, string])[]> {
  if (!(await journal.issues(run)).some(({ rule }) => rule === OVERLAPS)) return [];
  const settled = new Set<string>();
  for (const { one, other } of await journal.links.pairs(run)) settled.add(nameOf(one, other));
  for (const { records } of await journal.links.answers()) settled.add(nameOf(records[0].key, records[1].key));
  const workouts: LinkedWorkout[] = [];
  for await (const { key, source, origin, value, facts, now } of journal.links.workouts(run))
    if (facts?.activity !== undefined && STAYING.includes(now.state))
      workouts.push({ key, source, recorder: value.recorder, origin, facts });
  const found = findOverlaps(workouts, (one, other) => settled.has(nameOf(one.key, other.key)));
  return found.map(([one, other]) => [one.key, other.key]);
}

/** States of a workout that no other one stands for. */
const STAYING: readonly LineState[] = ["planned", "done", "unchanged"];

function nameOf(one: string, other: string): string {
  return [one, other].toSorted().join(" ");
}

function spanOf(workout: LinkedWorkout): readonly Span[] {
  const { time, date, seconds = 0 } = workout.facts;
  if (time === undefined || seconds <= 0) return [];
  const from = asIfUtc({ date, time });
  return [{ workout, from, until: from + Math.min(seconds * 1_000, LONGEST_MS) }];
}

/** Names them in the plan, with the words that make one of two. */
export async function tellOverlaps(
  all: readonly Overlap[],
  { report }: Pick<ComparisonContext, "report">,
): Promise<void> {
  const [first] = all;
  if (first === undefined) return;
  const named = all.slice(0, MOST_NAMED).map((pair) => pair.map(inWords).join(" and "));
  const rest = all.length > MOST_NAMED ? [`and ${all.length - MOST_NAMED} more pairs`] : [];
  const answer = first.map(({ key }) => shortId(key)).join("+");
  await report({
    severity: "warning",
    rule: OVERLAPS,
    found: `two workouts of one sport at the same time: ${[...named, ...rest].join("; ")}`,
    expected: `one workout at a time. Both are loaded. If the first two are one: logferry plan review --answer ${answer}=one`,
  });
}

/** `watch.csv line 2 (2024-05-01 07:00, 50 min, 10.0 km)`. */
function inWords({ origin, facts: { date, time = "", seconds = 0, metres } }: LinkedWorkout): string {
  const distance = metres === undefined ? "" : `, ${(metres / 1000).toFixed(1)} km`;
  return `${describeOrigin(origin)} (${date} ${time.slice(0, 5)}, ${Math.round(seconds / 60)} min${distance})`;
}
