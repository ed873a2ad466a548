/** Files that operating systems and synchronising programs leave everywhere, and nobody put there on purpose. */

/** Folders of that kind; everything in them is junk. */
const FOLDERS = new Set([
  "__MACOSX",
  ".Spotlight-V100",
  ".Trashes",
  ".fseventsd",
  ".TemporaryItems",
  "$RECYCLE.BIN",
  "System Volume Information",
  "@eaDir",
]);

/** Files of that kind, wherever they lie. */
const FILES = new Set([".DS_Store", "Thumbs.db", "ehthumbs.db", "desktop.ini", "Desktop.ini", ".localized", "Icon\r"]);

/** True for a path that names a junk file. `._x` is what macOS keeps beside a file on a disk that can't hold its attributes. */
export function isJunkFile(path: string): boolean {
  const segments = path.split("/");
  const base = segments.pop() ?? "";
  return FILES.has(base) || base.startsWith("._") || segments.some((segment) => FOLDERS.has(segment));
}
