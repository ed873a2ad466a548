/**
 * Logs a person in with the document's authorization code grant: from the address for the browser to the access token. One value holds all
 * data of a login from beginning to end. So an answer can only go to the service that was asked. oauth4webapi does the protocol's checks,
 * and the messages for people are here.
 */

import * as oauth from "oauth4webapi";
import { defined } from "../../transforms/model/defined.ts";
import { printable } from "../../transforms/text/printable.ts";
import { FatalError, type FatalReason, OAuthRefusal, TransferError, UnknownOutcomeError } from "../errors.ts";
import { checkedBaseUrl } from "./base-url.ts";
import { type AccessToken, exchangeAuthorizationToken } from "./client.ts";
import type { Connection } from "./connection.ts";
import { redactor } from "./redact.ts";

/** "Installed scenario: `urn:ietf:wg:oauth:2.0:oob`": the page shows the authorization token, and a person carries it over. */
export const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";

/** The document says "Not constrained in the interface". People don't paste longer codes. */
const LONGEST_CODE = 2000;

/** A login that waits for its answer. */
export interface PendingLogin {
  /** `{base_url}`: the only address that is asked for the access token. */
  readonly baseUrl: string;
  /** The address for the browser. It holds no secret: `state` and the PKCE challenge are useless without the rest. */
  readonly address: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** The value that the answer must bring back; undefined out of band, because no answer comes back on its own there. */
  readonly state: string | undefined;
  /** PKCE: proves to the token endpoint that the same program asks for the token and asked for access. A service may ignore it. */
  readonly codeVerifier: string;
}

/** The data for starting a login. */
export interface LoginRequest {
  readonly baseUrl: string;
  /** `{auth_url}`, "the address of the browser-facing authorization page". If left out, it is the base URL. */
  readonly authUrl?: string | undefined;
  /** "The application key issued at registration." */
  readonly clientId: string;
  /** `OUT_OF_BAND`, or "an `http://localhost` address with a port". */
  readonly redirectUri: string;
}

/**
 * Starts a login, without sending anything.
 *
 * @throws FatalError `api/bad-url` for an address that must not get a password or a token (see `checkedBaseUrl`)
 */
export async function beginLogin({
  baseUrl,
  authUrl = baseUrl,
  clientId,
  redirectUri,
}: LoginRequest): Promise<PendingLogin> {
  checkedBaseUrl(baseUrl);
  const { origin, prefix } = checkedBaseUrl(authUrl, false, "the authorization page");
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const state = redirectUri === OUT_OF_BAND ? undefined : oauth.generateRandomState();
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    ...defined({ state }),
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  });
  const address = `${origin}${prefix}/oauth2/authorize?${query}`;
  return { baseUrl, address, clientId, redirectUri, state, codeVerifier };
}

/** Whether an answer belongs to a login: it brings the login's `state` back, exactly once. Only such an answer may end the wait. */
export function isAnswerTo({ state }: PendingLogin, answer: URLSearchParams): boolean {
  return state !== undefined && answer.getAll("state").length === 1 && answer.get("state") === state;
}

/**
 * Reads the authorization token from the answer that the browser brought back.
 *
 * @throws FatalError `oauth/…` with the service's own error, in a sentence; `login/bad-answer` when the answer belongs to another login, or
 *   is no answer at all
 */
export function readCode(pending: PendingLogin, answer: URLSearchParams): string {
  const { origin } = new URL(pending.address);
  const issuer = answer.get("iss") ?? origin;
  // RFC 9207: if a service names itself, it must be the service that was asked.
  if (URL.parse(issuer)?.origin !== origin) throw badAnswer("it comes from another service");
  const server: oauth.AuthorizationServer = { issuer };
  const client: oauth.Client = { client_id: pending.clientId };
  let checked: URLSearchParams;
  try {
    checked = oauth.validateAuthResponse(server, client, answer, pending.state ?? oauth.skipStateCheck);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      throw refusedByLog("page", error.error, error.error_description, pending);
    }
    if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
      throw badAnswer("it is not the answer to this login");
    }
    throw error;
  }
  const [code = "", ...more] = checked.getAll("code");
  if (!isCode(code) || more.length > 0) throw badAnswer("it holds no authorization token");
  return code;
}

/**
 * Reads the text that a person pasted from the out-of-band page: the authorization token, or the form-encoded error that is "the only
 * content of the page body".
 *
 * @param text trimmed, without the characters that a terminal adds
 * @throws FatalError as `readCode`. No message repeats the text
 */
