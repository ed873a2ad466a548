/**
 * Finds the user of a browser. The browser's cookie holds a key of 190 random bits, and only its hash is stored. A key that isn't stored
 * belongs to a browser without a signed-in user. Every form carries a token made of the key, so another site can't send our forms
 * (`formTokenOf`).
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { hashOf, newToken } from "../http/ids.ts";
import type { Query } from "../http/parameters.ts";
import type { AccountStore } from "../store/account-store.ts";

/** Options for sessions of browsers. */
export interface BrowserOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Browsers come by https, even where a request doesn't say so itself: a proxy in front ends it. */
  readonly https: boolean;
}

/** How long a browser stays signed in. */
export const SESSION_MS = 30 * 24 * 3_600_000;

/** How long expired sessions and codes are kept. An application that brings an old code should learn that it was used. */
const KEPT_AFTER_MS = 30 * 24 * 3_600_000;

/** A browser shares a `__Host-` cookie only with the host that set it. A neighbouring subdomain can't read or set it (RFC 6265bis). */
const COOKIE = { plain: "session", secure: "__Host-session" } as const;

const KEY = /^[A-Za-z0-9]{32}$/;

/** Sessions of browsers. */
export class Sessions {
  readonly #accounts: AccountStore;
  readonly #options: BrowserOptions;

  constructor(accounts: AccountStore, options: BrowserOptions) {
    this.#accounts = accounts;
    this.#options = options;
  }

  /** Sets `signedIn` of a request. */
  async read(request: FastifyRequest): Promise<void> {
    request.signedIn = undefined;
    const key = this.#keyOf(request);
    if (key === undefined) return;
    const session = await this.#accounts.session(hashOf(key));
    if (session === undefined || session.expiresAt <= this.#options.now()) return;
    request.signedIn = { userId: session.userId, csrfToken: formTokenOf(key) };
  }

  /** Signs the browser in with a new key. A key that somebody else knew before is worth nothing afterwards. @returns the key's hash */
  async begin(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<string> {
    const now = this.#options.now();
    const [old, key] = [this.#keyOf(request), newToken()];
    if (old !== undefined) await this.#accounts.removeSession(hashOf(old));
    await this.#accounts.removeExpired(now - KEPT_AFTER_MS);
    await this.#accounts.addSession({ hash: hashOf(key), userId, expiresAt: now + SESSION_MS });
    reply.setCookie(this.#cookieOf(request), key, { ...this.#flagsOf(request), maxAge: SESSION_MS / 1000 });
    return hashOf(key);
  }

  /** Signs the browser out. */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const key = this.#keyOf(request);
    if (key !== undefined) await this.#accounts.removeSession(hashOf(key));
    reply.clearCookie(this.#cookieOf(request), this.#flagsOf(request));
  }

  /** The token for forms on this answer. A browser without a key gets one. */
  formToken(request: FastifyRequest, reply: FastifyReply): string {
    const key = this.#keyOf(request);
    if (key !== undefined) return formTokenOf(key);
    const made = newToken();
    reply.setCookie(this.#cookieOf(request), made, this.#flagsOf(request));
    return formTokenOf(made);
  }

  /** Whether a form came from a page of ours that was shown to this same browser. */
  isOurForm(request: FastifyRequest): boolean {
    const site = request.headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin" && site !== "none") return false;
    const [key, sent] = [this.#keyOf(request), (request.body as Query | undefined)?._csrf];
    if (key === undefined || typeof sent !== "string") return false;
    const [expected, given] = [Buffer.from(formTokenOf(key)), Buffer.from(sent)];
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  /** Whether the browser came by https. */
  isSecure(request: FastifyRequest): boolean {
    return this.#options.https || request.protocol === "https";
  }

  #keyOf(request: FastifyRequest): string | undefined {
    const key = request.cookies[this.#cookieOf(request)];
    return key !== undefined && KEY.test(key) ? key : undefined;
  }

  #cookieOf(request: FastifyRequest): string {
    return this.isSecure(request) ? COOKIE.secure : COOKIE.plain;
  }

  #flagsOf(request: FastifyRequest): CookieSerializeOptions {
    return { path: "/", httpOnly: true, sameSite: "lax", secure: this.isSecure(request) };
  }
}

/**
 * The token in this browser's forms. It is bound only to the session, so the token of another session doesn't fit. There is no second
 * cookie that an attacker could plant. The service needs no key of its own, which two servers would have to share.
 */
function formTokenOf(key: string): string {
  return createHmac("sha256", key).update("a form of this browser").digest("base64url");
}
