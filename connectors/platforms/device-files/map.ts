/** Which files of a folder are looked into, by the end of their name; what they are is then told by their bytes. */

/** Endings of files that hold recordings or lines, `.gz` behind them or not. */
export const DEVICE_ENDINGS: readonly string[] = ["fit", "gpx", "tcx", "kml", "kmz"];

/** Endings that say nothing: these files are opened to see. Strava calls some uploads `.bin.gz`. */
export const OPEN_ENDINGS: readonly string[] = ["", "bin", "dat", "xml"];

/** What the name of a file promises. */
export function promiseOf(path: string): "device file" | "anything" | "something else" {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const plain = name.replace(/\.gz$/, "");
  const dot = plain.lastIndexOf(".");
  const ending = dot <= 0 ? "" : plain.slice(dot + 1);
  if (DEVICE_ENDINGS.includes(ending)) return "device file";
  return OPEN_ENDINGS.includes(ending) ? "anything" : "something else";
}
