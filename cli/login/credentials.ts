/**
 * The stored logins. Each profile has one file, mode 0600 in a folder 0700. The token is in the system's keyring if there is one, else in
 * that file. A token is never on a command line and never printed. logferry refuses a file that others can read, and a link.
 */

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, type FileHandle, mkdir, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sizeInWords } from "../../connectors/containers/sizes.ts";
import { FatalError } from "../../connectors/errors.ts";
import { writePrivateFile } from "../../pipelines/private-file.ts";
import { userFolders } from "../arguments/config.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { describeSystemError, isOfSystem, onSystemError } from "../errors/system-errors.ts";
import type { Environment } from "../system/programs.ts";
import { isKeyringName, type Keyring, KeyringError, type KeyringName, keyringNamed } from "./keyring.ts";
import { readSecretLine, refuseOpenToOthers } from "./secret-file.ts";
import { checkedToken } from "./token.ts";
import { commandToken } from "./token-command.ts";

/** The stored data of a login, without its token. */
export interface Login {
  /** `{base_url}`: the token is only for this service. */
  readonly url: string;
  /** The owner of the log, as the service names them. */
  readonly name?: string;
  /** The application of the browser login; undefined for a pasted token. */
  readonly clientId?: string;
  /** `{auth_url}`, if it differs from the base URL. */
  readonly authUrl?: string;
}

/** The result of a login. */
export interface Credentials extends Login {
  readonly token: string;
}

/** A stored login. Its token may be elsewhere. */
export interface StoredLogin extends Login {
  /** The token, if the file holds it; undefined if a keyring has it. */
  readonly token?: string;
  /** The command that prints the token, if a secret manager has it. */
  readonly command?: string;
  /** The keyring of the token, and the name of the token's entry there. */
  readonly keyring?: KeyringName;
  readonly entry?: string;
}

/** The place where logferry stored a token. */
export interface Place {
  /** Undefined when the token is in the file. */
  readonly keyring?: KeyringName;
  /** Why the token is not in the keyring although there is one. */
  readonly problem?: string;
}

/** Most bytes of a stored login. Ours have three hundred. */
export const LOGIN_BYTES = 64 * 1024;

/**
 * Checks a profile's name, which becomes a part of file names.
 *
 * @throws UsageError for a name that could lead to another folder
 */
export function checkedProfile(profile: string): string {
  if (isProfile(profile)) return profile;
  throw new UsageError(`Cannot use the profile ${JSON.stringify(profile)}: expected letters, digits, "-", "_" and "."`);
}

/** Whether a text can be a profile's name. */
export function isProfile(text: string): boolean {
  return /^[\w-][\w.-]{0,63}$/.test(text);
}

/** The file of a profile. @throws UsageError as `checkedProfile` */
export function credentialsPath(profile: string, folder: string = userFolders().config): string {
  return join(folder, "credentials", `${checkedProfile(profile)}.json`);
}

/** The token in a file's first line. @throws UsageError when it can't be read, others can read or change it, or it can't be a token */
export async function readTokenFile(path: string): Promise<string> {
  const line = await readSecretLine(path, "token");
  if (line === "") throw new UsageError("Cannot read the access token: there was none");
  return checkedToken(line);
}

/** The secret in a file's first line, without surrounding blanks. @throws UsageError when it can't be read, or others can read or change it */
export function readSecretFile(path: string): Promise<string> {
  return readSecretLine(path, "secret");
}

/**
 * Stores credentials. The token goes into the given keyring if that takes it, else into the file. The new file is written, synced and then
 * renamed, so that either the old or the new file is complete. The old token in a keyring is removed afterwards.
 *
 * @throws UsageError when the folder can't be written to
 */
export async function storeCredentials(
  path: string,
  credentials: Credentials,
  keyring?: Keyring,
  environment: Environment = {},
): Promise<Place> {
  const { token, ...login } = credentials;
  const before = await readLogin(path).catch(() => undefined);
  const entry = randomUUID();
  let problem: string | undefined;
  if (keyring !== undefined) {
    try {
      await keyring.put(entry, `logferry: ${login.name ?? "a log"} at ${login.url}`, token);
      await storeLogin(path, { ...login, keyring: keyring.name, entry });
      await forgetEntry(before, environment);
      return { keyring: keyring.name };
    } catch (error) {
      await keyring.remove(entry).catch(() => undefined);
      if (!(error instanceof KeyringError)) throw error;
      problem = error.message;
    }
  }
  await storeLogin(path, credentials);
  await forgetEntry(before, environment);
  return problem === undefined ? {} : { problem };
}

/**
 * Stores a login with a command that prints the token. The token itself is not stored.
 *
 * @throws UsageError when the folder can't be written to
 */
export async function storeCommand(
  path: string,
  login: Login & { readonly command: string },
  environment: Environment = {},
): Promise<void> {
  const before = await readLogin(path).catch(() => undefined);
  await storeLogin(path, login);
  await forgetEntry(before, environment);
}

async function storeLogin(path: string, login: StoredLogin): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // The folder may have existed before, open to others.
    await chmod(folder, 0o700);
    await writePrivateFile(path, `${JSON.stringify(login, null, 2)}\n`);
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    throw new UsageError(`Cannot store the access token in ${path}: ${describeSystemError(error)}`);
  }
}

