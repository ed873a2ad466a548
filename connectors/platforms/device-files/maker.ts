/** Finds the maker of the device in a FIT file, for people. */
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { streamUnpacked } from "../../containers/gzip.ts";
import { decodeDeviceFile } from "../../formats/device-file.ts";

/** Makers without an account export. Their customers bring the folder of their device or program. */
const MAKERS: Readonly<Record<string, string>> = {
  bryton: "Bryton",
  coros: "COROS",
  hammerhead: "Hammerhead",
  wahoo_fitness: "Wahoo",
  zwift: "Zwift",
};

/** The maker at the beginning of a file; undefined if the file names no maker on this list. */
export async function makerOf(archive: Archive, entry: Entry): Promise<string | undefined> {
  try {
    for await (const chunk of streamUnpacked(archive, entry, () => {}))
      return MAKERS[decodeDeviceFile(chunk, "scan").device.manufacturer ?? ""];
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
  }
  return undefined;
}
