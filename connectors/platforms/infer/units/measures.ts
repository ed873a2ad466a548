/** Finds the unit of the distances and the form of the durations: the reading in which the rows are workouts that people do. */
import { UNITS, type UnitOf } from "../../../../transforms/units.ts";
import { isTooFewMetres } from "../../table/cells/cells.ts";
import { parseDuration } from "../../table/cells/durations.ts";
import { namedKilometres } from "../../table/cells/race-names.ts";
import type { Choice } from "../choices/choice.ts";
import { type Formats, formatsOf } from "../columns/durations.ts";
import { MEASURED } from "../columns/guess-evidence.ts";
import { provenByPace } from "../columns/paced.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import {
  impossibleShare,
  merit,
  type Reading,
  type Score,
  type SpeedRow,
  score,
  usualShare,
} from "../columns/score.ts";
import { lengthUnit } from "../words/header-words.ts";
import { roughNumber, splitAmount } from "../words/values.ts";
import { foldHeader } from "../words/words-of-headers.ts";
import { betweenSystems, PAIRS } from "./between-systems.ts";
import { withoutClockHours } from "./clock-minutes.ts";
import { ENOUGH, type Sign, weigh } from "./evidence.ts";
import { withFormatChange } from "./format-changes.ts";
import { askingFormat } from "./format-question.ts";
import { durationWords, mixedRows } from "./mixed-durations.ts";
import { askingUnit, signsWith, withProof } from "./proven-unit.ts";
import { provenByRates } from "./rates.ts";
import { speedJump } from "./unit-changes.ts";
import { bySport, type SaidUnits, sayingBySport, unitsBySport } from "./units-by-sport.ts";

/** What is known of a table before its units are. */
export interface MeasureTask {
  readonly distance: AssignedColumn | undefined;
  readonly duration: AssignedColumn | undefined;
  readonly rows: readonly SpeedRow[];
  readonly signs: readonly Sign[];
  /** The decimal marks to try. */
  readonly decimals: readonly ("." | ",")[];
  /** Units of sports whose distances have a header of their own. */
  readonly said?: SaidUnits | undefined;
  /** What a note says of a change of the unit. */
  readonly change?: string | undefined;
  /** All columns: their paces and speeds may prove the unit. */
  readonly columns: readonly AssignedColumn[];
}

/** The chosen reading, and the choices that a person should see. */
export interface MeasureChoices {
  readonly reading: Reading;
  readonly unit: Choice | undefined;
  readonly format: Choice | undefined;
  /** Sports with a unit of their own. */
  readonly bySport: readonly Choice[];
}

type LengthUnit = UnitOf<"distance">;
const LENGTHS: readonly LengthUnit[] = UNITS.distance.map(({ unit }) => unit);

/** Finds both. */
export function chooseMeasures(task: MeasureTask): MeasureChoices {
  const { duration, decimals } = task;
  const sports = bySport(task.rows);
  const bySports: SaidUnits = task.said ?? new Map();
  const distance = inUnit(task.distance, bySports.get(sports.main[0]?.activity ?? ""));
  const said = distance === undefined ? undefined : (lengthUnit(distance.meaning.unit) ?? suffixOf(distance));
  const units = distance === undefined ? (["km"] as const) : LENGTHS;
  const scoresOf = (column: AssignedColumn | undefined) => {
    const formats = column === undefined ? [[]] : formatsOf(column);
    return (formats.length === 0 ? [[]] : formats).flatMap((set) =>
      units.flatMap((unit) => decimals.map((decimal) => score(sports.main, { unit, formats: set, decimal }))),
    );
  };
  const asSaid = scoresOf(duration);
  const denied = deniedForm(duration, asSaid, said);
  const scores = denied === undefined ? asSaid : scoresOf(withUnit(duration, undefined));
  const chosenFormat =
    duration === undefined ? undefined : chooseFormat(duration, scores, said, judgedRows(task.rows, sports.main));
  const format = chosenFormat && denied ? withDenied(chosenFormat, denied) : chosenFormat;
  const chosen = format?.formats ?? [];
  const left = scores.filter(({ reading }) => sameFormats(reading.formats, chosen));
  // Where only some durations are read so, the speeds of the others say nothing of the unit.
  const isMixed = durationWords(format?.choice.value ?? "").hoursBelow !== undefined;
  const proof = provenByRates(sports.main, task.columns, { formats: chosen, decimal: decimals[0] ?? "." });
  const one =
    distance && isMixed && said !== undefined
      ? asWritten(distance, said)
      : distance &&
        withProof(inDoubt(chooseUnit(distance, left, said, signsWith(task.signs, proof)), task, said), proof, said);
  const jump = left[0] === undefined ? undefined : speedJump(sports.main, left[0].reading);
  const unit = one && withChange(one, task.change ?? jump);
  const [best] = left
    .filter(({ reading }) => unit === undefined || reading.unit === unit.value)
    .toSorted((a, b) => merit(b) - merit(a));
  const reading = best?.reading ?? { unit: "km", formats: chosen, decimal: decimals[0] ?? "." };
  return {
    ...{ reading, unit: namingColumn(unit && sayingBySport(unit, sports), distance) },
    format: namingColumn(withFormatChange(format?.choice, sports.main, reading), duration),
    bySport: distance === undefined ? [] : unitsBySport(distance, sports, { reading, signs: task.signs }, bySports),
  };
}

