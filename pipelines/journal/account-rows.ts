/** The account of a journal, and the journal's own id. */
import { randomUUID } from "node:crypto";
import { FatalError } from "../../connectors/errors.ts";
import type { JournalDatabase } from "./database.ts";
import type { AccountRef } from "./remote-record.ts";
import { sql } from "./sql.ts";

/** See `Journal.bindAccount`. */
export function bindAccount(database: JournalDatabase, account: AccountRef): void {
  database.commit();
  const bound = readAccount(database);
  if (bound === undefined) {
    database.run(sql`INSERT INTO account (one, base_url, user_hash, name)
      VALUES (1, ${account.baseUrl}, ${account.userHash}, ${account.name})`);
    return;
  }
  if (bound.baseUrl === account.baseUrl && bound.userHash === account.userHash) return;
  throw new FatalError(
    "journal/other-account",
    "journal",
    `Cannot use this journal: it belongs to ${bound.name} at ${bound.baseUrl}, and the token is of ${account.name} at ${account.baseUrl}. ` +
      "Name another with --journal, or log in to that account.",
  );
}

/** See `JournalReader.account`. */
export function readAccount(database: JournalDatabase): AccountRef | undefined {
  const row = database.get(sql`SELECT base_url, user_hash, name FROM account`);
  if (row === undefined) return undefined;
  return { baseUrl: String(row.base_url), userHash: String(row.user_hash), name: String(row.name) };
}

/** See `Journal.identity`. */
export function identityOf(database: JournalDatabase): string {
  database.commit();
  database.run(sql`INSERT INTO identity (one, mark) VALUES (1, ${randomUUID()}) ON CONFLICT (one) DO NOTHING`);
  return String(database.get(sql`SELECT mark FROM identity`)?.mark);
}
