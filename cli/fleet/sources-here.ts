/**
 * The sources of a run on the machine that loads it. Another worker may have planned it, with another folder for the relative paths of the roster
 * (`--archives`). The journal has the paths of that machine.
 */
import { isAbsolute, normalize, resolve, sep } from "node:path";
import { isAddress } from "../../connectors/containers/address.ts";
import type { Run, RunSource } from "../../pipelines/journal/run.ts";
import type { Athlete } from "../batch/roster.ts";

/**
 * A run whose sources lie where this machine has them.
 *
 * @param row the athlete's row, with the paths as the roster writes them
 * @param folder where its relative paths begin on this machine
 */
export function sourcesHere(run: Run, row: Pick<Athlete, "archives" | "options">, folder: string): Run {
  const written = [...row.archives, ...(row.options.map === undefined ? [] : [row.options.map])];
  const relative = written
    .filter((path) => !isAddress(path) && !isAbsolute(path))
    // Of `ana` and `club/ana` the longer one says more.
    .toSorted((one, other) => other.length - one.length)
    .map((path) => ({ end: withoutWayUp(path), here: resolve(folder, path) }));
  const here = (path: string) => {
    for (const one of relative) {
      const own = pathHere(path, one);
      if (own !== undefined) return own;
    }
    return path;
  };
  const moved = ({ path, parts, mapping, ...source }: RunSource): RunSource => ({
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
