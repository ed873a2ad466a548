/**
 * Addresses of archives: `https://files.example/export.zip`. Such an address is often signed, so every person with the whole address may read the
 * file. So logferry shows and stores an address without its query.
 */
import { basename, resolve } from "node:path";

/** Whether a person named an address, and not a path on the disk. */
export function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/**
 * The address as it may be shown and stored: without user and password, and with a bare `?` in place of the query. A path on the disk stays
 * unchanged, and so does an address that was shortened before. Use it for every word of a person that may be an address.
 */
export function withoutQuery(address: string): string {
  const scheme = ADDRESS.exec(address)?.[0];
  if (scheme === undefined) return address;
  const url = URL.parse(address);
  // Nobody can say which part of a broken address is the secret one.
  if (url === null) return `${scheme}...`;
  // The search of a bare "?" is empty, so the text itself says whether there is a query.
  return `${url.protocol}//${url.host}${url.pathname}${/^[^#]*\?/.test(address) ? "?" : ""}`;
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

/** The path or address as the journal keeps it: absolute, and without a query. */
export function absoluteSource(path: string): string {
  return isAddress(path) ? withoutQuery(path) : resolve(path);
}

const whole = new Map<string, string>();

/** Remembers a whole address for this process, so that the stored one can be opened again. */
export function rememberAddress(address: string): void {
  if (!address.endsWith("?")) whole.set(withoutQuery(address), address);
}

/** The whole address of a stored one. Undefined if it had a query, and this process was not given it. */
export function wholeAddress(stored: string): string | undefined {
  return whole.get(withoutQuery(stored)) ?? (stored.endsWith("?") ? undefined : stored);
}
