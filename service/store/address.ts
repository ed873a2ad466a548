/**
 * Reads the address of a database, before anything is opened. A mistyped address of a server must not become the name of a file: that
 * would be a new, empty log, with the password in its name. No message here repeats the address, since any part of it may be a password.
 */

/** Whether an address is that of a PostgreSQL server. */
export function isPostgres(address: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(address);
}

/** Whether an address is the path of a file. */
export function isFile(address: string): boolean {
  return address !== ":memory:" && !isPostgres(address);
}

/** The path of a file's address. */
export function pathOf(address: string): string {
  return address.replace(/^sqlite:/, "");
}

/**
 * The error for a PostgreSQL address that can't be read.
 * @param cause what is wrong, without a word of the address
 */
export function unreadable(cause: string): Error {
  return new Error(
    `Cannot read the address of the database: it must be postgres://user:password@host:5432/name, and ${cause}. Write other characters than letters and digits in the password as %40 for @, %23 for #, %2F for /, %3F for ?, %25 for %`,
  );
}

/** @throws Error when the address can't be what was meant. The message repeats nothing of it but the scheme of another kind of database */
export function expectAddress(address: string): void {
  if (/^["'`\s]|["'`\s]$/.test(address)) {
    throw new Error(
      "Cannot open the database: its address begins or ends with a quote or a blank. Remove it, also from a file that Docker reads with --env-file",
    );
  }
  if (isPostgres(address)) expectPostgres(address);
  else expectFile(address);
}

function expectFile(address: string): void {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1];
  if (scheme !== undefined) {
    throw new Error(`Cannot open a database at ${scheme}://: it must be the path of a file or begin with postgres://`);
  }
  const isDoubtful = !FILE_FOR_SURE.test(address) && LIKE_A_SERVER.some((pattern) => pattern.test(address));
  if (!isDoubtful && !NEVER_A_FILE.some((pattern) => pattern.test(pathOf(address)))) return;
  throw new Error(
    "Cannot open the database: its address looks like that of a server with a mistake in it, and no file is made of that. It must be postgres://user:password@host:5432/name, or the path of a file, as sqlite:PATH where the name is an odd one",
  );
}

/** `sqlite:log.db`, `/var/log.db`, `./log.db`, `C:\log.db`. Folders of people in a domain have names such as `ann@example.org`. */
const FILE_FOR_SURE = /^(?:sqlite:|\/(?!\/)|\.{1,2}[\\/]|[a-z]:[\\/]|\\\\)/i;

/** A server's address with a mistake: `postgres//ann:pw@db/log`, `ann:pw@db/log`, `host=db user=ann`. */
const LIKE_A_SERVER: readonly RegExp[] = [/^postgres/i, /@/, /\b(?:host|hostaddr|dbname|user)\s*=/i];

/** These hold an address or a password wherever they stand. */
const NEVER_A_FILE: readonly RegExp[] = [/:\/\//, /\bpassword\s*=/i, /^postgres(?:ql)?:/i];

/** What can't stand in an address as it is. Such characters of a password would end it early, and the rest would be shown as host or name. */
const MISTAKES: readonly { readonly is: (address: string) => boolean; readonly cause: string }[] = [
  { is: (address) => address.includes("#"), cause: "this one has a #" },
  { is: (address) => (address.match(/@/g) ?? []).length > 1, cause: "this one has a second @" },
  { is: (address) => /%(?![0-9a-f]{2})/i.test(address), cause: "this one has a % without two digits after it" },
  { is: (address) => !hasSettings(address), cause: "this one has a ? without KEY=VALUE after it" },
  {
    is: (address) => !hasUser(address),
    cause: "this one has no user before its @, perhaps because of a / or a ? in the password",
  },
];

function expectPostgres(address: string): void {
  const found = MISTAKES.find(({ is }) => is(address));
  if (found !== undefined) throw unreadable(found.cause);
}

/** `sslmode` and `verify-full` of `?sslmode=verify-full`. */
function settingsOf(address: string): readonly string[] {
  const start = address.indexOf("?");
  return start === -1 ? [] : address.slice(start + 1).split("&");
}

function hasSettings(address: string): boolean {
  return settingsOf(address).every((setting) => /^\w+=/.test(setting));
}

function hasUser(address: string): boolean {
  const [authority = ""] = address.slice(address.indexOf("://") + 3).split(/[/?]/, 1);
  return /^[^:@][^@]*@/.test(authority) || settingsOf(address).some((setting) => /^user=./.test(setting));
}
