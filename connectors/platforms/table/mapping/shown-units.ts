/** Finds the units of a table when its columns don't name them. Its rows may show them by values that don't depend on units. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { UnitOf } from "../../../../transforms/units.ts";

/** Kilometres, metres and degrees Celsius, or miles, feet and degrees Fahrenheit. */
export type System = "metric" | "imperial";

/** Gives the text of a row's cell by the name of its column; "" if there is no such cell. */
export type CellOf = (column: string) => string;

/** The unit of roads among those that a person gave: kilometres or miles. Undefined if the person gave neither. */
export function givenForRoads(given: readonly UnitOf<"distance">[]): UnitOf<"distance"> | undefined {
  return given.find((unit) => unit === "km" || unit === "mi");
}

/**
 * Among the rows that show a system, this share must show the same one. A lap on the track may be a few steps short, but a whole table
 * isn't.
 */
const SAME_SHARE = 0.8;

/** Counts the systems that rows show. */
export class ShownUnits {
  readonly #rows: Record<System, number> = { metric: 0, imperial: 0 };

  add(system: System | undefined): void {
    if (system !== undefined) this.#rows[system]++;
  }

  /** The system that most rows show; undefined if no row shows one, or if the rows contradict each other. */
  get system(): System | undefined {
    const { metric, imperial } = this.#rows;
    const most = metric > imperial ? "metric" : "imperial";
    return this.#rows[most] > 0 && this.#rows[most] >= (metric + imperial) * SAME_SHARE ? most : undefined;
  }

  /** The remark on how the distances are read; undefined if no row shows it. */
  get issue(): Issue | undefined {
    const { system } = this;
    if (system === undefined) return undefined;
    const found = `steps and strides of ${this.#rows[system]} rows show that distances are in ${system === "metric" ? "kilometres" : "miles"}`;
    // The unit is a conclusion and not a fact of the file, so a person sees it before anything is loaded.
    return { severity: "warning", rule: "table/shown-unit", found, expected: "a unit in the header, which has none" };
  }
}
