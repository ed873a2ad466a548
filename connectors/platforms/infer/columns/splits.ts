/** Finds columns whose cells hold several values: `6 miles easy` is a distance and a note, `34/512` a place among the finishers. */
import { UNITS } from "../../../../transforms/units.ts";
import { compileWhole, groupsOf } from "../../table/mapping/pattern.ts";
import type { Choice } from "../choices/choice.ts";
import { BARE_DISTANCE, bareDistances } from "./bare-distances.ts";
import { withoutMileage } from "./gear-mileage.ts";
import type { AssignedColumn } from "./roles.ts";
import { DISTANCE_WITHIN, distancesIn, wholeTexts } from "./whole-texts.ts";

/** Kilometres and miles. `400 m` in a text is rather a lap than the workout. */
const LENGTHS = UNITS.distance
  .filter(({ unit }) => unit === "mi" || unit === "km")
  .flatMap(({ unit, spellings }): readonly string[] => [unit, ...spellings])
  .toSorted((a, b) => b.length - a.length)
  .join("|");

const DISTANCE = `(?P<distance>[0-9]+(?:[.,][0-9]+)? *(?:${LENGTHS})\\b)`;

/** A text without a length: no `3 miles easy, 4 miles fast`, and no `6 + 2`. Such a text is reported, because its distance is unclear. */
const REST = "(?P<notes>(?:[^0-9+]|\\d+(?:[:.,]\\d+)*(?: *(?:[^0-9 :.,+km½¼¾]|min)|$))*)";

/** The same where numbers without a unit may be distances: the text begins with a word. */
const REST_OF_WORDS = `(?P<notes>[^0-9+]${REST.slice("(?P<notes>".length)}`;

/** What stands behind a duration. It is shorter, because a pattern has at most 200 characters. */
const REST_BEHIND = "(?P<notes>(?:[^0-9+]|[0-9]+ *(?:[^0-9 +km]|$))*)";

const IN = " +(?:in|en|em|på) +";
const HOURS = "[0-9]+(?::[0-5][0-9]){2}";
/** Below 15, two numbers may be a pace, or hours and minutes. They stay in the notes. */
const MINUTES = "(?:1[5-9]|[2-9][0-9]):[0-5][0-9]";
/** Without `in` before them, two numbers below 24 may be the time of day. */
const NO_CLOCK = "(?:2[4-9]|[3-9][0-9]):[0-5][0-9]";
const WORDS = "[0-9]{1,3} ?min(?:s|utes)?";

/** Signs between a distance and its duration that stand for no `in`: `8.2 km / 44:10`, `6.2 km - 34:30`, `7.7km (39:08)`. */
const SIGN = "(?: */ *| +[-–] *| *\\( *)";

/** How durations in texts are written, with the format that reads each. */
const FORMATS = [
  ["h:mm:ss", /(?<!\d)\d{1,2}:\d{2}:\d{2}/],
  ["mm:ss", /(?<![\d:])\d{2,3}:\d{2}(?![:\d])/],
  ["text", /\d ?(?:min|h|std)/i],
] as const;

/** A distance before its text, and behind it. */
const WITH_DISTANCE = [
  `${DISTANCE}[ ,;:-]*${REST}`,
  `(?P<notes>[^0-9+]*[^0-9+ ,:(@-])[ ,:(@-]+${DISTANCE}\\)?`,
  DISTANCE_WITHIN,
] as const;

/** The usual spellings, so that a duration has room in the pattern. */
const SHORT_DISTANCE = "(?P<distance>[0-9]+(?:[.,][0-9]+)? *(?:mi(?:les?)?|kms?|k)\\b)";

/** A distance and, behind a sign, its duration. @param duration how it is written there */
const behindSign = (duration: string) => `${SHORT_DISTANCE}${SIGN}(?P<duration>${duration})[ ,;.)]*(?P<notes>[^0-9+]*)`;

