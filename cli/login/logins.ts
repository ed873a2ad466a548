/** Information about the stored logins, with or without asking their logs. It never contains a token. */
import { FatalError } from "../../connectors/errors.ts";
import type { CommandContext } from "../arguments/command.ts";
import { describeError, isStop } from "../errors/describe-error.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { checkAccount } from "./connect.ts";
import { credentialsPath, readCredentials, readLogin, type StoredLogin } from "./credentials.ts";

/** A stored login without its token, or the reason why the login can't be read. */
export type KnownLogin =
  | { readonly profile: string; readonly login: Omit<StoredLogin, "token"> }
  | { readonly profile: string; readonly problem: string };

/** A stored login, read without asking a keyring or a command. */
export async function knownLogin(profile: string): Promise<KnownLogin> {
  try {
    const stored = await readLogin(credentialsPath(profile));
    if (stored === undefined) return { profile, problem: "it was removed meanwhile" };
    const { token: _, ...login } = stored;
    return { profile, login };
  } catch (error) {
    // One bad file must not hide the other logins.
    if (error instanceof UsageError) return { profile, problem: error.message };
    throw error;
  }
}

/** The word for the place of a token: `file`, `command`, or the keyring's tool. */
export function storedIn({ keyring, command }: Omit<StoredLogin, "token">): string {
  return command === undefined ? (keyring ?? "file") : "command";
}

/** The same in a few words. */
export function placeOf({ keyring, command }: Omit<StoredLogin, "token">): string {
  if (command !== undefined) return "token from a command";
  return keyring === undefined ? "token in a file" : `token in the keyring (${keyring})`;
}

/**
 * The state of a login: `unasked` if its token command was not run, `readable` if the token can be read, the others by the log's answer.
 */
export type LoginState = "unasked" | "readable" | "unreadable" | "works" | "refused" | "unreachable";

/** The state of a login, with its user or its problem. */
export interface LoginStatus {
  readonly state: LoginState;
  /** The owner's name, from the log. */
  readonly user?: string;
  readonly problem?: string;
}

/**
 * Whether a login's token can be read, and with `asks` whether its log accepts it. This may require the person to unlock a keyring. A
 * command is run only when the log is asked.
 *
 * @throws FatalError `api/stopped` when it was stopped
 */
export async function checkLogin(
  { profile, login }: Extract<KnownLogin, { readonly login: unknown }>,
  asks: boolean,
  { environment, signal }: Pick<CommandContext, "environment" | "signal">,
): Promise<LoginStatus> {
  if (!asks && login.command !== undefined) return { state: "unasked" };
  let token: string | undefined;
  try {
    token = (await readCredentials(credentialsPath(profile), environment, signal))?.token;
  } catch (error) {
    if (isStop(error, signal)) throw error;
    return { state: "unreadable", problem: wordsOf(error) };
  }
  if (token === undefined) return { state: "unreadable", problem: "it was removed meanwhile" };
  if (!asks) return { state: "readable" };
  try {
    const { name } = await checkAccount(login.url, token, signal);
    return { state: "works", user: name };
  } catch (error) {
    if (isStop(error, signal)) throw error;
    const isRefused = error instanceof FatalError && error.reason === "login";
    return { state: isRefused ? "refused" : "unreachable", problem: wordsOf(error) };
  }
}

/** The next step that makes a login work again. */
export function againLine(profile: string, login: Omit<StoredLogin, "token">): string {
  return login.command === undefined
    ? `logferry login --profile ${profile}`
    : "put a new token where its command takes it from";
}

function wordsOf(error: unknown): string {
  const problem = describeError(error);
  if (problem === undefined) throw error;
  return problem.message;
}
