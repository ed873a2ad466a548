/** What is known of the stored logins, with and without asking their logs. No token is in any of it. */
import { FatalError } from "../../connectors/errors.ts";
import type { CommandContext } from "../arguments/command.ts";
import { describeError, isStop } from "../errors/describe-error.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { checkAccount } from "./connect.ts";
import { credentialsPath, readCredentials, readLogin, type StoredLogin } from "./credentials.ts";

/** A stored login without its token; where the login itself can't be read, why. */
export type KnownLogin =
  | { readonly profile: string; readonly login: Omit<StoredLogin, "token"> }
  | { readonly profile: string; readonly problem: string };

/** What a login is stored as, without asking a keyring or a command. */
export async function knownLogin(profile: string): Promise<KnownLogin> {
  try {
    const stored = await readLogin(credentialsPath(profile));
    if (stored === undefined) return { profile, problem: "it was removed meanwhile" };
    const { token: _, ...login } = stored;
    return { profile, login };
  } catch (error) {
    // One bad file must not hide the others.
    if (error instanceof UsageError) return { profile, problem: error.message };
    throw error;
  }
}

/** The word for where a token is: `file`, `command`, or the keyring's tool. */
export function storedIn({ keyring, command }: Omit<StoredLogin, "token">): string {
  return command === undefined ? (keyring ?? "file") : "command";
}

/** The same in a few words. */
export function placeOf({ keyring, command }: Omit<StoredLogin, "token">): string {
  if (command !== undefined) return "token from a command";
  return keyring === undefined ? "token in a file" : `token in the keyring (${keyring})`;
}

/** The state of a login: `unasked` where nobody was asked, `readable` where the token is there, the others as the log answered. */
export type LoginState = "unasked" | "readable" | "unreadable" | "works" | "refused" | "unreachable";

/** The state of a login, with its user or its problem. */
export interface LoginStatus {
  readonly state: LoginState;
  /** Who the log says the owner is. */
  readonly user?: string;
  /** What went wrong. */
  readonly problem?: string;
}

/**
 * Whether a login's token can be read, and with `asks` whether its log takes it. A keyring may have to be unlocked for it; a command is run only where
 * the log is asked.
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

/** What to type, or to do, so that a login works again. */
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
