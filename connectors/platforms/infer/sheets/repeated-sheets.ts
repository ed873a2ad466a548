/** Finds sheets of a workbook that repeat workouts of others: a sheet with all beside one a year, a copy called `Runs (2)`, years that overlap. */
import type { Dates } from "../../table/cells/cells.ts";
import type { Answers, Choice } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { daysOf } from "../dates/dates.ts";
import { REPEATED } from "../no-logs/repeated-rows.ts";
import { ANSWERED } from "../questions/answers.ts";
import { WORKOUTS } from "../rows/sum-rules.ts";
import { listOf } from "./sheets.ts";
import { type OwnSheet, withPeopleAsked } from "./sheets-of-people.ts";

/** On so many days a workout must stand in two sheets. Two equal ones of one day happen. */
const LEAST_DAYS = 3;

/** A sheet, with its workouts: their day and what was measured. */
interface Workouts {
  readonly name: string;
  readonly keys: ReadonlyMap<string, string>;
}

/**
 * Looks for workouts that stand in two sheets.
 *
 * @returns the question which sheets to read, or why no answer would do; undefined without such workouts, and where people ran together
 */
export function repeatedSheets(
  choice: Choice,
  each: readonly OwnSheet[],
  answers: Answers,
): Choice | NoProposal | undefined {
  const sheets = each.map((one) => ({ name: one.name, keys: workoutsOf(one) }));
  const repeated = repeatedIn(sheets);
  if (!areMany(repeated)) return undefined;
  const isAnswered = choice.why === ANSWERED;
  if (isAnswered && choice.value === "all") return undefined;
  const kept = withoutCopies(sheets);
  const left = sheets.filter((one) => !kept.includes(one));
  const days = [...repeated.values()].toSorted();
  const says = `${repeated.size} workouts stand in more than one sheet, such as that of ${days[0]?.replace(/^\d{1,2}\.?$/, (day) => `the day ${day}`)}`;
  // Of two sheets with the same days of two months, either may hold what somebody forgot to delete.
  const areBare = [...repeated.values()].some((day) => !WHOLE.test(day));
  if (areBare || areMany(repeatedIn(kept))) {
    if (answers.get(REPEATED) === WORKOUTS || withPeopleAsked(choice, each) !== choice) return undefined;
    return {
      problem: `${says}. They would be in the log twice`,
      next: `Delete them where they stand for the second time. If they are workouts of their own, run this again with --set ${REPEATED}=${WORKOUTS}`,
    };
  }
  if (isAnswered) return undefined;
  const names = left.map(({ name }) => JSON.stringify(name)).slice(0, MOST_NAMED);
  const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : "";
  const options = [
    { value: listOf(kept), means: "each workout once" },
    { value: listOf(left), means: left.length === 1 ? "the other sheet" : "the other sheets" },
    { value: "all", means: "every sheet: the equal rows are workouts of their own" },
  ];
  return {
    ...{ place: choice.place, value: listOf(kept), contradicting: 0, rows: each.length, options },
    why: `${says}. All workouts of ${names.join(", ")}${more} stand in the others, and would be in the log twice`,
    question: "Which sheets shall this mapping read?",
  };
}

/** A day with its month and its year. */
const WHOLE = /^\d{4}-/;

/** The most sheets that the evidence names. */
const MOST_NAMED = 5;

const areMany = (repeated: ReadonlyMap<string, string>) => new Set(repeated.values()).size >= LEAST_DAYS;

/** The workouts that stand in several sheets, with their days. */
function repeatedIn(sheets: readonly Workouts[]): ReadonlyMap<string, string> {
  const seen = new Set<string>();
  const repeated = new Map<string, string>();
  for (const { keys } of sheets) {
    for (const [key, day] of keys) if (seen.has(key)) repeated.set(key, day);
    for (const key of keys.keys()) seen.add(key);
  }
  return repeated;
}

/** The sheets without those whose workouts all stand in the others. The smallest go first, and of equal ones the later. */
function withoutCopies(sheets: readonly Workouts[]): readonly Workouts[] {
  let kept = sheets;
  for (const one of sheets.toReversed().toSorted((a, b) => a.keys.size - b.keys.size)) {
    const others = kept.filter((other) => other !== one);
    const isCopy = one.keys.size > 0 && [...one.keys.keys()].every((key) => others.some(({ keys }) => keys.has(key)));
    if (isCopy) kept = others;
  }
  return kept;
}

/** Fields that say what was measured. Notes may differ between two copies of a workout. */
const MEASURED = /^(?:distance|duration(?:\.\w+)?|time)$/;

/** The workouts of a sheet, each with its day. A row without a date or a measure is none. */
function workoutsOf({ sample, proposal }: OwnSheet): ReadonlyMap<string, string> {
  if ("problem" in proposal) return new Map();
  const { columns, order, zone } = proposal.draft;
  const at = (isIt: (field: string) => boolean) =>
    [...columns].flatMap(([name, { field }]) => (isIt(String(field)) ? [sample.header.indexOf(name)] : []));
  const [date = -1] = at((field) => field === "date" || field === "datetime");
  const measured = at((field) => MEASURED.test(field));
  const texts = sample.rows.map(({ fields }) => (fields[date] ?? "").trim());
  const days = daysOf(texts, order as Dates["order"], zone);
  return new Map(
    sample.rows.flatMap(({ fields }, row): [string, string][] => {
      const values = measured.map((index) => (fields[index] ?? "").trim());
      const known = values.filter((value) => /[1-9]/.test(value)).length;
      // A day whose month is the name of its sheet: rows of the month before, which somebody forgot to delete. One equal value of such days is chance.
      const day = days[row] ?? (known > 1 && /^\d/.test(texts[row] ?? "") ? texts[row] : undefined);
      if (day === undefined || known === 0) return [];
      return [[[texts[row], ...values].join("\t"), day]];
    }),
  );
}
