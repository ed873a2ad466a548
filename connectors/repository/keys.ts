/** The keys of an encrypted repository that a person can give, and the names of its key files. `repository-key.ts` opens them. */
import { FatalError } from "../errors.ts";

/** The key file and its copy. With a single file, one flipped bit would lose the whole repository. */
export const KEY_FILES = ["key.age", "key-copy.age"] as const;

/** The keys that a person gives, to open an encrypted repository or to make one. */
export interface Keys {
  /** The person's own age keys: `AGE-SECRET-KEY-1...`. */
  readonly identities?: readonly string[];
  /** Gives the passphrase. Called at most once, and only if a passphrase is needed. */
  readonly passphrase?: (() => Promise<string>) | undefined;
  /** If the repository doesn't exist yet, it becomes an encrypted one. */
  readonly create?:
    | {
        /**
         * The age recipients that can open it, `age1...`, besides those of `identities`. If there are no recipients at all, the passphrase
         * opens it.
         */
        readonly recipients: readonly string[];
        /** Cost of trying a passphrase, as age counts it: 18 takes a second. */
        readonly workFactor?: number;
      }
    | undefined;
}

/** Whether a text is an X25519 recipient. Other kinds don't count, because the `age` of today's distributions doesn't know them. */
export function isRecipient(text: string): boolean {
  return /^age1[02-9ac-hj-np-z]{58}$/.test(text);
}

/** Whether a text is an X25519 identity. */
export function isIdentity(text: string): boolean {
  return /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/.test(text);
}

/** The error for a repository that is not open. */
export function needsKey(root: string, found: string): FatalError {
  return new FatalError("repository/needs-key", "source", `Cannot open ${root}: ${found}`);
}
