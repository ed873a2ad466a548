/**
 * Sign-ins, registered applications and their grants. Only hashes of passwords, secrets, codes, tokens and session keys are stored. Times
 * are milliseconds since 1970 in UTC. They come from the caller, so that a test can choose any time.
 */
import type { TokenRecord } from "./store.ts";

/** A way for a user to sign in. */
export interface Account {
  readonly userId: string;
  /** The login that the user types. It is unique. */
  readonly login: string;
  /** Argon2id, in the form that names its own parameters. */
  readonly passwordHash: string;
}

/** A registered application. */
export interface Application {
  /** The document's "client key", `client_id`. */
  readonly id: string;
  /** The name that users see on the consent page. */
  readonly name: string;
  /** SHA-256 of the client secret, in hex. The secret is long and random, so it needs no slower hash. */
  readonly secretHash: string;
  /**
   * Matched exactly. `http://localhost` without a port stands for `http://localhost` with any port: "an `http://localhost` address
   * with a port".
   */
  readonly redirectURIs: readonly string[];
  /** The operator has stopped the application, so it gets no new codes or tokens. */
  readonly isSuspended: boolean;
}

/** The stored form of an authorization token (`code`). */
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

/** Access that a user granted to an application and has not revoked. */
export interface Grant {
  readonly applicationId: string;
  readonly name: string;
  readonly readsProfile: boolean;
  /** The time of its newest token. */
  readonly grantedAt: number;
}

/** A signed-in browser. */
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
  /** Undefined for a user who can't sign in. */
  readonly login: string | undefined;
}

/** @throws StoreUnavailable from any call. Any other error is a bug */
export interface AccountStore {
  /** All users, in the order they were made. */
  users(): Promise<readonly UserRecord[]>;

  /** @returns false when another user has this login already */
  addAccount(account: Account): Promise<boolean>;
  account(login: string): Promise<Account | undefined>;
  accountOf(userId: string): Promise<Account | undefined>;
  replacePassword(userId: string, passwordHash: string): Promise<void>;

  addApplication(application: Application): Promise<void>;
  application(id: string): Promise<Application | undefined>;
  applications(): Promise<readonly Application[]>;
  /** Stops an application and revokes all grants to it, or lets it go on. @returns false when there is none */
  suspendApplication(id: string, isSuspended: boolean): Promise<boolean>;

  addCode(code: CodeRecord): Promise<void>;
  /**
   * Takes a code once: of simultaneous calls only one gets it as `fresh`. Every later call finds it `used`, and the tokens for that code
   * are revoked by then. Only the application that the code was given to can revoke them. To any other application a used code is like an
   * unknown one. A fresh code from another application was stolen, so it is used up.
   */
  takeCode(
    hash: string,
    applicationId: string,
  ): Promise<{ readonly state: "fresh" | "used"; readonly code: CodeRecord } | undefined>;
  /**
   * Stores a token for a code. It isn't stored when the code was used again, or the application revoked, in the meantime. @returns
   * whether it is stored
   */
  addTokenForCode(token: TokenRecord, codeHash: string, grantedAt: number): Promise<boolean>;

  /** Ordered by name. An application that was never registered goes by its key: an operator's token can be for one. */
  grants(userId: string): Promise<readonly Grant[]>;
  /** Revokes all tokens of an application for a user, and all codes that could still become one. @returns how many tokens there were */
  revoke(userId: string, applicationId: string): Promise<number>;

  addSession(session: SessionRecord): Promise<void>;
  session(hash: string): Promise<SessionRecord | undefined>;
  removeSession(hash: string): Promise<void>;
  /** Ends all sessions of a user except the one with this hash. */
  removeOtherSessions(userId: string, hash: string): Promise<void>;
  /** Removes expired sessions and codes. */
  removeExpired(now: number): Promise<void>;
}
