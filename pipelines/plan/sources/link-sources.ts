/**
 * Links the records of one workout that several sources, or several apps of one source, have, beyond those that agree at once: at other times, because one clock was off; with other
 * distances and durations; without a time of day. A person's answer comes before every score. What is doubtful stays two workouts, unless the person
 * said otherwise, and the plan names it.
 */
import { utcDay } from "../../../transforms/calendar.ts";
import { MOST_SECONDS_APART, verdictOf } from "../../../transforms/matching/likeness.ts";
import type { FoundPair } from "../../journal/links.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { Groups } from "../compare/groups.ts";
import { describePair } from "../pairs/describe-match.ts";
import { clockOf, type LinkedWorkout } from "../pairs/linked-workout.ts";
import { isOfParts, PairAnswers, sortAnswers, type UnusedAnswer, unusedIssues } from "../pairs/pair-answers.ts";
import { pairsOfApps, type TwoApps } from "./apps-of-source.ts";
import { type Pair, pairsOf, type TwoSources } from "./candidate-pairs.ts";
import { carryAnswers } from "./carry-answers.ts";
import { assumedOf, KnownClocks, type OnePair } from "./known-clocks.ts";
import { SplitLinks } from "./link-splits.ts";
import { mergeGroups, takeChosenFields, takeSurerStarts } from "./merge-groups.ts";
import { OnesOfLog } from "./ones-of-log.ts";
import { settleOverlaps } from "./overlaps.ts";
import {
  dropDoubts,
  foundPair,
  isAlone,
  isAnyOf,
  isOneWith,
  keysIn,
  type LinkingContext,
  likeliestFirst,
  pairsAmong,
  settledPairs,
  undecided,
  withFacts,
} from "./pairs-of-plan.ts";
import { takePreferredFields } from "./prefer-fields.ts";
import { readWorkouts } from "./read-workouts.ts";
import { type Split, splitsByDay } from "./split-recordings.ts";
import { settleWrongStarts, surelySet } from "./starts-by-wrong-clock.ts";
import { LINK_RULES, tellDoubtful, tellOffsets } from "./tell-links.ts";
import { splitsOfPairs, tellSplits, tellUnknownLegs } from "./tell-splits.ts";
import { findUnknownLegs } from "./unknown-legs.ts";
import { type UsualClocks, usualClocks } from "./usual-clocks.ts";

/**
 * Merges the workouts that two sources, or two apps of one source, have, as far as their values and the clocks of both say so. The plan says for each pair of sources how far the
 * clocks are apart, with the counts, and which pairs are doubtful.
 *
 * Call this before the plan is compared with the log.
 *
 * @param only links these records again and no others. They must be as they were before
 */
export async function linkSources(run: number, context: ComparisonContext, only?: ReadonlySet<string>): Promise<void> {
  const { journal, sources } = context;
  const pairs = context.settings.manualDecisions?.pairs;
  if (pairs !== undefined && only === undefined) await carryAnswers(run, pairs, context);
  const all = pairs?.all ?? [];
  const { usable, unused } = await sortAnswers(run, { journal, sources, all });
  const impossible: UnusedAnswer[] = [];
  const inLog = await journal.links.sharing(run);
  if (sources.length > 1 || (await journal.links.hasTwins(run)) || usable.length > 0 || inLog.length > 0) {
    await journal.links.begin();
    const linking = new Linking(run, { ...context, answers: new PairAnswers(usable) }, inLog, only);
    impossible.push(...(await linking.link()));
  }
  if (only === undefined) for (const issue of unusedIssues([...unused, ...impossible])) await context.report(issue);
}

/** What one round brings together may show more. Few are, and these show still fewer. */
const MOST_ROUNDS = 5;

/** The linking of one run. */
class Linking {
  readonly #run: number;
  readonly #context: LinkingContext;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #onesOfLog: OnesOfLog;
  readonly #bySource = new Map<number, LinkedWorkout[]>();
  readonly #byKey = new Map<string, LinkedWorkout>();
  readonly #groups = new Groups();
  /** The scored pairs by their keys: the likeliest of each, or the one that was chosen. */
  readonly #scored = new Map<string, Pair>();
  readonly #merged = new Set<Pair>();
  readonly #unsure = new Set<Pair>();
  /** Pairs that were one at once, at the same time of day. */
  readonly #agreed: OnePair[] = [];
  /** The same, and what else shows the clocks before anything is linked. */
  readonly #shown: OnePair[] = [];
  readonly #clocks = new KnownClocks();
  readonly #splits: SplitLinks;

