/** The data collected while an archive with zips in it is opened: entries, refusals, and the shared caps. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { FatalError } from "../../errors.ts";
import { Allowance } from "../allowance.ts";
import { archiveIssue } from "../archive-issue.ts";
import type { ReadableEntry } from "../listed.ts";
import type { Limits, OpenOptions } from "../options.ts";
import { Spool } from "../spool.ts";

/** One archive during its opening. If the opening fails, its caller closes `spool`. */
export class Opening {
  readonly entries: ReadableEntry[] = [];
  readonly issues: Issue[] = [];
  readonly spool: Spool;
  readonly name: string;
  readonly allowance: Allowance;
  #counted = 0;

  /**
   * @param name of the outermost archive, for messages
   * @param allowance of the archive that this one is an entry of, if it is one
   */
  constructor(name: string, options: OpenOptions | undefined, allowance = new Allowance(options)) {
    this.name = name;
    this.allowance = allowance;
    this.spool = new Spool(this.limits, options?.tempFolder);
  }

  get limits(): Limits {
    return this.allowance.limits;
  }

  /**
   * Counts `more` entries, for the archive and all zips in it together.
   *
   * @throws FatalError `archive/too-many-entries`
   */
  count(more = 1): void {
    this.#counted += more;
    if (this.#counted <= this.limits.entries) return;
    const message = `Cannot open ${printable(this.name)}: it holds more than ${this.limits.entries} files; raise --max-entries if that is right`;
    throw new FatalError("archive/too-many-entries", "source", message);
  }

  /** Notes that an entry was left out, and why. */
  refuse(rule: string, path: string, details: Pick<Issue, "found" | "expected"> = {}): void {
    this.issues.push(archiveIssue("error", rule, this.name, path, details));
  }

  /** Notes a problem that costs little or no data. */
  remark(
    severity: "info" | "warning",
    rule: string,
    path: string | undefined,
    details: Pick<Issue, "found" | "expected" | "count"> = {},
  ): void {
    this.issues.push(archiveIssue(severity, rule, this.name, path, details));
  }
}
