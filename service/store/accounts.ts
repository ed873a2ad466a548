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
