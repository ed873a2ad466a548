/** Collects the doubtful pairs, of two sources or of a source and the log. */
import type { Likeness } from "../../transforms/matching/compare-facts.ts";
import { describeLikeness, factsInWords } from "../../transforms/matching/describe-likeness.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { WorkoutLine } from "../journal/line.ts";
import type { Pair } from "./candidate-pairs.ts";
import type { ComparisonContext } from "./comparison.ts";
import { offsetInWords } from "./describe-match.ts";
import type { LogMatch } from "./match-log.ts";

/** Most pairs that the remark names. */
const MOST_SENTENCES = 6;

/** The rules of the remarks, each with the way to decide. */
const DECIDE_BY = {
  "plan/doubtful-duplicates": "decide with logferry plan review, or count all as one with --doubtful one",
  "plan/doubtful-in-log": "if they are one, plan again with --doubtful one",
} as const;

interface Doubtful {
  readonly score: number;
  readonly sentence: string;
}

/** The doubtful pairs of a plan. It keeps the likeliest ones and the count of all. */
export class DoubtfulPairs {
  #likeliest: readonly Doubtful[] = [];
  #count = 0;
  /** Those that a clock alone keeps apart, by their sources and the time. */
  readonly #byClock = new Map<string, { readonly first: Pair; readonly count: number }>();
  readonly #rule: keyof typeof DECIDE_BY;
  readonly #onOfLog: (seq: number, theirs: string) => void;

  /**
   * @param rule the rule of the remark: for pairs of two sources, or of a source and the log
   * @param onOfLog gets the line of each workout that the log may have, and the log's record in words
   */
  constructor(rule: keyof typeof DECIDE_BY, onOfLog: (seq: number, theirs: string) => void = () => undefined) {
    this.#rule = rule;
    this.#onOfLog = onOfLog;
  }

  /** Adds a pair of two sources. */
  add(pair: Pair): void {
    const { one, other, ms, isClockUnproven } = pair;
    if (!isClockUnproven) {
      this.#keep(pair, describeOrigin(one.origin), describeOrigin(other.origin));
      return;
    }
    const name = `${one.source} ${other.source} ${offsetInWords(ms)}`;
    const known = this.#byClock.get(name) ?? { first: pair, count: 0 };
    this.#byClock.set(name, { ...known, count: known.count + 1 });
  }

  /** Adds a workout and a record of the log. */
  addOfLog({ origin, seq }: WorkoutLine, { entry: { id, facts }, likeness }: LogMatch): void {
    if (likeness === undefined || facts === undefined) return;
    const theirs = `${id} in your log, ${factsInWords(facts)}`;
    this.#keep(likeness, describeOrigin(origin), theirs);
    this.#onOfLog(seq, theirs);
  }

  /** Names them in the plan, the likeliest first. */
  async remark({ report, sources }: Pick<ComparisonContext, "report" | "sources">): Promise<void> {
    const sentences = [
      ...[...this.#byClock.values()].map(({ first, count }) => {
        const [ours, theirs] = [sources[first.one.source]?.name, sources[first.other.source]?.name];
        const workouts = count === 1 ? "1 workout" : `${count} workouts`;
        return `${theirs} may have ${workouts} of ${ours} ${offsetInWords(-first.ms)}, at too few times of day to tell whether a clock is off (such as ${describeOrigin(first.one.origin)} and ${describeOrigin(first.other.origin)})`;
      }),
      ...this.#likeliest.map(({ sentence }) => sentence),
    ];
    if (sentences.length === 0) return;
    const rest = this.#count - this.#likeliest.length;
    if (rest > 0) sentences.push(rest === 1 ? "and 1 more pair" : `and ${rest} more pairs`);
    await report({
      severity: "warning",
      rule: this.#rule,
      found: `perhaps one workout: ${sentences.join("; ")}`,
      expected: `values that tell one workout from two. These stay two: ${DECIDE_BY[this.#rule]}`,
    });
  }

  #keep(likeness: Likeness, one: string, other: string): void {
    this.#count++;
    const sentence = `${one} and ${other} (${describeLikeness(likeness)})`;
    this.#likeliest = [...this.#likeliest, { score: likeness.score, sentence }]
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MOST_SENTENCES);
  }
}
