/** Tells whether anything in a table speaks for the sport that is named first. Without it, no printed command and no Enter gives an answer. */
import type { Activity } from "../../../../transforms/activities.ts";
import { type Choice, isOpen } from "../choices/choice.ts";
import { impossibleShare, type Reading, type SpeedRow, score, usualShare } from "../columns/score.ts";

/** Sports that people tell by their speeds. Swims, walks and hikes have the same, and so have rows of other kinds. */
const TOLD_BY_SPEED: ReadonlySet<string> = new Set<Activity>(["run", "bike"]);

/** More impossible rows, or fewer usual ones, speak against a sport. */
const [MOST_IMPOSSIBLE, LEAST_USUAL] = [0.1, 0.5];

/** Headers that name a sport are in the evidence. */
const NAMED = " speaks for ";

/** The question for the sport, marked where neither a header nor the speeds of the rows speak for its first answer. */
export function withUnprovenSport(
  choice: Choice | undefined,
  rows: readonly SpeedRow[],
  reading: Reading,
): Choice | undefined {
  if (choice === undefined || !isOpen(choice) || choice.why.includes(NAMED)) return choice;
  const { value } = choice;
  if (!TOLD_BY_SPEED.has(value)) return { ...choice, isUnproven: true };
  const open = rows.flatMap((row) => (row.activity === undefined ? [{ ...row, activity: value as Activity }] : []));
  const found = score(open, reading);
  const isUsual = found.rated > 0 && impossibleShare(found) <= MOST_IMPOSSIBLE && usualShare(found) >= LEAST_USUAL;
  return isUsual ? choice : { ...choice, isUnproven: true };
}
