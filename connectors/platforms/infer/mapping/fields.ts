/** Turns the roles of columns into fields of the mapping file. */

import type { Choice } from "../choices/choice.ts";
import { arePairs } from "../columns/heart-rate-pairs.ts";
import { type AssignedColumn, type Split, staysOut } from "../columns/roles.ts";
import type { OddWeek } from "../dates/weeks-beside.ts";
import { ANSWERED } from "../questions/answers.ts";
import type { DraftColumn } from "../questions/draft.ts";
import { areTexts, type ColumnSample } from "../sample/column.ts";
import { durationWords } from "../units/mixed-durations.ts";
import { foldHeader, lengthUnit, type Role } from "../words/header-words.ts";
import { isErrorCell, roughNumber } from "../words/values.ts";
import { TYPE_WORDS, WEATHER_WORDS } from "../words/words.ts";
import { isNeededUncomputed } from "./uncomputed.ts";

/** What the fields need to know about the table. */
export interface FieldTask {
  readonly withTime: boolean;
  /** Whether a distance and a duration make the pace. */
  readonly hasSpeed: boolean;
  /** Units and formats that were chosen, by their place in the mapping file. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** Whether a person said what a column is, or is asked. */
  isSaid(column: ColumnSample): boolean;
  /** Whether its header says a distance or a duration, and no column is read as one. */
  isMissed(column: ColumnSample): boolean;
  /** The columns of weeks that don't follow from the dates. */
  readonly oddWeeks: ReadonlyMap<string, OddWeek>;
  /** How many columns hold notes. */
  readonly notes: number;
  /** Whether its values are of all workouts of a row. Those of rows with several workouts are no longer in its cells. */
  readonly isShared: boolean;
  /** Whether a zero in it says that a row has no such workout. */
  readonly hasZeros: boolean;
}

/** Roles that the log has no field for: their labels, and the unit if the header has none. */
const UNSUPPORTED: Readonly<Partial<Record<Role, readonly [label: string, unit?: string]>>> = {
  elevation: ["elevation gain"],
  descent: ["elevation loss"],
  calories: ["calories", "kcal"],
  cadence: ["cadence"],
  power: ["power", "W"],
  steps: ["steps"],
};

const IGNORED: Readonly<Partial<Record<Role, string>>> = {
  weekday: "follows from the date",
  total: "sums up other values",
  plan: "a plan, and no value of a workout",
};

/** The most that the log holds for effort and quality. */
const MOST_RATING = 10;

/** The words of a column. */
export function fieldOf(column: AssignedColumn, task: FieldTask): DraftColumn {
  if (column.filled.length > 0 && column.left !== undefined) return { field: "ignore", why: column.left };
  if (column.endOf !== undefined) return { field: "end" };
  const said = lengthUnit(column.meaning.unit);
  if (column.isOtherwise === true && said !== undefined) return { field: "distance", unit: said, otherwise: true };
  const words: DraftColumn = {
    ...wordsOf(column, task),
    ...(column.poolLength !== undefined && { per: 1 / column.poolLength }),
  };
  const isMeasure = words.field === "distance" || String(words.field).startsWith("duration");
  return {
    ...words,
    ...(words.field === "distance" && hasEitherMark(column.filled) && { decimal: "shown" }),
    ...(task.hasZeros && isMeasure && { zero: "none" }),
  };
}

/** Whether some numbers have a decimal comma and others a point, perhaps with `km` behind them. With three digits behind it, a mark may be of thousands. */
function hasEitherMark(cells: readonly string[]): boolean {
  const [comma, point, others] = [
    /^\d+,\d{1,2}(?:\s?(?:km|mi))?$/i,
    /^\d+\.\d{1,2}(?:\s?(?:km|mi))?$/i,
    /^\d+[.,](?:\d{3}|\d+\s?(?!(?:km|mi)$)\p{L})/iu,
  ];
  const some = (form: RegExp) => cells.some((cell) => form.test(cell));
  return some(comma) && some(point) && !some(others);
}

