/** Exports that a test writes, and cells of a sheet as SheetJS reads them. */
import type { WorkSheet } from "@e965/xlsx";
import { beforeEach } from "vitest";
import type { LogRecord } from "../../connectors/api/source.ts";
import { type Choice, choose, EVERYTHING } from "../../connectors/exports/choose.ts";
import { type ExportFormat, FORMATS } from "../../connectors/exports/formats.ts";
import type { ExportedFile } from "../../connectors/exports/writer.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { fullLog } from "./full-log.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
/** Every test begins with an empty folder and without an issue. */
export const folder = temporaryFolder();
export let issues: Issue[];

beforeEach(() => {
  issues = [];
});

export async function write(
  format: ExportFormat,
  records: readonly LogRecord[] = fullLog(),
  { choice = EVERYTHING, rawCsv = false, gzip = false }: { choice?: Choice; rawCsv?: boolean; gzip?: boolean } = {},
): Promise<readonly ExportedFile[]> {
  const report = (issue: Issue) => issues.push(issue);
  const writer = await FORMATS[format].open({ folder, choice, rawCsv, gzip, now: NOW, report });
  for (const record of records) {
    if (choice.kinds.has(record.kind)) {
      await writer.write({ ...record, value: choice.prune(record.kind, record.value) } as LogRecord);
    }
  }
  return writer.finish();
}

export function chosen(kinds: string[] | undefined, fields: string[] | undefined): Choice {
  const choice = choose(kinds, fields);
  if ("unknown" in choice) throw new RangeError(choice.unknown);
  return choice;
}

/** Cells of a sheet as SheetJS has them. */
export function cellsOf(
  sheet: WorkSheet | undefined,
): [place: string, cell: { t: string; v: unknown; f?: string; w?: string }][] {
  return Object.entries(sheet ?? {}).filter(([place]) => !place.startsWith("!")) as never;
}

/** The cells of a column, by its header in the first row. */
export function columnOf(
  sheet: WorkSheet | undefined,
  header: string,
): (ReturnType<typeof cellsOf>[number][1] | undefined)[] {
  const cells = cellsOf(sheet);
  const head = cells.find(([place, cell]) => /^[A-Z]+1$/.test(place) && cell.v === header);
  const letters = head?.[0].replace("1", "") ?? "?";
  const rows = Math.max(...cells.map(([place]) => Number(/\d+$/.exec(place)?.[0])));
  const byPlace = new Map(cells);
  return Array.from({ length: rows - 1 }, (_, index) => byPlace.get(`${letters}${index + 2}`));
}
