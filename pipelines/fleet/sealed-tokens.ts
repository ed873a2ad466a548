/**
 * Access tokens in the database of a fleet, each encrypted for the age key of the workers. Whoever reads the database, or a copy of it, reads no
 * token.
 */
import { Decrypter, Encrypter } from "age-encryption";
import { FatalError } from "../../connectors/errors.ts";
import type { FleetDatabase } from "./database.ts";

/** Encrypts a token. @param recipients X25519 recipients of age, `age1...` */
export async function sealToken(token: string, recipients: readonly string[]): Promise<Buffer> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return Buffer.from(await encrypter.encrypt(token));
}

/** Puts the sealed tokens of athletes, by their keys. A new one takes the place of the old one. */
export async function putTokens(database: FleetDatabase, sealed: ReadonlyMap<string, Buffer>): Promise<void> {
  await database.transaction(async (queries) => {
    for (const [key, token] of sealed) await queries.query(PUT, [key, token]);
  });
}

const PUT = `
  INSERT INTO logferry_fleet.tokens (key, sealed) VALUES ($1, $2)
  ON CONFLICT (key) DO UPDATE SET sealed = excluded.sealed, put_at = now()`;

/**
 * The token of an athlete; undefined if none was put.
 *
 * @param identities X25519 identities of age
 * @throws FatalError `fleet/sealed-token`, reason `login`, when there is one that none of the identities opens
 */
export async function readToken(
  database: FleetDatabase,
  key: string,
  identities: readonly string[],
): Promise<string | undefined> {
  const [row] = await database.query("SELECT sealed FROM logferry_fleet.tokens WHERE key = $1", [key]);
  if (row === undefined) return undefined;
  const refuse = (found: string) =>
    new FatalError("fleet/sealed-token", "login", `Cannot open the sealed access token: ${found}`);
  if (identities.length === 0) throw refuse("this worker has no age key. Start it with --identity FILE");
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return await decrypter.decrypt(row.sealed as Buffer, "text");
  } catch {
    throw refuse(
      "it was put for another age key than that of this worker. Put it again: logferry batch ROSTER --recipient AGE-KEY",
    );
  }
}
