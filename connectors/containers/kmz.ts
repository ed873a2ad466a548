/** A KMZ is a zip with a map in it. This file decides which document is the map, for planning and for loading. */
import type { Archive, Entry } from "./archive.ts";
import { openZipBytes } from "./zip.ts";

/**
 * Reads the main document of a KMZ.
 *
 * @param name for messages
 * @returns undefined when no entry is a .kml
 * @throws FatalError as `openZipBytes`; ArchiveError when the document can't be unpacked
 */
export async function readKmz(kmz: Uint8Array, name: string): Promise<Uint8Array | undefined> {
  const archive = await openZipBytes(kmz, name);
  try {
    const document = mainDocument(archive);
    return document === undefined ? undefined : await archive.read(document);
  } finally {
    await archive.close();
  }
}

/**
 * Finds the main document: `doc.kml`. If there is none, it takes the first .kml by name outside folders, because folders hold the files that the
 * document refers to. If there is none either, it takes the first .kml of all.
 * Source: KML 2.2, "KMZ Files": one document at the top, which should be called doc.kml.
 */
function mainDocument(archive: Archive): Entry | undefined {
  const documents = [...archive.entries()].filter(({ path }) => /\.kml$/i.test(path));
  return (
    documents.find(({ path }) => path.toLowerCase() === "doc.kml") ??
    documents.find(({ path }) => !path.includes("/")) ??
    documents[0]
  );
}
