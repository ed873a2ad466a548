/** Says in words that some workouts are surely or perhaps the parts of another one, and writes that down as pairs. */
import type { WorkoutFacts } from "../../../transforms/duplicates.ts";
import type { Likeness } from "../../../transforms/matching/compare-facts.ts";
import { describeLikeness } from "../../../transforms/matching/describe-likeness.ts";
import type { PartsApart } from "../../../transforms/matching/parts.ts";
import { roundTo } from "../../../transforms/units.ts";
import type { Line } from "../../journal/line.ts";

/** A workout and its parts, as far as words go. */
export interface WholeAndParts {
  readonly whole: { readonly facts: WorkoutFacts };
  readonly parts: readonly { readonly facts: WorkoutFacts }[];
  readonly apart: PartsApart;
  readonly score: number;
}

/** Begin the reasons of lines that another line stands for, although they are no copies of it. */
export const PART_OF = "part of one workout";
const IN_PARTS = "one workout in parts";

/** Whether a merged line is a part of the line that stays, or the whole of its parts. Its values are not those of that line. */
export function isPartOrWhole({ reason }: Pick<Line, "reason">): boolean {
  return reason?.startsWith(PART_OF) === true || reason?.startsWith(IN_PARTS) === true;
}

/** Whether the log has a workout in parts, or a part of it as a whole. */
export function isSplitInLog({ reason = "" }: Pick<Line, "reason">): boolean {
  return reason.includes(`: ${PART_OF} (`) || reason.includes(`: ${IN_PARTS} (`);
}

/** The reason of a line that is left out: `part of one workout (10 km = 5.1 + 4.9 km, starts 0 s apart, ...)`. @param why what shows it */
export function reasonOf(line: "part" | "whole", split: WholeAndParts, why = numbersOf(split)): string {
  return `${line === "part" ? PART_OF : IN_PARTS} (${sumOf(split)}, ${why})`;
}

/** How far the parts are apart from the whole, and the score. */
export function numbersOf(split: WholeAndParts): string {
  return describeLikeness(likenessOf(split));
}

/** The sum of the parts in their distances, or in minutes where one has none: `10 km = 5.1 + 4.9 km`. */
export function sumOf({ whole, parts }: WholeAndParts): string {
  const all = [whole, ...parts].map(({ facts }) => facts);
  const hasDistances = all.every(({ metres }) => metres !== undefined);
  const size = ({ metres = 0, seconds = 0 }: WorkoutFacts) => (hasDistances ? metres / 1_000 : seconds / 60);
  const [first, ...others] = all.map((facts) => roundTo(size(facts), 2));
  const unit = hasDistances ? "km" : "min";
  return `${first} ${unit} = ${others.join(" + ")} ${unit}`;
}

/** The same as numbers of a pair, as the journal keeps them. */
export function likenessOf({ whole, apart, score }: WholeAndParts): Likeness {
  const { secondsApart, distanceApart, durationApart: share } = apart;
  const seconds = share * (whole.facts.seconds ?? 0);
  const measured = distanceApart === undefined ? 0 : 2;
  return { differences: { secondsApart, distanceApart, durationApart: { seconds, share }, measured }, score };
}