/** A distance with its duration: `9.8 miles in 1:26:55, ok`, `5 km, 24:10`, `Easy 5 mi in 45 min`. */
const WITH_DURATION = [
  behindSign(HOURS),
  behindSign(NO_CLOCK),
  `${SHORT_DISTANCE}(?:[ ,;]+|${IN})(?P<duration>${HOURS})(?:[ ,;.]+${REST_BEHIND})?`,
  `${SHORT_DISTANCE}${IN}(?P<duration>${MINUTES})(?:[ ,;.]+${REST_BEHIND})?`,
  `${SHORT_DISTANCE}[ ,;]+(?P<duration>${NO_CLOCK})(?: *[,;]${REST_BEHIND})?`,
  `${SHORT_DISTANCE}${IN}(?P<duration>${WORDS})(?:[ ,;.]+${REST_BEHIND})?`,
  `(?P<notes>[^0-9+]*[^0-9+ ,:(@-])[ ,:(@-]+${SHORT_DISTANCE}${IN}(?P<duration>${HOURS}|${MINUTES})`,
  `(?P<notes>[^0-9+]*[^0-9+ ,:(@-])[ ,:(@-]+${SHORT_DISTANCE}${IN}(?P<duration>${WORDS})`,
] as const;

/** `34/512`, `3rd of 120`, `3.`. */
const PLACE =
  "(?P<fieldPlacement>[0-9]+)(?:st|nd|rd|th|er|e|[.ºª°])?(?: *(?:/|\\(|of|out of|von|sur|de|di|av|af|van) *(?P<fieldSize>[0-9]+)\\)?)?";

/** Fewer cells show nothing. */
const LEAST_CELLS = 3;

/** Marks the columns whose text holds a distance, where no other column has one; and places in races with more than a number. */
export function withSplits(columns: readonly AssignedColumn[]): readonly AssignedColumn[] {
  const hasDistance = columns.some(({ role }) => role === "distance");
  const isTimed = columns.some(({ role }) => role === "duration" || role === "hours" || role === "minutes");
  const workout = hasDistance ? undefined : columns.find(isWorkoutText);
  return columns.map((column) => {
    if (column === workout && count(column.filled, [DISTANCE]) >= column.filled.length * WHOLE)
      return { ...column, role: "distance", isGuess: false };
    if (column === workout) return { ...column, role: undefined, isGuess: false, split: splitOf(column, isTimed) };
    if (column.role === "equipment") return withoutMileage(column);
    if (column.role !== "fieldPlacement" || column.filled.every((cell) => /^\d+$/.test(cell))) return column;
    const why = `${count(column.filled, [PLACE])} of ${column.filled.length} cells are a place in a race`;
    return { ...column, split: { patterns: [PLACE], parts: {}, why } };
  });
}

/** How the texts of a column are taken apart. @param isTimed whether another column has the durations */
function splitOf({ cells, filled }: AssignedColumn, isTimed: boolean): NonNullable<AssignedColumn["split"]> {
  const timedBy = isTimed ? [] : withTimes(filled);
  const used = mostFitting(filled, firstFitting(filled, [...timedBy, ...WITH_DISTANCE]));
  const words = cells.filter((cell) => cell !== "" && count([cell], used) === 0);
  const bare = bareDistances(words, distancesIn(filled, used));
  const unit = bare?.unit;
  const taken = unit === undefined ? used : [...used, BARE_DISTANCE];
  const rest = bare === undefined ? REST : REST_OF_WORDS;
  const others = words.filter((cell) => count([cell], taken) === 0);
  const patterns = count(others, [rest]) > 0 ? [...taken, rest] : taken;
  const unclear = filled.length - count(filled, patterns);
  const timed = count(filled, timedBy);
  const why = [
    `${count(filled, taken)} of ${filled.length} cells have a distance in them${timed === 0 ? "" : `, and ${timed} its duration`}`,
    ...(unit === undefined ? [] : [`${bare?.count} of them without a unit, read in ${unit} as the others`]),
    ...(unclear === 0 ? [] : [`${unclear} are left and reported, because their distance is unclear`]),
  ].join("; ");
  const distance = unit === undefined ? MILES : { distance: { unit } };
  return {
    patterns,
    parts: timed === 0 ? distance : { ...distance, duration: { format: formatsIn(filled, timedBy) } },
    why,
  };
}

