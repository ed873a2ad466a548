/** The words of the page of decisions of a rehearsal: doubts, and buttons for the decisions about them. The service draws them. */

/** What a button does: an action of `quarantine` with its words, or an answer of `plan review`. */
export type DoubtAction =
  | { readonly quarantine: readonly string[]; readonly allows?: true }
  | { readonly answer: string }
  | { readonly forget: string };

/** A button. The page shows its command, and sends the command back. */
export interface DoubtButton {
  readonly label: string;
  readonly command: string;
  readonly action: DoubtAction;
}

/** A form for a fix by hand. The page sends its command back with the values. */
export interface DoubtForm {
  readonly label: string;
  readonly command: string;
  readonly fields: readonly {
    readonly name: string;
    readonly label: string;
    readonly hint?: string;
    readonly choices?: readonly string[];
    readonly isRequired: boolean;
    readonly value?: string | undefined;
  }[];
  /** The id of the record. */
  readonly fixes: string;
}

/** Two records side by side. */
export interface DoubtSides {
  readonly left: string;
  readonly right: string;
  readonly rows: readonly {
    readonly name: string;
    readonly left: string;
    readonly right: string;
    readonly differs: boolean;
  }[];
}

/** A record or a pair to decide about. */
export interface Doubt {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly sides?: DoubtSides;
  readonly workoutId?: string | undefined;
  /** Undefined while nothing was decided. */
  readonly decided?: string | undefined;
  readonly buttons: readonly DoubtButton[];
  readonly form?: DoubtForm | undefined;
}

/** Doubts with one cause. */
export interface DoubtGroup {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly buttons: readonly DoubtButton[];
  readonly doubts: readonly Doubt[];
  readonly more?: string | undefined;
}

/** All doubts of a rehearsal. */
export interface Doubts {
  readonly next?: { readonly text: string; readonly command: string };
  readonly text: string;
  readonly groups: readonly DoubtGroup[];
}

/** The doubts of a group that are shown. Those without a decision come first, so further ones come up as a person decides. */
export const SHOWN = 20;
