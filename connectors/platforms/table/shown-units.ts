/** In which units a table is written whose columns don't say it: its rows may show it by values that don't depend on units. */
import type { Issue } from "../../../transforms/model/issue.ts";

/** Kilometres, metres and degrees Celsius, or miles, feet and degrees Fahrenheit. */
export type System = "metric" | "imperial";

/** Gives the text of a row's cell by the name of its column; "" where there is none. */
export type CellOf = (column: string) => string;

/** Of the rows that show anything, so many must show the same: a lap on the track is short by a few steps, a table isn't. */
const SAME_SHARE = 0.8;

/** Counts what rows show. */
export class ShownUnits {
  readonly #rows: Record<System, number> = { metric: 0, imperial: 0 };

  add(system: System | undefined): void {
    if (system !== undefined) this.#rows[system]++;
  }

  /** What most rows show; undefined where none shows anything, or they contradict each other. */
  get system(): System | undefined {
    const { metric, imperial } = this.#rows;
    const most = metric > imperial ? "metric" : "imperial";
    return this.#rows[most] > 0 && this.#rows[most] >= (metric + imperial) * SAME_SHARE ? most : undefined;
  }

  /** The remark that says how the distances are read; undefined where nothing shows it. */
  get issue(): Issue | undefined {
    const { system } = this;
    if (system === undefined) return undefined;
    const found = `steps and strides of ${this.#rows[system]} rows show that distances are in ${system === "metric" ? "kilometres" : "miles"}`;
    // A person sees it before anything is loaded: it is found out, and not read.
    return { severity: "warning", rule: "table/shown-unit", found, expected: "a unit in the header, which has none" };
  }
}
