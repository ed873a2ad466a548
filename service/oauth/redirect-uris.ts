/** Addresses that users may be sent back to with a code: what can be registered, and what counts as registered. */
import { LOCALHOST_PORT_IS_OPEN } from "../gaps.ts";

/** Stands for no address: the page shows the code, and the user enters it in the application. */
export const OOB = "urn:ietf:wg:oauth:2.0:oob";

/** Hosts of the very machine the browser is on: what is sent there crosses no network. */
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * What is wrong with an address that an application wants to register; undefined when it can be. An address is written as a browser
 * writes it, so that no two spellings of one are in the world: https (http for this very machine), no user, no fragment.
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
 * "Must exactly match a registered value", character by character. One thing is open: `http://localhost` registered without a port stands
 * for that address with any port (see `LOCALHOST_PORT_IS_OPEN`).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some((value) => (isOpenLocalhost(value) ? isLocalhostWithPort(uri, value) : uri === value));
}

function isOpenLocalhost(value: string): boolean {
  return LOCALHOST_PORT_IS_OPEN && (value === LOCALHOST || value.startsWith(`${LOCALHOST}/`));
}

/** The port is free, and what follows it is as registered; at the root, `/` is as good as nothing. */
function isLocalhostWithPort(uri: string, value: string): boolean {
  const [, port = "", rest = ""] = /^http:\/\/localhost:([1-9]\d{0,4})((?:\/.*)?)$/s.exec(uri) ?? [];
  const path = value.slice(LOCALHOST.length);
  return port !== "" && Number(port) < 65_536 && (rest === path || (rest === "/" && path === ""));
}

/** Where the browser goes when it is sent there, for the user and for the content security policy; undefined for `OOB`. */
export function parseOrigin(uri: string): string | undefined {
  return uri === OOB ? undefined : new URL(uri).origin;
}