/** The unit that the header or the cells say. */
function asWritten({ name, meaning, filled }: AssignedColumn, unit: LengthUnit): Choice {
  const why = lengthUnit(meaning.unit) === undefined ? "most cells say so" : "the header says so";
  return { place: `columns.${name}.unit`, value: unit, why, contradicting: 0, rows: filled.length };
}

/** A choice whose question names the column. The one that several columns are put into has no name that anybody knows. */
function namingColumn(choice: Choice | undefined, column: AssignedColumn | undefined): Choice | undefined {
  if (choice?.question === undefined || column === undefined || column.name === MEASURED) return choice;
  return { ...choice, question: `${choice.question.slice(0, -1)} in the column ${JSON.stringify(column.name)}?` };
}

/** The choice of a unit, or a question. Where it is open whether a column is the distance, and of which sport, the speeds say little. */
function inDoubt(choice: Choice, { distance, rows }: MeasureTask, said: LengthUnit | undefined): Choice {
  const isSure =
    distance?.isGuess !== true || said !== undefined || rows.some(({ activity }) => activity !== undefined);
  const likeliest = [...new Set([choice.value as LengthUnit, ...LENGTHS])];
  return isSure || choice.options !== undefined ? choice : { ...choice, ...askingUnit(likeliest) };
}

/** A choice of a unit that changes on the way, as a question. */
function withChange(choice: Choice, change: string | undefined): Choice {
  if (change === undefined) return choice;
  const other = choice.value === "km" ? "mi" : "km";
  const asked = choice.options === undefined ? askingUnit([choice.value as LengthUnit, other]) : {};
  return { ...choice, ...asked, isUnproven: true, why: `${choice.why}; ${change}` };
}

/** The rows whose durations can be judged: a distance without a known sport may have a unit that nobody knows yet. */
function judgedRows(rows: readonly SpeedRow[], main: readonly SpeedRow[]): readonly SpeedRow[] {
  const isMain = main.some(({ activity }) => activity === undefined);
  return rows.filter(({ activity, distance = "" }) => isMain || activity !== undefined || !/[1-9]/.test(distance));
}

/** A column with the unit that the header of its main sport says. */
function inUnit(column: AssignedColumn | undefined, unit: LengthUnit | undefined): AssignedColumn | undefined {
  return unit === undefined ? column : withUnit(column, unit);
}

/** A column with another unit than its header says. */
function withUnit(column: AssignedColumn | undefined, unit: string | undefined): AssignedColumn | undefined {
  return column && { ...column, meaning: { ...column.meaning, unit } };
}

/** Why the form of durations that a header says can't be true, as of `3:45` below `Time (mm:ss)` beside 60 km; undefined if it can. */
function deniedForm(
  duration: AssignedColumn | undefined,
  scores: readonly Score[],
  said: LengthUnit | undefined,
): string | undefined {
  const form = duration?.meaning.unit;
  if (form === undefined || !form.includes(":")) return undefined;
  const possible = scores.filter(({ reading }) => said === undefined || reading.unit === said);
  const [best] = possible.toSorted((a, b) => merit(b) - merit(a));
  if (best === undefined || impossibleShare(best) <= 0.5) return undefined;
  return `the header says ${form}, but ${best.impossible} of ${best.rows} rows can't be true so`;
}

function withDenied<T extends { readonly choice: Choice }>(chosen: T, denied: string): T {
  return { ...chosen, choice: { ...chosen.choice, why: `${denied}; ${chosen.choice.why}` } };
}

/** The unit that most cells have behind their number: `5 mi`. Where each cell has one, the most frequent is as good as any: it is of no cell. */
function suffixOf({ filled }: AssignedColumn): LengthUnit | undefined {
  const counts = new Map<LengthUnit, number>();
  for (const cell of filled) {
    const { number, unit: word } = splitAmount(cell);
    const said = namedKilometres(cell) === undefined ? lengthUnit(word) : "km";
    // `5m` and `5M` are how people write 5 miles.
    const unit = /^m$/i.test(word) && isTooFewMetres(roughNumber(number)) ? "mi" : said;
    if (unit !== undefined) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1]);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return most !== undefined && (most[1] > filled.length / 2 || all === filled.length) ? most[0] : undefined;
}

