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

/** What browsers write while they download: `export.zip.crdownload`, `export.zip.part`, `export.k3Jd_9aB.zip.part`, and Safari a folder `export.zip.download`. */
const UNFINISHED = /^(.+)\.(?:crdownload|download|part|partial|opdownload)$/i;

/** The name of the whole file that a browser was to make of an unfinished one; undefined for any other file. Firefox may put a mark before its ending. */
export function wholeOf(name: string, isThere: (whole: string) => boolean): string | undefined {
  const [, whole] = UNFINISHED.exec(name) ?? [];
  if (whole === undefined) return undefined;
  return [whole, whole.replace(/\.[\w-]{8}(\.[a-z0-9]{1,5})$/i, "$1")].find(isThere);
}
