/** Chooses the database: a file on this machine, or a PostgreSQL server. */
import type { Database } from "./database.ts";
import { nameOfPostgres, openPostgres } from "./postgres.ts";
import { STEPS, type Step } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";

/**
 * Opens a database, its schema up to date.
 * @param address the path of an SQLite file, also as `sqlite:PATH`, `":memory:"`, or `postgres://user:password@host:5432/name`
 * @param steps the steps that make the schema. Only a test uses others
 * @throws Error when it can't be opened, isn't a store, or was made by a newer logferry. No password is in the message
 */
export async function openDatabase(address: string, steps: readonly Step[] = STEPS): Promise<Database> {
  if (isPostgres(address)) return openPostgres(address, steps);
  refuseOtherKinds(address);
  return openSqlite(pathOf(address), steps);
}

/**
 * The name of a database for messages: its path, or its address without user and password.
 * @throws Error for an address that can't be read. The message doesn't repeat it
 */
export function nameOfDatabase(address: string): string {
  if (isPostgres(address)) return nameOfPostgres(address);
  refuseOtherKinds(address);
  return pathOf(address);
}

/** The path of a file's address. */
export function pathOf(address: string): string {
  return address.replace(/^sqlite:/, "");
}

/** Whether an address is the path of a file. */
export function isFile(address: string): boolean {
  return address !== ":memory:" && !isPostgres(address);
}

function isPostgres(address: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(address);
}

/** What no path of a file looks like. Without these checks, a mistyped address would make an empty log in a file with its password in the name. */
const NO_PATH: readonly RegExp[] = [
  /^[\s"']|[\s"']$/,
  /^postgres(?:ql)?[:/]/i,
  /^[^/\\:]*:[^/\\@]*@/,
  /:\/\//,
  /(?:^|\s)(?:host|password|dbname)=/i,
];

/** The message doesn't repeat the address, which may hold a password. */
function refuseOtherKinds(address: string): void {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1];
  const expected = "it must be the path of a file or begin with postgres://";
  if (scheme !== undefined) throw new Error(`Cannot open a database at ${scheme}://: ${expected}`);
  if (NO_PATH.some((pattern) => pattern.test(address)))
    throw new Error(`Cannot read the address of the database: ${expected}, without quotes or blanks around it`);
}