function sameFormats(a: Formats, b: Formats): boolean {
  return a.length === b.length && a.every((format, at) => format === b[at]);
}

/** A reading must be this much better than any other. */
const LEAD = 0.35;

/** Where more rows than these can't be true in the best reading, a person looks. */
const MOST_IMPOSSIBLE = 0.1;

/** What to do about a column in which people wrote in two ways, such as minutes below an hour, and 1.08 from then on. */
const NONE_FITS =
  "Neither fits all rows. If you wrote the durations in two ways, write them all as h:mm:ss in your table, such as 0:45:00 and 1:08:00, and propose again";

/** Where a smaller share of the rows lasts as long as workouts do in the best reading, it is no first answer. */
const FEW_USUAL = 0.7;

function chooseFormat(
  { name, filled }: AssignedColumn,
  scores: readonly Score[],
  said: LengthUnit | undefined,
  rows: readonly SpeedRow[],
): { readonly choice: Choice; readonly formats: Formats } {
  // Each way to write a duration, with the unit that suits it best.
  const best = new Map<string, Score>();
  for (const one of scores.filter(({ reading }) => said === undefined || reading.unit === said)) {
    const key = one.reading.formats.join(", ");
    const before = best.get(key);
    if (before === undefined || merit(one) > merit(before)) best.set(key, one);
  }
  const { scores: possible, asked } = withoutClockHours(rows, [...best.values()]);
  const [first, second] = possible.toSorted((a, b) => merit(b) - merit(a));
  const formats = first?.reading.formats ?? [];
  const value = formats.join(", ");
  const decimal = first?.reading.decimal ?? ".";
  const read = filled.filter((cell) => parseDuration(cell, formats, decimal) !== undefined).length;
  const choice: Choice = {
    ...{ place: `columns.${name}.format`, value, why: "", contradicting: 0, rows: filled.length },
  };
  if (first === undefined || formats.length === 0)
    return {
      formats,
      choice: { ...choice, ...askingFormat(["h:mm:ss", "mm:ss", "minutes"]), why: "no cell can be read as a duration" },
    };
  if (asked !== undefined) return { formats, choice: { ...choice, ...asked } };
  if (second === undefined) {
    const isOdd = impossibleShare(first) > MOST_IMPOSSIBLE || first.usualTimes < first.timed / 2;
    const cells = read === filled.length ? "every cell is" : `${read} of ${filled.length} cells are`;
    // With one possible answer there is nothing to ask. The evidence says what is odd.
    return { formats, choice: { ...choice, why: `${cells} ${value}${isOdd ? `, but ${oddShare(first)}` : ""}` } };
  }
  const rival = possible.find(({ reading }) => isSwapped(reading.formats, formats)) ?? second;
  const mixed = mixedChoice(rows, first.reading, rival.reading);
  if (mixed !== undefined) return { formats, choice: { ...choice, ...mixed } };
  const other = second.reading.formats.join(", ");
  const why = `${share(first)}; as ${other} ${share(second)}`;
  const isOdd = impossibleShare(first) > MOST_IMPOSSIBLE || first.usualTimes < first.timed * FEW_USUAL;
  if (merit(first) - merit(second) >= LEAD && !isOdd) return { formats, choice: { ...choice, why } };
  const proven = provenByPace(rows, [first.reading, second.reading]);
  if (proven !== undefined)
    return {
      formats: proven.formats,
      choice: {
        ...choice,
        value: proven.formats.join(", "),
        why: "the distance times the pace of each row is so long",
      },
    };
  const options = [first, second].map(({ reading }) => reading.formats);
  const odd = isOdd && { isUnproven: true as const, why: `${why}. ${NONE_FITS}` };
  return { formats, choice: { ...choice, why, ...askingFormat(options.map((set) => set.join(", "))), ...odd } };
}

/** Whether two sets of formats differ in nothing but whether cells of two parts begin with hours or with minutes. */
function isSwapped(a: Formats, b: Formats): boolean {
  const swap: Readonly<Record<string, string>> = { "h:mm": "mm:ss", "mm:ss": "h:mm" };
  const swapped = new Set(b.map((format) => swap[format] ?? format));
  return a.join() !== b.join() && a.length === swapped.size && a.every((format) => swapped.has(format));
}

