/** The rows of a table after the rules of its description: a rule skips a row, holds it back, or sets values of it. */
import { defined } from "../../../../transforms/model/defined.ts";
import type { Issue, Origin } from "../../../../transforms/model/issue.ts";
import type { UnsupportedValue } from "../../../../transforms/model/workout.ts";
import type { ReportAt, SheetRow } from "../cells/sheet-row.ts";
import type { Columns } from "../columns/columns.ts";
import type { Overrides } from "../columns/row-cells.ts";
import type { RuleFamily } from "../mapping/rule-names.ts";
import type { CellOf } from "../mapping/shown-units.ts";
import { stubOf } from "../reading/cut-row.ts";
import type { FilledRow } from "../shapes/shape.ts";
import type { MatchRule } from "./rules.ts";
import { computed } from "./uncomputed.ts";

/** A table, and the rules for its rows. */
interface RowsWithRules {
  readonly rows: (report?: ReportAt) => AsyncIterable<SheetRow>;
  readonly columns: Columns;
  readonly match: MatchRule;
  readonly rules?: RuleFamily;
}

/** A row after the mapping's rules. It is skipped, waits for a person, or has the values that the rules set. */
export type RuledRow = { readonly origin: Origin } & (
  | (Pick<FilledRow, "fields" | "missing" | "remarks"> & {
      readonly skip: string | undefined;
      readonly added?: readonly UnsupportedValue[];
      readonly hold?: string | undefined;
      readonly set: Overrides;
    })
  | { readonly error: Issue; readonly known?: string; readonly endsFile?: true }
);

/**
 * Gives the rows of a table with what its rules say of them.
 *
 * @param report gets the issues that cost no row
 */
export async function* ruledRows(
  { rows, columns, match, rules }: RowsWithRules,
  report?: ReportAt,
): AsyncGenerator<RuledRow> {
  for await (const row of rows(report)) {
    if (!("fields" in row)) {
      yield row;
      continue;
    }
    const { origin, cut, missing, remarks, added } = row;
    if (row.skip !== undefined) {
      yield { origin, fields: row.fields, ...(remarks && { remarks }), skip: row.skip, set: {} };
      continue;
    }
    const fields = row.fields.some(hasOtherLineEnds) ? row.fields.map(withLineEnds) : row.fields;
    const rule = match(cellsOf(fields, columns));
    const broken =
      rule?.skip === undefined ? cut : brokenOf({ ...row, fields }, { columns, match, ...defined({ rules }) });
    if (broken !== undefined) yield { origin, error: broken };
    else {
      const skip = rule?.skip ?? row.skipElse;
      yield { origin, fields, ...defined({ missing, remarks, added, hold: rule?.hold }), skip, set: rule?.set ?? {} };
    }
  }
}

/**
 * The issue of a row that is to be skipped, and isn't whole. A program writes its rows whole, and what is cut off would perhaps have kept the row from being
 * skipped. One of somebody's own sheet, such as a line of totals, may be incomplete: it is skipped if the cells that it has are enough for that.
 */
function brokenOf(
  { fields, cut, missing }: Pick<FilledRow, "fields" | "cut" | "missing">,
  { columns, match, rules }: Pick<RowsWithRules, "columns" | "match" | "rules">,
): Issue | undefined {
  if (rules === "table") return cut ?? stubOf(fields, missing);
  if (cut === undefined) return undefined;
  const cellOf = cellsOf(fields, columns);
  // The file may end within the last cell.
  const isWhole = (column: string) => (columns.indexOf(column) ?? -1) < fields.length - 1;
  const isSkippedAnyway = match((column) => (isWhole(column) ? cellOf(column) : undefined))?.skip !== undefined;
  return isSkippedAnyway ? undefined : cut;
}

/** Gives a cell of several lines the same line ends on every system. So a table that was saved again gives the same rows. */
function withLineEnds(cell: string): string {
  return cell.replaceAll("\r\n", "\n");
}

function hasOtherLineEnds(cell: string): boolean {
  return cell.includes("\r\n");
}

/** Gives the cell of a column by its name; empty for a column that the table lacks, and for a formula that was never computed. */
export function cellsOf(fields: readonly string[], { indexOf }: Columns): CellOf {
  return (column) => computed((fields[indexOf(column) ?? -1] ?? "").trim());
}
