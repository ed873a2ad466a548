/**
 * Who may sign in, which applications may ask, and what was granted to them. Passwords, secrets, codes, tokens and session keys are
 * kept as hashes alone; times are milliseconds since 1970 in UTC, and come from the caller, so that a test can be at any.
 */
import type { TokenRecord } from "./store.ts";

/** A way for a user to sign in. */
export interface Account {
  readonly userId: string;
  /** What the user types; unique. */
  readonly login: string;
  /** Argon2id, in the form that names its own parameters. */
  readonly passwordHash: string;
}

/** A registered application. */
export interface Application {
  /** The document's "client key", `client_id`. */
  readonly id: string;
  /** As users see it on the consent page. */
  readonly name: string;
  /** SHA-256 of the client secret, in hex: the secret is long and random, so nothing slower is needed. */
  readonly secretHash: string;
  /**
   * Matched exactly. `http://localhost` without a port stands for `http://localhost` with any port: "an `http://localhost` address
   * with a port".
   */
  readonly redirectURIs: readonly string[];
  /** Gets nothing more: the operator has stopped it. */
  readonly isSuspended: boolean;
}

/** An authorization token (`code`) as it is kept. */
export interface CodeRecord {
  /** SHA-256 of the code, in hex. */
  readonly hash: string;
  readonly applicationId: string;
  readonly userId: string;
  readonly redirectURI: string;
  readonly readsProfile: boolean;
  /** PKCE, S256; undefined when the application sent none. */
  readonly challenge: string | undefined;
  readonly expiresAt: number;
}

/** What a user granted to an application and has not revoked. */
export interface Grant {
  readonly applicationId: string;
  readonly name: string;
  readonly readsProfile: boolean;
  /** When the newest of its tokens was given. */
  readonly grantedAt: number;
}

/** A browser that is signed in. */
export interface SessionRecord {
  /** SHA-256 of the key in the cookie, in hex. */
  readonly hash: string;
  readonly userId: string;
  readonly expiresAt: number;
}

/** A user, as an operator sees them. */
export interface UserRecord {
  readonly userId: string;
  readonly screenName: string;
  /** Undefined for somebody who can't sign in. */
  readonly login: string | undefined;
}

/** @throws StoreUnavailable from any call; whatever else is thrown is a bug */
export interface AccountStore {
  /** Everybody, in the order they were made. */
  users(): Promise<readonly UserRecord[]>;

  /** @returns false when somebody has this login already */
  addAccount(account: Account): Promise<boolean>;
  account(login: string): Promise<Account | undefined>;
  accountOf(userId: string): Promise<Account | undefined>;
  replacePassword(userId: string, passwordHash: string): Promise<void>;

  addApplication(application: Application): Promise<void>;
  application(id: string): Promise<Application | undefined>;
  applications(): Promise<readonly Application[]>;
  /** Stops an application and revokes what it was given by anybody, or lets it go on. @returns false when there is none */
  suspendApplication(id: string, isSuspended: boolean): Promise<boolean>;

  addCode(code: CodeRecord): Promise<void>;
  /**
   * Takes a code, once: of any number of calls side by side one gets it as `fresh`. Whoever comes later finds it `used`, and
   * whatever was given for it is revoked by then. Only the application that the code was given to can revoke like that: to another
   * one a used code is as good as unknown. A fresh code that another application brings was stolen, so it is used up.
   */
  takeCode(
    hash: string,
    applicationId: string,
  ): Promise<{ readonly state: "fresh" | "used"; readonly code: CodeRecord } | undefined>;
  /**
   * Keeps a token that was given for a code; of no effect when the code was used again, or the application revoked, in the
   * meantime. @returns whether it is kept
   */
  addTokenForCode(token: TokenRecord, codeHash: string, grantedAt: number): Promise<boolean>;

  /** By name; an application that was never registered (an operator's token can be for one) goes by its key. */
  grants(userId: string): Promise<readonly Grant[]>;
  /** Revokes every token of an application for a user, and every code that could still become one. @returns how many tokens there were */
  revoke(userId: string, applicationId: string): Promise<number>;

  addSession(session: SessionRecord): Promise<void>;
  session(hash: string): Promise<SessionRecord | undefined>;
  removeSession(hash: string): Promise<void>;
  /** Ends every session of a user but the one with this hash. */
  removeOtherSessions(userId: string, hash: string): Promise<void>;
  /** Removes sessions and codes that are over. */
  removeExpired(now: number): Promise<void>;
}
