/** Chooses the database: a file on this machine, or a PostgreSQL server. */
import { expectAddress, isPostgres, pathOf } from "./address.ts";
import type { Database } from "./database.ts";
import { nameOfPostgres, openPostgres } from "./postgres.ts";
import type { Opening } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";

/**
 * Opens a database, its schema up to date.
 * @param address the path of an SQLite file, also as `sqlite:PATH`, `":memory:"`, or `postgres://user:password@host:5432/name`
 * @throws Error when it can't be opened, isn't a store, or was made by a newer logferry. No password is in the message
 */
export async function openDatabase(address: string, opening?: Opening): Promise<Database> {
  expectAddress(address);
  return isPostgres(address) ? openPostgres(address, opening) : openSqlite(pathOf(address), opening);
}

/**
 * The name of a database for messages: its path, or its address without user and password.
 * @throws Error for an address that can't be read. The message doesn't repeat it
 */
export function nameOfDatabase(address: string): string {
  expectAddress(address);
  return isPostgres(address) ? nameOfPostgres(address) : pathOf(address);
}
