/** Watch files that lie beside a person's spreadsheet become a source of their own, as those in the folder of an export do. */
import type { Archive } from "../../connectors/containers/archive.ts";
import { viewOf } from "../../connectors/containers/view.ts";
import { FatalError } from "../../connectors/errors.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { OF_WATCHES, WATCH_FILES } from "./second-tables.ts";
import type { FoundExport } from "./split.ts";

/**
 * Takes the watch files out of a source that doesn't read them.
 *
 * @returns the source, and perhaps the watch files beside it
 */
export async function apartFromWatchFiles(found: FoundExport): Promise<readonly FoundExport[]> {
  const { archive, within, known } = found;
  if (known instanceof FatalError) return [found];
  const keeps = await known.connector.keepsIn?.(archive);
  if (keeps === undefined) return [found];
  const isStray = (path: string) => OF_WATCHES.test(path) && !keeps(path);
  if (![...archive.entries()].some(({ path }) => isStray(path))) return [found];
  const folder = within?.replace(/\/?\.$/, "") ?? "";
  const inFolder = (name: string) => (folder === "" ? name : `${folder}/${name}`);
  const view = (name: string, holds: (path: string) => boolean): Archive =>
    viewOf(
      archive,
      name,
      holds,
      archive.issues.filter(({ origin }) => holds(origin?.entry ?? "")),
    );
  const watch = view(`${archive.name}/${WATCH_FILES}`, isStray);
  const recordings = await identifyArchive(watch).catch((error: unknown) => {
    if (error instanceof FatalError) return undefined;
    throw error;
  });
  if (recordings === undefined) return [found];
  return [
    { ...found, archive: view(archive.name, (path) => !isStray(path)), within: inFolder(".") },
    { archive: watch, within: inFolder(WATCH_FILES), known: recordings },
  ];
}
