/** A device file of an archive, scanned: what planning needs of it, and by what it is recognised. */
import { hash } from "node:crypto";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Archive, Entry } from "../containers/archive.ts";
import { ArchiveError } from "../containers/archive-error.ts";
import { readUnpacked } from "../containers/gzip.ts";
import { readKmz } from "../containers/kmz.ts";
import { FatalError } from "../errors.ts";
import { decodeDeviceFile } from "../formats/device-file.ts";
import type { KmlFile } from "../formats/kml/decode.ts";
import type { DeviceFile } from "../formats/recording.ts";
import { sniff } from "../formats/sniff.ts";

/** What a scan gives. */
export interface Scanned {
  readonly file: DeviceFile | KmlFile | (Omit<KmlFile, "format"> & { readonly format: "kmz" });
  /** SHA-256 of the content without gzip, in hex; of a KMZ, of the KMZ itself. */
  readonly sha256: string;
}

/**
 * Scans an entry, whatever it is called. Nothing of its points is kept.
 *
 * @returns the scan; an issue of severity `error` when the entry can't be unpacked. Never throws for what the entry holds.
 */
export async function scanFile(archive: Archive, entry: Entry): Promise<Scanned | Issue> {
  try {
    const { bytes, issues } = await readUnpacked(archive, entry);
    const file = await decode(bytes, entry.path, archive.allowance.limits.entryBytes);
    const sha256 = hash("sha256", bytes);
    return { sha256, file: issues.length === 0 ? file : { ...file, issues: [...issues, ...file.issues] } };
  } catch (error) {
    if (error instanceof ArchiveError) return { severity: "error", rule: error.rule, found: error.message };
    throw error;
  }
}

async function decode(bytes: Uint8Array, path: string, maxBytes: number): Promise<Scanned["file"]> {
  const format = sniff(bytes);
  if (format === "kml") return (await kml())(bytes, "scan");
  if (format === "zip" && /\.kmz$/i.test(path)) return decodeKmz(bytes, path);
  return decodeDeviceFile(bytes, "scan", maxBytes);
}

/** Its parser is heavy, and few archives hold a KML file. */
async function kml() {
  return (await import("../formats/kml/decode.ts")).decodeKml;
}

/** The main document of a KMZ. */
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
