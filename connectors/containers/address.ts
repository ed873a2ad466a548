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
 * The address as it may be shown and stored: without user and password, and with a bare `?` in place of the query. Any other text stays unchanged.
 */
export function withoutQuery(address: string): string {
  const url = URL.parse(address);
  if (url === null || !isAddress(address)) return address;
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?"}`;
}

/** The name of the file at a path or an address: `export.zip`. For messages. */
export function nameOfSource(path: string): string {
  if (!isAddress(path)) return basename(resolve(path));
  const last =
    URL.parse(path)
      ?.pathname.split("/")
      .findLast((segment) => segment !== "") ?? "";
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