/** Where so many cells are a distance and nothing else, the column is the distance. */
const WHOLE = 0.9;

/** Each of these distances has its unit in the cell. */
const MILES = { distance: { unit: "mi" } };

/** The patterns that are the first to fit a cell. */
function firstFitting(cells: readonly string[], patterns: readonly string[]): readonly string[] {
  const compiled = patterns.map((pattern) => ({ pattern, whole: compileWhole(pattern) }));
  const first = new Set(cells.map((cell) => compiled.find(({ whole }) => whole.matches(cell))?.pattern));
  return patterns.filter((pattern) => first.has(pattern));
}

/** Patterns that a mapping file has room for, beside that of texts without a distance. */
const MOST_PATTERNS = 9;

/** The patterns that are the first to fit the most cells, in their order. */
function mostFitting(cells: readonly string[], patterns: readonly string[]): readonly string[] {
  if (patterns.length <= MOST_PATTERNS) return patterns;
  const compiled = patterns.map((pattern) => ({ pattern, whole: compileWhole(pattern) }));
  const firsts = cells.map((cell) => compiled.find(({ whole }) => whole.matches(cell))?.pattern);
  const cellsOf = (pattern: string) => firsts.filter((first) => first === pattern).length;
  const kept = patterns.toSorted((a, b) => cellsOf(b) - cellsOf(a)).slice(0, MOST_PATTERNS);
  return patterns.filter((pattern) => kept.includes(pattern));
}

/** The patterns of durations for a column: the sure ones, and those whose durations are likely for their distances. */
function withTimes(cells: readonly string[]): readonly string[] {
  const sure = withMinutes(cells);
  const others = cells.filter((cell) => count([cell], sure) === 0);
  return [...sure, ...wholeTexts(others)];
}

/**
 * The patterns of durations for a column. Where most times behind a sign can't be a time of day, the others are durations, too: `3 km / 16:40` below
 * `8 km / 44:10`.
 */
function withMinutes(cells: readonly string[]): readonly string[] {
  const [sure, all] = [count(cells, [behindSign(NO_CLOCK)]), count(cells, [behindSign(MINUTES)])];
  return sure > all - sure ? [behindSign(MINUTES), ...WITH_DURATION] : WITH_DURATION;
}

/** The formats of the durations that patterns take out of texts. */
function formatsIn(cells: readonly string[], patterns: readonly string[]): readonly string[] {
  const whole = patterns.map(compileWhole);
  const timed = cells.filter((cell) => whole.some((pattern) => pattern.matches(cell)));
  return FORMATS.filter(([, form]) => timed.some((cell) => form.test(cell))).map(([format]) => format);
}

const TEXTS: ReadonlySet<string | undefined> = new Set([undefined, "notes", "name", "type", "activity", "course"]);

function isWorkoutText(column: AssignedColumn): boolean {
  const { role, left, filled, meaning } = column;
  if (!TEXTS.has(role) || left !== undefined || meaning.purpose !== undefined || filled.length < LEAST_CELLS)
    return false;
  return count(filled, [...withTimes(filled), ...WITH_DISTANCE]) >= filled.length / 2;
}

function count(cells: readonly string[], patterns: readonly string[]): number {
  const compiled = patterns.map(compileWhole);
  return cells.filter((cell) => compiled.some((pattern) => pattern.matches(cell))).length;
}

/** The evidence of columns that are taken apart. */
export function splitChoices(columns: readonly AssignedColumn[]): readonly Choice[] {
  return columns.flatMap(({ name, split, filled }) =>
    split === undefined
      ? []
      : [
          {
            ...{ place: `columns.${name}.split`, value: piecesOf(split.patterns), why: split.why },
            ...{ contradicting: 0, rows: filled.length },
          },
        ],
  );
}

/** The pieces that patterns take out of a text: `distance and notes`. */
export function piecesOf(patterns: readonly string[]): string {
  return [...new Set(patterns.flatMap(groupsOf))].join(" and ");
}
