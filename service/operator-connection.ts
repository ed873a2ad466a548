/** The operator's connection to a database without a service, for commands. A service on the same database may be running. */
import { existsSync } from "node:fs";
import { quoted } from "./http/refusals.ts";
import { type Operator, operatorOf } from "./operator.ts";
import { loginOf } from "./sign-in/passwords.ts";
import { AccountStore } from "./store/account-store.ts";
import { LogStore } from "./store/log-store.ts";
import { type MovedTable, moveLog } from "./store/move.ts";
import { isFile, nameOfDatabase, openDatabase, pathOf } from "./store/open.ts";

/** An operator, connected to the database. */
export interface OperatorConnection {
  readonly operator: Operator;
  readonly accounts: AccountStore;
  /** The user with a login. @throws RangeError when there is none */
  userOf(login: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Opens a database, its schema up to date.
 * @param mayMake whether a missing file is made. A search must not turn a wrong path into an empty log
 * @throws RangeError when it isn't there and may not be made. Other errors as `openDatabase`
 */
export async function connectAsOperator(address: string, mayMake: boolean): Promise<OperatorConnection> {
  if (!mayMake && isFile(address) && !existsSync(pathOf(address))) {
    throw new RangeError(`There is no database ${nameOfDatabase(address)}. Name another with --database`);
  }
  const database = await openDatabase(address);
  const accounts = new AccountStore(database);
  return {
    operator: operatorOf({ store: new LogStore(database), accounts }),
    accounts,
    async userOf(login) {
      const account = await accounts.account(loginOf(login));
      if (account === undefined) throw new RangeError(`There is nobody with the login ${quoted(login)}`);
      return account.userId;
    },
    close: () => database.close(),
  };
}

/** What was moved, and where to. The address is in its printable form. */
export interface Move {
  readonly to: string;
  readonly tables: readonly MovedTable[];
}

/**
 * Moves everything from one database to another, which is made when it is a file that isn't there. The old one stays as it is.
 * @throws RangeError when the old one isn't there, the new one isn't empty, or both are the same. Other errors as `openDatabase` and `moveLog`
 */
export async function moveDatabase(from: string, to: string): Promise<Move> {
  const names = [nameOfDatabase(from), nameOfDatabase(to)] as const;
  if (names[0] === names[1]) throw new RangeError("Cannot move: --from and --to name the same database");
  if (isFile(from) && !existsSync(pathOf(from))) {
    throw new RangeError(`There is no database ${names[0]}. Name another with --from`);
  }
  const source = await openDatabase(from);
  try {
    const target = await openDatabase(to);
    try {
      return { to: names[1], tables: await moveLog(source, target) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
