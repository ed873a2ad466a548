/** Finds the mapping file of each table in an archive. */
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { findEntry } from "../../containers/find.ts";
import { sizeInWords } from "../../containers/sizes.ts";
import { FatalError } from "../../errors.ts";
import { decodeText } from "../../formats/text.ts";
import type { Mapping } from "../table/mapping/mapping.ts";
import { isNamedFor, mappingEntries, shownPath, stemOf, tableEntries } from "../table/mapping/mapping-files.ts";
import { MAPPING_BYTES } from "./limits.ts";
import type { LineOfKey } from "./mapping.ts";

/** A table and the meaning of its columns. */
export interface MappedTable {
  readonly table: Entry;
  readonly mapping: Mapping;
  readonly mappingEntry: Entry;
  readonly lineOf: LineOfKey;
}

/**
 * Finds the tables that have a mapping. A mapping belongs to a table in three cases: it is `log.csv.map.yaml` or `log.map.yaml` in the same folder,
 * its `file.name` names the table, or both are the only ones.
 *
 * @throws FatalError with reason `source`: `csv/bad-mapping` (every error of the file, with line and key), `csv/no-table`
 */
export async function mappedTables(archive: Archive): Promise<readonly MappedTable[]> {
  const mappings = mappingEntries(archive);
  const tables = tableEntries(archive);
  const pairs: MappedTable[] = [];
  for (const entry of mappings) {
    const { mapping, lineOf } = await readMapping(archive, entry);
    const table = tableOf(archive, entry, mapping, tables, mappings.length);
    if (table === undefined) {
      const wanted = mapping.file.name ?? `${stemOf(entry.path)}.csv`;
      throw new FatalError(
        "csv/no-table",
        "source",
        `Cannot use ${shownPath(entry.path)}: there is no ${printable(wanted)} beside it; name the table with file.name`,
      );
    }
    pairs.push({ table, mapping, mappingEntry: entry, lineOf });
  }
  return pairs;
}

async function readMapping(archive: Archive, entry: Entry): Promise<Pick<MappedTable, "mapping" | "lineOf">> {
  let bytes: Uint8Array;
  try {
    bytes = await archive.read(entry, MAPPING_BYTES);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    // The archive's options may allow larger files. No option allows a larger mapping file.
    const message =
      error.rule === "archive/too-large"
        ? `Cannot use ${shownPath(entry.path)}: it holds more than ${sizeInWords(MAPPING_BYTES)}, and a mapping file may hold no more. Is it the mapping, and not a table?`
        : error.message;
    throw new FatalError("csv/bad-mapping", "source", message, { cause: error });
  }
  const { parseMapping } = await import("./mapping.ts");
  const parsed = parseMapping(shownPath(entry.path), decodeText(bytes).text);
  if ("mapping" in parsed) return parsed;
  const [first, ...others] = parsed.errors;
  const more = others.map((error) => `  ${error}`);
  throw new FatalError("csv/bad-mapping", "source", `Cannot use the mapping: ${first}`, { more });
}

function tableOf(
  archive: Archive,
  entry: Entry,
  mapping: Mapping,
  tables: readonly Entry[],
  mappings: number,
): Entry | undefined {
  const folder = entry.path.slice(0, entry.path.lastIndexOf("/") + 1);
  if (mapping.file.name !== undefined)
    return archive.entry(folder + mapping.file.name) ?? findEntry(archive, mapping.file.name);
  const stem = stemOf(entry.path);
  const table = (path: string) => tables.find((each) => each.path === path);
  const named = table(stem) ?? tables.find(({ path }) => isNamedFor(entry.path, path));
  return named ?? (mappings === 1 && tables.length === 1 ? tables[0] : undefined);
}
