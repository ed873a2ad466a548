/** Choice points. A run asks what goes wrong next. It runs again until every question has had every answer. */

/** A possible answer. The first one means that nothing goes wrong. */
export interface Option {
  readonly name: string;
  /** The number of allowed faults it uses. */
  readonly faults: 0 | 1;
}

interface Taken {
  readonly question: string;
  readonly index: number;
  readonly options: readonly Option[];
}

/** Answers the questions of one run: first with the given answers, and then with the first option. */
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

  /** The questions and their answers, without the ones where nothing went wrong. */
  describe(): string {
    const answers = this.taken.map(({ question, index, options }) => ({ question, option: options[index] as Option }));
    return answers
      .filter(({ option }, at) => option.faults > 0 || at === 0)
      .map(({ question, option }) => `${question}: ${option.name}`)
      .join("; ");
  }

  /** The answers for the next run, depth first; undefined when every answer was given. */
  next(): readonly Taken[] | undefined {
    const told = [...this.taken];
    for (;;) {
      const last = told.pop();
      if (last === undefined) return undefined;
      if (last.index + 1 < last.options.length) return [...told, { ...last, index: last.index + 1 }];
    }
  }
}
