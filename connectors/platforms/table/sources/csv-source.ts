/** The rows of a platform's CSV table. The table is recognised by its name and its header. */
import { printable } from "../../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { findEntry } from "../../../containers/find.ts";
import { addedValue, NewColumns } from "../cells/new-columns.ts";
import type { SheetRow } from "../cells/sheet-row.ts";
import { fold, namesOf } from "../columns/columns.ts";
import { firstName } from "../columns/second-columns.ts";
import type { AnyColumn, FoundRows, RowSource } from "../description.ts";
import { mappingEntries } from "../mapping/mapping-files.ts";
import { isNamedLike } from "../reading/copy-mark.ts";
import { csvRows, readHeader, type TableFile } from "../reading/csv-rows.ts";
import { headOf } from "../reading/head-of.ts";
import { inOtherUnits } from "./other-units.ts";

/** Most tables whose headers are checked, because an archive may hold thousands. */
const MOST_LOOKED_AT = 20;

/**
 * Finds a table by the name that its platform gives it. Under another name, it must be the only table with its header. If the archive has a mapping
 * file, other names are not searched, because the mapping file says what each table is.
 *
 * @param file the name; undefined if many tables have this name. Then only the columns, or a mapping file, identify the table
 * @param knownBy columns that every header has, each by its spellings
 * @param words `quotes: false` for a table that quotes nothing, and its delimiter where commas in its cells may outnumber it
 */
export function csv(
  file: string | undefined,
  knownBy: readonly (string | readonly string[])[],
  words: Pick<TableFile, "quotes"> & Partial<Pick<TableFile, "delimiter">> = {},
): RowSource {
  const isOurs = hasAll(knownBy);
  return {
    table: { called: file ?? "its table" },
    claims: (archive, entry) => hasHeader(archive, entry, isOurs, words.delimiter),
    async find(archive: Archive): Promise<FoundRows | undefined> {
      const named = file === undefined ? undefined : findEntry(archive, file);
      const found =
        (await withHeader(archive, named === undefined ? [] : [named], isOurs, words.delimiter)) ??
        (await onlyTableWith(archive, isOurs, likeName(file), words.delimiter)) ??
        (await onlyTableWith(archive, isOurs, UNICODE_TEXT, words.delimiter));
      if (found === undefined) return undefined;
      const { entry, header } = found;
      return {
        saw: `${printable(entry.path, 80)} with ${header.length} columns`,
        ...(entry !== named && { byContent: true }),
        entries: [entry],
        header: namesOf(header),
        rows: (session, _, mapping, report) => csvRows(session, entry, { ...mapping.file, ...words }, report),
        holds: (path) => path === entry.path,
      };
    },
  };
}

/**
 * Finds all tables of a platform that splits its rows over files. Their headers may differ, so each row is read by the header of its own file.
 *
 * @param files names of files that may be such tables
 * @param knownBy columns that every header has; or a function that recognises a header, for columns in many languages
 */
export function csvEach(
  files: RegExp,
  knownBy: readonly string[] | ((header: readonly string[]) => boolean),
): RowSource {
  const isOurs = typeof knownBy === "function" ? knownBy : hasAll(knownBy);
  return {
    table: { called: "its tables" },
    claims: (archive, entry) => hasHeader(archive, entry, isOurs),
    async find(archive: Archive, columns: readonly AnyColumn[]): Promise<FoundRows | undefined> {
      const named = [...archive.entries()].filter(({ path }) => isNamedLike(files, path));
      const first = await firstWithHeader(archive, named.slice(0, MOST_LOOKED_AT), isOurs);
      if (first === undefined) return undefined;
      const known = columns.flatMap(([theirs]) => theirs);
      // The other files stay closed until their rows are read, and an app writes all of them in the units of its owner.
      const others = inOtherUnits(first.header, columns);
      const header = [...known, ...others.map(({ name }) => name)];
      const isRead = new Set(header.map(fold));
      const read = new Set<string>();
      const added = new NewColumns();
      return {
        saw: `${printable(first.entry.path, 80)} with ${first.header.length} columns`,
        entries: [first.entry, ...named.filter((entry) => entry !== first.entry)],
        header,
        ...(others.length > 0 && { otherUnits: others.map((other, at) => ({ ...other, index: known.length + at })) }),
        async *rows(session, entry, mapping, report) {
          const theirs = await readHeader(session.archive, entry);
          if (theirs !== undefined && !isOurs(theirs)) return;
          read.add(entry.path);
          const names = namesOf(theirs ?? []).map(fold);
          // A delimiter at the end of the header makes a column without a name.
          const strangers = names.flatMap((name, index) => {
            const own = theirs?.[index] ?? "";
            return name !== "" && !isRead.has(name) && added.add(own, entry.path)
              ? [{ index, name: own, first: names.indexOf(fold(firstName(name))) }]
              : [];
          });
          const places = header.map((name) => names.indexOf(fold(name)));
          for await (const row of csvRows(session, entry, mapping.file, report))
            yield "fields" in row ? placed(row, places, strangers) : row;
        },
        holds: (path) => read.has(path),
        strangers: () => added.all(),
      };
    },
  };
}

