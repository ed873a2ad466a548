/** Finds sheets of one log whose values are written in another way: dates with the month first in one year, miles in another. */
import { INDISTINGUISHABLE } from "../../table/mapping/fields.ts";
import { type Answers, type Choice, isOpen } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { ANSWERED } from "../questions/answers.ts";
import type { Proposal } from "../questions/draft.ts";
import { durationWords } from "../units/mixed-durations.ts";
import { listOf } from "./sheets.ts";

/** What each sheet shows by itself. */
interface OwnProposal {
  readonly name: string;
  readonly proposal: Proposal | NoProposal;
}

/** A sheet that isn't as the others, and in what. */
interface Apart {
  readonly name: string;
  readonly says: string;
}

/** The words of a mapping file that hold for all its sheets. */
const SHARED = /^dates\.order$|^file\.decimal$|\.unit(?:\.[a-z]+)?$|\.format$/;

/** The answers that hold for a sheet by itself: its own values say how they are written. */
export function ownAnswers(answers: Answers): Answers {
  return new Map([...answers].filter(([place]) => !SHARED.test(place)));
}

/**
 * The choice of sheets, as a question if one of them shows that it is written in another way than the others.
 *
 * @param all the proposal for the rows of all sheets
 */
export function withSheetsApart(choice: Choice, each: readonly OwnProposal[], all: Proposal): Choice {
  const shown = each.map(({ name, proposal }) => ({ name, values: shownBy(proposal) }));
  // All rows together decide more than a sheet's own. What a person says, or what is open, is compared among the sheets.
  const settled = all.choices.flatMap((one): [string, Shown][] =>
    !SHARED.test(one.place) || isOpen(one) || one.why === ANSWERED
      ? []
      : [[one.place, { value: one.value, isSure: true }]],
  );
  const shared = new Map([...shown.toReversed().flatMap(({ values }) => [...values]), ...settled]);
  const isSettled = (place: string) => settled.some(([one]) => one === place);
  const apart = shown.flatMap(({ name, values }): Apart[] => {
    const says = [...values].flatMap(([place, { value, isSure }]) => {
      const other = shared.get(place);
      if (other === undefined || !contradicts(place, value, other.value) || (!isSure && isSettled(place))) return [];
      const [rather, than] = isSure && other.isSure ? ["", "and not"] : ["rather ", "than"];
      return [`${place} ${rather}${value} ${than} ${other.value}`];
    });
    return says.length === 0 ? [] : [{ name, says: says.join(", ") }];
  });
  if (apart.length === 0) return choice;
  const same = each.filter(({ name }) => !apart.some((one) => one.name === name));
  const options = [
    ...(same.length === 0 ? [] : [{ value: listOf(same), means: "what is written in one way" }]),
    { value: listOf(apart), means: apart.length === 1 ? "the other sheet" : "the other sheets" },
    { value: "all", means: "every sheet, read in one way" },
    ...(choice.options ?? []),
  ];
  const found = apart.slice(0, MOST_NAMED).map(({ name, says }) => `the sheet ${JSON.stringify(name)} has ${says}`);
  const more = apart.length > MOST_NAMED ? ` and ${apart.length - MOST_NAMED} more sheets are apart` : "";
  return {
    ...{ place: choice.place, value: options[0]?.value ?? choice.value, contradicting: 0, rows: each.length },
    why: `${found.join("; ")}${more}. One mapping reads all its sheets in one way: save the others as a workbook of their own`,
    question: "Which sheets shall this mapping read?",
    options: options.filter(({ value }, at) => options.findIndex((one) => one.value === value) === at),
  };
}

/**
 * The order of the dates with the sheets named that don't show it by themselves. They are read like the others, and a person must see that.
 *
 * @param order what the rows of all sheets together show
 */
export function withFollowers(order: Choice, each: readonly OwnProposal[]): Choice {
  if (isOpen(order) || order.why === ANSWERED) return order;
  const followers = each.filter(
    ({ proposal }) =>
      !("problem" in proposal) && proposal.choices.some((own) => own.place === order.place && isOpen(own)),
  );
  if (followers.length === 0 || followers.length === each.length) return order;
  const names = followers.slice(0, MOST_NAMED).map(({ name }) => JSON.stringify(name));
  const more = followers.length > MOST_NAMED ? ` and ${followers.length - MOST_NAMED} more` : "";
  const [sheets, fit] = followers.length === 1 ? ["sheet", "fits"] : ["sheets", "fit"];
  return {
    ...order,
    why: `${order.why}. The ${sheets} ${names.join(", ")}${more} ${fit} both orders, and ${followers.length === 1 ? "is" : "are"} read like the others`,
  };
}

/** The most sheets that the evidence names. */
const MOST_NAMED = 5;

/** What a sheet shows, and whether it is decided or only likely. */
interface Shown {
  readonly value: string;
  readonly isSure: boolean;
}

/** Fewer rows don't make a unit likely. */
const LEAST_ROWS = 10;

/** What a sheet shows of the words that hold for all sheets. */
function shownBy(proposal: Proposal | NoProposal): ReadonlyMap<string, Shown> {
  if ("problem" in proposal) return new Map();
  const known = proposal.choices.filter(
    (choice) =>
      SHARED.test(choice.place) && (!isOpen(choice) || (choice.place.endsWith(".unit") && proposal.rows >= LEAST_ROWS)),
  );
  return new Map(known.map((choice) => [choice.place, { value: choice.value, isSure: !isOpen(choice) }]));
}

/** Whether two values can't hold for one column. Formats that can be told apart go together. */
function contradicts(place: string, value: string, other: string): boolean {
  if (!place.endsWith(".format")) return value !== other;
  const [own, others] = [durationWords(value).format, durationWords(other).format];
  return own.some(
    (one) =>
      !others.includes(one) &&
      INDISTINGUISHABLE.some(
        (group) => group.some((word) => word === one) && others.some((word) => group.some((known) => known === word)),
      ),
  );
}
