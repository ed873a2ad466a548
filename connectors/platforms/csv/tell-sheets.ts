/** Tells of the sheets of a workbook that a mapping leaves: `inspect` of each sheet, `plan` and `import` of those that are not read. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { shellWord } from "../../../transforms/text/shell.ts";
import type { Entry } from "../../containers/archive.ts";
import { type OmittedSheets, SHEET_CAPS } from "../../formats/sheets/sheet.ts";
import type { ReadSession } from "../session.ts";
import { type CountedSheet, countedSheets, type FoundSheet, namesOfSheets } from "../table/workbook.ts";
import type { MappedSheets } from "./find-sheets.ts";

/** Counts the rows of sheets that are not read, or of all sheets if somebody wants to know. That takes another reading of these sheets. */
export async function tellSheets(
  session: ReadSession,
  table: Entry,
  { read, all, omitted }: MappedSheets,
  mappingPath: string,
): Promise<void> {
  if (all.length === 0) return;
  const origin = session.origin(table.path);
  if (omitted.count > 0) session.report(tooMany(omitted), origin);
  const isRead = (number: number) => read.some(({ sheet }) => sheet?.number === number);
  const left = all.filter(({ hasRows, number }) => hasRows && !isRead(number));
  const tell = session.context.readsWorkbook;
  if (tell !== undefined) {
    const counted = await countedSheets(session.archive, table);
    tell(
      table.path,
      counted.map((sheet) => ({ ...sheet, isRead: isRead(sheet.number) })),
    );
  } else if (left.length > 0)
    session.report(
      notRead(await countedSheets(session.archive, table, left.slice(0, MOST_NAMED)), left, table.path, mappingPath),
      origin,
    );
}

/** Most sheets that a remark names. Each costs a reading. */
const MOST_NAMED = 20;

function notRead(
  sheets: readonly CountedSheet[],
  left: readonly FoundSheet[],
  table: string,
  mappingPath: string,
): Issue {
  const count = left.length;
  const named = sheets.map(
    ({ name, rows, isHidden }) =>
      `${JSON.stringify(printable(name, 40))} (${counted(rows, "row")}${isHidden ? ", hidden" : ""})`,
  );
  const more = count > sheets.length ? ` and ${count - sheets.length} more` : "";
  const found = `${counted(count, "sheet")} not read: ${named.join(", ")}${more}`;
  // All sheets are all that a person sees.
  const orAll = left.every(({ isHidden }) => isHidden) ? "" : ", or sheets: all";
  const expected = `no workouts in ${count === 1 ? "it" : "them"}. A sheet of workouts with the same columns belongs into file.sheets of ${printable(mappingPath, 80)}${orAll}. One with other columns needs a mapping file of its own: logferry map infer ${shellWord(table)} --sheet NAME --out NAME.map.yaml`;
  return { severity: "warning", rule: "csv/sheet-not-read", found, expected };
}

function tooMany({ count, first }: OmittedSheets): Issue {
  const found = `${counted(count, "sheet")} past the first ${SHEET_CAPS.sheets}: ${namesOfSheets(first, count)}`;
  const expected = `at most ${SHEET_CAPS.sheets} sheets; these were not read: save them as a workbook of their own`;
  return { severity: "warning", rule: "csv/too-many-sheets", found, expected };
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
