import { isLoopbackHost } from "../../transforms/text/loopback-host.ts";
import { FatalError } from "../errors.ts";

/** Link-local addresses. Cloud machines answer questions about themselves there, and no training log uses them. */
const LINK_LOCAL = /^(169\.254\.|\[fe[89ab])/i;

/** The service's address, checked. */
export interface BaseUrl {
  /** `https://log.example`, without a path. */
  readonly origin: string;
  /** The text before every path of the document: empty, or `/api`, without a slash at the end. */
  readonly prefix: string;
}

/**
 * Checks the address of a service. The token travels in every URL, so the address must use https or lead to this machine.
 *
 * @param text `{base_url}` of the document, as a person typed it
 * @param insecureHttp allows plain HTTP everywhere: for a trusted network
 * @param what the owner of the address, for the message
 * @throws FatalError `api/bad-url`, reason `service`. The message repeats at most a bare host of the address, because the rest may hold a
 *   secret
 */
export function checkedBaseUrl(text: string, insecureHttp = false, what = "the service"): BaseUrl {
  const url = /[\s\\]/.test(text) ? null : URL.parse(text);
  const meant = withScheme(text);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  if (url === null) throw bad(what, `expected an address such as https://log.example${hint}`);
  const problem = PROBLEMS.find(({ isSo }) => isSo(url, text, insecureHttp));
  if (problem !== undefined) throw bad(what, `${problem.found}${hint}`);
  return { origin: url.origin, prefix: withoutLastSlashes(url.pathname) };
}

/** A text that can only be a host, with a port or without: this machine, or a name with a domain. A pasted token never matches. */
const BARE_HOST = /^(localhost|127\.0\.0\.1|\[::1\]|([a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})(:\d{1,5})?\/?$/i;

/** Adds the scheme that a bare host like `localhost:8080` needs. Undefined if the text is more than a host. */
function withScheme(text: string): string | undefined {
  const [, host = ""] = BARE_HOST.exec(text) ?? [];
  if (host === "") return undefined;
  return `${isLoopbackHost(host) ? "http" : "https"}://${withoutLastSlashes(text)}`;
}

/** Whether an address leads to this very machine. Then no other people's service needs to be spared. */
export function isThisMachine(url: string): boolean {
  return isLoopbackHost(URL.parse(url)?.hostname ?? "");
}

/** Removes the slashes at the end: `https://log.example//` becomes `https://log.example`. */
export function withoutLastSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end--;
  return address.slice(0, end);
}

/** Reasons to refuse an address. The first match gives the message. */
const PROBLEMS: readonly { isSo: (url: URL, text: string, insecureHttp: boolean) => boolean; found: string }[] = [
  {
    isSo: ({ protocol }) => protocol !== "https:" && protocol !== "http:",
    found: "it is neither https nor http",
  },
  {
    isSo: ({ username, password }, text) => username !== "" || password !== "" || /^https?:\/\/[^/?#]*@/i.test(text),
    found: "it holds a user name or password; expected none",
  },
  {
    isSo: (_url, text) => /[?#]/.test(text),
    found: "it holds a query or a fragment; expected it to end with the path",
  },
  {
    isSo: ({ hostname }) => hostname.endsWith(".") || hostname === "0.0.0.0" || LINK_LOCAL.test(hostname),
    found: "its host is not one a service can have",
  },
  {
    isSo: (_url, text) => /\/\.{1,2}(\/|$)/.test(text),
    found: "its path holds . or ..",
  },
  {
    isSo: ({ protocol, hostname }, _text, insecureHttp) =>
      protocol === "http:" && !insecureHttp && !isLoopbackHost(hostname),
    found:
      "it is plain http, and the access token would travel in the clear; expected https (http only to this machine)",
  },
];

function bad(what: string, found: string): FatalError {
  return new FatalError("api/bad-url", "service", `Cannot use the address of ${what}: ${found}`);
}
