/** Names the cell of an issue in a workbook: `Sheet "2019", row 12, column C`. */
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import { columnLetters } from "../../formats/sheets/letters.ts";
import type { ReadSession } from "../session.ts";
import type { Columns } from "../table/columns/columns.ts";

/** The same session, with issues that name the cell where their field has a column. The place of a record is its row. */
export function withCellPlaces(session: ReadSession, columns: Columns): ReadSession {
  const placed = (issue: Issue, origin: Origin): Issue => {
    const column = issue.field === undefined ? undefined : columns.indexOf(issue.field);
    if (column === undefined || issue.origin !== undefined || origin.locator === undefined) return issue;
    return { ...issue, origin: { ...origin, locator: `${origin.locator}, column ${columnLetters(column)}` } };
  };
  return {
    ...session,
    report: (issue, origin) => session.report(placed(issue, origin), origin),
    reject: (as, key, origin, issue) => session.reject(as, key, origin, placed(issue, origin)),
  };
}
