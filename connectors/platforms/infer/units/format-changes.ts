/** Finds columns of durations whose numbers change from minutes to seconds on the way, or back: 44 and then 2640. */
import type { Choice } from "../choices/choice.ts";
import { FORMAT_MEANS } from "../columns/durations.ts";
import type { Reading, SpeedRow } from "../columns/score.ts";
import { isNumber, roughNumber, splitAmount } from "../words/values.ts";
import { jumpBy } from "./jumps.ts";

/** Minutes and seconds, and hours and minutes, differ by this factor. */
const SIXTY = 60;

/** Formats of bare numbers between which such a column may change. */
const BARE = ["minutes", "seconds", "hours"] as const;

/**
 * The choice of a format, as a question if the numbers jump by a factor of 60 once.
 *
 * @param rows the rows in the order of the table
 */
export function withFormatChange(
  choice: Choice | undefined,
  rows: readonly SpeedRow[],
  { formats }: Reading,
): Choice | undefined {
  const [format] = formats;
  if (choice === undefined || formats.length !== 1 || !BARE.some((one) => one === format)) return choice;
  const jump = jumpBy(SIXTY, rows.flatMap(timeOf));
  if (jump === undefined) return choice;
  const { first, factor, isDown } = jump;
  const why = `from the row of ${first.day ?? ""} on the numbers are ${isDown ? "smaller" : "larger"} by a factor of ${factor.toFixed(1)}, and a minute has 60 seconds. One format can't be true of all rows: write the times of one kind in the table as h:mm:ss, and propose again`;
  const others = BARE.filter((one) => one !== format && one !== "hours");
  return {
    ...{ ...choice, why: `${choice.why}; ${why}`, isUnproven: true },
    question: choice.question ?? "How are the durations written?",
    options: choice.options ?? [format ?? "minutes", ...others].map((value) => ({ value, means: FORMAT_MEANS[value] })),
  };
}

/** The time of a row for one unit of length, as a number without its unit; that of the whole row without a distance. */
function timeOf({ duration, distance = "", day }: SpeedRow): readonly { day: string | undefined; value: number }[] {
  if (typeof duration !== "string" || !isNumber(duration)) return [];
  const [time, length] = [roughNumber(duration), roughNumber(splitAmount(distance).number)];
  if (!(time > 0)) return [];
  return [{ day, value: length > 0 ? time / length : time }];
}
