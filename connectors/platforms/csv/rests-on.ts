/**
 * Refuses a table whose title, name or line of units says another unit or year than when its mapping was made: the columns are the same, and their values
 * are not.
 */
import { printable } from "../../../transforms/text/printable.ts";
import { shellWord } from "../../../transforms/text/shell.ts";
import { FatalError } from "../../errors.ts";
import { type SheetInfo, shownText } from "../../formats/sheets/sheet.ts";
import type { ReadSession } from "../session.ts";
import type { Mapping } from "../table/mapping/mapping.ts";
import { shownPath } from "../table/mapping/mapping-files.ts";
import { tableOptions } from "../table/reading/csv-rows.ts";
import { isRecord, readTable } from "../table/reading/read-table.ts";
import type { OpenWorkbook } from "../table/reading/workbook.ts";
import type { MappedTable } from "./find-mapping.ts";

/** A table, or one sheet of it. */
interface NamedTable extends MappedTable {
  readonly sheet: SheetInfo | undefined;
  readonly workbook: OpenWorkbook | undefined;
}

/** A place that says something of all rows. */
interface Place {
  readonly word: keyof NonNullable<Mapping["file"]["restsOn"]>;
  /** `the title of log.csv` */
  readonly where: string;
  /** What stood there when the mapping was made. */
  readonly before: string;
  readonly now: readonly string[];
}

/** @throws FatalError `csv/other-title` when a place that the mapping rests on says something else now */
export async function checkRestsOn(session: ReadSession, named: NamedTable): Promise<void> {
  for (const place of await placesOf(session, named)) {
    if (saysTheSame(place)) continue;
    const problem = await problemOf(place, named.mapping);
    if (problem !== undefined) throw refused(place, problem, named);
  }
}

function saysTheSame({ word, before, now }: Place): boolean {
  const text = now.join(" ");
  // `mi` also stands in `min`.
  return word === "units" ? text === before : text.includes(before);
}

async function placesOf(session: ReadSession, named: NamedTable): Promise<readonly Place[]> {
  const { table, mapping, sheet } = named;
  const { title, sheet: sheetName, name, units } = mapping.file.restsOn ?? {};
  const file = printable(shownPath(table.path));
  return [
    ...(title === undefined
      ? []
      : [{ word: "title", where: `the title of ${file}`, before: title, now: await titleOf(session, named) } as const]),
    ...(sheetName === undefined || sheet === undefined
      ? []
      : [{ word: "sheet", where: `the name of a sheet of ${file}`, before: sheetName, now: [sheet.name] } as const]),
    ...(name === undefined
      ? []
      : [
          {
            word: "name",
            where: "the name of the file",
            before: name,
            now: [table.path.split("/").at(-1) ?? ""],
          } as const,
        ]),
    ...(units === undefined
      ? []
      : [
          {
            word: "units",
            where: `the line of units of ${file}`,
            before: units,
            now: await unitsOf(session, named),
          } as const,
        ]),
  ];
}

/** The texts above the header. */
async function titleOf(session: ReadSession, named: NamedTable): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const [line, cells] of linesOf(session, named)) {
    if (line > named.mapping.file.skip) break;
    texts.push(...cells);
  }
  return texts;
}

/** The texts of the first row below the header. */
async function unitsOf(session: ReadSession, named: NamedTable): Promise<readonly string[]> {
  for await (const [line, cells] of linesOf(session, named))
    if (line > named.mapping.file.skip + 1 && cells.length > 0) return cells;
  return [];
}

/** The rows of a table from its first line on, each with its line and the cells that aren't empty. */
async function* linesOf(
  session: ReadSession,
  { table, mapping, sheet, workbook }: NamedTable,
): AsyncGenerator<readonly [line: number, cells: readonly string[]]> {
  for await (const row of readTable(session.archive, table, { ...tableOptions(mapping.file), sheet, workbook })) {
    if (!isRecord(row)) continue;
    const cells = row.cells?.map(shownText) ?? row.fields;
    yield [row.line, cells.flatMap((cell) => cell.trim() || [])];
  }
}

/** What the mapping takes from a place that doesn't say it any more; undefined if it still does. */
async function problemOf({ word, before, now }: Place, { columns, dates }: Mapping): Promise<string | undefined> {
  if (word === "units") return "the columns have their units";
  // Only here, because the words of units take a while to load.
  const { factsOf } = await import("../infer/mapping/rests-on.ts");
  const [said, says] = [factsOf([before]), factsOf(now)];
  const [name] =
    Object.entries(columns).find(([, { field, unit }]) => field === "distance" && unit === said.unit) ?? [];
  if (said.unit !== undefined && name !== undefined && says.unit !== said.unit)
    return `columns.${printable(name, 40)}.unit is ${said.unit}`;
  const { year } = dates;
  const isGone = said.years.some((one) => Math.abs(one - (year ?? 0)) <= 1 && !says.years.includes(one));
  // A file that is called otherwise says nothing, unless it says another year.
  const isSilent = word === "name" && says.years.length === 0;
  return year !== undefined && isGone && !isSilent ? `dates.year is ${year}` : undefined;
}

function refused(
  { word, where, before, now }: Place,
  takes: string,
  { table, mappingEntry, lineOf }: NamedTable,
): FatalError {
  const [was, is] = [before, now.join(" ")].map((text) => JSON.stringify(printable(text, 80)));
  const place = `file.restsOn.${word}`;
  return new FatalError(
    "csv/other-title",
    "source",
    `Cannot use ${shownPath(mappingEntry.path)}: line ${lineOf(["file", "restsOn", word])}: ${where} was ${was} when the mapping was made, and ${takes} because of it. Now it is ${is}. Propose again: logferry map infer ${shellWord(table.path)}. If the mapping is still right, write the new words into ${place}`,
  );
}
