/** The question for the sport of all rows, where a column speaks of several: `bike ride` in the notes, or letters that part the rows that can be runs from the others. */
import { type Activity, activityNamed } from "../../../../transforms/activities.ts";
import { type Choice, isOpen, type OpenChoice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { impossibleShare, type Reading, type SpeedRow, score } from "../columns/score.ts";
import { countTexts } from "../sample/column.ts";
import { isNumber } from "../words/values.ts";
import { sportOfTable } from "../words/words.ts";
import { withLikelySport } from "./likely-sport.ts";
import { withUnprovenSport } from "./unproven-sport.ts";

/** What the question rests on. */
interface SportTask {
  readonly rows: readonly SpeedRow[];
  readonly reading: Reading;
  readonly columns: readonly AssignedColumn[];
  readonly header: readonly string[];
}

/** Roles of columns in which people write the sport, too. */
const TEXTS: ReadonlySet<string | undefined> = new Set([undefined, "notes", "name", "type", "course"]);

/** Texts past this are a diary, which may speak of anything. */
const LONGEST = 40;

/** So many rows, and such a share, are no exception. */
const [LEAST_ROWS, LEAST_SHARE] = [3, 0.05];

/** So many different cells may be signs for sports, each at most so long, in at least so many rows. */
const [MOST_SIGNS, LONGEST_SIGN, FILLED] = [6, 8, 0.8];

/** From this share on, rows can't be true, and up to that one, they can. */
const [NONE_TRUE, ALL_TRUE] = [0.9, 0.1];

/** The choice, with the likeliest answer in front; without one where nothing speaks for it, or a column for several. A choice that is no question stays. */
export function sportChoice(choice: Choice | undefined, task: SportTask): Choice | undefined {
  const { rows, reading, columns, header } = task;
  const likely = withUnprovenSport(withLikelySport(choice, rows, reading, header), rows, reading);
  if (likely === undefined || !isOpen(likely)) return likely;
  for (const column of columns) {
    if (!TEXTS.has(column.role) || column.left !== undefined || column.split !== undefined) continue;
    const says = namedIn(column, likely, rows) ?? partedBy(column, task);
    if (says !== undefined)
      return { ...likely, isUnproven: true, why: `${likely.why}; the column ${JSON.stringify(column.name)} ${says}` };
  }
  return likely;
}

const cellOf = ({ cells }: AssignedColumn, { at }: SpeedRow) => (at === undefined ? "" : (cells[at] ?? "")).trim();

/** What the names of other sports in a column say; undefined if there are few. */
function namedIn(column: AssignedColumn, { value }: OpenChoice, rows: readonly SpeedRow[]): string | undefined {
  const open = rows.filter(({ activity }) => activity === undefined);
  const others = open.flatMap((row) => {
    const text = cellOf(column, row);
    // Some platforms have numbers for sports. Below any header, 1 is a number.
    const sport =
      text === "" || isNumber(text) || text.length > LONGEST ? undefined : (activityNamed(text) ?? sportOfTable(text));
    return sport === undefined || sport === "other" || sport === value ? [] : [text];
  });
  if (others.length < LEAST_ROWS || others.length < open.length * LEAST_SHARE) return undefined;
  const such = countTexts(others)
    .slice(0, 2)
    .map(([text]) => JSON.stringify(text))
    .join(" and ");
  return `names another sport in ${others.length} of ${open.length} rows, such as ${such}. Add a column Sport with the sport of each row, and propose again`;
}

/** What the signs in a column say; undefined if they don't part the rows that can be runs from those that can't. */
function partedBy(column: AssignedColumn, { rows, reading }: SportTask): string | undefined {
  const open = rows.filter((row) => row.activity === undefined && cellOf(column, row) !== "");
  const signs = countTexts(open.map((row) => cellOf(column, row))).map(([text]) => text);
  const areSigns =
    signs.length > 1 && signs.length <= MOST_SIGNS && signs.every(({ length }) => length <= LONGEST_SIGN);
  if (!areSigns || open.length < rows.length * FILLED) return undefined;
  const asRuns = signs.map((sign) => {
    const own = open
      .filter((row) => cellOf(column, row) === sign)
      .map((row) => ({ ...row, activity: "run" as Activity }));
    return { sign, all: own.length, impossible: impossibleShare(score(own, reading)) };
  });
  const no = asRuns.find(({ all, impossible }) => all >= LEAST_ROWS && impossible >= NONE_TRUE);
  const yes = asRuns.find(({ all, impossible }) => all >= LEAST_ROWS && impossible <= ALL_TRUE);
  if (no === undefined || yes === undefined) return undefined;
  return `parts the rows: those with ${JSON.stringify(no.sign)} can't be runs, and those with ${JSON.stringify(yes.sign)} can. If it says the sport, write the names of the sports into it, and propose again`;
}
