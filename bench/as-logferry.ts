/** Runs a script of the bench in a process that starts as the command line does (bin/logferry.js). */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const BIN = join(import.meta.dirname, "..", "bin");
const FIRST = ["steady-memory.js", "compile-cache.js"].flatMap((name) => ["--import", join(BIN, name)]);

/**
 * Runs a script of this folder to its end.
 *
 * @returns the JSON that it printed
 */
export async function runAsLogferry<T>(script: string, words: readonly string[]): Promise<T> {
  const all = [...FIRST, join(import.meta.dirname, script), ...words];
  const { stdout } = await run(process.execPath, all, { maxBuffer: 1 << 24 });
  return JSON.parse(stdout) as T;
}
