/**
 * Files with a secret: an access token, a passphrase, a password, a key. As ssh does with a private key, logferry uses such a file only if
 * nobody else can read or replace it.
 */
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { shellWord } from "../../transforms/text/shell.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { describeSystemError } from "../errors/system-errors.ts";

/** Bits of a file's mode: stat(2). */
const MODE = { openToOthers: 0o077, writableByOthers: 0o002, sticky: 0o1000 } as const;

/** The most characters that logferry reads in search of the end of the first line, unless its caller expects a longer one. */
const LONGEST = 1000;

/**
 * The first line of a file with a secret, without surrounding blanks. A pipe also works (`--token-file <(command)`).
 *
 * @param what the purpose of the file: `token`
 * @param longest the most characters that are read
 * @throws UsageError when it can't be read, or others can read or change it
 */
export async function readSecretLine(path: string, what: string, longest = LONGEST): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY);
    await refuseOpenToOthers(path, await file.stat());
    let text = "";
    for await (const chunk of file.createReadStream({ encoding: "utf8", end: longest })) text += chunk;
    return (text.split("\n")[0] ?? "").trim();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot read the ${what} file ${path}: ${describeSystemError(error)}`);
  } finally {
    await file?.close();
  }
}

/**
 * Refuses a file that others can read or change, and a file in a folder where others can replace it. A file of another owner (a secret that
 * a container's host provides) may be readable by others, because its owner decided so. Windows has no such modes.
 *
 * @param found the result of `stat` for the file
 * @throws UsageError with the command that mends it
 */
export async function refuseOpenToOthers(
  path: string,
  found: { readonly mode: number; readonly uid: number; isFile(): boolean },
): Promise<void> {
  if (process.platform === "win32" || !found.isFile()) return;
  const isOurs = found.uid === process.getuid?.();
  const refused = isOurs ? MODE.openToOthers : MODE.writableByOthers;
  if ((found.mode & refused) !== 0) {
    const can = (found.mode & 0o022) !== 0 ? "change" : "read";
    throw new UsageError(`Cannot use ${path}: others can ${can} it. Run: chmod 600 ${shellWord(path)}`);
  }
  const folder = dirname(resolve(path));
  const { mode } = await stat(folder);
  if ((mode & MODE.writableByOthers) === 0 || (mode & MODE.sticky) !== 0) return;
  throw new UsageError(
    `Cannot use ${path}: everybody can put another file in its place. Run: chmod go-w ${shellWord(folder)}`,
  );
}
