/**
 * Links workouts that one source has as a whole and another one in parts. This comes after all pairs: two records of one workout go together first, and
 * the parts of a workout belong to whatever stands for it then.
 */
import { utcDay } from "../../../transforms/calendar.ts";
import { verdictOf } from "../../../transforms/matching/likeness.ts";
import type { FoundPair, PairAnswer } from "../../journal/links.ts";
import { isPartOrWhole, likenessOf } from "../pairs/describe-split.ts";
import type { LinkedWorkout } from "../pairs/linked-workout.ts";
import { isOfParts, type UnusedAnswer } from "../pairs/pair-answers.ts";
import type { GroupsContext } from "./merge-groups.ts";
import { mergeParts } from "./merge-parts.ts";
import type { Split } from "./split-recordings.ts";

type Verdict = FoundPair["verdict"];

/** The workouts in parts of one run. */
export class SplitLinks {
  readonly #run: number;
  readonly #context: GroupsContext;
  readonly #found: Split[] = [];
  readonly #verdicts = new Map<Split, Verdict>();
  readonly #keys = new Set<string>();

  constructor(run: number, context: GroupsContext) {
    this.#run = run;
    this.#context = context;
  }

  /** Takes what was found between two sources. */
  add(splits: readonly Split[]): void {
    this.#found.push(...splits);
    for (const { whole, parts } of splits) for (const { key } of [whole, ...parts]) this.#keys.add(key);
  }

  /** Whether a workout is a whole that was found, or one of its parts. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Whether a workout is one with its parts, or with the whole that it is a part of. */
  isOne(key: string): boolean {
    return this.#found.some(
      (split) =>
        this.#verdicts.get(split) === "one" && [split.whole, ...split.parts].some((workout) => workout.key === key),
    );
  }

  /** Decides about all of them, and merges those that are one. @returns the answers that can't be obeyed */
  async settle(): Promise<readonly UnusedAnswer[]> {
    const { groups, answers } = this.#context;
    const unused: UnusedAnswer[] = [];
    const said = new Set<PairAnswer>();
    const rootsOf = ({ whole, parts }: Split) => [whole, ...parts].map(({ key }) => groups.rootOf(key)).join("\n");
    // Two pairs of sources may show one and the same.
    for (const same of Map.groupBy(this.#found.toSorted(likeliestFirst), rootsOf).values()) {
      const answer = answers.ones().find((one) => same.some((split) => isAbout(one, split)));
      if (answer !== undefined) said.add(answer);
      const [verdict, problem] = await this.#decide(same, answer);
      if (answer !== undefined && problem !== undefined) unused.push({ answer, why: problem });
      for (const [at, split] of same.entries())
        this.#verdicts.set(split, verdict === "doubtful" && at > 0 ? "two" : verdict);
    }
    const lost = answers.ones().filter((answer) => isOfParts(answer) && !said.has(answer));
    return [...unused, ...lost.map((answer) => ({ answer, why: "neither is a part of the other one now" }))];
  }

  /** @returns the verdict, and what keeps two apart that are one */
  async #decide(same: readonly Split[], answer: PairAnswer | undefined): Promise<readonly [Verdict, string?]> {
    const [split] = same;
    if (split === undefined || same.some((one) => answersTwo(one, this.#context))) return ["two"];
    const isSure = verdictOf(split.score) === "one" || (await this.#wasOne(split));
    if (answer === undefined && !isSure && this.#context.settings.doubtful !== "one") return ["doubtful"];
    const why = answer && `you said so on ${utcDay(answer.at)}`;
    const problem = await mergeParts(this.#run, { split, why }, this.#context);
    return problem === undefined ? ["one"] : ["doubtful", problem];
  }

  /** Whether an earlier run made them one, and your log has it. */
  async #wasOne({ whole, parts }: Split): Promise<boolean> {
    const { journal } = this.#context;
    for (const { key } of [whole, ...parts])
      for (const earlier of await journal.auditTrail.linesWithKey(key)) {
        if (earlier.run === this.#run || earlier.state !== "merged" || !isPartOrWhole(earlier)) continue;
        const record = await journal.remoteRecord(earlier.duplicateOf ?? "");
        if (record !== undefined && (await journal.logHas("workout", record.remoteId))) return true;
      }
    return false;
  }

  /** Those that may be one. */
  doubtful(): readonly Split[] {
    return this.#found.filter((split) => this.#verdicts.get(split) === "doubtful");
  }

  /** Each part with its whole, to be kept. */
  pairs(): readonly FoundPair[] {
    return this.#found.flatMap((split) => pairsOf(split, this.#verdicts.get(split) ?? "two"));
  }
}

function likeliestFirst(a: Split, b: Split): number {
  return b.score - a.score;
}

function isAbout(answer: PairAnswer, { whole, parts }: Split): boolean {
  const keys = answer.records.map(({ key }) => key);
  return isOfParts(answer) && keys.includes(whole.key) && parts.some(({ key }) => keys.includes(key));
}

function answersTwo({ whole, parts }: Split, { answers, groups }: GroupsContext): boolean {
  const ofWhole = groups.membersOf(whole.key);
  return parts.some(({ key }) => answers.separate(ofWhole, groups.membersOf(key)));
}

function pairsOf(split: Split, verdict: Verdict): readonly FoundPair[] {
  const parts = split.parts.map(({ key }) => key);
  const inOrder = (a: LinkedWorkout, b: LinkedWorkout) => (a.source < b.source ? [a.key, b.key] : [b.key, a.key]);
  return split.parts.map((part): FoundPair => {
    const [one = "", other = ""] = inOrder(split.whole, part);
    return { one, other, verdict, ms: 0, ...likenessOf(split), isClockUnproven: false, parts };
  });
}
