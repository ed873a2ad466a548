/** Suggests the word that a person probably meant in a mapping file. */
import { ACTIVITY_NAMES, activityNamed, SPORT_NAMES } from "../../../../transforms/activities.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import { didYouMean } from "../../../../transforms/text/suggestions.ts";
import { alternatives } from "../../../../transforms/text/zod-messages.ts";

/** As `didYouMean`. Where a sport is expected, any name of a sport suggests it: `running` and `runing` are `run`. */
export function suggestWord(word: string, known: readonly string[]): string {
  if (!ACTIVITY_NAMES.every((sport) => known.includes(sport))) return didYouMean(word, known);
  const sport = activityNamed(word);
  if (sport !== undefined) return didYouMean(sport, [sport]);
  return didYouMean(word, known) || didYouMean(word, SPORT_NAMES, (name) => activityNamed(name) ?? name);
}

/** `expected mi or km, found "kn"; did you mean "km"?` @param meant the known word that another spelling stands for */
export function expectedWord(word: string, known: readonly string[], meant?: string): string {
  const near = meant === undefined ? suggestWord(word.trim(), known) : didYouMean(meant, [meant]);
  return `expected ${alternatives(known)}, found ${JSON.stringify(printable(word, 40))}${near}`;
}
