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
  readonly #ofAnAccount: Lockout;
  readonly #ofAnAddress: Lockout;

  /** @param now milliseconds since 1970 */
  constructor(accounts: AccountStore, now: () => number) {
    this.#accounts = accounts;
    this.#ofAnAccount = new Lockout(now, OF_AN_ACCOUNT);
    this.#ofAnAddress = new Lockout(now, OF_AN_ADDRESS);
  }

  /** @param ip the address that the request comes from */
  async check(typed: string, password: string, ip: string): Promise<Verdict> {
    const login = loginOf(typed);
    if (login.length > MAX_LOGIN_LENGTH || password.length > PASSWORD_LENGTH.maximum * 2) return { kind: "wrong" };
    const address = networkOf(ip);
    const key = JSON.stringify([login, address]);
    const waitMs = Math.max(this.#ofAnAccount.waitMs(key), this.#ofAnAddress.waitMs(address));
    if (waitMs > 0) return { kind: "wait", seconds: Math.ceil(waitMs / 1000) };
    // Counted before the slow part, so that a hundred guesses at once count as a hundred.
    this.#ofAnAccount.count(key);
    this.#ofAnAddress.count(address);
    const account = await this.#accounts.account(login);
    if (!(await isPasswordOf(account, password)) || account === undefined) return { kind: "wrong" };
    this.#ofAnAccount.forgive(key);
    this.#ofAnAddress.takeBack(address);
    return { kind: "right", account };
  }
}
