/** Finds workbooks with a sheet for each athlete of a club or a family: names with letters only, and dates that run side by side. */
import { activityNamed } from "../../../../transforms/activities.ts";
import { monthNamed } from "../../../formats/month-names.ts";
import type { Dates } from "../../table/cells/cells.ts";
import type { Choice } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { daysOf } from "../dates/dates.ts";
import type { Proposal } from "../questions/draft.ts";
import type { SheetSample } from "../sample/sample.ts";
import { TYPE_WORDS } from "../words/words.ts";
import { foldHeader } from "../words/words-of-headers.ts";
import { listOf } from "./sheets.ts";

/** A sheet, and what it shows by itself. */
export interface OwnSheet {
  readonly name: string;
  readonly sample: SheetSample;
  readonly proposal: Proposal | NoProposal;
}

/** So many days of each sheet must lie between the first and the last day of the other. A year ends a few days late now and then. */
const LEAST_DAYS = 3;

/** Names of programs, of parts of the year and of kinds of workouts, which no athlete has. */
const NO_NAMES = new Set(
  `sheet tabelle feuille hoja foglio planilha blad ark arkusz シート data log training running spring summer autumn fall winter base build peak taper race races
  road trail track treadmill indoor outdoor easy long fruhling fruhjahr sommer herbst wettkampf wettkampfe printemps ete automne hiver`.split(/\s+/),
); // biome-ignore format: words

/** A name of one to three words, without a number. */
const NAME = /^\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*){0,2}$/u;

/** The choice of sheets, as a question without a usual answer if their names are those of people, and their dates run side by side. */
export function withPeopleAsked(choice: Choice, each: readonly OwnSheet[]): Choice {
  if (each.length < 2 || !each.every(({ name }) => mayBePerson(name))) return choice;
  const days = each.map(daysIn);
  const beside = each.flatMap((one, at) =>
    each.slice(at + 1).flatMap((other, step) => (areSideBySide(days[at], days[at + 1 + step]) ? [[one, other]] : [])),
  );
  const [pair] = beside;
  if (pair === undefined) return choice;
  const [one, other] = pair.map(({ name }) => JSON.stringify(name));
  const why = `the sheets ${one} and ${other} have the same columns and workouts of the same weeks, as the sheets of two athletes have. One log is of one athlete`;
  return {
    ...{ place: choice.place, value: choice.value, contradicting: 0, rows: each.length, isUnproven: true },
    why: choice.options === undefined ? why : `${why}; ${choice.why}`,
    question: "Which sheets are workouts of the athlete whose log this is?",
    options: [
      ...each.map((sheet) => ({ value: listOf([sheet]), means: "only this sheet" })),
      { value: "all", means: "every sheet: they are of one athlete" },
    ],
  };
}

function mayBePerson(name: string): boolean {
  const words = foldHeader(name).split(" ");
  const isKnown = (word: string) =>
    NO_NAMES.has(word) || TYPE_WORDS.has(word) || monthNamed(word) !== undefined || activityNamed(word) !== undefined;
  return NAME.test(name.trim()) && activityNamed(name) === undefined && !words.some(isKnown);
}

/** The days of a sheet in their order; none if it has no column of dates. */
function daysIn({ sample, proposal }: OwnSheet): readonly string[] {
  if ("problem" in proposal) return [];
  const { columns, order, zone } = proposal.draft;
  const [name] = [...columns].find(([, { field }]) => field === "date" || field === "datetime") ?? [];
  const at = sample.header.indexOf(name ?? "");
  if (at === -1) return [];
  const cells = sample.rows.map(({ fields }) => (fields[at] ?? "").trim());
  return daysOf(cells, order as Dates["order"], zone)
    .filter((day) => day !== undefined)
    .toSorted();
}

function areSideBySide(one: readonly string[] = [], other: readonly string[] = []): boolean {
  const within = (days: readonly string[], [first = "", last = ""]: readonly (string | undefined)[]) =>
    days.filter((day) => day >= first && day <= last).length;
  return within(one, [other[0], other.at(-1)]) >= LEAST_DAYS && within(other, [one[0], one.at(-1)]) >= LEAST_DAYS;
}
