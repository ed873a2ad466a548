/**
 * Signs a certificate, and checks its signature (Ed25519, RFC 8032). The signature shows that nobody changed the file since. Who keeps the
 * fingerprint of the key elsewhere also sees whether somebody else signed it anew.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import { writePrivateFile } from "../private-file.ts";

/** The last member of a certificate. */
export interface Signature {
  readonly algorithm: "Ed25519";
  /** The public key, as base64 of its DER form (SPKI). */
  readonly publicKey: string;
  /** SHA-256 of everything before this member, in hex. */
  readonly sha256: string;
  /** The signature of that hash's bytes, as base64. */
  readonly value: string;
}

/**
 * Reads the key of this user; undefined before the first certificate.
 *
 * @throws Error of the system, or of a file that is no key
 */
export async function readKey(path: string): Promise<KeyObject | undefined> {
  const known = await readFile(path, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (known === undefined) return undefined;
  const key = createPrivateKey(known);
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`a key of the kind ${key.asymmetricKeyType}`);
  return key;
}

/** Reads the key of this user, and makes it at the first time. @throws Error as `readKey` */
export async function ownKey(path: string): Promise<KeyObject> {
  const known = await readKey(path);
  if (known !== undefined) return known;
  const { privateKey } = generateKeyPairSync("ed25519");
  await writePrivateFile(path, String(privateKey.export({ type: "pkcs8", format: "pem" })));
  return privateKey;
}

/** Signs a hash. @param digest SHA-256 of the certificate up to the signature */
export function signDigest(digest: Buffer, key: KeyObject): Signature {
  return {
    algorithm: "Ed25519",
    publicKey: publicKeyOf(key),
    sha256: digest.toString("hex"),
    value: sign(null, digest, key).toString("base64"),
  };
}

/** Whether a signature belongs to this hash. */
export function isSignedBy(digest: Buffer, { publicKey, sha256, value }: Signature): boolean {
  if (digest.toString("hex") !== sha256) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyType === "ed25519" && verify(null, digest, key, Buffer.from(value, "base64"));
  } catch {
    return false;
  }
}

/** The fingerprint of a public key, for people to compare: the first 16 digits of its SHA-256, in groups. */
export function fingerprintOf(publicKey: string): string {
  const digits = createHash("sha256").update(Buffer.from(publicKey, "base64")).digest("hex").slice(0, 16);
  return digits.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

/** The public key of a private one, as a certificate has it. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64");
}
