/**
 * Accounts, applications and grants, in either SQL database. An operation that must not happen twice begins with an update of its code's
 * row. That locks the row, so no other transaction can interfere in either database.
 */
import type { Account, Application, CodeRecord, Grant, SessionRecord, UserRecord } from "./accounts.ts";
import type { Database, Row } from "./database.ts";
import { MistakeStore } from "./mistakes.ts";
import { compareNames } from "./names.ts";
import { sql } from "./sql.ts";
import type { TokenRecord } from "./store.ts";

/**
 * The accounts in a prepared database.
 * @throws StoreUnavailable from any call. Any other error is a bug
 */
export class AccountStore {
  /** The counts of wrong passwords, secrets and codes. */
  readonly mistakes: MistakeStore;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.mistakes = new MistakeStore(database);
  }

  /** All users, in the order they were made. */
  async users(): Promise<readonly UserRecord[]> {
    const rows = await this.#database.all(sql`SELECT u.id, u.profile, a.login FROM users u LEFT JOIN accounts a
      ON a.user_id = u.id ORDER BY u.id`);
    return rows.map((row) => ({
      userId: row.id as string,
      screenName: (JSON.parse(row.profile as string) as { screenName: string }).screenName,
      login: (row.login as string | null) ?? undefined,
    }));
  }

  /** @returns false when another user has this login already */
  async addAccount({ userId, login, passwordHash }: Account): Promise<boolean> {
    const changes = await this.#database.run(sql`INSERT INTO accounts (user_id, login, password_hash)
      VALUES (${userId}, ${login}, ${passwordHash}) ON CONFLICT (login) DO NOTHING`);
    return changes > 0;
  }

  async account(login: string): Promise<Account | undefined> {
    return accountFrom(await this.#database.get(sql`SELECT * FROM accounts WHERE login = ${login}`));
  }

  async accountOf(userId: string): Promise<Account | undefined> {
    return accountFrom(await this.#database.get(sql`SELECT * FROM accounts WHERE user_id = ${userId}`));
  }

  async replacePassword(userId: string, passwordHash: string): Promise<void> {
    await this.#database.run(sql`UPDATE accounts SET password_hash = ${passwordHash} WHERE user_id = ${userId}`);
  }

  async addApplication({ id, name, secretHash, redirectURIs, isSuspended }: Application): Promise<void> {
    await this.#database.run(sql`INSERT INTO applications (id, name, secret_hash, redirect_uris, suspended)
      VALUES (${id}, ${name}, ${secretHash}, ${JSON.stringify(redirectURIs)}, ${isSuspended})`);
  }

  async application(id: string): Promise<Application | undefined> {
    const row = await this.#database.get(sql`SELECT * FROM applications WHERE id = ${id}`);
    return row === undefined ? undefined : applicationFrom(row);
  }

  async applications(): Promise<readonly Application[]> {
    const rows = await this.#database.all(sql`SELECT * FROM applications ORDER BY id`);
    return rows.map(applicationFrom).sort((a, b) => compareNames(a.name, b.name));
  }

  /** Stops an application and revokes all grants to it, or lets it go on. @returns false when there is none */
  async suspendApplication(id: string, isSuspended: boolean): Promise<boolean> {
    return this.#database.transaction(async (queries) => {
      const changes = await queries.run(sql`UPDATE applications SET suspended = ${isSuspended} WHERE id = ${id}`);
      if (changes === 0) return false;
      if (!isSuspended) return true;
      await queries.run(sql`UPDATE codes SET uses = 2 WHERE application_id = ${id}`);
      await queries.run(sql`DELETE FROM tokens WHERE application = ${id}`);
      return true;
    });
  }

  async addCode(code: CodeRecord): Promise<void> {
    await this.#database.run(sql`INSERT INTO codes (hash, application_id, user_id, redirect_uri, reads_profile,
      challenge, expires_at)
      VALUES (${code.hash}, ${code.applicationId}, ${code.userId}, ${code.redirectURI}, ${code.readsProfile},
      ${code.challenge}, ${code.expiresAt})`);
  }

  /**
   * Takes a code once: of simultaneous calls only one gets it as `fresh`. Every later call finds it `used`, and the tokens for that code
   * are revoked by then. Only the application that the code was given to can revoke them. To any other application a used code is like an
   * unknown one. A fresh code from another application was stolen, so it is used up.
   */
  async takeCode(
    hash: string,
    applicationId: string,
  ): Promise<{ readonly state: "fresh" | "used"; readonly code: CodeRecord } | undefined> {
    return this.#database.transaction(async (queries) => {
      const row = await queries.get(sql`UPDATE codes SET uses = CASE uses WHEN 0 THEN 1 ELSE 2 END
        WHERE hash = ${hash} AND (uses = 0 OR application_id = ${applicationId}) RETURNING *`);
      if (row?.uses === 1) return { state: "fresh", code: codeFrom(row) };
      // Runs even when the code itself had expired and is removed: a second use is still a second use.
      await queries.run(sql`DELETE FROM tokens WHERE code_hash = ${hash} AND application = ${applicationId}`);
      return row === undefined ? undefined : { state: "used", code: codeFrom(row) };
    });
  }

  /**
   * Stores a token for a code. It isn't stored when the code was used again, or the application revoked, in the meantime. @returns
   * whether it is stored
   */
  async addTokenForCode(token: TokenRecord, codeHash: string, grantedAt: number): Promise<boolean> {
    return this.#database.transaction(async (queries) => {
      const held = await queries.run(sql`UPDATE codes SET uses = 1 WHERE hash = ${codeHash} AND uses = 1`);
      if (held === 0) return false;
      await queries.run(sql`INSERT INTO tokens (hash, user_id, application, reads_profile, code_hash, granted_at)
        VALUES (${token.hash}, ${token.userId}, ${token.application}, ${token.readsProfile}, ${codeHash},
        ${grantedAt})`);
      return true;
    });
  }

  /** Ordered by name. An application that was never registered goes by its key: an operator's token can be for one. */
  async grants(userId: string): Promise<readonly Grant[]> {
    const rows = await this.#database.all(sql`SELECT t.application, COALESCE(a.name, t.application) AS name,
        MAX(t.reads_profile) AS reads_profile, MAX(t.granted_at) AS granted_at
      FROM tokens t LEFT JOIN applications a ON a.id = t.application
      WHERE t.user_id = ${userId} AND t.application <> ''
      GROUP BY t.application, a.name ORDER BY t.application`);
    const grants = rows.map((row) => ({
      applicationId: row.application as string,
      name: row.name as string,
      readsProfile: row.reads_profile === 1,
      grantedAt: row.granted_at as number,
    }));
    return grants.sort((a, b) => compareNames(a.name, b.name));
  }

  /** Revokes all tokens of an application for a user, and all codes that could still become one. @returns how many tokens there were */
  async revoke(userId: string, applicationId: string): Promise<number> {
    return this.#database.transaction(async (queries) => {
      await queries.run(sql`UPDATE codes SET uses = 2 WHERE user_id = ${userId}
        AND application_id = ${applicationId}`);
      return queries.run(sql`DELETE FROM tokens WHERE user_id = ${userId} AND application = ${applicationId}`);
    });
  }

  async addSession({ hash, userId, expiresAt }: SessionRecord): Promise<void> {
    await this.#database.run(sql`INSERT INTO sessions (hash, user_id, expires_at)
      VALUES (${hash}, ${userId}, ${expiresAt})`);
  }

  async session(hash: string): Promise<SessionRecord | undefined> {
    const row = await this.#database.get(sql`SELECT * FROM sessions WHERE hash = ${hash}`);
    if (row === undefined) return undefined;
    return { hash: row.hash as string, userId: row.user_id as string, expiresAt: row.expires_at as number };
  }

  async removeSession(hash: string): Promise<void> {
    await this.#database.run(sql`DELETE FROM sessions WHERE hash = ${hash}`);
  }

  /** Ends all sessions of a user except the one with this hash. */
  async removeOtherSessions(userId: string, hash: string): Promise<void> {
    await this.#database.run(sql`DELETE FROM sessions WHERE user_id = ${userId} AND hash <> ${hash}`);
  }

  /** Removes expired sessions and codes. */
  async removeExpired(now: number): Promise<void> {
    await this.#database.run(sql`DELETE FROM sessions WHERE expires_at <= ${now}`);
    await this.#database.run(sql`DELETE FROM codes WHERE expires_at <= ${now}`);
  }
}

function accountFrom(row: Row | undefined): Account | undefined {
  if (row === undefined) return undefined;
  return { userId: row.user_id as string, login: row.login as string, passwordHash: row.password_hash as string };
}

function applicationFrom(row: Row): Application {
  return {
    id: row.id as string,
    name: row.name as string,
    secretHash: row.secret_hash as string,
    redirectURIs: JSON.parse(row.redirect_uris as string),
    isSuspended: row.suspended === 1,
  };
}

function codeFrom(row: Row): CodeRecord {
  return {
    hash: row.hash as string,
    applicationId: row.application_id as string,
    userId: row.user_id as string,
    redirectURI: row.redirect_uri as string,
    readsProfile: row.reads_profile === 1,
    challenge: (row.challenge as string | null) ?? undefined,
    expiresAt: row.expires_at as number,
  };
}
