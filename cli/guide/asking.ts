/** How the guide asks: the questions it may put, whoever shows them. `terminal-questions.ts` shows them on a terminal. */

/** The answer of a person who wants the question before this one again. */
export const BACK = Symbol("back");

/** The person ended the guide with Ctrl-C, or the terminal is gone. */
export class Stopped extends Error {
  constructor() {
    super("the guide was stopped");
    this.name = "Stopped";
  }
}

/** An answer to choose. */
export interface Answer<T> {
  readonly value: T;
  readonly label: string;
  /** A few words beside the answer. */
  readonly hint?: string | undefined;
}

/** A text to type. */
export interface TextQuestion {
  readonly question: string;
  /** The answer of Enter alone. Without it, an empty answer is wrong. */
  readonly usual?: string | undefined;
  /** What is wrong with a typed text; undefined if it is right. */
  readonly problem?: (text: string) => string | undefined;
}

/** Asks a person. Each question throws `Stopped` at Ctrl-C. */
export interface Asking {
  /** Offers answers. Enter takes the first one. */
  choose<T>(question: string, answers: readonly Answer<T>[]): Promise<T | typeof BACK>;
  /** Lets the person type a text. @returns it without blanks at its ends */
  type(question: TextQuestion): Promise<string | typeof BACK>;
  /** Prints sentences between questions, and a command below them. Sentences are broken to fit, the command never is. */
  say(sentence: string, command?: string): void;
}

/** A question among others. */
export interface Part<A> {
  /** Whether it is asked, after the answers so far. Default always. */
  readonly isAsked?: (answers: Partial<A>) => boolean;
  readonly ask: (answers: Partial<A>) => Promise<Partial<A> | typeof BACK>;
}

/** Asks one question after the other. Back leads to the last one that was asked. @returns BACK from the first question */
export async function askInOrder<A>(parts: readonly Part<A>[]): Promise<Partial<A> | typeof BACK> {
  const asked: { readonly at: number; readonly before: Partial<A> }[] = [];
  let answers: Partial<A> = {};
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    if (part === undefined || part.isAsked?.(answers) === false) continue;
    const answer = await part.ask(answers);
    if (answer !== BACK) {
      asked.push({ at, before: answers });
      answers = { ...answers, ...answer };
      continue;
    }
    const last = asked.pop();
    if (last === undefined) return BACK;
    answers = last.before;
    at = last.at - 1;
  }
  return answers;
}
