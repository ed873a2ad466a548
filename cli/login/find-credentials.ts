/** Finds the address and the token of a command: in its options, the environment, or the profile. */
import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import { FatalError } from "../../connectors/errors.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { credentialsPath, readCredentials, readLogin, readTokenFile } from "./credentials.ts";
import { checkedToken } from "./token.ts";
import { commandToken } from "./token-command.ts";

/** The address and the token of a command, with their sources. */
export interface FoundCredentials {
  readonly url: string;
  readonly token: string;
  /** The source of the token: given for this command, or stored with the profile. */
  readonly from: "given" | "stored";
}

/**
 * The address and the token, from the options, the environment, or the profile.
 *
 * @throws FatalError `login/none`, reason `login`, if there is no login; UsageError when the stored token is for another service
 */
export async function findCredentials({
  options,
  environment,
  signal,
}: Pick<CommandContext, "options" | "environment" | "signal">): Promise<FoundCredentials> {
  const path = credentialsPath(options.profile);
  const stored = await readLogin(path);
  const url = options.url ?? stored?.url;
  // Without an address a token is of no use, so no command is run for it.
  const given = url === undefined ? undefined : await findToken(options, environment, signal);
  if (url !== undefined && given !== undefined) return { url, token: given, from: "given" };
  if (url === undefined || stored === undefined) {
    // Nobody logs in for a journal of a fleet: the token is the athlete's.
    if (options.journal?.startsWith("fleet:") === true && url !== undefined)
      throw new FatalError("login/none", "login", WANTS_ATHLETES);
    const profile = options.profile === "default" ? "" : ` --profile ${options.profile}`;
    const missing = url === undefined ? "URL" : shellWord(shownAddress(url));
    throw new FatalError("login/none", "login", `Not logged in. Run: logferry login --url ${missing}${profile}`);
  }
  if (!isSameAddress(url, stored.url)) {
    throw new UsageError(
      `Cannot use the stored token of ${options.profile}: it is for ${stored.url}. Log in to ${url} first, perhaps with another --profile`,
    );
  }
  // The token is read only now, just before its use, because the owner may have to unlock the keyring.
  const { token = "" } = (await readCredentials(path, environment, signal)) ?? {};
  return { url, token, from: "stored" };
}

const WANTS_ATHLETES =
  "The access token of the athlete is missing: a journal of a fleet has none. Give it to the same command with --token-file FILE, --token-command COMMAND or LOGFERRY_TOKEN";

/** An address in its printable form. A pasted address may contain a password, or a token in its query. */
export function shownAddress(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null || parsed.origin === "null" ? "URL" : `${parsed.origin}${parsed.pathname.replace(/\/$/, "")}`;
}

/** Whether two addresses lead to one service. A final slash and capitals in the host's name don't matter. */
function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [checkedBaseUrl(one), checkedBaseUrl(other)];
  return a.origin === b.origin && a.prefix === b.prefix;
}

/**
 * The token from a file, a command or the environment, in this order; undefined if none of them gives one.
 *
 * @param environment in which an empty `LOGFERRY_TOKEN` counts as not set
 * @throws UsageError when both a file and a command are named, the file can't be read, or the text can't be a token; FatalError as
 * `commandToken`
 */
export async function findToken(
  { tokenFile, tokenCommand }: Pick<CommandContext["options"], "tokenFile" | "tokenCommand">,
  environment: CommandContext["environment"],
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (tokenFile !== undefined && tokenCommand !== undefined)
    throw new UsageError("Cannot choose between --token-file and --token-command: both are set. Use one of them");
  if (tokenFile !== undefined) return readTokenFile(tokenFile);
  if (tokenCommand !== undefined) return commandToken(tokenCommand, environment, undefined, signal);
  const { LOGFERRY_TOKEN: variable = "" } = environment;
  return variable === "" ? undefined : checkedToken(variable);
}
