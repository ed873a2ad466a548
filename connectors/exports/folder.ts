/**
 * Where an export goes: a folder that is whole once it has its name. Everything is written into a folder beside it, called
 * `NAME.partial-...`, which gets the name at the end in one step. What a stopped export leaves behind says what it is.
 */
import { lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { FatalError } from "../errors.ts";
import { DATA_PACKAGE, isOurPackage } from "./data-package.ts";

/** A folder on its way. */
export interface ExportFolder {
  /** Where to write. */
  readonly staging: string;
  /** Gives it its name. @returns the folder under it */
  complete(): Promise<string>;
  /** Takes it away. */
  discard(): Promise<void>;
}

/**
 * Begins a folder.
 *
 * @param isReplacing takes the place of an export that is there, all at once, when nothing but that export is in it
 * @throws FatalError `export/in-the-way` for what is there and is no empty folder, before anything is written; what the disk throws
 */
export async function beginFolder(path: string, isReplacing: boolean): Promise<ExportFolder> {
  const folder = resolve(path);
  await checkPlace(folder, path, isReplacing);
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const staging = await mkdtemp(join(parent, `${basename(folder)}.partial-`));
  return {
    staging,
    async complete() {
      await syncFolder(staging);
      const state = await checkPlace(folder, path, isReplacing);
      if (state === "empty") await rmdir(folder);
      if (state !== "export") {
        await rename(staging, folder);
      } else {
        const old = await mkdtemp(join(parent, `${basename(folder)}.old-`));
        await rename(folder, old);
        await rename(staging, folder);
        await rm(old, { recursive: true });
      }
      await syncFolder(parent);
      return folder;
    },
    discard: () => rm(staging, { recursive: true, force: true }),
  };
}

async function checkPlace(folder: string, path: string, isReplacing: boolean): Promise<"free" | "empty" | "export"> {
  const stats = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stats === undefined) return "free";
  if (stats.isSymbolicLink()) throw inTheWay(path, "it is a link: name the folder it leads to");
  if (!stats.isDirectory()) throw inTheWay(path, "a file is in the way");
  const names = await readdir(folder);
  if (names.length === 0) return "empty";
  const files = await filesOfExport(folder);
  const others = names.filter((name) => !files.has(name));
  if (files.size === 0) throw inTheWay(path, "there are files in it: name a folder that is empty, or isn't there yet");
  if (others.length > 0)
    throw inTheWay(path, `there is an export in it, and ${JSON.stringify(others[0])}, which is none of its files`);
  if (!isReplacing) throw inTheWay(path, "there is an export in it: name another folder, or replace it with --replace");
  return "export";
}

/** The files of the export in a folder: none where there is none of ours. */
async function filesOfExport(folder: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(folder, DATA_PACKAGE), "utf8").catch(() => "");
  try {
    const description: unknown = JSON.parse(text);
    if (!isOurPackage(description)) return new Set();
    return new Set([DATA_PACKAGE, ...description.resources.map(({ path }) => path.split("/")[0] ?? path)]);
  } catch {
    return new Set();
  }
}

function inTheWay(path: string, why: string): FatalError {
  return new FatalError("export/in-the-way", "journal", `Cannot write to ${path}: ${why}`);
}

/** A new name is safely on the disk once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  // Where a folder can't be opened (Windows), the system sees to it.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
