/**
 * Choice points: a run that asks what goes wrong next, and is run again until every answer was given at every question.
 */

/** What may be answered. The first is how it goes when nothing is wrong. */
export interface Option {
  readonly name: string;
  /** Faults it takes of those allowed. */
  readonly faults: 0 | 1;
}

interface Taken {
  readonly question: string;
  readonly index: number;
  readonly options: readonly Option[];
}

/** Answers the questions of one run: as it is told first, and then by the first option. */
export class Choices {
  readonly taken: Taken[] = [];
  #left: number;
  readonly #told: readonly Taken[];

  /** @param left faults that may still happen */
  constructor(told: readonly Taken[], left: number) {
    this.#told = told;
    this.#left = left;
  }

  get faultsLeft(): number {
    return this.#left;
  }

  choose(question: string, all: readonly Option[]): string {
    const options = all.filter(({ faults }) => faults <= this.#left);
    const told = this.#told[this.taken.length];
    if (told !== undefined && told.question !== question) {
      throw new Error(`Not the same run: asked ${question} where it had been ${told.question}`);
    }
    const index = told?.index ?? 0;
    const option = options[index] as Option;
    this.taken.push({ question, index, options });
    this.#left -= option.faults;
    return option.name;
  }

  /** The questions and what was answered, without what went well. */
  describe(): string {
    const answers = this.taken.map(({ question, index, options }) => ({ question, option: options[index] as Option }));
    return answers
      .filter(({ option }, at) => option.faults > 0 || at === 0)
      .map(({ question, option }) => `${question}: ${option.name}`)
      .join("; ");
  }

  /** What the next run is told, depth first; undefined when every answer was given. */
  next(): readonly Taken[] | undefined {
    const told = [...this.taken];
    for (;;) {
      const last = told.pop();
      if (last === undefined) return undefined;
      if (last.index + 1 < last.options.length) return [...told, { ...last, index: last.index + 1 }];
    }
  }
}
