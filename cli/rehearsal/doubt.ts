/**
 * The words of the page of decisions of a rehearsal: doubts, and buttons for the decisions about them. The service draws them, and its types say what it
 * draws. Here each button has what it does, too.
 */
import type * as page from "../../service/pages/decisions.ts";
import { grouped } from "../../transforms/text/grouped.ts";
import { many } from "../terminal/output.ts";

/** What a button does: an action of `quarantine` with its words, or an answer of `plan review`. */
export type DoubtAction =
  | { readonly quarantine: readonly string[]; readonly allows?: true }
  | { readonly answer: string }
  | { readonly forget: string };

/** A button. The page shows its command, and sends the command back. */
export interface DoubtButton extends page.DecisionButton {
  readonly action: DoubtAction;
}

/** A form for typed values. The page sends its command back with them. */
export interface DoubtForm extends page.DecisionForm {
  /** The id of the record that the form fixes; undefined for a setting of the next rehearsal. */
  readonly fixes?: string;
}

/** Two records side by side. */
export type DoubtSides = page.Sides;

/** A record or a pair to decide about. */
export interface Doubt extends page.Doubt {
  readonly buttons: readonly DoubtButton[];
  readonly form?: DoubtForm | undefined;
}

/** Doubts with one cause. */
export interface DoubtGroup extends page.DoubtGroup {
  readonly buttons: readonly DoubtButton[];
  readonly form?: DoubtForm | undefined;
  readonly doubts: readonly Doubt[];
}

/** All doubts of a rehearsal. */
export interface Doubts extends page.Doubts {
  readonly groups: readonly DoubtGroup[];
}

/** The doubts of a group that a page shows. Those without a decision come first. */
const SHOWN = 20;

/** Which doubts of a group a page shows. */
export type GroupView = page.GroupView;

/** The part of a group that a page shows: its first doubt, the one behind its last, and the words and links to the others. */
export interface Shown extends Pick<DoubtGroup, "more" | "pages"> {
  readonly from: number;
  readonly until: number;
}

/**
 * Which of the doubts of a group are shown.
 *
 * @param all the number of its doubts
 * @param called one of them: `pair`
 */
export function shownOf(id: string, all: number, called: string, view: GroupView | undefined): Shown {
  const last = Math.max(0, Math.floor((all - 1) / SHOWN) * SHOWN);
  const from = view?.group === id ? Math.min(Math.floor(view.from / SHOWN) * SHOWN, last) : 0;
  const until = Math.min(from + SHOWN, all);
  const others = all - (until - from);
  if (others === 0) return { from, until };
  return {
    ...{ from, until },
    more: `${grouped(from + 1)} to ${grouped(until)} of ${many(all, called)}.`,
    pages: [
      ...(from > 0 ? [{ label: `The ${SHOWN} before`, from: from - SHOWN }] : []),
      ...(until < all ? [{ label: `The next ${grouped(Math.min(SHOWN, all - until))}`, from: until }] : []),
    ],
  };
}
