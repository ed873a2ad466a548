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
 * @throws FatalError `SEALED_FOR_OTHERS`, reason `login`, when there is one that none of the identities opens
 */
export async function readToken(
  database: FleetDatabase,
  key: string,
  identities: readonly string[],
): Promise<string | undefined> {
  const [row] = await database.query("SELECT sealed FROM logferry_fleet.tokens WHERE key = $1", [key]);
  if (row === undefined) return undefined;
  const token = await opened(row.sealed as Buffer, identities);
  if (token !== undefined) return token;
  const found = "the access token is sealed for another age key than that of this worker. It is left to another worker";
  throw new FatalError(SEALED_FOR_OTHERS, "login", found);
}

/** The code of the error for a token that another worker must open. */
export const SEALED_FOR_OTHERS = "fleet/sealed-token";

/** @returns undefined for a token that none of the identities opens */
async function opened(sealed: Buffer, identities: readonly string[]): Promise<string | undefined> {
  if (identities.length === 0) return undefined;
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return await decrypter.decrypt(sealed, "text").catch(() => undefined);
}

/**
 * Whether a worker can open sealed tokens of athletes who wait.
 *
 * @param identities X25519 identities of age
 * @returns the number of athletes who wait with one, and whether one of those that were put last opens
 */
export async function tryTokens(
  database: FleetDatabase,
  identities: readonly string[],
): Promise<{ readonly waiting: number; readonly opens: boolean }> {
  const rows = await database.query(WAITING, [MOST_TRIED]);
  const tried = await Promise.all(rows.map(({ sealed }) => opened(sealed as Buffer, identities)));
  return { waiting: Number(rows[0]?.waiting ?? 0), opens: tried.some((token) => token !== undefined) };
}

/** Tokens that are tried when a worker starts. */
const MOST_TRIED = 20;

const WAITING = `
  SELECT t.sealed, count(*) OVER () AS waiting FROM logferry_fleet.tokens t JOIN logferry_fleet.athletes a USING (key)
  WHERE a.step <> 'done' AND NOT a.is_cancelled ORDER BY t.put_at DESC LIMIT $1`;
