/** The likeliest answer to the question for the sport: one that the speeds of the rows don't contradict. */
import type { Activity } from "../../../transforms/activities.ts";
import { type Choice, isOpen } from "./choice.ts";
import { impossibleShare, merit, type Reading, type SpeedRow, score, usualShare } from "./score.ts";

/** Sports that people keep sheets of, the most frequent first. */
const CANDIDATES = ["run", "bike", "swim", "walk"] as const satisfies readonly Activity[];

/** More impossible rows, or fewer usual ones, contradict a sport. */
const [MOST_IMPOSSIBLE, LEAST_USUAL] = [0.1, 0.5];

/** The open question with an answer in front that fits the rows. Where none fits, it is `other`. A choice that is no question stays. */
export function withLikelySport(choice: Choice | undefined, rows: readonly SpeedRow[], reading: Reading) {
  if (choice === undefined || !isOpen(choice)) return choice;
  const open = rows.filter(({ activity }) => activity === undefined);
  const scores = CANDIDATES.map((activity) => ({
    activity,
    score: score(
      open.map((row) => ({ ...row, activity })),
      reading,
    ),
  }));
  const [run, ...others] = scores;
  const fits = (one: (typeof scores)[number]) =>
    impossibleShare(one.score) <= MOST_IMPOSSIBLE && usualShare(one.score) >= LEAST_USUAL;
  if (run === undefined || run.score.rated === 0 || fits(run)) return choice;
  const [best] = others.filter(fits).toSorted((a, b) => merit(b.score) - merit(a.score));
  const value = best?.activity ?? "other";
  const { impossible, rows: all, usual, rated } = run.score;
  const asRun =
    impossible > 0 ? `${impossible} of ${all} rows can't be true` : `${usual} of ${rated} rows have a usual speed`;
  const options = choice.options.toSorted((a, b) => Number(b.value === value) - Number(a.value === value));
  return { ...choice, value, options, why: `${choice.why}; as run ${asRun}` };
}
