import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import { systemClock } from "../../connectors/api/clock.ts";
import { openLoopback } from "../../connectors/api/loopback.ts";
import { beginLogin, codePasted, finishLogin, isAnswerTo, OUT_OF_BAND, readCode } from "../../connectors/api/oauth.ts";
import { NAMELESS } from "../../pipelines/log/log-view.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { checkAccount, connectTo } from "../login/connect.ts";
import {
  credentialsPath,
  type Login,
  type Place,
  readLogin,
  readSecretFile,
  storeCommand,
  storeCredentials,
} from "../login/credentials.ts";
import { findToken } from "../login/find-credentials.ts";
import { keyringHere } from "../login/keyring.ts";
import { checkedToken } from "../login/token.ts";
import { openBrowser } from "../system/browser.ts";
import { type Asker, openAsker } from "../terminal/ask.ts";

/** Parts that a test can replace. */
export interface LoginParts {
  readonly openBrowser: typeof openBrowser;
  readonly sleep: typeof systemClock.sleep;
}

/** The source of the token, decided before any question. */
type Way =
  | { readonly kind: "token" }
  | { readonly kind: "browser" | "oob"; readonly clientId: string; readonly authUrl: string | undefined };

/** `logferry login`: gets an access token in the browser or from the person, checks it, and stores it. */
export function loginWith(parts: LoginParts): (context: CommandContext) => Promise<ExitName> {
  return async (context) => {
    const { output, options, environment, input, signal } = context;
    const path = credentialsPath(options.profile);
    const { url, way } = await decide(context, path);
    const asker = openAsker(input, output, signal);
    try {
      const token =
        way.kind === "token" ? await takeToken(context, asker) : await askLog(context, asker, url, way, parts);
      const account = await checkAccount(url, token, signal);
      const login: Login = {
        url,
        name: account.name,
        ...(way.kind !== "token" && { clientId: way.clientId }),
        ...(way.kind !== "token" && way.authUrl !== undefined && { authUrl: way.authUrl }),
      };
      const { tokenCommand: command } = options;
      if (command !== undefined && way.kind === "token" && options.tokenStdin !== true) {
        await storeCommand(path, { ...login, command }, environment);
        output.emit("login", { profile: options.profile, name: account.name, url, stored: "command" });
        if (account.name === NAMELESS) output.remark(WITHHELD);
        output.conclude(
          `Logged in as ${account.name} at ${url}. The token is stored nowhere: the command is asked each time.`,
        );
        return "done";
      }
      const keyring = options.noKeyring === true ? undefined : await keyringHere(environment);
      const place = await storeCredentials(path, { ...login, token }, keyring, environment);
      output.emit("login", {
        profile: options.profile,
        name: account.name,
        url,
        stored: place.keyring ?? "file",
      });
      if (account.name === NAMELESS) output.remark(WITHHELD);
      if (place.problem !== undefined) output.remark(`The token is not in the keyring: ${place.problem}.`);
      output.conclude(`Logged in as ${account.name} at ${url}. The token is stored in ${placeWords(place, path)}.`);
      return "done";
    } catch (error) {
      if (signal.aborted && (error === signal.reason || isAbort(error))) return "stopped";
      throw error;
    } finally {
      asker.close();
    }
  };
}

/** The message when the owner did not grant private information. */
const WITHHELD =
  "The log withholds its owner's name: access to private information was not granted. All works without it, but logferry can't tell this log from another one at the same service. To change that, log in again and allow it.";

/** `logferry login`. */
export const act = loginWith({ openBrowser, sleep: systemClock.sleep });

/** The address and the way to log in: from the options, or as last time if no address is given. */
async function decide({ options, environment }: CommandContext, path: string): Promise<{ url: string; way: Way }> {
  const { oob = false, tokenStdin = false, tokenFile, tokenCommand } = options;
  if (oob && tokenStdin)
    throw new UsageError("Cannot log in: --oob gets a token from the log, --token-stdin takes one. Use one of them");
  const before = options.url === undefined ? await readLogin(path) : undefined;
  const url = options.url ?? before?.url;
  if (url === undefined) throw new UsageError("Cannot log in: say where, with --url");
  // This check comes before any question.
  checkedBaseUrl(url);
  const clientId = options.clientId ?? before?.clientId;
  const authUrl = options.authUrl ?? before?.authUrl;
  const hasToken = tokenFile !== undefined || tokenCommand !== undefined || (environment.LOGFERRY_TOKEN ?? "") !== "";
  if (tokenStdin || (hasToken && !oob)) return { url, way: { kind: "token" } };
  if (clientId !== undefined) return { url, way: { kind: oob ? "oob" : "browser", clientId, authUrl } };
  if (oob) {
    throw new UsageError(
      "Cannot log in: say as which application, with --client-id. The log gives the key where logferry is registered as an application",
    );
  }
  return { url, way: { kind: "token" } };
}

