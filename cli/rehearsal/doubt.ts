/**
 * The words of the page of decisions of a rehearsal: doubts, and buttons for the decisions about them. The service draws them, and its types say what it
 * draws. Here each button has what it does, too.
 */
import type * as page from "../../service/pages/decisions.ts";

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

/** The doubts of a group that are shown. Those without a decision come first, so further ones come up as a person decides. */
export const SHOWN = 20;
