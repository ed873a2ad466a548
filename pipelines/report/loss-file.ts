/** The values that the log doesn't hold, as a CSV file that a spreadsheet opens without running any of it. */
import { type Cell, csvText, guarded } from "../../connectors/formats/csv/write.ts";
import { shortId } from "../journal/short-id.ts";
import type { Loss } from "./losses.ts";

/** A column: its header, and the cell of a loss. */
type Column = readonly [header: string, cell: (loss: Loss) => string | undefined];

const COLUMNS: readonly Column[] = [
  ["loss", ({ loss }) => loss],
  ["source", ({ origin }) => origin.archive],
  ["file", ({ origin }) => origin.entry],
  ["place", ({ origin }) => origin.locator],
  ["kind", ({ line }) => line.kind],
  ["date", ({ date }) => date],
  ["title", ({ title }) => title],
  ["field", ({ field }) => field],
  ["value", ({ value }) => value],
  ["kept", ({ kept }) => kept],
  ["why", ({ why }) => why],
  ["id", ({ line }) => shortId(line.key)],
  ["log id", ({ line }) => line.remoteId],
];

/** The first line of the file, by which logferry recognises its own. */
export const LOSS_HEADER = COLUMNS.map(([header]) => header).join(",");

/** A date stays as it is, so that a spreadsheet can sort by it. */
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The text of the file, row by row. */
export function lossText(losses: AsyncIterable<Loss>): AsyncIterable<string> {
  return csvText(rows(losses), { byteOrderMark: true, raw: true });
}

async function* rows(losses: AsyncIterable<Loss>): AsyncIterable<readonly Cell[]> {
  yield COLUMNS.map(([header]) => header);
  for await (const loss of losses) {
    yield COLUMNS.map(([header, read]) => {
      const cell = read(loss);
      return cell === undefined || (header === "date" && DATE.test(cell)) ? cell : guarded(cell);
    });
  }
}
