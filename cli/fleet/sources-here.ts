/**
 * The sources of a run on the machine that loads it. Another worker may have planned it, with another folder for the relative paths of the roster
 * (`--archives`). The journal has the paths of that machine.
 */
import { isAbsolute, normalize, resolve, sep } from "node:path";
import { isAddress } from "../../connectors/containers/address.ts";
import type { RunSource } from "../../pipelines/journal/run.ts";

/** The paths of an athlete's row, as the roster writes them. */
interface WrittenPaths {
  readonly archives: readonly string[];
  readonly options: { readonly map?: string };
}

/** The paths of a source. */
type SourcePaths = Pick<RunSource, "path" | "parts" | "mapping">;

/**
 * A run whose sources lie where this machine has them. An absolute path of the roster is the same on every machine.
 *
 * @param row the athlete's row
 * @param folder where its relative paths begin on this machine
 */
export function sourcesHere<T extends { readonly sources: readonly SourcePaths[] }>(
  run: T,
  row: WrittenPaths,
  folder: string,
): T {
  const written = [...row.archives, ...(row.options.map === undefined ? [] : [row.options.map])];
  const relative = written
    .filter((path) => !isAddress(path) && !isAbsolute(path))
    // Of `ana` and `club/ana` the longer one says more.
    .toSorted((one, other) => other.length - one.length)
    .map((path) => ({ end: withoutWayUp(path), here: resolve(folder, path) }));
  const fixed = written.filter((path) => isAbsolute(path)).map((path) => resolve(path));
  const here = (path: string) => {
    if (fixed.some((one) => path === one || path.startsWith(`${one}${sep}`))) return path;
    for (const one of relative) {
      const own = pathHere(path, one);
      if (own !== undefined) return own;
    }
    return path;
  };
  const moved = ({ path, parts, mapping, ...source }: SourcePaths): SourcePaths => ({
    ...source,
    path: here(path),
    ...(parts !== undefined && { parts: parts.map(here) }),
    ...(mapping !== undefined && { mapping: here(mapping) }),
  });
  return { ...run, sources: run.sources.map(moved) };
}

/** `../exports/ana` as every machine ends it: `/exports/ana`. */
function withoutWayUp(path: string): string {
  const names = normalize(path).split(sep);
  return `${sep}${names.filter((name) => name !== ".." && name !== "." && name !== "").join(sep)}`;
}

/** The place on this machine of an archive, or of a file inside; undefined for one of another row. */
function pathHere(path: string, { end, here }: { readonly end: string; readonly here: string }): string | undefined {
  if (end === sep || isAddress(path)) return undefined;
  if (path.endsWith(end)) return here;
  const at = path.lastIndexOf(`${end}${sep}`);
  return at === -1 ? undefined : `${here}${path.slice(at + end.length)}`;
}
