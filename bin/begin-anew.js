/**
 * Puts a Node with other settings in place of this one, under the same process id, for a command that reads or writes much. Imported
 * before everything else, since what was loaded by then is loaded again.
 *
 * Each thread that compiles, and each thread that asks for memory, keeps some for itself. A plan of 200,000 rows then takes up to 36 MB
 * more than a plan of 1,000 rows. With these settings it takes less than 20 MB more (`npm run bench`), but Node must have them before it starts.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The settings: flags of V8, and variables of the environment. */
export const AT_START = createRequire(import.meta.url)("./at-start.json");

/** For other commands, a second start would cost more time than it saves memory. */
const COMMANDS = new Set([
  "plan",
  "apply",
  "import",
  "retry",
  "batch",
  "backup",
  "restore",
  "export",
  "verify",
  "check",
]);

const words = process.argv.slice(2);
const isBegunAnew = AT_START.flags.every((flag) => process.execArgv.includes(flag));
// Another Node may not know the flags, and would refuse to start. Windows can't put a process in place of another. A channel to the
// process that started this one would be lost.
const canBegin =
  process.versions.node.startsWith("24.") &&
  process.platform !== "win32" &&
  "execve" in process &&
  process.channel === undefined;
if (canBegin && !isBegunAnew && words.some((word) => COMMANDS.has(word))) {
  const entry = join(dirname(fileURLToPath(import.meta.url)), "logferry.js");
  const started = [process.execPath, ...process.execArgv, ...AT_START.flags, entry, ...words];
  process.execve(process.execPath, started, { ...AT_START.environment, ...process.env });
}
