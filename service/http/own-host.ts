/**
 * Holds back requests that came to a private log by a foreign name. A web page can point its own name at 127.0.0.1. Its browser then takes the log's
 * pages for pages of that site, and lets the site read them. (DNS rebinding.)
 */
import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusals.ts";

/** The names of this computer for itself. */
const OWN_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/** @throws Refusal `misdirected` when `Host` names anything but this computer, with the port that took the request */
export function refuseForeignHost({ headers: { host }, socket: { localPort } }: IncomingMessage): void {
  if (host !== undefined && OWN_NAMES.some((name) => host.toLowerCase() === `${name}:${localPort}`)) return;
  throw new Refusal("misdirected", `This log answers on this computer only, at http://127.0.0.1:${localPort}`);
}
