/** Watches the rows of tables for a column that is read in a wrong unit, while a source is planned or inspected. */
import type { Issue, Origin } from "../../transforms/model/issue.ts";
import type { Reading } from "../../transforms/model/item.ts";
import {
  type ColumnField,
  type ColumnFinding,
  ColumnTally,
  type UnitColumns,
} from "../../transforms/plausibility/columns.ts";
import { judge } from "../../transforms/plausibility/judge.ts";
import type { Journal } from "../journal/journal.ts";

/** A finding, and its table. */
export interface TableFinding extends ColumnFinding {
  readonly origin: Origin;
}

/** The tables of one source. */
export class TablesWatch {
  readonly #tables = new Map<string, { readonly tally: ColumnTally; readonly origin: Origin }>();

  /** Called with a table before its rows. */
  readonly open = (table: Origin, columns: UnitColumns): void => {
    this.#tables.set(table.entry, { tally: new ColumnTally(columns), origin: table });
  };

  /** Counts a row of a table, and ignores any other record. @returns why it can't be true */
  see(reading: Reading): Issue | undefined {
    if (reading.kind !== "workout") return undefined;
    const { value, origin } = reading;
    const verdict = judge(value, value.activity);
    this.#tables.get(origin.entry)?.tally.add(value, verdict);
    return value.doubts?.[0]?.issue ?? verdict;
  }

  /** The problems with the columns, after all rows. */
  findings(): readonly TableFinding[] {
    return [...this.#tables.values()].flatMap(({ tally, origin }) => {
      const finding = tally.finding();
      return finding === undefined
        ? []
        : [{ ...finding, issue: { ...finding.issue, origin }, origin } satisfies TableFinding];
    });
  }
}

/**
 * Quarantines the planned rows of a table that have a value in the column, because most rows of this column can't be true. It leaves alone
 * rows that a person fixed, rows that were loaded unchanged before, and rows that another source confirms.
 */
export async function holdColumn(
  journal: Journal,
  run: number,
  source: number,
  { fields, issue, origin }: TableFinding,
  fixes: ReadonlyMap<string, unknown>,
): Promise<void> {
  const rows: number[] = [];
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    if (line.source !== source || line.origin.entry !== origin.entry) continue;
    const value: Partial<Record<ColumnField, unknown>> = line.value;
    if (fields.every((field) => value[field] === undefined) || fixes.has(line.key)) continue;
    const isLoaded = (await journal.remoteRecord(line.key))?.content === line.content;
    if (!isLoaded && (await journal.mergedInto(run, line.key)).length === 0) rows.push(line.seq);
  }
  const reason = `workout/implausible-column (${issue.found}; expected ${issue.expected})`;
  for (const seq of rows) await journal.patchLine(run, seq, { state: "quarantined", action: "none", reason });
}
