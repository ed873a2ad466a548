/** Decides by the end of their names which files of a folder to open. Their bytes then show the format. */

/** Endings of files with recordings or lines. `.gz` may follow. */
export const DEVICE_ENDINGS: readonly string[] = ["fit", "gpx", "tcx", "kml", "kmz"];

/** Endings that reveal no format. These files are opened. Strava calls some uploads `.bin.gz`. */
export const OPEN_ENDINGS: readonly string[] = ["", "bin", "dat", "xml"];

/** The kind of file that a name promises. */
export function promiseOf(path: string): "device file" | "anything" | "something else" {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const plain = name.replace(/\.gz$/, "");
  const dot = plain.lastIndexOf(".");
  const ending = dot <= 0 ? "" : plain.slice(dot + 1);
  if (DEVICE_ENDINGS.includes(ending)) return "device file";
  return OPEN_ENDINGS.includes(ending) ? "anything" : "something else";
}