  constructor(
    run: number,
    context: LinkingContext,
    inLog: readonly (readonly string[])[],
    only: ReadonlySet<string> | undefined,
  ) {
    this.#run = run;
    this.#onesOfLog = new OnesOfLog(inLog, (key) => this.#byKey.get(key));
    this.#context = context;
    this.#only = only;
    this.#splits = new SplitLinks(run, { ...context, groups: this.#groups, clocks: this.#clocks });
  }

  /** @returns the answers that can't be obeyed */
  async link(): Promise<readonly UnusedAnswer[]> {
    await this.#readWorkouts();
    await this.#learnFromRest();
    // What the plan merged before says that two clocks agree. It is nothing to learn how they are apart from. Nor are answers, so an answer changes no
    // other pair.
    const before = this.#groups.copy();
    const unused = [...(await this.#obeyAnswers())];
    // The apps of one source come first: they share its clock.
    for (const two of [...this.#bySource.values()].flatMap(pairsOfApps)) await this.#linkApps(two);
    // Times come first. A note of the day then belongs to what is one by its times.
    const inOrder = pairsAmong([...this.#bySource.keys()].toSorted((a, b) => a - b));
    for (const two of inOrder) await this.#linkTimes(two, before);
    const usual = usualClocks([...(await this.#ones()), ...this.#agreed]);
    for (const two of inOrder) await this.#linkByUsualClocks(two, usual);
    // What a set start brings together may show that another start is wrong.
    for (let round = 0; round < MOST_ROUNDS; round++) if (!(await this.#linkSetStarts(inOrder))) break;
    await this.#linkDays(inOrder, before);
    for (const two of pairsAmong([...this.#bySource.keys()])) this.#splits.add(this.#splitsOfDay(two));
    const isWanted = (key: string) => this.#isWanted(key);
    const context = this.#groupsContext();
    // Where one is a whole and the others are its parts, that is decided with better reasons below.
    const isOfSplit = (key: string) => [...this.#groups.membersOf(key)].some((member) => this.#splits.has(member));
    await this.#onesOfLog.merge(this.#run, context, (key) => isWanted(key) && !isOfSplit(key));
    await takeSurerStarts(this.#run, context, isWanted, this.#merged);
    await takePreferredFields(this.#run, context, isWanted);
    await takeChosenFields(this.#run, context, isWanted);
    unused.push(...(await this.#splits.settle()));
    await this.#onesOfLog.merge(this.#run, context, isWanted);
    await this.#tell();
    return unused;
  }

  /** Reads the workouts with a known sport, by source, and which of them are one already. */
  async #readWorkouts(): Promise<void> {
    const read = await readWorkouts(this.#run, this.#context, { groups: this.#groups, clocks: this.#clocks });
    for (const [source, workouts] of read.bySource) this.#bySource.set(source, workouts);
    for (const [key, workout] of read.byKey) this.#byKey.set(key, workout);
    this.#agreed.push(...read.agreed);
    this.#shown.push(...read.agreed, ...read.assumed);
    this.#clocks.learn(read.assumed);
  }

  #groupsContext() {
    return { ...this.#context, groups: this.#groups, clocks: this.#clocks };
  }

  /** When a part of a plan is made again, the rest says whose clock is off. */
  async #learnFromRest(): Promise<void> {
    if (this.#only === undefined) return;
    const rest = await this.#onesOfRest();
    this.#clocks.learn(rest.toSorted((a, b) => a.one.source - b.one.source));
  }

  #isWanted(key: string): boolean {
    return this.#only?.has(key) !== false;
  }

  async #obeyAnswers(): Promise<readonly UnusedAnswer[]> {
    const unused: UnusedAnswer[] = [];
    for (const answer of this.#context.answers.ones()) {
      const [one, other] = [answer.records[0].key, answer.records[1].key];
      if (isOfParts(answer) || !this.#isWanted(one) || this.#groups.rootOf(one) === this.#groups.rootOf(other))
        continue;
      const reason = `the same workout (you said so on ${utcDay(answer.at)})`;
      const sides = { one, other, ms: 0, reason, isSaid: true };
      const why = await mergeGroups(this.#run, sides, this.#groupsContext());
      if (why !== undefined) unused.push({ answer, why });
    }
    return unused;
  }

  /** Links the workouts of two apps of one source, where they have a time. */
  async #linkApps([one, other]: TwoApps): Promise<void> {
    const open = (workouts: readonly LinkedWorkout[], [app]: readonly LinkedWorkout[]) =>
      workouts.filter(({ key }) => this.#isWanted(key) && app !== undefined && !this.#groups.hasApp(key, app));
    const both = [open(one, other), open(other, one)] as const;
    const { pairs, candidates } = this.#pairsOf({ clocks: both, open: both, by: "time", trustClocks: true });
    await this.#settle(candidates, pairs);
  }

  async #linkTimes(two: readonly [number, number], before: Groups): Promise<void> {
    const { pairs, candidates, splits } = this.#compare(two, "time", before);
    this.#splits.add(splits);
    const merged = await this.#settle(candidates, pairs);
    const agreed = this.#agreed.filter(({ one, other }) => one.source === two[0] && other.source === two[1]);
    this.#clocks.learn([...merged, ...agreed]);
  }

  /** Links the workouts that know their day alone, of all sources at once: two sources may have a run each of one day, and the likelier one counts. */
  async #linkDays(inOrder: readonly (readonly [number, number])[], before: Groups): Promise<void> {
    const groups = this.#groups;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const found = inOrder.map((two) => this.#compare(two, "day", before));
      const [pairs, candidates] = [found.flatMap((two) => two.pairs), found.flatMap((two) => two.candidates)];
      const [known, lost] = [new Set(this.#unsure), new Set<Pair>()];
      // Of two that have times, these say whether they are one.
      const merged = await this.#settle(candidates, likeliestFirst(pairs), (pair) => {
        const isOpen = !groups.isTimed(pair.one.key) || !groups.isTimed(pair.other.key);
        if (!isOpen) lost.add(pair);
        return isOpen;
      });
      // Where one of two was taken by a likelier one, the other may have a second choice.
      if (lost.size === 0 || merged.length === 0 || round === MOST_ROUNDS - 1) return;
      for (const pair of this.#unsure) if (!known.has(pair)) this.#unsure.delete(pair);
    }
  }

  #compare([first, second]: readonly [number, number], by: "time" | "day", before: Groups) {
    const { trustClocks = false } = this.#context.settings;
    const clocks = [this.#without(first, second, before), this.#without(second, first, before)] as const;
    const ofClock = (source: number, clock: number) =>
      (this.#bySource.get(source) ?? []).filter((workout) => clockOf(workout) === clock);
    return this.#pairsOf({
      ...{ clocks, open: this.#open(first, second), by, trustClocks },
      agreed: (one, other) => ofClock(first, one).filter(isOneWith(before, ofClock(second, other))),
      byThird: (one, other, wall) => this.#clocks.between(one, other, wall),
    });
  }

  /**
   * Compares the workouts once more whose starts the pairs so far surely show to be wrong, by the right starts: a third source may have shown that, or
   * other weeks. What is in a pair or in parts already stays so.
   *
   * @returns whether any became one
   */
  async #linkSetStarts(inOrder: readonly (readonly [number, number])[]): Promise<boolean> {
    const { trustClocks = false } = this.#context.settings;
    const surely = trustClocks ? undefined : surelySet([...(await this.#ones()), ...this.#shown], this.#clocks);
    if (surely === undefined) return false;
    const before = this.#merged.size;
    this.#clocks.setStarts(surely);
    const setStarts = (workout: LinkedWorkout) => (workout.isTyped === true ? 0 : surely(workout) || undefined);
    for (const [first, second] of inOrder) {
      const open = this.#open(first, second);
      if (!open.flat().some((workout) => setStarts(workout) !== undefined)) continue;
      const { pairs, candidates, splits } = this.#pairsOf({
        ...{ clocks: [[], []], open, by: "time", trustClocks: true, setStarts },
      });
      const inDoubt = keysIn(this.#unsure);
      const isNew = ({ one, other, score }: Pair) =>
        verdictOf(score) === "one" || !(inDoubt.has(one.key) || inDoubt.has(other.key));
      const merged = await this.#settle(candidates, pairs, isNew);
      dropDoubts(this.#unsure, merged);
      const isNamed = ({ key }: LinkedWorkout) => inDoubt.has(key) || this.#splits.has(key);
      const isSet = (workout: LinkedWorkout) => setStarts(workout) !== undefined;
      this.#splits.add(splits.filter((split) => !isAnyOf(split, isNamed) && isAnyOf(split, isSet)));
    }
    return this.#merged.size > before;
  }

  /** Compares what is left of two sources by the clocks that they usually have, where third sources alone show these. */
  async #linkByUsualClocks([first, second]: readonly [number, number], usual: UsualClocks): Promise<void> {
    const ms = this.#context.settings.trustClocks === true ? undefined : usual(first, second);
    if (ms === undefined || Math.abs(ms) <= MOST_SECONDS_APART * 1_000) return;
    const { pairs, candidates } = this.#pairsOf({
      ...{ clocks: [[], []], open: this.#open(first, second), by: "time", trustClocks: false },
      byThird: (one, other) => (one === first && other === second ? ms : undefined),
    });
    const isFound = ({ ms: set, score }: Pair) => set !== 0 && verdictOf(score) === "one";
    const merged = await this.#settle(candidates.filter(isFound), pairs.filter(isFound));
    dropDoubts(this.#unsure, merged);
  }

  /** The pairs of the plan that are one so far, by their scores. */
  async #ones(): Promise<readonly Pair[]> {
    return this.#only === undefined ? [...this.#merged] : [...(await this.#onesOfRest()), ...this.#merged];
  }

  /** The pairs of the rest of the plan that are one, when a part of it is made again. */
  async #onesOfRest(): Promise<readonly Pair[]> {
    const known = await this.#context.journal.links.pairs(this.#run);
    return known.flatMap((pair) =>
      pair.verdict === "one" && pair.parts === undefined && this.#only?.has(pair.one) !== true
        ? this.#asPair(pair)
        : [],
    );
  }

  /** The workouts of a source that another one doesn't have. */
  #without(source: number, other: number, known: Groups): readonly LinkedWorkout[] {
    return (this.#bySource.get(source) ?? []).filter(({ key }) => !known.hasSource(key, other));
  }

  /** What is to be paired of two sources. */
  #open(first: number, second: number): readonly [readonly LinkedWorkout[], readonly LinkedWorkout[]] {
    const wanted = (workouts: readonly LinkedWorkout[]) => workouts.filter(({ key }) => this.#isWanted(key));
    const groups = this.#groups;
    return [wanted(this.#without(first, second, groups)), wanted(this.#without(second, first, groups))];
  }

  /** The free workouts of two sources that know their day alone, and that the other one has in parts, or as a whole. A doubtful pair is named already. */
  #splitsOfDay([first, second]: readonly [number, number]): readonly Split[] {
    const unsure = keysIn(this.#unsure);
    const freeOf = (source: number, other: number) =>
      (this.#bySource.get(source) ?? [])
        .filter(({ key, facts }) => {
          // What another source shows the time of is compared by that time.
          const isOpen = this.#isWanted(key) && this.#groups.isTimed(key) === (facts.time !== undefined);
          return isOpen && !this.#groups.hasSource(key, other) && !unsure.has(key) && !this.#splits.has(key);
        })
        .toSorted((a, b) => (a.inFile ?? 0) - (b.inFile ?? 0));
    return splitsByDay(freeOf(first, second), freeOf(second, first));
  }

  #pairsOf(two: TwoSources) {
    const { answers, onScored } = this.#context;
    const groups = this.#groups;
    return pairsOf({
      ...{ ...two, onScored },
      mayBeOne: (one, other) =>
        !answers.separate(groups.membersOf(one.key), groups.membersOf(other.key)) &&
        this.#onesOfLog.mayBeOne(one, other),
    });
  }

  /** Merges the pairs that are surely one, and notes the doubtful ones. @returns the merged ones */
  async #settle(
    candidates: readonly Pair[],
    pairs: readonly Pair[],
    isOpen: (pair: Pair) => boolean = () => true,
  ): Promise<readonly Pair[]> {
    const { doubtful = "two" } = this.#context.settings;
    for (const pair of candidates) this.#keep(pair);
    const merged: Pair[] = [];
    for (const pair of pairs) {
      if (!isOpen(pair)) continue;
      const isDoubt = doubtful === "two" && verdictOf(pair.score) === "doubtful";
      const why = isDoubt ? "doubtful" : await this.#merge(pair);
      const open = undecided(pair, why);
      if (why === undefined) merged.push(this.#keep(pair, true));
      else if (open !== undefined) this.#unsure.add(this.#keep(open, true));
    }
    for (const pair of merged) this.#merged.add(pair);
    return merged;
  }

  #merge(pair: Pair): Promise<string | undefined> {
    const [one, other] = [pair.one.key, pair.other.key];
    const assumed = assumedOf(pair.one, pair.other)?.assumed.key;
    const sides = { one, other, ms: pair.ms, assumed, reason: describePair(pair), isSaid: false };
    return mergeGroups(this.#run, sides, this.#groupsContext());
  }

  #keep(pair: Pair, isChosen = false): Pair {
    const name = `${pair.one.key}\n${pair.other.key}`;
    const known = this.#scored.get(name);
    if (isChosen || known === undefined || known.score < pair.score) this.#scored.set(name, pair);
    return pair;
  }

  /** Writes down the scored pairs, and says which clocks are apart and which pairs are doubtful. */
  async #tell(): Promise<void> {
    const { journal } = this.#context;
    const ones = await this.#ones();
    const isOne = ({ one, other }: Pair) => this.#groups.rootOf(one.key) === this.#groups.rootOf(other.key);
    // Another source may have shown meanwhile that the two are one.
    const doubtful = new Set([...this.#unsure].filter((pair) => !isOne(pair)));
    const found = [...this.#scored.values()].map((pair): FoundPair => {
      return foundPair(pair, isOne(pair) ? "one" : doubtful.has(pair) ? "doubtful" : "two");
    });
    const others = this.#only === undefined ? [] : await journal.links.pairs(this.#run);
    await journal.links.keepPairs(this.#run, found);
    await journal.links.keepPairs(this.#run, this.#splits.pairs());
    const earlier = (verdict: FoundPair["verdict"]) =>
      others.filter((pair) => pair.verdict === verdict && !this.#only?.has(pair.one));
    const pairs = (verdict: FoundPair["verdict"]) =>
      earlier(verdict).flatMap((pair) => (pair.parts === undefined ? this.#asPair(pair) : []));
    for (const rule of Object.values(LINK_RULES)) await journal.links.dropIssue(this.#run, rule);
    await tellOffsets(ones, this.#clocks, this.#context);
    const areAlone = [...this.#byKey.values()].filter(
      (workout) =>
        isAlone(workout, this.#groups, this.#byKey) &&
        !(this.#splits.has(workout.key) && this.#splits.isOne(workout.key)),
    );
    const settling = { run: this.#run, clocks: this.#clocks, isWanted: (key: string) => this.#isWanted(key) };
    const set = await settleWrongStarts(areAlone, [...ones, ...this.#shown], settling, this.#context);
    for (const [key, workout] of withFacts(set, this.#byKey)) this.#byKey.set(key, workout);
    await tellDoubtful([...pairs("doubtful"), ...doubtful], this.#context);
    const splits = splitsOfPairs(earlier("doubtful"), this.#byKey);
    const context = this.#groupsContext();
    await tellSplits([...splits, ...this.#splits.doubtful()], context, this.#run);
    const named = { ones: earlier("one"), doubtful: [...pairs("doubtful"), ...doubtful], splits };
    const settled = settledPairs(named, context, (key) => this.#splits.has(key));
    await settleOverlaps(this.#run, this.#byKey.values(), settled, this.#context);
    const legs = findUnknownLegs([...this.#byKey.values()], context.unknownSports ?? []);
    const isUnnamed = ({ whole }: Split) => !this.#splits.has(whole.key);
    await tellUnknownLegs(legs.filter(isUnnamed), context);
  }

  #asPair({ one: first, other: second, ...found }: FoundPair): readonly Pair[] {
    const [one, other] = [this.#byKey.get(first), this.#byKey.get(second)];
    return one === undefined || other === undefined ? [] : [{ ...found, one, other }];
  }
}
