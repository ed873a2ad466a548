/** Checks passwords, and slows down guessing. */
import type { AccountStore } from "../store/account-store.ts";
import type { Account } from "../store/accounts.ts";
import { Lockout, networkOf, OF_AN_ACCOUNT, OF_AN_ADDRESS } from "./lockout.ts";
import { isPasswordOf, loginOf, MAX_LOGIN_LENGTH, PASSWORD_LENGTH } from "./passwords.ts";

/** The result of checking a login and a password. */
export type Verdict =
  | { readonly kind: "right"; readonly account: Account }
  /** The same for an unknown login and for a wrong password. */
  | { readonly kind: "wrong" }
  /** The password isn't checked, because too many before it were wrong. */
  | { readonly kind: "wait"; readonly seconds: number };

/** Checks every password that a user types. */
export class PasswordGuard {
  readonly #accounts: AccountStore;
  readonly #lockout: Lockout;

  /** @param now milliseconds since 1970 */
  constructor(accounts: AccountStore, now: () => number) {
    this.#accounts = accounts;
    this.#lockout = new Lockout(accounts.mistakes, now);
  }

  /** @param ip the address that the request comes from */
  async check(typed: string, password: string, ip: string): Promise<Verdict> {
    const login = loginOf(typed);
    if (login.length > MAX_LOGIN_LENGTH || password.length > PASSWORD_LENGTH.maximum * 2) return { kind: "wrong" };
    const address = networkOf(ip);
    const key = JSON.stringify([login, address]);
    // Counted before the slow part, so that a hundred guesses at once count as a hundred.
    const waitMs = await this.#lockout.attempt([
      { key, patience: OF_AN_ACCOUNT },
      { key: address, patience: OF_AN_ADDRESS },
    ]);
    if (waitMs > 0) return { kind: "wait", seconds: Math.ceil(waitMs / 1000) };
    const account = await this.#accounts.account(login);
    if (!(await isPasswordOf(account, password)) || account === undefined) return { kind: "wrong" };
    await this.#lockout.forgive(key);
    await this.#lockout.takeBack(address);
    return { kind: "right", account };
  }
}
