/** Collects the pairs of which nobody can tell whether they are one workout, of two sources or of a source and the log. */
import type { Likeness } from "../../transforms/matching/compare-facts.ts";
import { describeLikeness, factsInWords } from "../../transforms/matching/describe-likeness.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { WorkoutLine } from "../journal/line.ts";
import type { Pair } from "./candidate-pairs.ts";
import type { ComparisonContext } from "./comparison.ts";
import type { LogMatch } from "./match-log.ts";

/** Most pairs that the remark names. */
const MOST_SENTENCES = 6;

interface Doubtful {
  readonly score: number;
  readonly sentence: string;
}

/** The doubtful pairs of a plan. It keeps the likeliest ones and the count of all. */
export class DoubtfulPairs {
  #likeliest: readonly Doubtful[] = [];
  #count = 0;

  /** Adds a pair of two sources. */
  add({ one, other, ...likeness }: Pair): void {
    this.#keep(likeness, describeOrigin(one.origin), describeOrigin(other.origin));
  }

  /** Adds a workout and a record of the log. */
  addOfLog({ origin }: WorkoutLine, { entry: { id, facts }, likeness }: LogMatch): void {
    if (likeness !== undefined && facts !== undefined)
      this.#keep(likeness, describeOrigin(origin), `${id} in your log, ${factsInWords(facts)}`);
  }

  /** Names them in the plan, the likeliest first. */
  async remark({ report }: Pick<ComparisonContext, "report">): Promise<void> {
    if (this.#count === 0) return;
    const sentences = this.#likeliest.map(({ sentence }) => sentence);
    const rest = this.#count - sentences.length;
    if (rest > 0) sentences.push(rest === 1 ? "and 1 more pair" : `and ${rest} more pairs`);
    await report({
      severity: "warning",
      rule: "plan/doubtful-duplicates",
      found: `perhaps one workout: ${sentences.join("; ")}`,
      expected:
        "pairs that are surely one or surely two: these stay two; if they are one, plan again with --doubtful one",
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