/** A column that nobody here knows. */
interface StrangeColumn {
  readonly index: number;
  readonly name: string;
  /** The index of the first column with its name. */
  readonly first: number;
}

/** A row with the columns in their places, and the values of columns that nobody here knows. */
function placed(
  row: Extract<SheetRow, { readonly fields: unknown }>,
  places: readonly number[],
  strangers: readonly StrangeColumn[],
): SheetRow {
  const valueAt = (index: number) => (row.fields[index] ?? "").trim();
  const added = strangers.flatMap(({ index, name, first }) => {
    const value = valueAt(index);
    // A second column with the value of the first one loses nothing.
    return value === "" || (first !== index && value === valueAt(first)) ? [] : [addedValue(name, value)];
  });
  return { ...row, fields: places.map((place) => row.fields[place] ?? ""), ...(added.length > 0 && { added }) };
}

/** Whether a file is a table with our header, whatever it is called. */
export async function hasHeader(
  archive: Archive,
  entry: Entry,
  isOurs: (header: readonly string[]) => boolean,
  delimiter: TableFile["delimiter"] = "auto",
): Promise<boolean> {
  // The first record of a JSON file may be the whole file, and a Takeout has thousands of them.
  if (NO_TABLE.test(await headOf(archive, entry))) return false;
  const header = await readHeader(archive, entry, delimiter);
  return header !== undefined && isOurs(header);
}

/** The beginning of JSON and XML. */
const NO_TABLE = /^\s{0,100}[[{<]/;

async function firstWithHeader(
  archive: Archive,
  entries: readonly Entry[],
  isOurs: (header: readonly string[]) => boolean,
): Promise<Found | undefined> {
  for (const entry of entries) {
    const header = await readHeader(archive, entry);
    if (header !== undefined && isOurs(header)) return { entry, header };
  }
  return undefined;
}

function hasAll(knownBy: readonly (string | readonly string[])[]): (header: readonly string[]) => boolean {
  return (header) => {
    const names = new Set(header.map(fold));
    return knownBy.every((spellings) => [spellings].flat().some((name) => names.has(fold(name))));
  };
}

/** A table with its header. */
export interface Found {
  readonly entry: Entry;
  readonly header: readonly string[];
}

/** The only table of an archive with our header; undefined if there are too many tables, or if a mapping file describes them. */
export function onlyTableWith(
  archive: Archive,
  isOurs: (header: readonly string[]) => boolean,
  files = /\.csv$/i,
  delimiter: TableFile["delimiter"] = "auto",
): Promise<Found | undefined> {
  return withHeader(archive, tablesOf(archive, files), isOurs, delimiter);
}

/** A spreadsheet program gives its "Unicode Text" this ending, whatever the table was called. */
const UNICODE_TEXT = /\.txt$/i;

/** Names that a copy of a file may have. A table that isn't called CSV keeps its ending. */
function likeName(file: string | undefined): RegExp {
  return file?.toLowerCase().endsWith(".txt") === true ? /\.(?:csv|tsv|txt)$/i : /\.csv$/i;
}

/** The only one of these tables that has our header. */
async function withHeader(
  archive: Archive,
  entries: readonly Entry[],
  isOurs: (header: readonly string[]) => boolean,
  delimiter?: TableFile["delimiter"],
): Promise<Found | undefined> {
  const alike: Found[] = [];
  for (const entry of entries) {
    const header = await readHeader(archive, entry, delimiter);
    if (header !== undefined && isOurs(header)) alike.push({ entry, header });
  }
  return alike.length === 1 ? alike[0] : undefined;
}

/** The tables to check; none if there are too many, or a mapping file exists. */
function tablesOf(archive: Archive, files: RegExp): readonly Entry[] {
  if (mappingEntries(archive).length > 0) return [];
  const tables: Entry[] = [];
  for (const entry of archive.entries()) {
    if (files.test(entry.path) && tables.push(entry) > MOST_LOOKED_AT) return [];
  }
  return tables;
}
