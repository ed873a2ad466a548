/** Ids that a spreadsheet program rounded. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { RowCells } from "../columns/row-cells.ts";

/** The rule of remarks about rounded ids. */
export const ROUNDED_ID = "table/rounded-id";

/** A number of more than eleven digits, as a spreadsheet program saves it: `1,61235E+10`, `5E+17`. Its last digits are lost. */
const ROUNDED = /^\d(?:[.,]\d{1,15})?E\+\d{1,2}$/i;

/**
 * The id of a platform's row. Many rows have the same id after a spreadsheet program rounded it, so a rounded one is none.
 *
 * @param report receives the remark about a rounded id
 * @returns the id, or else the text in its place
 */
export function idOf(
  row: RowCells,
  report?: (issue: Issue) => void,
): { readonly id: string | undefined; readonly rounded?: string } {
  const id = row.text("id");
  if (id === undefined || row.rules !== "table" || !ROUNDED.test(id)) return { id };
  const expected =
    "all digits of the id. A spreadsheet program rounded it, so the row counts by its file or its values";
  report?.({ severity: "warning", rule: ROUNDED_ID, field: row.nameOf("id"), found: id, expected });
  return { id: undefined, rounded: id };
}
