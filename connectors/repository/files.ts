/**
 * Files that are there whole or not at all. What is written gets another name first, reaches the disk, and is renamed; the folder's own
 * entry reaches the disk too. A process that is killed, or a machine that loses its power, leaves a file in `tmp/` at the most.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Where files lie until they are whole. */
export const TEMPORARY = "tmp";

/**
 * Writes a file below a folder, in the place of one that may be there.
 *
 * @param path below `root`, with slashes; its folder must be there
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

/** Makes a folder that stays when the power goes; one that is there is fine. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first !== undefined) await syncFolder(dirname(first));
}

/** Takes files of a folder away for good. One that isn't there is fine. */
export async function removeFiles(root: string, paths: readonly string[]): Promise<void> {
  const folders = new Set<string>();
  for (const path of paths) {
    await unlink(join(root, path)).catch(ifAbsent);
    folders.add(dirname(join(root, path)));
  }
  for (const folder of folders) await syncFolder(folder);
}

/** Takes away what was never finished. */
export async function clearTemporary(root: string): Promise<void> {
  for (const name of await namesIn(join(root, TEMPORARY))) await rm(join(root, TEMPORARY, name), { recursive: true });
}

/**
 * What macOS, Windows, file systems and Syncthing put into folders by themselves. Not every name with a dot: a home with nothing else in it is
 * no empty folder.
 */
const OF_THE_SYSTEM =
  /^(?:\.DS_Store|\._.*|\.localized|\.fseventsd|\.Spotlight-V100|\.Trash.*|\.directory|\.nfs[0-9a-f]+|\.st(?:folder|ignore|versions)|lost\+found|Thumbs\.db|desktop\.ini)$/i;

/** Names in a folder, sorted, but for what the system put there; none where there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(ifAbsent)) ?? [];
  return names.filter((name) => !OF_THE_SYSTEM.test(name)).toSorted();
}

/** The bytes of a file; undefined where there is none. */
export async function readBytes(root: string, path: string): Promise<Buffer | undefined> {
  return (await readFile(join(root, path)).catch(ifAbsent)) ?? undefined;
}

/** The length of a file in bytes; undefined where there is none. */
export async function readSize(root: string, path: string): Promise<number | undefined> {
  return (await stat(join(root, path)).catch(ifAbsent))?.size;
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  return undefined;
}

/** Makes the names of a folder last. Windows opens no folders, and needs it not. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
