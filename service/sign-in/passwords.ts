/** Passwords: what is kept of them, and what one must be like. */
import { hash, verify } from "@node-rs/argon2";
import { newToken } from "../http/ids.ts";
import type { Account } from "../store/accounts.ts";

/** Argon2id, version 19, with the least memory and time that OWASP's password storage cheat sheet names: 19 MiB, two passes. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Characters of a password. Nothing else is asked of one: rules about digits and signs make them worse (NIST SP 800-63B). */
export const PASSWORD_LENGTH = { minimum: 10, maximum: 1000 } as const;

/** Characters of a login. */
export const MAX_LOGIN_LENGTH = 200;

/** One spelling of what can be typed in several: composed and decomposed accents are the same key on the keyboard. */
function spelled(password: string): string {
  return password.normalize("NFC");
}

/** A login as it is kept and looked up: letter case and blanks around it don't count. */
export function loginOf(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase();
}

/** What is wrong with a password that somebody wants to have; undefined when it can be one. */
export function problemWith(password: string): string | undefined {
  const { minimum, maximum } = PASSWORD_LENGTH;
  const length = [...password].length;
  if (length >= minimum && length <= maximum) return undefined;
  return `a password has ${minimum} to ${maximum} characters`;
}

/** What is kept of a password; tens of milliseconds, aside from the main thread. */
export function hashOfPassword(password: string): Promise<string> {
  return hash(spelled(password), COST);
}

/** For whoever isn't there: as slow to compare with as anybody's. */
let nobodys: Promise<string> | undefined;

/** Whether the password is the account's. Of a login nobody has, the same work is done, so that time doesn't tell it apart. */
export async function isPasswordOf(account: Account | undefined, password: string): Promise<boolean> {
  nobodys ??= hashOfPassword(newToken());
  const kept = account?.passwordHash ?? (await nobodys);
  const isRight = await verify(kept, spelled(password));
  return isRight && account !== undefined;
}
