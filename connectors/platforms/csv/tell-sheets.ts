/** Tells `inspect` of the sheets in a workbook. */
import type { Entry } from "../../containers/archive.ts";
import type { ReadSession } from "../session.ts";
import { countedSheets } from "../table/workbook.ts";
import type { TableSheet } from "./find-sheets.ts";

/** Counts the rows of all sheets, if somebody wants to know. That takes another reading of the workbook. */
export async function tellSheets(session: ReadSession, table: Entry, read: readonly TableSheet[]): Promise<void> {
  const tell = session.context.readsWorkbook;
  if (tell === undefined || read.every(({ sheet }) => sheet === undefined)) return;
  const counted = await countedSheets(session.archive, table);
  const isRead = (number: number) => read.some(({ sheet }) => sheet?.number === number);
  tell(
    table.path,
    counted.map((sheet) => ({ ...sheet, isRead: isRead(sheet.number) })),
  );
}
