/** Makes paths of an archive safe to show, and short without losing the name of the file. */
import { printable } from "./printable.ts";

/**
 * Gives a path that can be printed. A long path loses its beginning, because its end is the file's own name: `…/Daily/steps.csv`. A name that is too
 * long by itself loses its end.
 *
 * @param width most columns of the result, including the ellipsis
 */
export function printablePath(path: string, width: number): string {
  if (printable(path, width) === printable(path, path.length * 2 + width)) return printable(path, width);
  const folders = path.split("/");
  for (let first = 1; first < folders.length; first++) {
    const shorter = `…/${folders.slice(first).join("/")}`;
    if (shorter.length <= width) return printable(shorter, width);
  }
  return printable(folders.at(-1) ?? path, width);
}
