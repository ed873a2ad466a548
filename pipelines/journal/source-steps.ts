/** Tells to which steps the sources of a journal, and the people who type into its log, round distances and durations. */
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import { StepCounter, stepsOfWorkout, type ValueSteps } from "../../transforms/matching/value-steps.ts";
import type { JournalReader } from "./journal.ts";
import type { Line } from "./line.ts";
import type { ClaimedEntry } from "./remote-record.ts";

/** The steps of the sources of each run, and those of the log. Each is counted once, when it is first asked for. */
export class SourceSteps {
  readonly #journal: JournalReader;
  readonly #byRun = new Map<number, ReadonlyMap<number, ValueSteps>>();
  #typed: ValueSteps | undefined;

  constructor(journal: JournalReader) {
    this.#journal = journal;
  }

  /** The steps to which a source of a run rounds. */
  async ofSource({ run, source }: Pick<Line, "run" | "source">): Promise<ValueSteps> {
    const known = this.#byRun.get(run) ?? (await this.#read(run));
    this.#byRun.set(run, known);
    return known.get(source) ?? {};
  }

  /** The steps to which the values of a workout of a source are rounded. */
  async ofWorkout(line: Pick<Line, "run" | "source">, facts: WorkoutFacts): Promise<ValueSteps> {
    return stepsOfWorkout(facts, await this.ofSource(line));
  }

  /** The steps to which the values of a record of the log are rounded: those of the source it was loaded from, or of the person who typed it. */
  async ofRecord({ claimedBy, facts }: ClaimedEntry): Promise<ValueSteps> {
    if (facts === undefined) return {};
    const loaded = claimedBy === undefined ? undefined : await this.#journal.remoteRecord(claimedBy);
    const line = loaded && (await this.#journal.lineWithKey(loaded.run, loaded.key));
    return line === undefined ? stepsOfWorkout(facts, await this.#ofTyped()) : this.ofWorkout(line, facts);
  }

  async #ofTyped(): Promise<ValueSteps> {
    if (this.#typed !== undefined) return this.#typed;
    const counter = new StepCounter();
    for await (const workout of this.#journal.links.typedMeasures()) counter.see(workout);
    this.#typed = counter.steps();
    return this.#typed;
  }

  async #read(run: number): Promise<ReadonlyMap<number, ValueSteps>> {
    const counters = new Map<number, StepCounter>();
    for await (const { source, ...workout } of this.#journal.links.measures(run)) {
      const counter = counters.get(source) ?? new StepCounter();
      counters.set(source, counter);
      counter.see(workout);
    }
    return new Map([...counters].map(([source, counter]) => [source, counter.steps()]));
  }
}
