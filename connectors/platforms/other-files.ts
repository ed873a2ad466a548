/** Files of an archive that a connector passes over: counted, and the first ones named. */
import type { Issue } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";

/** How many are named. */
const NAMED = 5;

/** Columns of a name: the end of a path says more than its beginning, and a folder may hold many. */
const NAME_WIDTH = 60;

/** Counts files that are not read. */
export class OtherFiles {
  readonly #names: string[] = [];
  #count = 0;

  add(path: string): void {
    this.#count++;
    if (this.#names.length < NAMED) this.#names.push(printable(path, NAME_WIDTH));
  }

  /**
   * The remark about them; undefined where there are none. `found` names the first ones, `expected` says what is read.
   *
   * @param rule ends in `/other-files`: `inspect` tells these apart
   */
  issue(rule: `${string}/other-files`, expected: string): Issue | undefined {
    if (this.#count === 0) return undefined;
    const more = this.#count - this.#names.length;
    const found = `${this.#names.join(", ")}${more > 0 ? " ..." : ""}`;
    return { severity: "info", rule, found, expected, count: this.#count };
  }
}
