/** Runs a script of the bench in a process that has the settings of the command line (bin/logferry.js). */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import AT_START from "../bin/at-start.json" with { type: "json" };

const run = promisify(execFile);
const BIN = join(import.meta.dirname, "..", "bin");
const FIRST = ["steady-memory.js", "compile-cache.js"].flatMap((name) => ["--import", join(BIN, name)]);

/**
 * Runs a script of this folder to its end.
 *
 * @returns the JSON that it printed
 */
export async function runAsLogferry<T>(script: string, words: readonly string[]): Promise<T> {
  const all = [...AT_START.flags, ...FIRST, join(import.meta.dirname, script), ...words];
  const env = { ...process.env, ...AT_START.environment };
  const { stdout } = await run(process.execPath, all, { env, maxBuffer: 1 << 24 });
  return JSON.parse(stdout) as T;
}
