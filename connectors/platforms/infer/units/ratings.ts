/** Finds the scale of a column of ratings: the log has 1 to 10, and many people have 1 to 5. Some, as at school, have 1 as the best. */
import type { Choice, Option } from "../choices/choice.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import { endsOf, legendOf } from "../words/legend.ts";
import { roughNumber } from "../words/values.ts";
import { foldHeader } from "../words/words-of-headers.ts";

/** Of so many ratings of 1 to 10, one at least is above 5. */
const ENOUGH = 15;

/** The best of the log's ratings. */
const TOP = 10;

/** The scale as a mapping file writes it. */
const scale = (from: number, to: number) => `${from}..${to} -> 1..${TOP}`;

/** The best ratings of scales that people use, besides 10. */
const BEST = [5, 6, 7];

/** Marks as German schools give them: 1 is the best. In Switzerland it is 6, so this is the first answer to a question. */
const SCHOOL = /^noten?$|\bschulnoten?\b/;

/** The worst mark of a school: Austria has five, Germany six. */
const WORST = [5, 6];

/** What is known of a column's ratings. */
interface Ratings {
  readonly column: AssignedColumn;
  readonly role: "effort" | "quality";
  readonly least: number;
  readonly most: number;
  readonly count: number;
}

/** The scale of a column; undefined if its ratings are as the log has them. */
export function scaleOf(column: AssignedColumn): Choice | undefined {
  const { filled, role } = column;
  if (role !== "effort" && role !== "quality") return undefined;
  const values = filled.map(roughNumber).filter((value) => !Number.isNaN(value));
  const ratings = { column, role, least: Math.min(...values), most: Math.max(...values), count: values.length };
  const choice = byShare(ratings) ?? byBorg(ratings) ?? byLegend(ratings) ?? byValues(ratings);
  return choice?.options === undefined && choice?.value === scale(1, TOP) ? undefined : choice;
}

/** A share of the most, as 0.7 or 70 % in a spreadsheet, on the scale of the log: 7. */
const SHARES = `0..1 -> 0..${TOP}`;

/** The question about ratings up to 1 of which some are less: shares, where 1 of 10 would be the hardest one. */
function byShare(ratings: Ratings): Choice | undefined {
  const { least, most, count, column } = ratings;
  if (count === 0 || most > 1 || least < 0 || !column.filled.some((cell) => /[.,]\d/.test(cell))) return undefined;
  return asking(ratings, [SHARES, scale(1, TOP)], `all ${count} ratings are from ${least} to ${most}, as shares are`);
}

/** Borg's scale of perceived exertion. */
const [BORG_LEAST, BORG_MOST] = [6, 20];

/** Borg's scale, for efforts from 6 to 20; or why efforts of two scales are left. Undefined for efforts up to 10. */
function byBorg(ratings: Ratings): Choice | undefined {
  const { column, role, least, most, count } = ratings;
  if (role !== "effort" || most <= TOP || most > BORG_MOST) return undefined;
  const found = `all ${count} ratings are from ${least} to ${most}`;
  if (least >= BORG_LEAST)
    return { ...base(ratings), value: scale(BORG_LEAST, BORG_MOST), why: `${found}, as on Borg's scale of 6 to 20` };
  const why = `${found}, which is more than one scale: Borg's of 6 to 20 has nothing below 6, and the log has nothing above 10. Put the ratings of each scale into a column of their own, and propose again`;
  return { ...base(ratings), place: fieldPlace(column), value: "unsupported", why };
}

function base({ column: { name }, count }: Ratings): Omit<Choice, "value" | "why"> {
  return { place: `columns.${name}.scale`, contradicting: 0, rows: count };
}

/** The scale that the header explains, or a question about its direction; undefined for a header without a legend. */
function byLegend(ratings: Ratings): Choice | undefined {
  const { column, role, least, most } = ratings;
  const legend = legendOf(column.name);
  if (legend === undefined || legend.meanings.length === 0) return undefined;
  const [from, to] = endsOf(legend, role);
  const [low, high] = [Math.min(...legend.numbers), Math.max(...legend.numbers)];
  const why = "the header says so";
  const isWithin = (one: number, other: number) => least >= Math.min(one, other) && most <= Math.max(one, other);
  if (from !== undefined && to !== undefined && isWithin(from, to))
    return { ...base(ratings), value: scale(from, to), why };
  // `5 = best` leaves the other end to 1. `1 = best` may be of 5 or of 10.
  const known = from ?? to;
  if (known !== undefined && low === high) {
    const others = known > 1 ? [1] : [...BEST.filter((one) => one >= most), TOP];
    const scales = others.map((other) => (to === undefined ? scale(known, other) : scale(other, known)));
    const [only = "", ...more] = scales;
    if (more.length === 0 && isWithin(known, 1)) return { ...base(ratings), value: only, why };
    return asking(ratings, scales, "the header names one end of the scale alone");
  }
  const ends = low === high ? [1, Math.max(most, high)] : [Math.min(low, least), Math.max(high, most)];
  const [one = 1, other = TOP] = ends;
  const scales = [scale(one, other), scale(other, one)];
  const isInverted = from !== undefined && to !== undefined && from > to;
  return asking(ratings, isInverted ? scales.toReversed() : scales, "the header explains its numbers otherwise");
}

/** The scale that the values speak for. Whether a high rating is a good one, they don't say. */
function byValues(ratings: Ratings): Choice | undefined {
  const { column, role, least, most, count } = ratings;
  const said = column.meaning.unit?.replace("–", "-");
  const ranged = legendOf(column.name)?.numbers ?? [];
  const top = said === "1-5" || said === "/5" ? 5 : ranged.length === 2 ? ranged[1] : undefined;
  if (top === TOP) return undefined;
  const isSaid = top !== undefined && most <= top;
  if (isSaid && (role === "effort" || said === "/5"))
    return { ...base(ratings), value: scale(1, top), why: "the header says so" };
  const best = isSaid ? top : BEST.find((one) => most <= one);
  if ((said !== undefined && !isSaid) || count === 0 || least < 1 || best === undefined) return undefined;
  const why = `all ${count} ratings are from ${least} to ${most}`;
  const isSure = isSaid || (count >= ENOUGH && most === 5);
  if (role === "effort" && isSure) return { ...base(ratings), value: scale(1, best), why };
  const up = role === "quality" ? [scale(1, best), scale(best, 1)] : [scale(1, best)];
  const marks = SCHOOL.test(foldHeader(column.name)) ? WORST.filter((one) => one >= most && !isSaid) : [];
  const scales = [...new Set([...marks.map((one) => scale(one, 1)), ...up])];
  return asking(ratings, isSure ? scales : [...scales, scale(1, TOP)], isSaid ? "the header says the two ends" : why);
}

function asking(ratings: Ratings, scales: readonly string[], why: string): Choice {
  const { column, role } = ratings;
  return {
    ...{ ...base(ratings), value: scales[0] ?? scale(1, TOP), why },
    question: `What is the ${role === "effort" ? "hardest" : "best"} rating in the column ${JSON.stringify(column.name)}?`,
    options: scales.map((value): Option => ({ value, means: meaningOf(value) })),
  };
}

/** `5 of 5`; of an inverted scale, both ends. */
function meaningOf(value: string): string {
  const [, from = "", to = ""] = /^(\d+)\.\.(\d+)/.exec(value) ?? [];
  return Number(from) < Number(to) ? `${to} of ${to}` : `${to}, and ${from} is at the other end`;
}
