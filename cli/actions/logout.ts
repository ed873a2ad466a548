import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { credentialsPath, forgetCredentials, readLogin } from "../login/credentials.ts";
import { shownAddress } from "../login/find-credentials.ts";

/** `logferry logout`: forgets a token. The log still accepts the token until the owner revokes it there. */
export async function act({ output, options, environment }: CommandContext): Promise<ExitName> {
  const path = credentialsPath(options.profile);
  // A file that can't be used can still be removed.
  const login = await readLogin(path).catch((error: unknown) => {
    if (error instanceof UsageError) return undefined;
    throw error;
  });
  const forgotten = await forgetCredentials(path, environment);
  output.emit("logout", {
    profile: options.profile,
    forgotten: forgotten !== false,
    ...(login !== undefined && { url: login.url, revokeAt: pageOf(login.authUrl ?? login.url) }),
  });
  if (forgotten !== false && forgotten.problem !== undefined) {
    output.remark(`The token may still be in the keyring: ${forgotten.problem}. Remove it there yourself.`);
  }
  if (login?.command !== undefined) output.remark("The token is still where the command takes it from.");
  const { tokenFile, tokenCommand } = options;
  if ((environment.LOGFERRY_TOKEN ?? "") !== "" || tokenFile !== undefined || tokenCommand !== undefined) {
    output.remark("A token is still given by LOGFERRY_TOKEN, a token file or a token command, and will be used.");
  }
  if (forgotten === false) output.conclude(`Nobody was logged in as the profile ${options.profile}.`);
  else if (login === undefined) output.conclude(`Removed ${path}, which could not be used.`);
  else {
    output.conclude(
      `Logged out of ${shownAddress(login.url)}: the token is forgotten here. The log still honours it: to revoke it, sign in at ${pageOf(login.authUrl ?? login.url)} and remove logferry from the connected applications.`,
    );
  }
  return "done";
}

/**
 * The page where a person signs in. The document says of it: "the mechanism by which a user revokes a token: not shown", but it surely
 * requires signing in.
 */
function pageOf(address: string): string {
  const origin = URL.parse(address)?.origin;
  return origin === undefined || origin === "null" ? shownAddress(address) : `${origin}/`;
}