function wordsOf(column: AssignedColumn, task: FieldTask): DraftColumn {
  const { role, name, filled } = column;
  if (isEmpty(column)) return emptyWords(column, task);
  if (column.split !== undefined) return splitWords(column.split);
  if (column.addends !== undefined && (role === "distance" || role === undefined)) return addedWords(column, task);
  const unit = task.choices.get(`columns.${name}.unit`)?.value;
  const format = task.choices.get(`columns.${name}.format`)?.value;
  const scale = task.choices.get(`columns.${name}.scale`)?.value;
  switch (role) {
    case "date":
    case "datetime":
      return { field: task.withTime ? "datetime" : "date" };
    case "time":
      return task.withTime ? { field: "ignore", why: "the date has the time" } : { field: "time" };
    case "duration":
      return { field: "duration", ...durationWords(format ?? "h:mm:ss") };
    case "hours":
    case "minutes":
    case "seconds":
      return { field: `duration.${role}` };
    case "pace":
    case "speed":
      return rateWords(role, column, task);
    case "distance":
      return { field: "distance", ...lengthWords(column, task.choices, unit ?? "") };
    case "weight":
    case "temperature":
      return { field: role, unit: unit ?? "" };
    case "notes":
      return task.notes > 1 ? { field: "notes", label: labelOf(name) } : { field: "notes" };
    case "conditions":
      return knows(column, (word) => WEATHER_WORDS.has(word))
        ? { field: "conditions" }
        : { field: "notes", label: labelOf(name) };
    case "type":
      return typeWords(column);
    case "effort":
    case "quality":
      if (scale === undefined && filled.some((cell) => roughNumber(cell) > MOST_RATING))
        return unknownValues(column, task);
      return { field: role, ...(scale !== undefined && { scale }) };
    case "avgHR":
    case "maxHR":
      // Nobody has said that they may stay out.
      return arePairs(column) ? { ...unsupported(labelOf(name), column), proposed: true } : { field: role };
    case "week":
      return weekWords(column, task);
    case "plan":
      if (!areTexts(column)) return { field: "ignore", why: IGNORED.plan ?? "" };
      return { field: "notes", label: labelOf(name) };
    case undefined:
      // Text becomes a line of the notes, unless a person says otherwise. Numbers are counted as lost, because nobody knows what they are.
      return areTexts(column) && !staysOut(column)
        ? { field: "notes", label: labelOf(name) }
        : unknownValues(column, task);
    default: {
      const [label, usualUnit] = UNSUPPORTED[role] ?? [];
      if (label !== undefined) return unsupported(label, column, usualUnit);
      const why = whyLeft(column, role, task);
      return why === undefined ? { field: role } : { field: "ignore", why };
    }
  }
}

/** The words of a column of weeks. */
function weekWords(column: AssignedColumn, task: FieldTask): DraftColumn {
  const odd = task.oddWeeks.get(column.name);
  if (odd === undefined) return { field: "ignore", why: "follows from the date" };
  return odd === "words" ? { field: "notes", label: labelOf(column.name) } : unknownValues(column, task);
}

/** The words of a column of kinds of training. Words that the log doesn't know would be left out. As a line of the notes they stay. */
function typeWords(column: AssignedColumn): DraftColumn {
  const isKnown = (word: string) => TYPE_WORDS.has(word);
  const label = labelOf(column.name);
  if (!knows(column, isKnown)) return { field: "notes", label };
  return column.filled.every((cell) => isKnown(foldHeader(cell))) ? { field: "type" } : { field: "type", label };
}

/** Why a column with a role is left; undefined for one that is read. Where some dates contradict a weekday, it is read: each plan names them. */
function whyLeft({ name, sumOf }: AssignedColumn, role: Role, { choices }: FieldTask): string | undefined {
  if (role === "weekday" && choices.get(`columns.${name}.field`)?.value === role) return undefined;
  return (role === "total" ? sumOf : undefined) ?? IGNORED[role];
}

/** Whether a column is left as one without a value. Words for "nothing" count as no value, but in notes they are somebody's words. */
function isEmpty(column: AssignedColumn): boolean {
  const { filled, role, cells } = column;
  if (filled.length > 0 || isNeededUncomputed(column)) return false;
  return !(role === "notes" && cells.some((cell) => cell.trim() !== ""));
}

