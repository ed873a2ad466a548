/** Finds the sheets of a workbook that a mapping file names. */
import { describeProblem } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { didYouMean } from "../../../transforms/text/suggestions.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { FatalError } from "../../errors.ts";
import { type OmittedSheets, WorkbookError } from "../../formats/sheets/sheet.ts";
import type { Mapping } from "../table/mapping/mapping.ts";
import {
  type FoundSheet,
  filledSheets,
  type ListedSheets,
  listedSheets,
  namesOfSheets,
  sheetNamed,
} from "../table/reading/workbook.ts";

/** A table to read: a text, or a sheet. */
export interface TableSheet {
  /** Undefined for a text. */
  readonly sheet: FoundSheet | undefined;
}

/** The sheets of a table, those to read among them. */
export interface MappedSheets {
  /** One element without a sheet for a text. */
  readonly read: readonly TableSheet[];
  /** All sheets; none for a text. */
  readonly all: readonly FoundSheet[];
  /** The sheets that the mapping says to ignore. */
  readonly ignored: readonly FoundSheet[];
  /** The sheets past the cap. */
  readonly omitted: OmittedSheets;
}

/**
 * The sheets that a mapping describes. Without `sheet` or `sheets`, it is the only sheet with rows.
 *
 * @throws FatalError with reason `source`: `csv/no-sheet`, `csv/which-sheet`, or the rule of a workbook that can't be used
 */
export async function mappedSheets(
  archive: Archive,
  table: Entry,
  { file }: Mapping,
  mappingPath: string,
): Promise<MappedSheets> {
  const listed = await sheetsIn(archive, table);
  const { sheets, omitted = { count: 0, first: [] } } = listed ?? {};
  const names = file.sheet === undefined ? file.sheets : [file.sheet];
  const mapping = printable(mappingPath);
  if (sheets === undefined) {
    if (names === undefined && file.ignoreSheets === undefined)
      return { read: [{ sheet: undefined }], all: [], ignored: [], omitted };
    throw refused(
      "csv/no-sheet",
      `Cannot use ${mapping}: ${printable(table.path)} is a text, and a text has no sheets`,
    );
  }
  const ignored = (file.ignoreSheets ?? []).map((name) => named(sheets, name, table, mapping));
  const reading = (chosen: readonly FoundSheet[]) => ({
    read: chosen.map((sheet) => ({ sheet })),
    all: sheets,
    ignored,
    omitted,
  });
  const filled = filledSheets(sheets).filter((sheet) => !ignored.includes(sheet));
  if (names === "all") return reading(filled);
  if (names !== undefined) return reading(names.map((name) => named(sheets, name, table, mapping)));
  const [first, ...others] = filled;
  if (first !== undefined && others.length === 0) return reading([first]);
  if (first === undefined)
    throw refused("csv/no-sheet", `Cannot read ${printable(table.path)}: none of its sheets has rows`);
  throw refused(
    "csv/which-sheet",
    `Cannot tell which sheet of ${printable(table.path)} to read: ${namesOfSheets([first, ...others])} have rows. Name one in ${mapping}, under file: sheet: ${JSON.stringify(printable(first.name, 40))}. For all of them: sheets: all`,
  );
}

async function sheetsIn(archive: Archive, table: Entry): Promise<ListedSheets | undefined> {
  try {
    return await listedSheets(archive, table);
  } catch (error) {
    if (error instanceof WorkbookError)
      throw refused(error.issue.rule, `Cannot read ${printable(table.path)}: ${describeProblem(error.issue)}`, error);
    if (error instanceof ArchiveError) throw refused(error.rule, error.message, error);
    throw error;
  }
}

function named(sheets: readonly FoundSheet[], name: string, table: Entry, mapping: string): FoundSheet {
  const found = sheetNamed(sheets, name);
  if (found !== undefined) return found;
  // A year is no misspelling of another one.
  const known = sheets.map((sheet) => printable(sheet.name, 40)).filter((one) => !/^\d+$/.test(one));
  const near = didYouMean(name.trim(), known);
  const has = `The sheets of ${printable(table.path)} are: ${namesOfSheets(sheets)}`;
  throw refused(
    "csv/no-sheet",
    `Cannot use ${mapping}: there is no sheet ${JSON.stringify(printable(name, 40))}${near || "."} ${has}`,
  );
}

function refused(rule: string, message: string, cause?: unknown): FatalError {
  return new FatalError(rule, "source", message, { cause });
}
