/** Passwords: the stored form, and the rules for a new one. */
import { hash, verify } from "@node-rs/argon2";
import { newToken } from "../http/ids.ts";
import type { Account } from "../store/accounts.ts";

/** Argon2id, version 19, with the least memory and time that OWASP's password storage cheat sheet names: 19 MiB, two passes. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Characters of a password. There is no other rule: rules about digits and signs make passwords worse (NIST SP 800-63B). */
export const PASSWORD_LENGTH = { minimum: 10, maximum: 1000 } as const;

/** Characters of a login. */
export const MAX_LOGIN_LENGTH = 200;

/** One spelling for characters that have several: composed and decomposed accents are the same key on the keyboard. */
function spelled(password: string): string {
  return password.normalize("NFC");
}

/** The stored form of a login. Letter case and blanks around it don't count. */
export function loginOf(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase();
}

/** The reason why a password can't be used; undefined when it can. */
export function problemWith(password: string): string | undefined {
  const { minimum, maximum } = PASSWORD_LENGTH;
  const length = [...password].length;
  if (length >= minimum && length <= maximum) return undefined;
  return `a password has ${minimum} to ${maximum} characters`;
}

/** The stored form of a password. It takes tens of milliseconds, outside the main thread. */
export function hashOfPassword(password: string): Promise<string> {
  return hash(spelled(password), COST);
}

/** The hash for an unknown login. A comparison with it is as slow as with a user's hash. */
let nobodys: Promise<string> | undefined;

/** Whether the password is the account's. An unknown login costs the same work, so that the time doesn't reveal it. */
export async function isPasswordOf(account: Account | undefined, password: string): Promise<boolean> {
  nobodys ??= hashOfPassword(newToken());
  const kept = account?.passwordHash ?? (await nobodys);
  const isRight = await verify(kept, spelled(password));
  return isRight && account !== undefined;
}
