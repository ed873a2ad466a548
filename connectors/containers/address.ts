/**
 * Addresses of archives: `https://files.example/export.zip`. Such an address is often signed, so every person with the whole address may read the
 * file. So logferry shows and stores an address without its query, and without its user and password.
 */
import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import { isLoopbackHost } from "../../transforms/text/loopback-host.ts";

/** Whether a person named an address, and not a path on the disk. */
export function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Whether an archive may be read from an address: only where nobody on the way can read it, too. */
export function isSafeAddress(address: string): boolean {
  const { protocol, hostname } = URL.parse(address) ?? {};
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname ?? ""));
}

/**
 * The address as it may be shown: with a bare `?` in place of the query, the user and the password. A path on the disk stays unchanged, and so does an
 * address that was shortened before. Use it for every word of a person that may be an address.
 */
export function withoutQuery(address: string): string {
  const scheme = ADDRESS.exec(address)?.[0];
  if (scheme === undefined) return address;
  const url = URL.parse(address);
  // Nobody can say which part of a broken address is the secret one.
  if (url === null) return `${scheme}...`;
  // The search of a bare "?" is empty, so the text itself says whether there is a query.
  const isShortened = /^[^#]*\?/.test(address) || url.username !== "" || url.password !== "";
  return `${url.protocol}//${url.host}${url.pathname}${isShortened ? "?" : ""}`;
}

/** A text with every address among the words of a person as `withoutQuery` gives it. For messages that repeat those words. */
export function hideAddresses(text: string, words: readonly string[]): string {
  // An address may also be the value of an option: --map=https://files.example/a.yaml?key=1
  const values = words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
  return values.reduce((shown, word) => {
    const short = withoutQuery(word);
    // An address without a secret stays as it was typed.
    return short === word || !/[?#@]/.test(word) ? shown : shown.replaceAll(word, () => short);
  }, text);
}

/** People also type `ftp://` and `https:/`. Nobody has such a path on the disk, so its secrets are hidden too. */
const ADDRESS = /^\s*[a-z][a-z0-9+.-]+:\/+/i;

/** The name of the file at a path or an address: `export.zip`. For messages. */
export function nameOfSource(path: string): string {
  if (!isAddress(path)) return basename(resolve(withoutQuery(path)));
  const url = URL.parse(path);
  if (url === null) return withoutQuery(path);
  const last = url.pathname.split("/").findLast((segment) => segment !== "") ?? "";
  try {
    return decodeURIComponent(last) || "archive";
  } catch {
    // Not every server escapes its names as it should.
    return last;
  }
}

/**
 * The path or address as the journal keeps it: absolute, and as `withoutQuery` gives it. Two downloads may differ in their query alone
 * (`/download?id=1`, `/download?id=2`), so a mark of the query is added: `/download?~1a2b3c4d`. Nobody can read the query out of it.
 */
export function absoluteSource(path: string): string {
  return isAddress(path) ? `${withoutQuery(path)}${markOf(path)}` : resolve(path);
}

/** A mark in place of a query, in a stored address. */
const MARK = /^\?~[0-9a-f]{8}$/;

/** Parts of a query that change with every new signature of the same file, by the names that object storage gives them. */
const OF_SIGNATURE =
  /sig|token|expire|key|polic|credential|date|auth|hmac|secret|access|^x-|^response-|^s[eprtvks]$|^sip$|^spr$|^ske?|^rsc/i;

function markOf(address: string): string {
  const url = URL.parse(address);
  if (url === null || url.search === "") return "";
  if (MARK.test(url.search)) return url.search.slice(1);
  const naming = [...url.searchParams].filter(([name]) => !OF_SIGNATURE.test(name));
  return naming.length === 0 ? "" : `~${createHash("sha256").update(JSON.stringify(naming)).digest("hex").slice(0, 8)}`;
}

const whole = new Map<string, string>();

/** Remembers a whole address for this process, so that the stored one can be opened again. */
export function rememberAddress(address: string): void {
  if (!isShortened(address)) whole.set(absoluteSource(address), address);
}

/** The whole address of a stored one. Undefined if a part of it was not stored, and this process was not given it. */
export function wholeAddress(stored: string): string | undefined {
  return whole.get(absoluteSource(stored)) ?? (isShortened(stored) ? undefined : stored);
}

/** Whether a stored address lacks its query, or its user and password. */
export function isShortened(stored: string): boolean {
  return stored.endsWith("?") || MARK.test(URL.parse(stored)?.search ?? "");
}
