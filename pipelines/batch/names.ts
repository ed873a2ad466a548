/** Compares athletes' names, and turns a name into a file name. */
import { createHash } from "node:crypto";

/** The form of a name for comparing: composed, without regard to case and to the number of blanks. */
export function foldedName(name: string): string {
  return name.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toLowerCase();
}

/** The most readable characters of a name in a file name. */
const READABLE = 40;

/**
 * A stable file name that differs for each athlete. It has the readable part of the name, in letters that every file system accepts, and a
 * hash.
 *
 * @param fingerprints further values that distinguish the athlete from others with the same name
 */
export function fileNameOf(name: string, ...fingerprints: readonly string[]): string {
  const readable = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, READABLE)
    .replaceAll(/^-|-$/g, "");
  const hash = createHash("sha256").update(JSON.stringify([name, ...fingerprints].map(foldedName)));
  return `${readable === "" ? "athlete" : readable}-${hash.digest("hex").slice(0, 8)}`;
}