/** The question about a column that mixes two ways to write durations; undefined if it doesn't. */
function mixedChoice(rows: readonly SpeedRow[], first: Reading, second: Reading) {
  const mixed = mixedRows(rows, first, second);
  if (mixed === undefined) return undefined;
  const value = first.formats.join(", ");
  const other = second.formats.join(", ");
  const why = `${mixed.first} rows are usual only as ${value}, and ${mixed.second} only as ${other}`;
  if (mixed.both !== undefined) return { why, value: mixed.both, ...askingFormat([mixed.both, value, other]) };
  const advice =
    "No number before the colon tells them apart: write the times of one kind in the table as h:mm:ss, and propose again";
  return { why: `${why}. ${advice}`, ...askingFormat([value, other]) };
}

function share({ all, complete, rows, impossible, rated, usual, timed, usualTimes }: Score): string {
  if (complete < all) return `${all - complete} of ${all} rows can't be read`;
  if (impossible > 0) return `${impossible} of ${rows} rows can't be true`;
  if (rated > 0) return `${usual} of ${rated} rows have a usual speed`;
  return `${usualTimes} of ${timed} rows last as long as workouts do`;
}

/** What is odd about the only reading of a column. */
function oddShare(one: Score): string {
  const { timed, usualTimes } = one;
  if (one.impossible > 0 || one.complete < one.all) return share(one);
  return `${timed - usualTimes} of ${timed} rows are shorter or longer than most workouts`;
}

function chooseUnit(
  { name, meaning }: AssignedColumn,
  scores: readonly Score[],
  said: LengthUnit | undefined,
  signs: readonly Sign[],
): Choice {
  const best = new Map<LengthUnit, Score>();
  for (const one of scores) {
    const before = best.get(one.reading.unit);
    if (before === undefined || merit(one) > merit(before)) best.set(one.reading.unit, one);
  }
  const of = (unit: LengthUnit) => best.get(unit) as Score;
  const rows = Math.max(...[...best.values()].map(({ measured }) => measured));
  const choice = (unit: LengthUnit, why: string): Choice => ({
    ...{ place: `columns.${name}.unit`, value: unit, why, contradicting: of(unit).impossible, rows },
  });
  const possible = LENGTHS.filter((unit) => impossibleShare(of(unit)) <= 0.1);
  if (said !== undefined) {
    const where = lengthUnit(meaning.unit) === undefined ? "most cells say so" : "the header says so";
    if (possible.includes(said)) return choice(said, where);
    // A few impossible rows are mistakes. Most of them are another unit.
    if (impossibleShare(of(said)) < 0.5) return choice(said, where);
    const fitting = possible.filter((unit) => usualShare(of(unit)) >= 0.5);
    const why = `${where.replace(" so", ` ${said}`)}, but ${of(said).impossible} of ${of(said).rows} rows would be impossible: ${of(said).example ?? ""}`;
    const [only] = fitting;
    if (only !== undefined && fitting.length === 1) return choice(only, why);
    return { ...choice(only ?? said, why), ...askingUnit([...new Set([said, ...fitting])]) };
  }
  const usual = possible
    .filter((unit) => usualShare(of(unit)) >= 0.5)
    .toSorted((a, b) => usualShare(of(b)) - usualShare(of(a)) || Number(isWordOf(name, b)) - Number(isWordOf(name, a)));
  const [first, second] = usual;
  if (first === undefined) return { ...choice("km", "no unit makes the rows usual workouts"), ...askingUnit(LENGTHS) };
  if (second === undefined) {
    const other = first === "mi" || first === "yd" ? of(first === "mi" ? "km" : "m") : of(first === "km" ? "mi" : "yd");
    return choice(first, `${share(of(first))}; as ${other.reading.unit} ${share(other)}`);
  }
  const pair = PAIRS.find(([metric, imperial]) => usual.includes(metric) && usual.includes(imperial));
  if (pair !== undefined && usual.length === 2) return betweenSystems(pair, of, signs, choice);
  const likely = ofSystem(usual, signs);
  // `2.700` is 2,700 m or 2.7 km, which is as far.
  const isEither = likely.length === 2 && likely.includes("km") && likely.includes("m");
  if (isEither && of("km").reading.decimal !== of("m").reading.decimal) return choice("m", share(of("m")));
  return {
    ...choice(likely[0] ?? first, share(of(likely[0] ?? first))),
    ...askingUnit([...new Set([...likely, ...usual])]),
  };
}

/** The units of the system that the signs speak for, if they are enough. The others stay where no unit of it fits. */
function ofSystem(units: readonly LengthUnit[], signs: readonly Sign[]): readonly LengthUnit[] {
  const weight = weigh(signs);
  const fitting = units.filter((unit) => (unit === "mi" || unit === "yd") === weight > 0);
  return Math.abs(weight) >= ENOUGH && fitting.length > 0 ? fitting : units;
}

/** Whether a unit is the last word of a header that means more than a unit: `Schwimmen m`. */
const isWordOf = (header: string, unit: LengthUnit) => foldHeader(header).split(" ").at(-1) === unit;
