/** Finds the owner of the log that a token opens, and compares them with the expected athlete. */
import type { UserRead } from "../../connectors/api/decode.ts";
import { printable } from "../../transforms/text/printable.ts";
import { foldWord } from "./names.ts";

/** The owner of a log, according to the log. All values are undefined if private information was not granted. */
export interface LogOwner {
  readonly screenName?: string;
  readonly email?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly gender?: string;
  /** `1984-03-09` */
  readonly birthDate?: string;
}

/** The expected owner of the log. Every given value must match, and at least one must be given. */
export interface Expected {
  readonly screenName?: string;
  readonly email?: string;
}

/** The owner of a log, with only the values that identify a person. */
export function ownerOf({ screenName, person = {} }: UserRead): LogOwner {
  const { email, givenName, familyName, gender, birthDate } = person;
  const said = { screenName, email, givenName, familyName, gender, birthDate };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined && value !== ""));
}

/** Reads the owner that a person typed: an e-mail address if it contains an `@`, otherwise a screen name. */
export function expectedOwner(text: string): Expected {
  const word = text.trim();
  return word.includes("@") ? { email: word } : { screenName: word };
}

/** The result of comparing an owner with the expected one. */
export type OwnerVerdict =
  | { readonly is: "expected" }
  /** The log belongs to somebody else. Nothing may be written to it. */
  | { readonly is: "other"; readonly says: string }
  /** The log tells too little about its owner. */
  | { readonly is: "unknown"; readonly says: string };

/** Compares an owner with the expected one. Case and blanks make no difference, because people type them in different ways. */
export function compareOwner(owner: LogOwner, expected: Expected): OwnerVerdict {
  const compared = (["screenName", "email"] as const).flatMap((field) => {
    const [wanted, found] = [expected[field], owner[field]];
    return wanted === undefined || foldWord(wanted) === "" ? [] : [{ field, wanted, found }];
  });
  const differs = compared.find(({ wanted, found }) => found !== undefined && foldWord(found) !== foldWord(wanted));
  if (differs !== undefined) {
    const says = `the token opens the log of ${calledIn(owner)}, and the ${WORDS[differs.field]} should be ${quoted(differs.wanted)}`;
    return { is: "other", says };
  }
  if (compared.some(({ found }) => found !== undefined)) return { is: "expected" };
  const should =
    compared.length === 0
      ? "nothing says whose it should be"
      : `it should be that of ${compared.map(({ wanted }) => quoted(wanted)).join(", ")}`;
  const found =
    Object.keys(owner).length === 0
      ? "the log doesn't say whose it is, since access to private information was not granted"
      : `the log says only that it is that of ${calledIn(owner)}`;
  return { is: "unknown", says: `${found}; ${should}` };
}

const WORDS = { screenName: "screen name", email: "e-mail address" } as const;

/** The owner with the names in the log: screen name and e-mail address. */
export function calledIn({ screenName, email, givenName, familyName }: LogOwner): string {
  const name = screenName ?? [givenName, familyName].filter((part) => part !== undefined).join(" ");
  const words = [name === "" ? undefined : quoted(name), email === undefined ? undefined : `<${printable(email, 80)}>`];
  return words.filter((word) => word !== undefined).join(" ") || "somebody without a name";
}

/** Quotes a text from outside, safe to show. */
export function quoted(text: string): string {
  return `"${printable(text, 80)}"`;
}
