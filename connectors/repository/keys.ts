/**
 * What a person has to open an encrypted repository, and how its key files are called. What opens them is `repository-key.ts`.
 */
import { FatalError } from "../errors.ts";

/** The key, and the same once more: a flipped bit in the only one would cost everything. */
export const KEY_FILES = ["key.age", "key-copy.age"] as const;

/** What a person has to open an encrypted repository, or to make one. */
export interface Keys {
  /** Age keys of theirs: `AGE-SECRET-KEY-1...`. */
  readonly identities?: readonly string[];
  /** Gives the passphrase. Called at the most once, and only where one is needed. */
  readonly passphrase?: (() => Promise<string>) | undefined;
  /** A repository that isn't there yet becomes an encrypted one. */
  readonly create?:
    | {
        /** The age recipients that open it, `age1...`, besides those of `identities`; where there are none, the passphrase does. */
        readonly recipients: readonly string[];
        /** Work of trying a passphrase, as age counts it: 18 takes a second. */
        readonly workFactor?: number;
      }
    | undefined;
}

/** An X25519 recipient. Other kinds are left out: the `age` of today's distributions doesn't know them. */
export function isRecipient(text: string): boolean {
  return /^age1[02-9ac-hj-np-z]{58}$/.test(text);
}

/** An X25519 identity. */
export function isIdentity(text: string): boolean {
  return /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/.test(text);
}

/** The error for a repository that nobody opened. */
export function needsKey(root: string, found: string): FatalError {
  return new FatalError("repository/needs-key", "source", `Cannot open ${root}: ${found}`);
}
