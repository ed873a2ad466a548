/**
 * Finds rows of a text with more cells than its header. A mark too many in one cell, such as the decimal comma of `8,3` between commas, moves each
 * cell behind it to the next column. Nobody knows which cell it was, so no value of such a row is loaded by its place.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import { RULES } from "../table/mapping/rule-names.ts";
import { eachRow, type Shape } from "../table/shapes/shape.ts";

/** Rejects the rows of a text with filled cells behind the last column. In a workbook a cell there moves no other one. */
export function rejectExtraCells(): Shape {
  return (header) => ({
    header,
    rows: eachRow((row) => {
      const extra = row.fields.slice(header.length).filter((cell) => cell.trim() !== "");
      return [extra.length === 0 || row.cut !== undefined ? row : { ...row, cut: issueOf(row.fields, header.length) }];
    }),
  });
}

function issueOf(fields: readonly string[], columns: number): Issue {
  return {
    severity: "error",
    rule: RULES.csv["extra-cells"],
    found: `${fields.length} cells: ${fields.join(" | ")}`.slice(0, 100),
    expected: `${columns} cells, as the header has: put quotes around a text with the delimiter in it, or give the last column a header`,
  };
}
