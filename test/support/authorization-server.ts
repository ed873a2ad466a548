/**
 * The two halves of an authorization server, to test the client against. It is strict where the interface document is clear, and wrong in the ways a
 * test asks for. A log behind it answers what `whoami` asks. It shares no code with the service.
 */
import { createHash, randomBytes } from "node:crypto";
import { get } from "node:http";
import { type Received, type Reply, type ScriptedServer, startServer } from "./http-server.ts";

/** The registered application. */
export const APPLICATION = { id: "logferry-client", secret: "c4naryS3cret+/=&" } as const;

/** How the server misbehaves, and which user it has. All parts may be changed while it runs. */
export interface Script {
  /** The end of the consent page: the code (when left out), or an error of the document's seven, with its description. */
  refuse?: { readonly error: string; readonly description?: string };
  /** The answer of the token endpoint instead of a token. */
  token?: Reply;
  /** Changes the query of the redirect before it leaves: another state, none, an issuer. */
  tamper?: (answer: URLSearchParams) => void;
  /** The user's name. */
  screenName?: string;
}

/** A running server. */
export interface AuthorizationServer {
  readonly url: string;
  readonly script: Script;
  readonly requests: readonly Received[];
  /** Every code and every access token that was given. Tests search for them in places where they must not be. */
  readonly codes: readonly string[];
  readonly tokens: readonly string[];
  close(): Promise<void>;
}

interface Given {
  readonly redirectUri: string;
  readonly challenge: string | null;
}

/** Starts one on a free port. */
export async function startAuthorizationServer(script: Script = {}): Promise<AuthorizationServer> {
  const given = new Map<string, Given>();
  const codes: string[] = [];
  const tokens: string[] = [];

  const authorize = ({ query }: Received): Reply => {
    const redirectUri = query.get("redirect_uri") ?? "";
    const isRegistered = /^http:\/\/localhost:\d+\/$/.test(redirectUri) || redirectUri === "urn:ietf:wg:oauth:2.0:oob";
    if (query.get("client_id") !== APPLICATION.id || !isRegistered) return { status: 400, body: "not registered" };
    const answer = new URLSearchParams();
    if (query.get("response_type") !== "code") answer.set("error", "unsupported_response_type");
    else if (script.refuse !== undefined) {
      answer.set("error", script.refuse.error);
      if (script.refuse.description !== undefined) answer.set("error_description", script.refuse.description);
    } else {
      const code = `c0de${randomBytes(12).toString("base64url")}`;
      codes.push(code);
      given.set(code, { redirectUri, challenge: query.get("code_challenge") });
      answer.set("code", code);
    }
    const state = query.get("state");
    if (state !== null) answer.set("state", state);
    script.tamper?.(answer);
    if (redirectUri.startsWith("urn:")) {
      const code = answer.get("code");
      return { headers: { "content-type": "text/html" }, body: code === null ? `${answer}` : `<title>${code}</title>` };
    }
    return { status: 302, headers: { location: `${redirectUri}?${answer}` } };
  };

  const token = ({ method, headers, body }: Received): Reply => {
    if (script.token !== undefined) return script.token;
    const form = new URLSearchParams(body.toString());
    const refuse = (error: string, description: string): Reply => ({
      status: 400,
      json: { error, error_description: description },
    });
    if (method !== "POST") return { status: 405 };
    if (!headers["content-type"]?.startsWith("application/x-www-form-urlencoded")) return { status: 415 };
    if (form.get("grant_type") !== "authorization_code") return refuse("invalid_request", "grant_type is wrong");
    if (form.get("client_id") !== APPLICATION.id || form.get("client_secret") !== APPLICATION.secret) {
      return refuse("unauthorized_client", "The secret is wrong");
    }
    const code = form.get("code") ?? "";
    const found = given.get(code);
    given.delete(code);
    if (found === undefined) return refuse("invalid_request", "The code is unknown or spent");
    if (form.get("redirect_uri") !== found.redirectUri) return refuse("invalid_request", "redirect_uri is another");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (found.challenge !== null && proof !== found.challenge) return refuse("invalid_request", "The proof is wrong");
    const given32 = `t0ken${randomBytes(18).toString("base64url")}`;
    tokens.push(given32);
    return { json: { access_token: given32, token_type: "bearer" } };
  };

  const server: ScriptedServer = await startServer((request) => {
    if (request.path === "/oauth2/authorize") return authorize(request);
    if (request.path === "/oauth2/token") return token(request);
    if (!tokens.includes(request.query.get("access_token") ?? "")) return { status: 401, json: { code: 401 } };
    if (request.path === "/rest/users/me/preference") {
      const preference = { utcOffset: 1, distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" };
      return { json: { code: 0, data: { preference } } };
    }
    if (request.path === "/rest/users/me") {
      return { json: { code: 0, data: { screenName: script.screenName ?? "ana" } } };
    }
    if (/^\/rest\/logs\/me\/\w+$/.test(request.path))
      return { json: { code: 0, data: { entries: [], numEntries: 0 } } };
    return { status: 404, json: { code: 404 } };
  });
  return { url: server.url, script, requests: server.requests, codes, tokens, close: server.close };
}

/** The page that a browser shows at the end of its way. */
export interface Page {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
}

/** A browser that opens one address: a bare GET. (`fetch` declares itself a page's script, and some pages refuse scripts.) */
export function visit(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
  return new Promise((resolve, reject) => {
    const asked = get(address, { agent: false, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text, location: response.headers.location }),
      );
    });
    asked.on("error", reject);
  });
}

/** The browser of somebody who allows the request. It opens an address and follows the redirects. @returns the last page */
export async function browse(address: string): Promise<Page> {
  const page = await visit(address);
  return page.location === undefined ? page : browse(page.location);
}
