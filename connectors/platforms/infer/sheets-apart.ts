/** Finds sheets of one log whose values are written in another way: dates with the month first in one year, miles in another. */
import { INDISTINGUISHABLE } from "../table/fields.ts";
import { type Answers, type Choice, isOpen } from "./choice.ts";
import type { Proposal } from "./draft.ts";
import { durationWords } from "./mixed-durations.ts";
import type { NoProposal } from "./no-proposal.ts";
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
  const decided = each.map(({ name, proposal }) => ({ name, values: decidedBy(proposal) }));
  const shared = new Map(decided.toReversed().flatMap(({ values }) => [...values]));
  for (const [place, value] of decidedBy(all)) shared.set(place, value);
  const apart = decided.flatMap(({ name, values }): Apart[] => {
    const says = [...values].flatMap(([place, value]) => {
      const other = shared.get(place);
      return other === undefined || !contradicts(place, value, other) ? [] : [`${place} ${value} and not ${other}`];
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

/** The most sheets that the evidence names. */
const MOST_NAMED = 5;

/** What a proposal decides of the words that hold for all sheets. */
function decidedBy(proposal: Proposal | NoProposal): ReadonlyMap<string, string> {
  if ("problem" in proposal) return new Map();
  const decided = proposal.choices.filter((choice) => SHARED.test(choice.place) && !isOpen(choice));
  return new Map(decided.map(({ place, value }) => [place, value]));
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
