/** Counts the workouts of a source that a plan holds back for a person to look at, though they can be read. */
import type { ReadContext } from "../../connectors/contract.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Reading } from "../../transforms/model/item.ts";
import { judge } from "../../transforms/plausibility/judge.ts";
import { activityNamed } from "../../transforms/steps/name-activity.ts";
import { type TableFinding, TablesWatch } from "./unit-columns.ts";

/** The workouts that a plan holds back. */
export class HeldBack {
  readonly #tables = new TablesWatch();
  readonly #sports: ReadContext["sports"];
  readonly #now: number | undefined;
  /** Workouts without a known sport. */
  withoutSport = 0;
  /** Other workouts that can't be true. */
  implausible = 0;

  /** @param now milliseconds since 1970; without it, no date counts as in the future */
  constructor(sports: ReadContext["sports"], now?: number) {
    this.#sports = sports;
    this.#now = now;
  }

  /** Called with a table before its rows. */
  get open(): TablesWatch["open"] {
    return this.#tables.open;
  }

  /** Counts a record. @returns why it can't be true */
  see(reading: Reading): Issue | undefined {
    const verdict = this.#tables.see(reading);
    if (reading.kind !== "workout") return undefined;
    const { value, origin } = reading;
    const issue = verdict ?? judge(value, value.activity, this.#now);
    // A plan asks for the sport first.
    if (activityNamed(value, this.#sports) === undefined) this.withoutSport++;
    else if (issue !== undefined) this.implausible++;
    return issue && { ...issue, severity: "warning", origin };
  }

  /** The problems with the columns of tables, after all rows. */
  findings(): readonly TableFinding[] {
    return this.#tables.findings();
  }
}
