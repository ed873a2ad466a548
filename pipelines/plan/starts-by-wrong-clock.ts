/**
 * Names workouts that only a source with a wrong clock has. No other source gives them a start, so they keep the wrong one. Only a person knows whether
 * the clock was off for them, too.
 */
import { asIfUtc } from "../../transforms/calendar.ts";
import { firstAtLeast } from "../../transforms/matching/in-order.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { ComparisonContext } from "./comparison.ts";
import { offsetInWords } from "./describe-match.ts";
import { type KnownClocks, NEAR_MS, type OnePair } from "./known-clocks.ts";
import type { LinkedWorkout } from "./linked-workout.ts";
import { LINK_RULES } from "./tell-links.ts";

const QUARTER_MS = 15 * 60_000;

/** Most workouts that the remark names. */
const MOST_NAMED = 3;

/** What a pair says about the clock of one of its two. */
interface Shown {
  readonly at: number;
  /** How much later the clock is to be set. 0: it is right. */
  readonly ms: number;
}

/**
 * Names them, source by source.
 *
 * @param workouts those that no other source has
 * @param pairs the merged pairs of the plan, which say whose clock is off
 */
export async function tellWrongStarts(
  workouts: Iterable<LinkedWorkout>,
  pairs: readonly OnePair[],
  clocks: KnownClocks,
  { sources, report }: ComparisonContext,
): Promise<void> {
  if (pairs.every(({ ms }) => ms === 0)) return;
  const shown = shownBy(pairs, clocks);
  const wrong = [...workouts].flatMap((workout) => {
    const { facts, source } = workout;
    const ms = facts.time === undefined || facts.instant !== undefined ? 0 : laterBy(shown.get(source), asIfUtc(facts));
    return ms === 0 ? [] : [{ workout, ms }];
  });
  const [first] = wrong;
  if (first === undefined) return;
  const groups = Map.groupBy(wrong, ({ workout, ms }) => `${workout.source} ${Math.round(ms / QUARTER_MS)}`);
  const sentences = [...groups.values()].map((group) => {
    const places = group.slice(0, MOST_NAMED).map(({ workout }) => describeOrigin(workout.origin));
    const rest = group.length > MOST_NAMED ? [`${group.length - MOST_NAMED} more`] : [];
    const name = sources[group[0]?.workout.source ?? 0]?.name;
    const many = group.length === 1 ? "1 workout" : `${group.length} workouts`;
    return `${many} of ${name}, whose clock was to be set ${offsetInWords(group[0]?.ms ?? 0)} in these weeks (${[...places, ...rest].join(", ")})`;
  });
  await report({
    severity: "warning",
    rule: LINK_RULES.starts,
    origin: first.workout.origin,
    found: `no other source has these, so they keep the starts of a clock that is off: ${sentences.join("; ")}`,
    expected:
      "the starts that a right clock shows: correct them in the source, or in your log afterwards. If a spreadsheet is in UTC, say dates.zone: utc in its mapping file, and plan again",
  });
}

/** What the pairs say about the clocks of the sources, in the order of time. A start that knows its instant is right: a device has it from satellites. */
function shownBy(pairs: readonly OnePair[], clocks: KnownClocks): ReadonlyMap<number, readonly Shown[]> {
  const all = pairs.flatMap(({ one, other, ms }) => {
    if (one.facts.time === undefined || other.facts.time === undefined) return [];
    const [knowsOne, knowsOther] = [one, other].map(({ facts }) => facts.instant !== undefined);
    const isOtherOff = knowsOne === knowsOther ? !clocks.isOff(one) : knowsOne;
    return [
      { source: one.source, at: asIfUtc(one.facts), ms: isOtherOff ? 0 : -ms },
      { source: other.source, at: asIfUtc(other.facts), ms: isOtherOff ? ms : 0 },
    ];
  });
  const bySource = Map.groupBy(all, ({ source }) => source);
  return new Map([...bySource].map(([source, some]) => [source, some.toSorted((a, b) => a.at - b.at)]));
}

/** How much later a clock is to be set at a time, by the pairs before and after it. 0 where they disagree, or none is near. */
function laterBy(shown: readonly Shown[] = [], wall: number): number {
  const next = firstAtLeast(shown, wall);
  const near = [shown[next - 1], shown[next]].filter(
    (pair) => pair !== undefined && Math.abs(pair.at - wall) <= NEAR_MS,
  );
  const [first] = near;
  const agree = near.every(
    (pair) => Math.round((pair?.ms ?? 0) / QUARTER_MS) === Math.round((first?.ms ?? 0) / QUARTER_MS),
  );
  return agree ? (first?.ms ?? 0) : 0;
}
