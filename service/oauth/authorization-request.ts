/**
 * An application's request at the authorization endpoint. It is read from the address as it came, before decoding, because the state goes
 * back "byte-exact", with the same escapes.
 */
import { MAX_STATE_BYTES, SCOPES } from "../gaps.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { Application } from "../store/accounts.ts";
import type { Condition } from "./errors.ts";
import { isRegistered } from "./redirect-uris.ts";

/** The address for the answer to the application, and the state that goes back with it. */
export interface ReturnAddress {
  /** A registered address. */
  readonly redirectURI: string;
  /** Percent-encoded as it came; undefined when none was sent. */
  readonly state: string | undefined;
}

/** A sound request, ready to be shown to the user. */
export interface AuthorizationRequest extends ReturnAddress {
  readonly application: Application;
  /** PKCE, S256; undefined when the application sent none. */
  readonly challenge: string | undefined;
  /** The same request as an address of ours, with the parameters we know and no others. */
  readonly address: string;
}

/** The result of reading a request. */
export type Reading =
  | { readonly kind: "sound"; readonly request: AuthorizationRequest }
  /** The service tells the application. */
  | { readonly kind: "refused"; readonly to: ReturnAddress; readonly condition: Condition }
  /** The service tells the user in this sentence, because the request has no address that we may send the browser to. */
  | { readonly kind: "unanswerable"; readonly sentence: string };

/** The address of the endpoint. */
export const AUTHORIZE = "/oauth2/authorize";

const KNOWN = [
  "response_type",
  "client_id",
  "redirect_uri",
  "state",
  "scope",
  "code_challenge",
  "code_challenge_method",
] as const;

type Name = (typeof KNOWN)[number];

/** Values of each parameter: as they came, in ASCII, and decoded. */
type Parameters = Readonly<Record<Name, readonly { readonly raw: string; readonly text: string }[]>>;

/**
 * The conditions that refuse a request, in the order of the checks. The first one that holds is the answer. `undefined` and "" are the
 * same: no value.
 */
const CHECKS: readonly (readonly [Condition, (found: Parameters, application: Application) => boolean])[] = [
  ["repeated state", (found) => found.state.length > 1],
  ["state too long", (found) => bytesOf(found.state[0]?.raw ?? "") > MAX_STATE_BYTES],
  ["repeated parameter", (found) => KNOWN.some((name) => found[name].length > 1)],
  ["suspended application", (_found, application) => application.isSuspended],
  ["no response_type", (found) => textOf(found, "response_type") === ""],
  ["unknown response_type", (found) => textOf(found, "response_type") !== "code"],
  [
    "unknown scope",
    (found) =>
      textOf(found, "scope")
        .split(" ")
        .some((name) => name !== "" && !SCOPES.includes(name)),
  ],
  ["no challenge", (found) => has(found, "code_challenge_method") && !has(found, "code_challenge")],
  ["unknown challenge method", (found) => has(found, "code_challenge") && method(found) !== "S256"],
  ["bad challenge", (found) => has(found, "code_challenge") && !CHALLENGE.test(textOf(found, "code_challenge"))],
];

/** Conditions in which no state goes back. */
const STATELESS: ReadonlySet<Condition> = new Set(["repeated state", "state too long"]);

/** SHA-256 in base64url without padding (RFC 7636 section 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the request in an address.
 *
 * @param url path and query as they came
 * @throws StoreUnavailable
 */
export async function readRequest(url: string, accounts: AccountStore): Promise<Reading> {
  const found = parametersOf(url);
  const unanswerable = (sentence: string) => ({ kind: "unanswerable", sentence }) as const;
  for (const name of ["client_id", "redirect_uri"] as const) {
    if (found[name].length > 1) return unanswerable(`It names its ${name} more than once, a repeated parameter`);
    if (!has(found, name)) return unanswerable(`It doesn't say its ${name}`);
  }
  const application = await accounts.application(textOf(found, "client_id"));
  if (application === undefined) return unanswerable("It isn't registered with this service");
  const redirectURI = textOf(found, "redirect_uri");
  if (!isRegistered(redirectURI, application.redirectURIs)) {
    return unanswerable("It wants the answer sent to an address that isn't registered for it");
  }
  const [condition] = CHECKS.find(([, holds]) => holds(found, application)) ?? [];
  const state = condition !== undefined && STATELESS.has(condition) ? undefined : found.state[0]?.raw;
  const to = { redirectURI, state };
  if (condition !== undefined) return { kind: "refused", to, condition };
  const challenge = has(found, "code_challenge") ? textOf(found, "code_challenge") : undefined;
  return { kind: "sound", request: { ...to, application, challenge, address: addressOf(found) } };
}

function textOf(found: Parameters, name: Name): string {
  return found[name][0]?.text ?? "";
}

function has(found: Parameters, name: Name): boolean {
  return textOf(found, name) !== "";
}

/** RFC 7636: "plain" is the default. */
function method(found: Parameters): string {
  return textOf(found, "code_challenge_method") || "plain";
}

function parametersOf(url: string): Parameters {
  const found = Object.fromEntries(KNOWN.map((name) => [name, [] as { raw: string; text: string }[]]));
  const at = url.indexOf("?");
  for (const pair of at === -1 ? [] : url.slice(at + 1).split("&")) {
    const end = pair.indexOf("=");
    const name = decoded(end === -1 ? pair : pair.slice(0, end));
    const raw = inAscii(end === -1 ? "" : pair.slice(end + 1));
    if (Object.hasOwn(found, name)) found[name]?.push({ raw, text: decoded(raw) });
  }
  return found as unknown as Parameters;
}

function addressOf(found: Parameters): string {
  const pairs = KNOWN.flatMap((name) => found[name].map(({ raw }) => `${name}=${raw}`));
  return `${AUTHORIZE}?${pairs.join("&")}`;
}

/** Decodes as forms are decoded. Bytes that can't be decoded become U+FFFD, which no registered value contains. */
function decoded(raw: string): string {
  return new URLSearchParams(`x=${raw}`).get("x") ?? "";
}

/** The same bytes, with every character percent-encoded that has a meaning in a header, in HTML or in a query. */
function inAscii(raw: string): string {
  return raw.replace(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~%+-]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    // Node gives the bytes of an address as Latin-1.
    return code < 0x100 ? `%${code.toString(16).toUpperCase().padStart(2, "0")}` : encodeURIComponent(character);
  });
}

function bytesOf(raw: string): number {
  return raw.replace(/%[0-9A-Fa-f]{2}/g, "x").length;
}
