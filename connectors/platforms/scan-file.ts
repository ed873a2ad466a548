/** Scans a device file of an archive: the data for planning, and the names that identify the file. */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Archive, Entry } from "../containers/archive.ts";
import { ArchiveError } from "../containers/archive-error.ts";
import { readUnpacked } from "../containers/gzip.ts";
import { readKmz } from "../containers/kmz.ts";
import { sha256Of } from "../containers/read-hashes.ts";
import { FatalError } from "../errors.ts";
import { decodeDeviceFile } from "../formats/device-file.ts";
import type { KmlFile } from "../formats/kml/decode.ts";
import type { DeviceFile } from "../formats/recording.ts";
import { sniff } from "../formats/sniff.ts";

/** The result of a scan. */
export interface Scanned {
  readonly file: DeviceFile | KmlFile | (Omit<KmlFile, "format"> & { readonly format: "kmz" });
  /** SHA-256 in hex of the content without gzip. For a KMZ, it is the SHA-256 of the KMZ itself. */
  readonly sha256: string;
}

/**
 * Scans an entry with any name. Its points are not kept.
 *
 * @returns the scan; an issue of severity `error` when the entry can't be unpacked. Never throws for the contents of the entry.
 */
export async function scanFile(archive: Archive, entry: Entry): Promise<Scanned | Issue> {
  try {
    const { bytes, issues } = await readUnpacked(archive, entry);
    const file = await decode(bytes, entry.path, archive.allowance.limits.entryBytes);
    const sha256 = sha256Of(bytes);
    return { sha256, file: issues.length === 0 ? file : { ...file, issues: [...issues, ...file.issues] } };
  } catch (error) {
    return issueOf(error);
  }
}

/** The issue of an entry that can't be unpacked. @throws any other error */
export function issueOf(error: unknown): Issue {
  if (error instanceof ArchiveError) return { severity: "error", rule: error.rule, found: error.message };
  throw error;
}

async function decode(bytes: Uint8Array, path: string, maxBytes: number): Promise<Scanned["file"]> {
  const format = sniff(bytes);
  if (format === "kml") return (await kml())(bytes, "scan");
  if (format === "zip" && /\.kmz$/i.test(path)) return decodeKmz(bytes, path);
  return decodeDeviceFile(bytes, "scan", maxBytes);
}

/** Loads the KML parser only when it is needed. The parser is large, and few archives hold a KML file. */
async function kml() {
  return (await import("../formats/kml/decode.ts")).decodeKml;
}

/** Reads the main document of a KMZ. */
async function decodeKmz(bytes: Uint8Array, path: string): Promise<Scanned["file"]> {
  const nothing = { format: "kmz", device: {}, recordings: [], routes: [] } as const;
  try {
    const document = await readKmz(bytes, path);
    if (document === undefined)
      return { ...nothing, issues: [{ severity: "error", rule: "kml/no-document", expected: "a .kml file in it" }] };
    return { ...(await kml())(document, "scan"), format: "kmz" };
  } catch (error) {
    if (!(error instanceof FatalError) && !(error instanceof ArchiveError)) throw error;
    const rule = error instanceof FatalError ? error.code : error.rule;
    return { ...nothing, issues: [{ severity: "error", rule, found: error.message }] };
  }
}