async function takeToken({ options, environment, signal }: CommandContext, asker: Asker): Promise<string> {
  const given = options.tokenStdin === true ? undefined : await findToken(options, environment, signal);
  return (
    given ??
    checkedToken(await asker.ask("Paste the access token and press Enter (it is not shown):", "the access token"))
  );
}

/** The document's authorization code grant, for both scenarios of an installed application. */
async function askLog(
  context: CommandContext,
  asker: Asker,
  url: string,
  { kind, clientId, authUrl }: Exclude<Way, { readonly kind: "token" }>,
  parts: LoginParts,
): Promise<string> {
  const { output, signal } = context;
  const request = { baseUrl: url, authUrl, clientId };
  // An address that can't be used is reported before logferry asks for a secret.
  await beginLogin({ ...request, redirectUri: OUT_OF_BAND });
  const secret = await clientSecret(context, asker);
  const open = (baseUrl: string) => connectTo(baseUrl, undefined);
  if (kind === "oob") {
    const pending = await beginLogin({ ...request, redirectUri: OUT_OF_BAND });
    output.emit("authorization", { address: pending.address });
    output.remark("Open this address in any browser, and allow access:", "", `  ${pending.address}`, "");
    const pasted = await asker.ask(
      "Paste the code that the page shows and press Enter (it is not shown here):",
      "the code",
    );
    const granted = await finishLogin(pending, codePasted(pending, pasted), secret, open, signal);
    return checkedToken(granted.accessToken);
  }
  const receiver = await openLoopback({ sleep: parts.sleep });
  try {
    const pending = await beginLogin({ ...request, redirectUri: receiver.redirectUri });
    output.emit("authorization", { address: pending.address });
    // No other code runs between these two, so logferry already listens when the browser comes back.
    showPage(context, pending.address, parts);
    const answer = await receiver.answer(
      (query) => isAnswerTo(pending, query),
      signal,
      () => output.remark("Something that is not the answer to this login came back, and was turned away."),
    );
    const granted = await finishLogin(pending, readCode(pending, answer), secret, open, signal);
    return checkedToken(granted.accessToken);
  } finally {
    await receiver.close();
  }
}

function showPage({ output, environment }: CommandContext, address: string, parts: LoginParts): void {
  const isOpening = parts.openBrowser(address, environment, () =>
    output.remark("No browser could be opened: go to the address above yourself, or use --oob."),
  );
  output.remark(
    isOpening
      ? "Allow access on the page that opens in your browser. Should none open, go to:"
      : "There is no browser to open here. Go to this address in a browser of this very machine:",
    "",
    `  ${address}`,
    "",
    ...(isOpening ? [] : ["With a browser on another machine, use --oob."]),
  );
}

/** The secret comes from a place that no other user can see. If there is none, logferry asks for it. */
async function clientSecret({ options, environment }: CommandContext, asker: Asker): Promise<string> {
  const { LOGFERRY_CLIENT_SECRET: variable = "" } = environment;
  const secret =
    options.clientSecretFile !== undefined
      ? await readSecretFile(options.clientSecretFile)
      : variable.trim() !== ""
        ? variable.trim()
        : await asker.ask("Paste the application's secret and press Enter (it is not shown):", "the client secret");
  if (/^[\x20-\x7e]{1,512}$/.test(secret)) return secret;
  throw new UsageError("Cannot use the client secret: expected 1 to 512 printable characters");
}

function placeWords({ keyring, problem }: Place, path: string): string {
  if (keyring !== undefined) return `the system keyring (${keyring})`;
  const why = problem === undefined ? "" : ", without the keyring";
  return `${path}, readable by you alone${why}`;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || ("code" in error && error.code === "api/stopped"));
}
