/** The operator's connection to a database without a service, for commands. A service on the same database may be running. */
import { existsSync } from "node:fs";
import { quoted } from "./http/refusals.ts";
import { type Operator, operatorOf } from "./operator.ts";
import { loginOf } from "./sign-in/passwords.ts";
import { AccountStore } from "./store/account-store.ts";
import { isFile, pathOf } from "./store/address.ts";
import { LogStore } from "./store/log-store.ts";
import { nameOfDatabase, openDatabase } from "./store/open.ts";

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
 * @param mayMake whether a missing file or an empty database becomes a log. A search must not turn a wrong address into an empty log
 * @throws RangeError when it isn't there and may not be made. Other errors as `openDatabase`
 */
export async function connectAsOperator(address: string, mayMake: boolean): Promise<OperatorConnection> {
  if (!mayMake && isFile(address) && !existsSync(pathOf(address))) {
    throw new RangeError(`There is no database ${nameOfDatabase(address)}. Name another with --database`);
  }
  const database = await openDatabase(address, { mayMake });
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
