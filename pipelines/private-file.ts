/**
 * Small files that only their owner can read, and that are there whole or as they were before: logins, and what is remembered between runs.
 */
import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file anew, in the place of one that may be there; its folder too, where there is none.
 *
 * @throws Error of the system
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${randomUUID()}.new`;
  try {
    const file = await open(fresh, "wx", 0o600);
    try {
      // The mask of the process may have taken more than it should, and never gives more.
      await file.chmod(0o600);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw error;
  }
}
