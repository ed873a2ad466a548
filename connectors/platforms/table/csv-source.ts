/** Rows of a CSV table of a platform, known by its name and its header. */
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { findEntry } from "../../containers/find.ts";
import { mappingEntries } from "../csv/find-mapping.ts";
import { fold, namesOf } from "./columns.ts";
import { csvRows, readHeader } from "./csv-rows.ts";
import type { FoundRows, RowSource } from "./description.ts";

/** Tables whose header is looked at, at the most: an archive may hold thousands. */
const MOST_LOOKED_AT = 20;

/**
 * A table by the name its platform gives it; under another name, the only one with its header. Where somebody wrote a mapping file for a
 * table, that says what it is.
 *
 * @param file the name; undefined for one that many tables have: then the columns alone, and any mapping file, say what it is
 * @param knownBy columns that every header has, each by its spellings
 */
export function csv(file: string | undefined, knownBy: readonly (string | readonly string[])[]): RowSource {
  const isOurs = (header: readonly string[]) => {
    const names = new Set(header.map(fold));
    return knownBy.every((spellings) => [spellings].flat().some((name) => names.has(fold(name))));
  };
  return {
    async find(archive: Archive): Promise<FoundRows | undefined> {
      const named = file === undefined ? undefined : findEntry(archive, file);
      const found =
        (await withHeader(archive, named === undefined ? [] : [named], isOurs)) ??
        (await onlyTableWith(archive, isOurs));
      if (found === undefined) return undefined;
      const { entry, header } = found;
      return {
        saw: `${printable(entry.path, 80)} with ${header.length} columns`,
        ...(entry !== named && { byContent: true }),
        entries: [entry],
        header: namesOf(header),
        rows: (session, _, mapping, report) => csvRows(session, entry, mapping.file, report),
        holds: (path) => path === entry.path,
      };
    },
  };
}

/** A table with its header. */
export interface Found {
  readonly entry: Entry;
  readonly header: readonly string[];
}

/** The only table of an archive that has our header; undefined where there are many tables, or a mapping file says what each is. */
export function onlyTableWith(
  archive: Archive,
  isOurs: (header: readonly string[]) => boolean,
): Promise<Found | undefined> {
  return withHeader(archive, tablesOf(archive), isOurs);
}

/** The only one of some tables that has our header. */
async function withHeader(
  archive: Archive,
  entries: readonly Entry[],
  isOurs: (header: readonly string[]) => boolean,
): Promise<Found | undefined> {
  const alike: Found[] = [];
  for (const entry of entries) {
    const header = await readHeader(archive, entry);
    if (header !== undefined && isOurs(header)) alike.push({ entry, header });
  }
  return alike.length === 1 ? alike[0] : undefined;
}

/** The tables to look at; none where there are too many, or a mapping file. */
function tablesOf(archive: Archive): readonly Entry[] {
  if (mappingEntries(archive).length > 0) return [];
  const tables: Entry[] = [];
  for (const entry of archive.entries()) {
    if (/\.csv$/i.test(entry.path) && tables.push(entry) > MOST_LOOKED_AT) return [];
  }
  return tables;
}
