/** Tells of the sheets of a workbook that a mapping leaves: `inspect` of each sheet, `plan` and `import` of those that are not read. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { SHEETS_LEFT } from "../../../transforms/model/unread.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { shellWord } from "../../../transforms/text/shell.ts";
import type { Entry } from "../../containers/archive.ts";
import { type OmittedSheets, SHEET_CAPS } from "../../formats/sheets/sheet.ts";
import type { ReadSession } from "../session.ts";
import { findColumns } from "../table/columns/columns.ts";
import type { Mapping } from "../table/mapping/mapping.ts";
import {
  type CountedSheet,
  commentsIn,
  countedSheets,
  type FoundSheet,
  namesOfSheets,
} from "../table/reading/workbook.ts";
import type { MappedSheets } from "./find-sheets.ts";

/** Counts the rows of sheets that are not read, or of all sheets if somebody wants to know. That takes another reading of these sheets. */
export async function tellSheets(
  session: ReadSession,
  table: Entry,
  { read, all, ignored, omitted }: MappedSheets,
  mapping: Mapping,
  mappingPath: string,
): Promise<void> {
  if (all.length === 0) return;
  const origin = session.origin(table.path);
  if (omitted.count > 0) session.report(tooMany(omitted), origin);
  const withComments = commentsIn(all.filter((sheet) => read.some(({ sheet: one }) => one?.number === sheet.number)));
  if (withComments !== undefined) session.report(unreadComments(withComments), origin);
  const isRead = (number: number) => read.some(({ sheet }) => sheet?.number === number);
  const left = all.filter((sheet) => sheet.hasRows && !isRead(sheet.number) && !ignored.includes(sheet));
  const tell = session.context.readsWorkbook;
  if (tell !== undefined) {
    const counted = await countedSheets(session.archive, table);
    tell(
      table.path,
      counted.map((sheet) => ({ ...sheet, isRead: isRead(sheet.number) })),
    );
  } else if (left.length > 0) {
    const counted = await countedSheets(session.archive, table, left.slice(0, MOST_NAMED));
    session.report(notRead(counted, left, table.path, mappingPath), origin);
    // Only here, because the words of headers take a while to load.
    const { sheetsOfWorkouts } = await import("../infer/sheets/unread-logs.ts");
    const logs = await sheetsOfWorkouts(session.archive, table, left);
    const alike = counted.filter((sheet) => mayHoldWorkouts(sheet, mapping));
    const numbers = new Set([...alike, ...logs].map(({ number }) => number));
    const found = left
      .filter(({ number }) => numbers.has(number))
      .map((sheet) => counted.find(({ number }) => number === sheet.number) ?? sheet);
    if (found.length > 0) session.report(mayBeWorkouts(found, table.path, mappingPath), origin);
  }
}

/** Whether a sheet has the columns of the mapping, in whatever order: then its rows are those of the log, too. */
function mayHoldWorkouts({ first }: CountedSheet, mapping: Mapping): boolean {
  // Columns without names are those of any table.
  if (!mapping.file.header) return false;
  return first.some((header, index) => {
    const found = findColumns(header, mapping);
    return "columns" in found && first.length > index + 1 && found.columns.some(({ spec }) => DATES.has(spec.field));
  });
}

const DATES: ReadonlySet<string> = new Set(["date", "datetime", "instant"]);

function mayBeWorkouts(sheets: readonly (FoundSheet | CountedSheet)[], table: string, mappingPath: string): Issue {
  const names = sheets.map(({ name }) => `${table}: ${name}`);
  const found = sheets
    .slice(0, MOST_NAMED)
    .map(
      (sheet) =>
        `${JSON.stringify(printable(sheet.name, 40))}${"rows" in sheet ? ` (${counted(sheet.rows, "row")})` : ""}`,
    );
  const more = sheets.length > MOST_NAMED ? ` and ${sheets.length - MOST_NAMED} more` : "";
  const expected = `sheets of workouts in the file.sheets of a mapping file. Those that may stay out belong into file.ignoreSheets of ${printable(mappingPath, 80)}`;
  return {
    ...{ severity: "warning", rule: "csv/other-files", found: `${found.join(", ")}${more}`, expected },
    ...{ count: sheets.length, names },
  };
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
  const names = left.map(({ name }) => `${table}: ${name}`);
  return { severity: "warning", rule: SHEETS_LEFT, found, expected, names };
}

function unreadComments({ count, words }: NonNullable<ReturnType<typeof commentsIn>>): Issue {
  return {
    ...{ severity: "warning", rule: "csv/cell-comments", found: `comments on cells ${count} (${words})` },
    expected: "none: they are left. What belongs to a workout can stand in a column",
  };
}

function tooMany({ count, first }: OmittedSheets): Issue {
  const found = `${counted(count, "sheet")} past the first ${SHEET_CAPS.sheets}: ${namesOfSheets(first, count)}`;
  const expected = `at most ${SHEET_CAPS.sheets} sheets; these were not read: save them as a workbook of their own`;
  return { severity: "warning", rule: "csv/too-many-sheets", found, expected };
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