/** @returns why a keyring could not remove the entry; undefined when it did */
async function forgetEntry(login: StoredLogin | undefined, environment: Environment): Promise<string | undefined> {
  if (login?.keyring === undefined || login.entry === undefined) return undefined;
  try {
    await keyringNamed(login.keyring, environment).remove(login.entry);
    return undefined;
  } catch (error) {
    if (error instanceof KeyringError) return error.message;
    throw error;
  }
}

/**
 * Stored credentials, with the token from its place; undefined if there is no login.
 *
 * @throws UsageError as `readLogin`; FatalError `login/keyring` or `login/command`, reason `login`, when the keyring or the command doesn't
 * give the token
 */
export async function readCredentials(
  path: string,
  environment: Environment = {},
  signal?: AbortSignal,
): Promise<Credentials | undefined> {
  const login = await readLogin(path);
  if (login === undefined) return undefined;
  const { token = "", command, keyring, entry = "", ...rest } = login;
  if (command !== undefined) return { ...rest, token: await commandToken(command, environment, undefined, signal) };
  if (keyring === undefined) return { ...rest, token };
  return { ...rest, token: await tokenIn(keyringNamed(keyring, environment), entry) };
}

async function tokenIn(keyring: Keyring, entry: string): Promise<string> {
  let token: string | undefined;
  try {
    token = await keyring.get(entry);
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    throw noToken(error.message);
  }
  if (token === undefined) throw noToken(`the system keyring (${keyring.name}) is locked, or doesn't hold it any more`);
  return checkedToken(token);
}

/** A nightly job has no desktop to unlock a keyring, so the message also names the way out. */
function noToken(found: string): FatalError {
  return new FatalError(
    "login/keyring",
    "login",
    `Cannot read the access token: ${found}. Unlock it, or log in again, with --no-keyring where nobody is there to unlock it`,
  );
}

/**
 * Forgets a login: first the token in a keyring, then the file.
 *
 * @returns false when there was no login; else the part that stayed behind, if any
 * @throws UsageError when the file can't be removed
 */
export async function forgetCredentials(
  path: string,
  environment: Environment = {},
): Promise<false | { readonly problem?: string }> {
  let login: StoredLogin | undefined;
  try {
    login = await readLogin(path);
    if (login === undefined) return false;
  } catch (error) {
    // A file that can't be used as a login can still be removed.
    if (!(error instanceof UsageError)) throw error;
  }
  const problem = await forgetEntry(login, environment);
  await rm(path).catch(onSystemError((problem) => new UsageError(`Cannot remove ${path}: ${problem}`)));
  return problem === undefined ? {} : { problem };
}

/** The names of the profiles with a login, sorted. */
export async function storedProfiles(folder: string = userFolders().config): Promise<readonly string[]> {
  try {
    const names = await readdir(join(folder, "credentials"));
    return names
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -".json".length))
      .filter(isProfile)
      .toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    if (!isOfSystem(error)) throw error;
    throw new UsageError(`Cannot read ${join(folder, "credentials")}: ${describeSystemError(error)}`);
  }
}

/**
 * A stored login, read without asking a keyring; undefined if there is no login.
 *
 * @throws UsageError when the file is a link or not a file, can be read by others, or doesn't hold a login
 */
export async function readLogin(path: string): Promise<StoredLogin | undefined> {
  let file: FileHandle;
  try {
    // If the file is a pipe, logferry must not wait for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") throw new UsageError(`Cannot use ${path}: it is a link. Remove it and log in again`);
    throw new UsageError(`Cannot use ${path}: ${describeSystemError(error)}`);
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new UsageError(`Cannot use ${path}: it is not a file. Remove it and log in again`);
    await refuseOpenToOthers(path, found);
    if (found.size > LOGIN_BYTES) {
      const state = `it is longer than ${sizeInWords(LOGIN_BYTES)}, so it is no login. Remove it and log in again`;
      throw new UsageError(`Cannot use ${path}: ${state}`);
    }
    return parseLogin(await file.readFile("utf8"), path);
  } finally {
    await file.close();
  }
}

/** Parses a stored login. @throws UsageError when it doesn't hold a login; the message doesn't contain the text */
export function parseLogin(text: string, path: string): StoredLogin {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = undefined;
  }
  const { url, token, command, keyring, entry, name, clientId, authUrl } = (content ?? {}) as Record<string, unknown>;
  const isInFile = typeof token === "string" && keyring === undefined;
  const isInKeyring = isKeyringName(keyring) && typeof entry === "string" && /^[\w-]{1,64}$/.test(entry);
  const isOfCommand = typeof command === "string" && token === undefined && keyring === undefined;
  if (typeof url !== "string" || !(isInFile || isInKeyring || isOfCommand)) {
    throw new UsageError(`Cannot use ${path}: it holds no credentials. Remove it and log in again`);
  }
  return {
    url,
    ...(isInFile && { token: checkedToken(token) }),
    ...(isInKeyring && { keyring, entry }),
    ...(isOfCommand && { command }),
    ...(typeof name === "string" && { name }),
    ...(typeof clientId === "string" && { clientId }),
    ...(typeof authUrl === "string" && { authUrl }),
  };
}
