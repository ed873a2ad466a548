/**
 * The folder of an export. It is complete as soon as it has its name. logferry writes everything into a folder beside it, called
 * `NAME.partial-...`, and renames that folder at the end. So the name shows what a stopped export leaves behind.
 */
import { lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { FatalError } from "../errors.ts";
import { DATA_PACKAGE, isOurPackage } from "./data-package.ts";

/** A folder that is being written. */
export interface ExportFolder {
  /** The temporary folder to write into. */
  readonly staging: string;
  /** Gives the folder its name. @returns the path of the named folder */
  complete(): Promise<string>;
  /** Removes the temporary folder. */
  discard(): Promise<void>;
}

/**
 * Begins an export folder.
 *
 * @param isReplacing replaces an existing export, all at once, if the folder holds only that export
 * @throws FatalError `export/in-the-way` if something other than an empty folder is there, before anything is written; the errors of the disk
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

/** The files of the export in a folder; none if the folder holds no logferry export. */
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

/** Writes a folder to the disk, because only that makes a new name in it safe. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  // Windows can't open a folder. There the system writes it.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
