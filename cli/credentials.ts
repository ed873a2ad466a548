/**
 * The stored token: one file a profile, mode 0600 in a folder 0700, never on a command line, never printed. A file others
 * can read, or a link, is refused rather than trusted.
 */
import { randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { chmod, type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PATHS } from "./config.ts";
import { UsageError } from "./exit-codes.ts";
import { isOfSystem, stateOf } from "./system-errors.ts";

/** What logging in leaves behind. */
export interface Credentials {
  readonly url: string;
  readonly token: string;
}

/** "Access token length: at most 32 characters"; printable, without blanks. */
const TOKEN = /^[\x21-\x7e]{1,32}$/;

/**
 * A profile's name, which becomes the name of files.
 *
 * @throws UsageError for one that could lead elsewhere
 */
export function checkedProfile(profile: string): string {
  if (/^[\w-][\w.-]{0,63}$/.test(profile)) return profile;
  throw new UsageError(`Cannot use the profile ${JSON.stringify(profile)}: expected letters, digits, "-", "_" and "."`);
}

/** The file of a profile. @throws UsageError as `checkedProfile` */
export function credentialsPath(profile: string, folder: string = PATHS.config): string {
  return join(folder, "credentials", `${checkedProfile(profile)}.json`);
}

/**
 * The token without surrounding blanks.
 *
 * @throws UsageError when it can't be one; the message doesn't hold it
 */
export function checkedToken(text: string): string {
  const token = text.trim();
  if (!TOKEN.test(token))
    throw new UsageError("Cannot use the access token: expected 1 to 32 printable characters without blanks");
  return token;
}

/** Characters read at the most while looking for the end of a token. */
const LONGEST_INPUT = 1000;

/**
 * The first line of a stream, as a token.
 *
 * @throws UsageError when it can't be one
 */
export async function readToken(input: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const piece of input) {
    text += String(piece);
    if (text.includes("\n") || text.length > LONGEST_INPUT) break;
  }
  if (text === "") throw new UsageError("Cannot read the access token: there was none");
  return checkedToken(text.split("\n")[0] ?? "");
}

/** The token in a file's first line. @throws UsageError when it can't be read, or can't be a token */
export async function readTokenFile(path: string): Promise<string> {
  try {
    return await readToken(createReadStream(path, { encoding: "utf8", end: LONGEST_INPUT }));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot read the token file ${path}: ${stateOf(error)}`);
  }
}

/**
 * Stores credentials: written to a new file, synced, then renamed, so that the old or the new is there whole.
 *
 * @throws UsageError when the folder can't be written to
 */
export async function storeCredentials(path: string, credentials: Credentials): Promise<void> {
  const folder = dirname(path);
  const fresh = `${path}.${randomUUID()}.new`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // It may have been there before, open to others.
    await chmod(folder, 0o700);
    const file = await open(fresh, "wx", 0o600);
    try {
      await file.chmod(0o600);
      await file.writeFile(`${JSON.stringify(credentials, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined);
    if (!isOfSystem(error)) throw error;
    throw new UsageError(`Cannot store the access token in ${path}: ${stateOf(error)}`);
  }
}

/**
 * Stored credentials, or undefined when nobody logged in.
 *
 * @throws UsageError when the file is a link or no file, can be read by others, or doesn't hold credentials
 */
export async function readCredentials(path: string): Promise<Credentials | undefined> {
  let file: FileHandle;
  try {
    // A pipe in its place must not keep us waiting for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") throw new UsageError(`Cannot use ${path}: it is a link. Remove it and log in again`);
    throw new UsageError(`Cannot use ${path}: ${stateOf(error)}`);
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new UsageError(`Cannot use ${path}: it is not a file. Remove it and log in again`);
    if ((found.mode & 0o077) !== 0)
      throw new UsageError(`Cannot use ${path}: others can read it. Run: chmod 600 ${path}`);
    return parseCredentials(await file.readFile("utf8"), path);
  } finally {
    await file.close();
  }
}

function parseCredentials(text: string, path: string): Credentials {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = undefined;
  }
  const { url, token } = (content ?? {}) as Partial<Credentials>;
  if (typeof url !== "string" || typeof token !== "string") {
    throw new UsageError(`Cannot use ${path}: it holds no credentials. Remove it and log in again`);
  }
  return { url, token: checkedToken(token) };
}
