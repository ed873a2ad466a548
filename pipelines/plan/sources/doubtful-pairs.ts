/** Collects the doubtful pairs, of two sources or of a source and the log. */
import type { Likeness } from "../../../transforms/matching/compare-facts.ts";
import { describeLikeness } from "../../../transforms/matching/describe-likeness.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { offsetInWords } from "../pairs/describe-match.ts";
import type { Pair } from "./candidate-pairs.ts";

/** Most pairs that the remark names. */
const MOST_SENTENCES = 6;

/** The rules of the remarks. */
type DoubtRule = "plan/doubtful-duplicates" | "plan/doubtful-in-log";

/** In a promotion, what is doubtful waits: the rehearsal did not show it. */
/** What happens in a promotion. */
export const THESE_WAIT = "These wait: decide with logferry plan review, then promote again";

const DECIDE_BY = "decide with logferry plan review, or count all as one with --doubtful one";

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
  readonly #rule: DoubtRule;

  /** @param rule the rule of the remark: for pairs of two sources, or of a source and the log */
  constructor(rule: DoubtRule) {
    this.#rule = rule;
  }

  /** Adds a pair of two sources. */
  add(pair: Pair): void {
    const { one, other, ms, isClockUnproven } = pair;
    if (!isClockUnproven) {
      this.keep(pair, describeOrigin(one.origin), describeOrigin(other.origin));
      return;
    }
    const name = `${one.source} ${other.source} ${offsetInWords(ms)}`;
    const known = this.#byClock.get(name) ?? { first: pair, count: 0 };
    this.#byClock.set(name, { ...known, count: known.count + 1 });
  }

  /** Names them in the plan, the likeliest first. @param wait whether they are loaded only once a person decided. Default: they are loaded as two */
  async remark({ report, sources }: Pick<ComparisonContext, "report" | "sources">, wait = false): Promise<void> {
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
      each: sentences,
      expected: `values that tell one workout from two. ${wait ? THESE_WAIT : `These stay two: ${DECIDE_BY}`}`,
    });
  }

  /** Adds a pair, with both sides in words. */
  keep(likeness: Likeness, one: string, other: string): void {
    this.#count++;
    const sentence = `${one} and ${other} (${describeLikeness(likeness)})`;
    this.#likeliest = [...this.#likeliest, { score: likeness.score, sentence }]
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MOST_SENTENCES);
  }
}