export function codePasted(pending: PendingLogin, text: string): string {
  if (/^error(_description)?=/.test(text)) return readCode(pending, new URLSearchParams(text));
  if (!isCode(text)) {
    throw new FatalError(
      "login/bad-code",
      "login",
      "Cannot use the authorization token: expected the letters, digits and signs that the page shows, without blanks",
    );
  }
  return text;
}

/**
 * Finishes a login: trades the authorization token for an access token, at the service where the login began.
 *
 * @param open opens a connection to an address, without a token; this function closes it
 * @throws FatalError `oauth/…` when the service refuses, in a sentence; reason `service` when it can't be reached or its answer can't be
 *   used. No message holds the code, the secret or the token
 */
export async function finishLogin(
  pending: PendingLogin,
  code: string,
  clientSecret: string,
  open: (baseUrl: string) => Connection,
  signal: AbortSignal,
): Promise<AccessToken> {
  const connection = open(pending.baseUrl);
  const { clientId, redirectUri, codeVerifier } = pending;
  try {
    const grant = { clientId, clientSecret, code, redirectUri, codeVerifier };
    return await exchangeAuthorizationToken(connection, grant, signal);
  } catch (error) {
    if (!(error instanceof TransferError) || error.code === "api/stopped") throw error;
    if (error instanceof OAuthRefusal) throw refusedByLog("token", error.error, error.description, pending);
    if (error instanceof UnknownOutcomeError) {
      // The authorization token may be used up. The person can start again without losing anything.
      throw new FatalError(error.code, "service", `${error.message}. Log in again`, { cause: error });
    }
    throw error;
  } finally {
    await connection.close();
  }
}

/** RFC 6749, appendix A.11: printable ASCII. A blank would come from the page and not from the token. */
function isCode(text: string): boolean {
  return text.length <= LONGEST_CODE && /^[\x21-\x7e]+$/.test(text);
}

function badAnswer(found: string): FatalError {
  return new FatalError("login/bad-answer", "service", `Cannot use what the browser brought back: ${found}`);
}

/** The source of a refusal: the authorization page or the token endpoint. */
type Stage = "page" | "token";

const SPENT = "it doesn't take the authorization token, which is good once, for 10 minutes. Log in again";
const UNKNOWN_APPLICATION = "it doesn't know the application, or the client secret is wrong";
const FAULT = "it has a fault of its own. Try again later";
const BUSY = "it is busy, or being looked after. Try again in a while";
const NO_CODES = "it gives no authorization tokens. Is the address right?";

/**
 * The errors of the document (the first seven), and the errors that RFC 6749 has only for the token endpoint. Each has its meaning, and its
 * reason for the exit code. The document has no `invalid_client` or `invalid_grant`. It uses `unauthorized_client` for the first and
 * `invalid_request` for the second.
 */
export const OAUTH_ERRORS: Readonly<
  Record<string, Readonly<Record<Stage, string>> & { readonly reason: FatalReason }>
> = {
  access_denied: {
    page: "access was refused on its page. Log in again to allow it",
    token: "access was taken back meanwhile. Log in again",
    reason: "login",
  },
  invalid_request: { page: "it finds the request wrong or incomplete", token: SPENT, reason: "login" },
  invalid_scope: {
    page: "it doesn't grant what was asked for",
    token: "it doesn't grant what was asked for",
    reason: "login",
  },
  server_error: { page: FAULT, token: FAULT, reason: "service" },
  temporarily_unavailable: { page: BUSY, token: BUSY, reason: "service" },
  unauthorized_client: {
    page: "it doesn't let this application log people in. Check --client-id",
    token: `${UNKNOWN_APPLICATION}. Check --client-id and the secret`,
    reason: "login",
  },
  unsupported_response_type: { page: NO_CODES, token: NO_CODES, reason: "service" },
  invalid_client: {
    page: UNKNOWN_APPLICATION,
    token: `${UNKNOWN_APPLICATION}. Check --client-id and the secret`,
    reason: "login",
  },
  invalid_grant: { page: SPENT, token: SPENT, reason: "login" },
  unsupported_grant_type: { page: NO_CODES, token: NO_CODES, reason: "service" },
};

function refusedByLog(stage: Stage, error: string, description: string | undefined, pending: PendingLogin): FatalError {
  const redact = redactor([pending.state ?? "", pending.codeVerifier]);
  const known = Object.hasOwn(OAUTH_ERRORS, error) ? OAUTH_ERRORS[error] : undefined;
  const says = known?.[stage] ?? "it refuses, for a reason it has no known word for";
  const words = [error, ...(description === undefined || description === "" ? [] : [description])].join(": ");
  return new FatalError(
    `oauth/${known === undefined ? "other" : error}`,
    known?.reason ?? "login",
    `Cannot log in to the log: ${says} (${printable(redact(words), 200)})`,
  );
}
