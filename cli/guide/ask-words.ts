/** Asks for what a table of the sources doesn't say: the unit of its distances, and which number of its dates is the day. */
import type { MissingWords, SaidWords } from "../../pipelines/sources/missing-words.ts";
import { type Asking, BACK } from "./asking.ts";

/** What the questions need. */
export interface AskingWords {
  readonly ask: Asking;
  /** Finds out what the sources don't say, besides what a person said already. */
  readonly missing: (sources: readonly string[], said: SaidWords) => Promise<MissingWords>;
}

type Unit = NonNullable<SaidWords["distanceUnits"]>[number];

const UNKNOWN = { label: "I don't know", hint: "such rows stay out, and the plan lists them" };

/**
 * Asks only what a plan would ask for.
 *
 * @returns the options for a command, none without a question or an answer
 */
export async function askWords(
  { ask, missing }: AskingWords,
  sources: readonly string[],
): Promise<readonly string[] | typeof BACK> {
  const { unit, order, isCut = false } = await missing(sources, {});
  if (isCut)
    ask.say(
      "There was no time to look at every row. If a unit or an order of dates is missing elsewhere, the rehearsal lists those rows, and the option that lets them in.",
    );
  const units: Unit[] = [];
  if (unit) {
    const road = await ask.choose<Unit | undefined>("A table doesn't say the unit of its distances. Which one is it?", [
      { value: "km", label: "Kilometres" },
      { value: "mi", label: "Miles" },
      { value: undefined, ...UNKNOWN },
    ]);
    if (road === BACK) return BACK;
    if (road !== undefined) units.push(road);
    // Somebody who sees miles may swim in a pool of either unit.
    if (road === "mi" && (await missing(sources, { distanceUnits: units })).unit) {
      const pool = await ask.choose<Unit | undefined>("And the distances of its swims?", [
        { value: "yd", label: "Yards" },
        { value: "m", label: "Metres" },
        { value: undefined, ...UNKNOWN },
      ]);
      if (pool === BACK) return BACK;
      if (pool !== undefined) units.push(pool);
    }
  }
  const words = units.flatMap((each) => ["--distance-unit", each]);
  if (!order) return words;
  const first = await ask.choose<"mdy" | "dmy" | undefined>(
    "A table has dates such as 3/10/2024, and no day above 12. Which number is the day?",
    [
      { value: "mdy", label: "The second one", hint: "month/day/year" },
      { value: "dmy", label: "The first one", hint: "day/month/year" },
      { value: undefined, ...UNKNOWN },
    ],
  );
  if (first === BACK) return BACK;
  return first === undefined ? words : [...words, "--date-order", first];
}
