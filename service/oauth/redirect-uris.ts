/** Addresses that a browser may be sent back to with a code: which ones can be registered, and which ones count as registered. */
import { LOCALHOST_PORT_IS_OPEN } from "../gaps.ts";

/** Stands for no address. The page shows the code, and the user enters it in the application. */
export const OOB = "urn:ietf:wg:oauth:2.0:oob";

/** Hosts of the machine that the browser runs on. A request to them crosses no network. */
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The reason why an application can't register an address; undefined when it can. An address must be spelled as a browser spells it, so
 * that each address has one spelling: https (http for the browser's own machine), no user, no fragment.
 */
export function problemWithRedirectURI(uri: string): string | undefined {
  if (uri === OOB) return undefined;
  if (!/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(uri)) return "is not an address";
  const { protocol, hostname, username, password, href } = new URL(uri);
  if (protocol !== "https:" && !(protocol === "http:" && LOOPBACK.has(hostname))) {
    return "must begin with https://, or with http://localhost";
  }
  if (username !== "" || password !== "") return "must not hold a user";
  if (uri.includes("#")) return "must not hold a fragment";
  return href === uri || href === `${uri}/` ? undefined : `must be written as ${href}`;
}

const LOCALHOST = "http://localhost";

/**
 * "Must exactly match a registered value", character by character. There is one exception: `http://localhost` registered without a port
 * stands for that address with any port (see `LOCALHOST_PORT_IS_OPEN`).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some((value) => (isOpenLocalhost(value) ? isLocalhostWithPort(uri, value) : uri === value));
}

function isOpenLocalhost(value: string): boolean {
  return LOCALHOST_PORT_IS_OPEN && (value === LOCALHOST || value.startsWith(`${LOCALHOST}/`));
}

/** The port is free, and the rest must be as registered. At the root, a `/` makes no difference. */
function isLocalhostWithPort(uri: string, value: string): boolean {
  const [, port = "", rest = ""] = /^http:\/\/localhost:([1-9]\d{0,4})((?:\/.*)?)$/s.exec(uri) ?? [];
  const path = value.slice(LOCALHOST.length);
  return port !== "" && Number(port) < 65_536 && (rest === path || (rest === "/" && path === ""));
}

/** The origin that the browser is sent to, for the user and for the content security policy; undefined for `OOB`. */
export function parseOrigin(uri: string): string | undefined {
  return uri === OOB ? undefined : new URL(uri).origin;
}
