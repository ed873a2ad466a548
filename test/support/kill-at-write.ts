/**
 * Preloaded into a process (`node --import`), this ends it with SIGKILL at a change to the files of a snapshot repository, as a power cut would.
 * `KILL_AT=before:7` is just before the seventh change, and `after:7` right after it. `half:7` is in the middle of it, where it writes bytes.
 * `after:2:rename unfinished/` is right after the second change whose line begins so.
 * KILL_LOG names a file that gets a line a change, with its kind and its file.
 */
import { appendFileSync } from "node:fs";
import promises, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { KILL_AT = "", KILL_LOG } = process.env;
const [when = "", nth = "0", begin = ""] = KILL_AT.split(":");
const REPOSITORY = /\/repository(\/|$)/;
let met = 0;

async function change<T>(
  what: string,
  path: string,
  work: () => Promise<T>,
  half?: () => Promise<unknown>,
): Promise<T> {
  if (!REPOSITORY.test(path)) return work();
  const line = `${what} ${path.split(REPOSITORY).at(-1)}`;
  const isMeant = line.startsWith(begin) && ++met === Number(nth);
  if (isMeant && when === "before") die();
  if (isMeant && when === "half") {
    await half?.();
    die();
  }
  const result = await work();
  if (KILL_LOG !== undefined) appendFileSync(KILL_LOG, `${line}\n`);
  if (isMeant && when === "after") die();
  return result;
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;);
}

const real = { ...promises };
promises.mkdir = ((path: string, options: object) =>
  change("mkdir", path, () => real.mkdir(path, options))) as typeof promises.mkdir;
promises.unlink = ((path: string) => change("unlink", path, () => real.unlink(path))) as typeof promises.unlink;
promises.rm = ((path: string, options: object) =>
  change("rm", path, () => real.rm(path, options))) as typeof promises.rm;
promises.rename = ((from: string, to: string) =>
  change("rename", to, () => real.rename(from, to))) as typeof promises.rename;
promises.open = (async (path: string, flags: string, mode?: number) => {
  const handle = await (flags === "r"
    ? real.open(path, flags)
    : change("open", path, () => real.open(path, flags, mode)));
  return watched(handle, path);
}) as typeof promises.open;
syncBuiltinESMExports();

function watched(handle: FileHandle, path: string): FileHandle {
  const write = handle.writeFile.bind(handle);
  const sync = handle.sync.bind(handle);
  handle.writeFile = ((bytes: Uint8Array) =>
    change(
      "write",
      path,
      () => write(bytes),
      () => write(bytes.subarray(0, bytes.length / 2)),
    )) as FileHandle["writeFile"];
  handle.sync = () => change("sync", path, sync);
  return handle;
}
