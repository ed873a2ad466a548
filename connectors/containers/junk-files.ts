/** Recognises files that operating systems and synchronising programs create on their own. */

/** Junk folders. Everything in them is junk. */
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

/** Junk files, in any folder. */
const FILES = new Set([".DS_Store", "Thumbs.db", "ehthumbs.db", "desktop.ini", "Desktop.ini", ".localized", "Icon\r"]);

/** The lock of an open document: `~$list.xlsx` by Microsoft Office, `.~lock.list.csv#` by LibreOffice. It holds the name of a user only. */
const LOCK = /^(?:~\$.|\.~lock\..*#$)/;

/** True for the path of a junk file. macOS creates `._x` beside a file on a disk that can't hold the file's attributes. */
export function isJunkFile(path: string): boolean {
  const segments = path.split("/");
  const base = segments.pop() ?? "";
  return (
    FILES.has(base) || base.startsWith("._") || LOCK.test(base) || segments.some((segment) => FOLDERS.has(segment))
  );
}
