/**
 * A folder as an archive: all plain files in it and below it, and the contents of the zips among them. Links are not followed. Otherwise a
 * folder unpacked from a stranger's archive could reach any file of the person.
 */
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Issue } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import { FatalError } from "../errors.ts";
import type { Archive } from "./archive.ts";
import { archiveIssue } from "./archive-issue.ts";
import { OpenFiles } from "./bytes.ts";
import { isJunkFile, wholeOf } from "./junk-files.ts";
import { listedArchive } from "./listed.ts";
import type { OpenOptions } from "./options.ts";
import { plainFile } from "./plain-file.ts";
import { Opening } from "./zip/opening.ts";
import { isZipName, listInnerZip } from "./zip/volume.ts";

/**
 * Opens a folder. An entry that is unreadable, or not a plain file, becomes an issue.
 *
 * @param root the folder; a link to a folder is followed, because a person named it
 * @param name for messages
 * @throws FatalError `archive/too-many-entries`, `archive/unreadable` for the folder itself
 */
export async function openDirectory(root: string, name: string, options?: OpenOptions): Promise<Archive> {
  const files = new OpenFiles();
  const opening = new Opening(name, options);
  const { allowance } = opening;
  try {
    for await (const found of walk(root, "", opening)) {
      opening.count();
      if (allowance.limits.nesting > 0 && isZipName(found.path)) await addZip(found, files, opening);
      else opening.entries.push(plainFile(found.path, found.diskPath, found.state));
    }
  } catch (error) {
    await Promise.all([files.close(), opening.spool.close()]);
    throw error;
  }
  return listedArchive({
    name,
    entries: opening.entries,
    issues: opening.issues,
    allowance,
    keeper: opening.spool,
    close: () => files.close(),
  });
}

interface FoundFile {
  readonly path: string;
  readonly diskPath: string;
  readonly state: { readonly ino: number; readonly size: number; readonly mtimeMs: number };
}

/** Adds a zip in the folder, without copying it. */
async function addZip(found: FoundFile, files: OpenFiles, opening: Opening): Promise<void> {
  await listInnerZip(files.bytes(found.diskPath, found.path, found.state), found.path, 1, opening);
}

async function* walk(root: string, folder: string, opening: Opening): AsyncGenerator<FoundFile> {
  const children = await readFolder(root, folder, opening);
  for (const child of children) {
    const path = folder + child.name;
    if (isJunkFile(child.isDirectory() ? `${path}/x` : path)) continue;
    if (await isLeftover(root, folder, child, children)) {
      const details = {
        found: "an unfinished download of a file that lies whole beside it",
        expected: "the whole file alone",
      };
      opening.issues.push(archiveIssue("info", "archive/unfinished-download", opening.name, path, details));
      continue;
    }
    const refusal = await look(root, path, child, opening);
    if (refusal === "folder") yield* walk(root, `${path}/`, opening);
    else if (refusal !== undefined) yield refusal;
  }
}

/**
 * Whether a browser left this file or folder beside the whole file. While a download goes on, some browsers keep an empty file under the whole name, so
 * the whole file must be no smaller.
 */
async function isLeftover(root: string, folder: string, child: Dirent, children: readonly Dirent[]): Promise<boolean> {
  const whole = wholeOf(child.name, (name) => children.some((other) => other.name === name && other.isFile()));
  if (whole === undefined) return false;
  const sizeOf = async (name: string) => (await lstat(join(root, folder, name)).catch(() => undefined))?.size ?? 0;
  const size = await sizeOf(whole);
  return size > 0 && (child.isDirectory() || size >= (await sizeOf(child.name)));
}

/** Examines one child of a folder; undefined if it was refused. */
async function look(
  root: string,
  path: string,
  child: Dirent,
  opening: Opening,
): Promise<FoundFile | "folder" | undefined> {
  const { limits } = opening;
  const refuse = (rule: string, details: Pick<Issue, "found" | "expected">) => {
    opening.refuse(rule, path, details);
  };
  if (Buffer.byteLength(path) > limits.nameBytes) {
    refuse("archive/name-too-long", { expected: `a path of at most ${limits.nameBytes} bytes` });
    return undefined;
  }
  if (child.isDirectory()) return "folder";
  if (!child.isFile()) {
    const found = child.isSymbolicLink() ? "a link" : "not a plain file";
    refuse("archive/link", { found, expected: "a plain file; copy what it points at into the folder" });
    return undefined;
  }
  const diskPath = join(root, path);
  try {
    const { ino, size, mtimeMs } = await lstat(diskPath);
    return { path, diskPath, state: { ino, size, mtimeMs } };
  } catch (error) {
    refuse("archive/unreadable", { found: reasonOf(error), expected: "a file that can be read" });
    return undefined;
  }
}

/** The children of a folder, sorted by name, so that every disk gives them in the same order. */
async function readFolder(root: string, folder: string, opening: Opening): Promise<Dirent[]> {
  try {
    const children = await readdir(join(root, folder), { withFileTypes: true });
    return children.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    if (folder !== "") {
      opening.refuse("archive/unreadable", folder, { found: reasonOf(cause), expected: "a folder that can be read" });
      return [];
    }
    const message = `Cannot open ${printable(opening.name)}: the folder can't be read (${reasonOf(cause)})`;
    throw new FatalError("archive/unreadable", "source", message, { cause });
  }
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown reason";
}
