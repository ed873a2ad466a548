/**
 * The key of an encrypted repository: an age identity (X25519), made for this repository. It lies in `key.age`, which is encrypted with a
 * passphrase or for the owner's own age keys. Everything else is encrypted for this one key. Trying a passphrase takes a second of work,
 * which is right for one file and unbearable for a thousand. And to change the passphrase, only one file is written again.
 */
import { createHmac, hkdfSync } from "node:crypto";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { FatalError } from "../errors.ts";
import { isIdentity, type Keys, needsKey } from "./keys.ts";

/** The opened key of a repository. It encrypts, decrypts, and makes keyed checksums. */
export class RepositoryKey {
  /** The recipient, as in `repository.json`. */
  readonly recipient: string;
  /** The content of `key.age`. */
  readonly keyFile: Buffer;
  readonly #encrypter = new Encrypter();
  readonly #decrypter = new Decrypter();
  readonly #checksumKey: Buffer;

  private constructor(identity: string, recipient: string, keyFile: Buffer) {
    this.recipient = recipient;
    this.keyFile = keyFile;
    this.#encrypter.addRecipient(recipient);
    this.#decrypter.addIdentity(identity);
    // The word is part of the key derivation. Another word would rename every file.
    this.#checksumKey = Buffer.from(hkdfSync("sha256", identity, "", "logferry repository seal", 32));
  }

  /** Makes a key, in memory. @throws FatalError `repository/needs-key` when no key or passphrase is given to encrypt it with */
  static async create(keys: Keys): Promise<RepositoryKey> {
    const identity = await generateX25519Identity();
    return RepositoryKey.#of(identity, await lockedKey(identity, keys));
  }

  /**
   * Opens a key file.
   *
   * @returns undefined when it is damaged, or not a key file
   * @throws FatalError `repository/needs-key` when the key or passphrase is missing, `repository/wrong-key` when it doesn't fit
   */
  static async open(keyFile: Buffer, unlock: Unlock): Promise<RepositoryKey | undefined> {
    const text = await unlock(keyFile);
    const identity = text?.split("\n").find(isIdentity);
    return identity === undefined ? undefined : RepositoryKey.#of(identity, keyFile);
  }

  static async #of(identity: string, keyFile: Buffer): Promise<RepositoryKey> {
    return new RepositoryKey(identity, await identityToRecipient(identity), keyFile);
  }

  /** Encrypts a content as an age file. The same content gives a different file each time. */
  async encrypt(content: Uint8Array): Promise<Buffer> {
    return Buffer.from(await this.#encrypter.encrypt(content));
  }

  /** The content of an age file; undefined when it is damaged or encrypted for another key. */
  async decrypt(bytes: Uint8Array): Promise<Buffer | undefined> {
    try {
      return Buffer.from(await this.#decrypter.decrypt(bytes));
    } catch {
      return undefined;
    }
  }

  /**
   * The name for a content: 32 hexadecimal digits, the same each time. Only a person with the key can make or recognise it. With a plain
   * checksum, other people could guess a content and see that it is there. The keyed checksum also shows that we wrote the content, because
   * other people can encrypt for a known recipient too.
   */
  keyedChecksum(content: Uint8Array): string {
    return createHmac("sha256", this.#checksumKey).update(content).digest("hex").slice(0, 32);
  }
}

/** Gives the content of a key file; undefined if it is damaged, or not an age file. */
export type Unlock = (keyFile: Buffer) => Promise<string | undefined>;

/**
 * Opens key files with the keys of a person. It asks for the passphrase only once, for any number of files.
 *
 * @param root for the messages
 */
export function unlockWith(keys: Keys, root: string): Unlock {
  let passphrase: Promise<string> | undefined;
  return async (keyFile) => {
    const kind = lockOf(keyFile);
    if (kind === undefined) return undefined;
    const decrypter = new Decrypter();
    if (kind === "scrypt") {
      if (keys.passphrase === undefined) throw needsKey(root, "it is opened with a passphrase, and none was given");
      passphrase ??= keys.passphrase();
      decrypter.addPassphrase(await passphrase);
    } else {
      const { identities = [] } = keys;
      if (identities.length === 0)
        throw needsKey(root, "it is opened with an age key, and none was given (--identity FILE)");
      for (const identity of identities) decrypter.addIdentity(identity);
    }
    try {
      return await decrypter.decrypt(keyFile, "text");
    } catch (error) {
      // The library describes the error only in words.
      if (!(error instanceof Error && error.message.startsWith("no identity matched"))) return undefined;
      const found = kind === "scrypt" ? "this is not its passphrase" : "none of the age keys given opens it";
      throw new FatalError("repository/wrong-key", "source", `Cannot open ${root}: ${found}`);
    }
  };
}

/** The way to open an age file, from its first lines, which are text; undefined if these are damaged. */
function lockOf(keyFile: Buffer): "scrypt" | "X25519" | undefined {
  const [, kind] = /^age-encryption\.org\/v1\n-> (scrypt|X25519) /.exec(keyFile.toString("latin1", 0, 64)) ?? [];
  return kind as "scrypt" | "X25519" | undefined;
}

/** The encrypted key, in the format of `age-keygen`. */
async function lockedKey(identity: string, { identities = [], passphrase, create }: Keys): Promise<Buffer> {
  const encrypter = new Encrypter();
  const recipients = [...(create?.recipients ?? []), ...(await Promise.all(identities.map(identityToRecipient)))];
  for (const recipient of new Set(recipients)) encrypter.addRecipient(recipient);
  if (recipients.length === 0) {
    if (passphrase === undefined) throw new RangeError("an encrypted repository needs a passphrase or a recipient");
    encrypter.setPassphrase(await passphrase());
    if (create?.workFactor !== undefined) encrypter.setScryptWorkFactor(create.workFactor);
  }
  const text = `# the key of a logferry repository\n# public key: ${await identityToRecipient(identity)}\n${identity}\n`;
  return Buffer.from(await encrypter.encrypt(text));
}
