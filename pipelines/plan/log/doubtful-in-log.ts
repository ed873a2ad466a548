/** Keeps and names the workouts of a plan that are perhaps one with a workout of the log. */
import type { Likeness } from "../../../transforms/matching/compare-facts.ts";
import { factsInWords } from "../../../transforms/matching/describe-likeness.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { keyOfEntry } from "../pairs/record-in-log.ts";
import { DoubtfulPairs } from "../sources/doubtful-pairs.ts";
import type { LogMatch } from "./match-log.ts";

const RULE = "plan/doubtful-in-log";

/** The doubtful pairs of a plan and the log. */
export class DoubtfulInLog {
  readonly #context: ComparisonContext;
  readonly #named = new DoubtfulPairs(RULE);

  constructor(context: ComparisonContext) {
    this.#context = context;
  }

  /**
   * Keeps a doubtful pair, so that a person can decide about it.
   *
   * @param verdict `doubtful`: the plan has both as two. `one`: it has them as one, because doubtful pairs are to count as one
   */
  async add(line: WorkoutLine, { entry, likeness }: LogMatch, verdict: "doubtful" | "one"): Promise<void> {
    if (likeness === undefined) return;
    const { journal } = this.#context;
    const { differences, score } = likeness;
    const found = { verdict, ms: 0, differences, score, isClockUnproven: false, inLog: entry.id };
    await journal.links.keepPairs(line.run, [{ one: line.key, other: await keyOfEntry(entry, journal), ...found }]);
    if (verdict === "doubtful") this.#name(line, entry, likeness);
  }

  /** Names them in the plan, the likeliest first. */
  async remark(): Promise<void> {
    await this.#named.remark(this.#context, this.#context.onDoubtfulInLog !== undefined);
  }

  /** Names the pairs that a plan has now, after an answer changed it. */
  async remarkAgain(run: number): Promise<void> {
    const { journal } = this.#context;
    await journal.links.dropIssue(run, RULE);
    for (const pair of await journal.links.pairs(run)) {
      // A doubtful clock has a remark of its own.
      if (pair.inLog === undefined || pair.verdict !== "doubtful" || pair.isClockUnproven) continue;
      const line = await journal.lineWithKey(run, pair.one);
      const entry = await journal.logEntry("workout", pair.inLog);
      if (line?.kind === "workout" && entry !== undefined) this.#name(line, entry, pair);
    }
    await this.remark();
  }

  #name({ origin, seq }: WorkoutLine, { id, facts }: ClaimedEntry, likeness: Likeness): void {
    if (facts === undefined) return;
    const theirs = `${id} in your log, ${factsInWords(facts)}`;
    this.#named.keep(likeness, describeOrigin(origin), theirs);
    this.#context.onDoubtfulInLog?.(seq, theirs);
  }
}
