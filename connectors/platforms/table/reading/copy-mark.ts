/** Names of files whose copies a drive, a browser or a phone renamed. */

/**
 * What they add to the name of a copy, before its ending or in front.
 *
 * Source: Google Drive and browsers write `name (1).json`; Windows `name - Copy.json` and `name - Kopie.json`; macOS `name copy.json` and
 * `name Kopie.json`, iCloud and the Finder `name 2.json`; Google Drive in front `Copy of name.json` and `Kopie von name.json`.
 */
const IN_FRONT = /^(?:Copy of |Kopie von |Copie de |Copia de )/i;
const BEHIND = /(?: \(\d{1,3}\)| ?- ?(?:Copy|Kopie|Copie|Copia)| copy| Kopie| [2-9])(?=(?:\.[a-z0-9]{1,5}){0,2}$)/i;

/** The path that a file had before a copy of it was renamed; the same path for any other file. */
export function withoutCopyMark(path: string): string {
  const at = path.lastIndexOf("/") + 1;
  return path.slice(0, at) + path.slice(at).replace(IN_FRONT, "").replace(BEHIND, "");
}

/** Whether a pattern for a platform's files fits a path, or fitted it before the copy was renamed. */
export function isNamedLike(files: RegExp, path: string): boolean {
  return files.test(path) || files.test(withoutCopyMark(path));
}
