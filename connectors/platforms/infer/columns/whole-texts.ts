/** Patterns of texts that say a whole workout, whatever stands first: `Dauerlauf 10,0 km, 50 min`, `50 min Laufen, 10 km`, `ran 10 mi w/ Bob, 53 minutes`. */
import { activityNamed } from "../../../../transforms/activities.ts";
import { parseDuration } from "../../table/cells/durations.ts";
import { compileWhole } from "../../table/mapping/pattern.ts";

/** The usual spellings, so that a duration has room in a pattern: it has at most 200 characters. */
const DISTANCE = "(?P<distance>\\d+(?:[.,]\\d+)? *(?:mi(?:les?)?|kms?|k)\\b)";

/** Words, with no number that could be another length or time. */
const WORDS = "[^\\d+]*";
/** Words that end with one, so that the signs behind them are no part of the notes. */
const WHOLE_WORDS = "(?P<notes>[^\\d+]*[^\\d+ ,:;/(@-])[ ,:;/(@-]+";
/** What may stand behind: words, and numbers that are no length and no time. */
const BEHIND = "(?:[^\\d+]|\\d+ *(?:[^\\d +km:.,]|$))*";
/** What stands between a distance and its duration. */
const SIGNS = "[ ,;./(–-]+";
const SIGNS_OR_IN = "(?:[ ,;./(–-]+| (?:in|en|em|på) )";

/** How a duration is written that is no time of day: `0:50:12`, `44:10`; `50 min`; `1 h 5 min`, `1h05`. */
const TIMES = [
  "(?P<duration>\\d+(?::[0-5]\\d){2}|(?:2[4-9]|[3-9]\\d):[0-5]\\d)",
  "(?P<duration>\\d{1,3} ?min[a-z]*)",
  "(?P<duration>\\d+ ?(?:h|std)\\.?(?: ?\\d+(?: ?min)?)?)",
] as const;

/** What stands between words and each of these. */
const BETWEEN = ["[ ,;/(-]", "(?:[,;./(-]| (?:in|en|em|på)) *", "(?:[,;/(-]| in) *"] as const;

/**
 * A distance and a duration, with words beside them. A duration in words stands behind the distance or a sign, and ends the text or its part:
 * `8 km with 20 min tempo` has one of a part. Words between or on both sides stay where they are, so the whole text is the note.
 */
const WHOLE_TEXTS = TIMES.flatMap((time, at): readonly string[] => [
  `${DISTANCE}${at === 1 ? SIGNS_OR_IN : SIGNS}${time}(?: *[,;.()]+ *(?P<notes>${BEHIND}))?`,
  `${WHOLE_WORDS}${DISTANCE}${at === 0 ? SIGNS : SIGNS_OR_IN}${time}[ .)]*`,
  `${time}[ ,;:/(–-]+(?:${WHOLE_WORDS})?${DISTANCE}[ .)]*`,
  `(?P<notes>${WORDS}${DISTANCE}${WORDS}${BETWEEN[at]}${time}(?: *[,;.()]${BEHIND})?)`,
  // Words before a time in words may be about a part: `after 15 min of drills, 5 km`.
  `(?P<notes>${at === 0 ? WORDS : ""}${time}[ ,;:/(–-]${WORDS}${DISTANCE}${BEHIND})`,
]);

/** Words behind a duration: `10 km, 50 min Laufen`. They may also say that only a part took so long: `8 miles, 20 min tempo`. */
const WORDS_BEHIND = `${DISTANCE}${SIGNS}${TIMES[1]} (?P<notes>[^\\d+]+)`;

/** A distance with words on both sides of it: `Ran 10 mi with Bob`. */
export const DISTANCE_WITHIN = `(?P<notes>${WORDS}[^\\d+]${DISTANCE}${BEHIND})`;

/** Metres a second that workouts have on foot and by bike. */
const SPEEDS = [0.7, 15] as const;
/** How far the speeds of a log are from their middle, as a factor, and the share of them. */
const [SPREAD, SHARE] = [2, 0.9] as const;

/** The patterns for the texts of a column whose distances and durations belong together: their speeds are possible, and near to one another. */
export function wholeTexts(cells: readonly string[]): readonly string[] {
  const patterns = saySports(cells) ? [...WHOLE_TEXTS, WORDS_BEHIND] : WHOLE_TEXTS;
  const whole = patterns.map(compileWhole);
  const speeds = patterns.map((): number[] => []);
  for (const cell of cells) {
    const at = whole.findIndex((pattern) => pattern.matches(cell));
    if (at >= 0) speeds[at]?.push(speedIn(cell, patterns[at] ?? ""));
  }
  const all = speeds.flat().toSorted((a, b) => a - b);
  const middle = all[Math.floor(all.length / 2)] ?? 0;
  const [least, most] = [Math.max(SPEEDS[0], middle / SPREAD), Math.min(SPEEDS[1], middle * SPREAD)];
  return patterns.filter((_, at) => {
    const own = speeds[at] ?? [];
    return own.length > 0 && own.filter((speed) => speed >= least && speed <= most).length >= own.length * SHARE;
  });
}

/** Whether the words behind a duration are a sport wherever there are some, so that it is that of the whole workout. */
function saySports(cells: readonly string[]): boolean {
  const whole = compileWhole(WORDS_BEHIND);
  return cells
    .filter((cell) => whole.matches(cell))
    .every((cell) => {
      const matcher = whole.matcher(cell);
      return matcher.matches() && activityNamed((matcher.group("notes") ?? "").trim()) !== undefined;
    });
}

/** Metres a second; not a number where the duration can't be read. */
function speedIn(cell: string, pattern: string): number {
  const matcher = compileWhole(pattern).matcher(cell);
  if (!matcher.matches()) return Number.NaN;
  const length = matcher.group("distance") ?? "";
  const metres = Number.parseFloat(length.replace(",", ".")) * (/k/i.test(length) ? 1000 : 1609.344);
  return metres / (parseDuration(matcher.group("duration") ?? "", ["h:mm:ss", "mm:ss", "text"], ".") ?? Number.NaN);
}

/** The distances that patterns take out of texts: `10,0 km`. */
export function distancesIn(cells: readonly string[], patterns: readonly string[]): readonly string[] {
  const whole = patterns.map(compileWhole);
  return cells.flatMap((cell) => {
    const matcher = whole.find((pattern) => pattern.matches(cell))?.matcher(cell);
    const isTaken = matcher?.matches() === true && Object.hasOwn(matcher.pattern().namedGroups(), "distance");
    return isTaken ? [matcher.group("distance") ?? ""] : [];
  });
}

/** Whether a text has a length in it, in kilometres or miles. */
export function saysDistance(text: string): boolean {
  return /\d ?(?:km|kms|mi|miles?|kilomet(?:er|re)s?|meilen|k)(?!\p{L})/iu.test(text);
}

/** Whether a text has a duration in it: `0:30:51`, `50 min`. */
export function saysDuration(text: string): boolean {
  return /\d{1,2}:\d{2}(?!\d)|\d ?(?:min|mins|minutes|minuten)(?!\p{L})/iu.test(text);
}
