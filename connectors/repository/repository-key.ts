/**
 * The key of an encrypted repository. It is an age identity (X25519) of its own, made with the repository, and lies in `key.age`, which is encrypted
 * with a passphrase, or for the owner's own age keys. Everything else is encrypted for that one key: a passphrase takes a second of
 * work to try, which is right for one file and unbearable for a thousand; and it can be changed by writing one file anew.
 */
import { createHmac, hkdfSync } from "node:crypto";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { FatalError } from "../errors.ts";
import { isIdentity, type Keys, needsKey } from "./keys.ts";

/** The key of a repository, opened: encrypts, decrypts, and makes keyed checksums. */
export class RepositoryKey {
  /** As `repository.json` has it. */
  readonly recipient: string;
  /** What `key.age` holds. */
  readonly keyFile: Buffer;
  readonly #encrypter = new Encrypter();
  readonly #decrypter = new Decrypter();
  readonly #checksumKey: Buffer;

  private constructor(identity: string, recipient: string, keyFile: Buffer) {
    this.recipient = recipient;
    this.keyFile = keyFile;
    this.#encrypter.addRecipient(recipient);
    this.#decrypter.addIdentity(identity);
    // The word is part of how the key is derived: another one would rename every file.
    this.#checksumKey = Buffer.from(hkdfSync("sha256", identity, "", "logferry repository seal", 32));
  }

  /** Makes a key, in memory. @throws FatalError `repository/needs-key` when nothing is there to encrypt it with */
  static async create(keys: Keys): Promise<RepositoryKey> {
    const identity = await generateX25519Identity();
    return RepositoryKey.#of(identity, await lockedKey(identity, keys));
  }

  /**
   * Opens a key file.
   *
   * @returns undefined when it is no key file, or damaged
   * @throws FatalError `repository/needs-key` where what opens it is missing, `repository/wrong-key` where it isn't what opens it
   */
  static async open(keyFile: Buffer, unlock: Unlock): Promise<RepositoryKey | undefined> {
    const text = await unlock(keyFile);
    const identity = text?.split("\n").find(isIdentity);
    return identity === undefined ? undefined : RepositoryKey.#of(identity, keyFile);
  }

  static async #of(identity: string, keyFile: Buffer): Promise<RepositoryKey> {
    return new RepositoryKey(identity, await identityToRecipient(identity), keyFile);
  }

  /** An age file. Twice the same content gives two that differ. */
  async encrypt(content: Uint8Array): Promise<Buffer> {
    return Buffer.from(await this.#encrypter.encrypt(content));
  }

  /** What an age file holds; undefined when it is damaged or encrypted for another key. */
  async decrypt(bytes: Uint8Array): Promise<Buffer | undefined> {
    try {
      return Buffer.from(await this.#decrypter.decrypt(bytes));
    } catch {
      return undefined;
    }
  }

  /**
   * What a content is named by: 32 hexadecimal digits, the same each time, which nobody can make or recognise who hasn't the key. A plain
   * checksum would tell whoever guesses a content that it is there; and since anybody can encrypt for a known recipient, the
   * keyed checksum shows that we wrote it.
   */
  keyedChecksum(content: Uint8Array): string {
    return createHmac("sha256", this.#checksumKey).update(content).digest("hex").slice(0, 32);
  }
}

/** Gives what a key file holds; undefined for what is damaged, or no age file. */
export type Unlock = (keyFile: Buffer) => Promise<string | undefined>;

/**
 * How the keys of a person open key files; the passphrase is asked for once, however many there are.
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
      // The library tells what went wrong only in words.
      if (!(error instanceof Error && error.message.startsWith("no identity matched"))) return undefined;
      const found = kind === "scrypt" ? "this is not its passphrase" : "none of the age keys given opens it";
      throw new FatalError("repository/wrong-key", "source", `Cannot open ${root}: ${found}`);
    }
  };
}

/** By its first lines, which are text: how an age file is opened. Of one that was damaged there, undefined. */
function lockOf(keyFile: Buffer): "scrypt" | "X25519" | undefined {
  const [, kind] = /^age-encryption\.org\/v1\n-> (scrypt|X25519) /.exec(keyFile.toString("latin1", 0, 64)) ?? [];
  return kind as "scrypt" | "X25519" | undefined;
}

/** The key as `age-keygen` writes one, encrypted. */
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