/** The words of a column without a value. */
function emptyWords(column: AssignedColumn, { isShared }: FieldTask): DraftColumn {
  const label = labelOf(column.name);
  if (column.cells.some(isErrorCell)) return { field: "unsupported", label };
  if (isShared) return unsupported(label, column);
  return { field: "ignore", why: column.uncomputed > 0 ? "its formulas were never computed" : "empty in every row" };
}

/** `Split 1`, `Split #2`. `Split /500m` is the pace of a rowing machine. */
const NUMBERED_SPLIT = /\bsplits?[\s._-]*#?\d{1,2}(?!\d)/i;

/**
 * The words of a pace or a speed. A decision about its field says that the values contradict the distances and durations. Nobody has said that they may stay out
 * where they are the only sign of a missing distance or duration, or the splits of a run.
 */
function rateWords(role: "pace" | "speed", column: AssignedColumn, task: FieldTask): DraftColumn {
  const decision = task.choices.get(`columns.${column.name}.field`);
  // The times of single kilometres are near the mean of all, and don't follow from it.
  const isNumbered = NUMBERED_SPLIT.test(column.name);
  if (task.hasSpeed && decision === undefined && !isNumbered)
    return { field: "ignore", why: "follows from distance and time" };
  const isSplit = /\bsplit/i.test(column.name);
  const words = unsupported(isSplit ? labelOf(column.name) : role, column);
  const isAnswered = decision === undefined ? task.isSaid(column) : decision.why === ANSWERED;
  const isOpen = task.hasSpeed ? isSplit && !isAnswered : !task.isSaid(column);
  return isOpen ? { ...words, proposed: true } : words;
}

/** The words of a part of the distance. */
function addedWords(column: AssignedColumn, { choices }: FieldTask): DraftColumn {
  const unit = unitsOf(column, choices, choices.get(`columns.${column.name}.unit`)?.value ?? "");
  return { field: "distance", unit, add: true };
}

/** The words of a column whose text is taken apart. */
function splitWords({ patterns, parts }: Split): DraftColumn {
  return { split: patterns, ...(Object.keys(parts).length > 0 && { parts }) };
}

/** The unit of distances in a mapping file: a column that says it, or a unit. */
function lengthWords(column: AssignedColumn, choices: FieldTask["choices"], unit: string): DraftColumn {
  const { unitColumn } = column;
  return unitColumn === undefined ? { unit: unitsOf(column, choices, unit) } : { unitColumn };
}

/** The unit of distances, or one for each sport with its own. */
function unitsOf(
  { name }: ColumnSample,
  choices: FieldTask["choices"],
  unit: string,
): string | Readonly<Record<string, string>> {
  const prefix = `columns.${name}.unit.`;
  const own = [...choices].filter(([place]) => place.startsWith(prefix));
  if (own.length === 0) return unit;
  return { ...Object.fromEntries(own.map(([place, { value }]) => [place.slice(prefix.length), value])), default: unit };
}

/**
 * Values that are left because nobody knows them. The old account stays open until a person says that they may stay out. An Enter doesn't say so of the only
 * distances or durations.
 */
function unknownValues(column: AssignedColumn, { isSaid, isMissed }: FieldTask): DraftColumn {
  const words = unsupported(labelOf(column.name), column);
  return isSaid(column) && !isMissed(column) ? words : { ...words, proposed: true };
}

function unsupported(label: string, { meaning }: ColumnSample, usual?: string): DraftColumn {
  const unit = meaning.unit ?? usual;
  return { field: "unsupported", label, ...(unit !== undefined && { unit }) };
}

function labelOf(name: string): string {
  return name === "" ? "without a header" : name.slice(0, 100);
}

/** Whether most words of a column are known. */
function knows({ filled }: ColumnSample, isKnown: (word: string) => boolean): boolean {
  const words = filled.flatMap((cell) => cell.split(",")).map((word) => foldHeader(word));
  return words.filter(isKnown).length >= words.length * 0.6;
}
