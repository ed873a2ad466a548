/** What logferry decides about a table, with the evidence; and what it leaves open. */

/** One decision about a table, or one question. */
export interface Choice {
  /** The word of the mapping file that it is about: `dates.order`, `columns.Distance.unit`. */
  readonly place: string;
  /** The chosen value. For an open choice: the likeliest one. */
  readonly value: string;
  /** The evidence, for people: `km, not mi: 12 of 40 rows would be faster than the world record`. */
  readonly why: string;
  /** Rows that contradict the choice, and the rows that were looked at. */
  readonly contradicting: number;
  readonly rows: number;
  /** For an open choice: the values to choose from. */
  readonly options?: readonly Option[];
  /** For an open choice: the question. */
  readonly question?: string;
  /** For an open choice: nothing in the table speaks for one of the answers, so none of them is the usual one. */
  readonly isUnproven?: true;
}

/** A value to choose. */
export interface Option {
  readonly value: string;
  /** Its meaning, for people: `day before month: 3/4 is 3 April`. */
  readonly means: string;
  /** What a person writes into a mapping file for it, where that isn't the value. */
  readonly writes?: string;
}

/** A choice that is not decided. */
export type OpenChoice = Choice & Required<Pick<Choice, "options" | "question">>;

/** Whether a choice waits for an answer. */
export function isOpen(choice: Choice): choice is OpenChoice {
  return choice.options !== undefined;
}

/** A person's answers, by place. */
export type Answers = ReadonlyMap<string, string>;
