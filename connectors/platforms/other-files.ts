/** Counts the files of an archive that a connector does not read, and names the first ones. */
import type { Issue } from "../../transforms/model/issue.ts";
import { printablePath } from "../../transforms/text/printable-path.ts";

/** Number of files to name. */
const NAMED = 5;

/** Width of a name in columns. */
const NAME_WIDTH = 60;

/** Counts files that are not read. */
export class OtherFiles {
  readonly #names: string[] = [];
  readonly #tell: ((path: string) => void) | undefined;
  #count = 0;

  /** @param tell is told of every file, by its whole path */
  constructor(tell?: (path: string) => void) {
    this.#tell = tell;
  }

  add(path: string): void {
    this.#count++;
    this.#tell?.(path);
    if (this.#names.length < NAMED) this.#names.push(printablePath(path, NAME_WIDTH));
  }

  /**
   * The remark about these files; undefined if there are none. `found` names the first ones, and `expected` lists the formats that are read.
   *
   * @param rule ends in `/other-files`, so that `inspect` recognises these remarks
   */
  issue(rule: `${string}/other-files`, expected: string): Issue | undefined {
    if (this.#count === 0) return undefined;
    const more = this.#count - this.#names.length;
    const found = `${this.#names.join(", ")}${more > 0 ? " ..." : ""}`;
    return { severity: "info", rule, found, expected, count: this.#count };
  }
}
