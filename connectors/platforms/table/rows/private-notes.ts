/** Notes that only their writer could read on the platform. In the log, whoever may see a workout also reads its notes. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Columns } from "../columns/columns.ts";

/** Counts the private notes that become notes of workouts. */
export class PrivateNotes {
  readonly #indexes: readonly number[];
  #count = 0;

  constructor({ columns }: Columns) {
    this.#indexes = columns
      .filter(({ spec: { field, isPrivate } }) => isPrivate === true && field === "notes")
      .map(({ index }) => index);
  }

  /** Counts the notes of a row that is read. */
  add(fields: readonly string[]): void {
    for (const index of this.#indexes) if ((fields[index] ?? "").trim() !== "") this.#count++;
  }

  /** The remark about them; undefined without any. */
  issue(): Issue | undefined {
    if (this.#count === 0) return undefined;
    return {
      severity: "warning",
      rule: "table/private-notes",
      found: `${this.#count} private ${this.#count === 1 ? "note" : "notes"}`,
      expected: "notes that everyone who sees the workout may read: --no-private-notes leaves the private ones out",
    };
  }
}

/** The columns, with private notes as values that are counted as left. */
export function leavePrivateNotes(columns: Columns): Columns {
  return {
    ...columns,
    columns: columns.columns.map((column) =>
      column.spec.isPrivate === true
        ? { ...column, spec: { ...column.spec, field: "unsupported", label: "private note" } }
        : column,
    ),
  };
}
