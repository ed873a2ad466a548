/** Athletes' names: when two are one, and how one becomes the name of a file. */
import { createHash } from "node:crypto";

/** A name as it is compared: composed, without regard to case and to how many blanks there are. */
export function foldedName(name: string): string {
  return name.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toLowerCase();
}

/** Characters of a name that are readable in a file's name. */
const READABLE = 40;

/**
 * A name for files, the same each time and another one for each athlete: what can be read of the name in letters that every file
 * system takes, and a hash.
 *
 * @param fingerprints what else tells the athlete from others of that name
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
