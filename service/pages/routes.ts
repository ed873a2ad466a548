/** The pages for the person whose log it is. */
import type { FastifyInstance } from "fastify";
import type { AccountStore } from "../store/accounts.ts";
import type { Store } from "../store/store.ts";
import { assetRoutes } from "./assets.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is signed in, on requests for pages; undefined for nobody. */
    signedIn: SignedIn | undefined;
  }
}

/** Somebody who is signed in. */
export interface SignedIn {
  readonly userId: string;
  /** To be sent along, as `_csrf`, with every form that changes something. */
  readonly csrfToken: string;
}

/** What pages read and change. */
export interface PageStores {
  readonly store: Store;
  readonly accounts: AccountStore;
}

/**
 * Adds the pages to a part of the app where `signedIn` is set. Nobody who isn't signed in gets to see any, except those whose route has
 * `config: { isPublic: true }`; forms without `_csrf` never arrive.
 */
export function pageRoutes(app: FastifyInstance, _stores: PageStores): void {
  assetRoutes(app);
}
