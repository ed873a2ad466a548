/**
 * Writes files that exist either completely or not at all. A file is first written to disk under a temporary name, and then renamed. The
 * folder's own entry reaches the disk too. If the process is killed or the power fails, at most a file in `tmp/` is left.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The folder of unfinished files. */
export const TEMPORARY = "tmp";

/**
 * Writes a file below a folder, and replaces an older one.
 *
 * @param path below `root`, with slashes; its folder must exist
 */
export async function writeWhole(root: string, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(root, TEMPORARY, `${process.pid}-${path.replaceAll("/", "-")}`);
  const handle = await open(temporary, "w", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  const final = join(root, path);
  await rename(temporary, final);
  await syncFolder(dirname(final));
}

/** Makes a folder that survives a power failure. An existing folder is fine. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first !== undefined) await syncFolder(dirname(first));
}

/** Removes files permanently. A missing file is fine. */
export async function removeFiles(root: string, paths: readonly string[]): Promise<void> {
  const folders = new Set<string>();
  for (const path of paths) {
    await unlink(join(root, path)).catch(ifAbsent);
    folders.add(dirname(join(root, path)));
  }
  for (const folder of folders) await syncFolder(folder);
}

/** Removes unfinished files. */
export async function clearTemporary(root: string): Promise<void> {
  for (const name of await namesIn(join(root, TEMPORARY))) await rm(join(root, TEMPORARY, name), { recursive: true });
}

/**
 * Names that macOS, Windows, file systems and Syncthing create in folders on their own. Other names with a dot are not included: a home
 * folder that holds only such files is not empty.
 */
const OF_THE_SYSTEM =
  /^(?:\.DS_Store|\._.*|\.localized|\.fseventsd|\.Spotlight-V100|\.Trash.*|\.directory|\.nfs[0-9a-f]+|\.st(?:folder|ignore|versions)|lost\+found|Thumbs\.db|desktop\.ini)$/i;

/** Names in a folder, sorted, without the system's own; an empty list if there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(ifAbsent)) ?? [];
  return names.filter((name) => !OF_THE_SYSTEM.test(name)).toSorted();
}

/** The bytes of a file; undefined if there is none. */
export async function readBytes(root: string, path: string): Promise<Buffer | undefined> {
  return (await readFile(join(root, path)).catch(ifAbsent)) ?? undefined;
}

/** The length of a file in bytes; undefined if there is none. */
export async function readSize(root: string, path: string): Promise<number | undefined> {
  return (await stat(join(root, path)).catch(ifAbsent))?.size;
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  return undefined;
}

/** Makes the names of a folder survive a power failure. Windows can't open folders, and doesn't need this. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  await using handle = await open(folder, "r");
  await handle.sync();
}
