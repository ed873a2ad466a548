/** Tells mapping files and tables among the files of an archive, by their names. */
import { printable } from "../../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";

const NAMED_FOLDER = "--map/";

/**
 * The path under which `withEntries` adds a mapping file from elsewhere to an archive. If there is such a file, no other mapping file of the
 * archive counts.
 *
 * @param name the file's own, for messages
 */
export function namedMapping(name: string): string {
  return NAMED_FOLDER + name;
}

const MAPPING_ENDING = /\.map\.ya?ml$/i;
/** `.xls` and `.numbers` can't be read. Their messages say what to do. */
const TABLE_ENDING = /\.(csv|tsv|txt|tab|xlsx|xlsm|ods|fods|xls|numbers)$/i;

/** Whether a file is a mapping by its name: `log.map.yaml`. */
export function isMappingName(name: string): boolean {
  return MAPPING_ENDING.test(name);
}

/** Whether a file is a table by its name. A zip with a table inside is none. */
export function isTableName(name: string): boolean {
  return TABLE_ENDING.test(name);
}

/** Whether a mapping file belongs to a table by its name: `log.csv.map.yaml` or `log.map.yaml` to `log.csv`. */
export function isNamedFor(mapping: string, table: string): boolean {
  const stem = stemOf(mapping);
  return stem !== mapping && (table === stem || table.replace(TABLE_ENDING, "") === stem);
}

/** The path of a mapping file without its ending. */
export function stemOf(mapping: string): string {
  return mapping.replace(MAPPING_ENDING, "");
}

/** The path of a mapping file as a person knows it. */
export function shownPath(path: string): string {
  return printable(path.startsWith(NAMED_FOLDER) ? path.slice(NAMED_FOLDER.length) : path);
}

/** The mapping files of an archive, by path. */
export function mappingEntries(archive: Archive): Entry[] {
  const entries = [...archive.entries()];
  const named = entries.filter(isNamed);
  return named.length > 0 ? named : entries.filter(({ path }) => MAPPING_ENDING.test(path));
}

/** The files that could be tables, by path. */
export function tableEntries(archive: Archive): Entry[] {
  return [...archive.entries()].filter((entry) => TABLE_ENDING.test(entry.path) && !isNamed(entry));
}

function isNamed({ path }: Entry): boolean {
  return path.startsWith(NAMED_FOLDER);
}
