/** A single file as an archive: the file, and its mapping if one lies beside it. */
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { Allowance } from "./allowance.ts";
import type { Archive } from "./archive.ts";
import { listedArchive, type ReadableEntry } from "./listed.ts";
import type { OpenOptions } from "./options.ts";
import { plainFile } from "./plain-file.ts";

/**
 * Opens a single file. Its entry has the file's own name. If `log.csv.map.yaml` or `log.map.yaml` lies beside `log.csv`, it is an entry
 * too.
 *
 * @param path place on the disk, links already followed
 * @param name the name a person gave it
 */
export async function openFile(path: string, name: string, options?: OpenOptions): Promise<Archive> {
  const entries = [await existing(path, name)];
  const stem = basename(name, extname(name));
  for (const mapping of new Set([`${name}.map.yaml`, `${stem}.map.yaml`]))
    if (mapping !== name) entries.push(await existing(join(dirname(path), mapping), mapping));
  return listedArchive({
    name,
    entries: entries.filter((entry) => entry !== undefined),
    issues: [],
    allowance: new Allowance(options),
  });
}

async function existing(path: string, name: string): Promise<ReadableEntry | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const found = await stat(real);
  return found.isFile() ? plainFile(name, real, found.size) : undefined;
}
