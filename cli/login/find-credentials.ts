/**
 * Where the address and the token of a command come from: its options, the environment, or what a profile remembers.
 */
import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import { FatalError } from "../../connectors/errors.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { CommandContext } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { credentialsPath, readCredentials, readLogin, readTokenFile } from "./credentials.ts";
import { checkedToken } from "./token.ts";
import { commandToken } from "./token-command.ts";

/** Where the address and the token of a command come from. */
export interface FoundCredentials {
  readonly url: string;
  readonly token: string;
  /** Where the token is from: what was given for this command, or what the profile remembers. */
  readonly from: "given" | "stored";
}

/**
 * The address and the token, from the options, the environment, or what the profile remembers.
 *
 * @throws FatalError `login/none`, reason `login`, when nobody logged in; UsageError when the stored token is another service's
 */
export async function findCredentials({
  options,
  environment,
  signal,
}: Pick<CommandContext, "options" | "environment" | "signal">): Promise<FoundCredentials> {
  const path = credentialsPath(options.profile);
  const stored = await readLogin(path);
  const url = options.url ?? stored?.url;
  // Where there is no address, no command is asked for what can't be used.
  const given = url === undefined ? undefined : await findToken(options, environment, signal);
  if (url !== undefined && given !== undefined) return { url, token: given, from: "given" };
  if (url === undefined || stored === undefined) {
    const profile = options.profile === "default" ? "" : ` --profile ${options.profile}`;
    const missing = url === undefined ? "URL" : shellWord(shownAddress(url));
    throw new FatalError("login/none", "login", `Not logged in. Run: logferry login --url ${missing}${profile}`);
  }
  if (!isSameAddress(url, stored.url)) {
    throw new UsageError(
      `Cannot use the stored token of ${options.profile}: it is for ${stored.url}. Log in to ${url} first, perhaps with another --profile`,
    );
  }
  // Only now, when it will be used: the keyring may have to be unlocked by its owner.
  const { token = "" } = (await readCredentials(path, environment, signal)) ?? {};
  return { url, token, from: "stored" };
}

/** An address as it may be shown: what somebody pasted may hold a password, or a token in its query. */
export function shownAddress(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null || parsed.origin === "null" ? "URL" : `${parsed.origin}${parsed.pathname.replace(/\/$/, "")}`;
}

/** Whether two addresses lead to one service: a slash at the end, or capitals in the host's name, make no difference. */
function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [checkedBaseUrl(one), checkedBaseUrl(other)];
  return a.origin === b.origin && a.prefix === b.prefix;
}

/**
 * The token that a file, a command or the environment gives, in this order; undefined when none does.
 *
 * @param environment of which an empty `LOGFERRY_TOKEN` counts as not set
 * @throws UsageError when both a file and a command are named, the file can't be read, or what is there can't be a token; FatalError as
 *   `commandToken`
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
