/** Whose log a token opens, and whether that is the athlete it was given for. */
import type { UserRead } from "../../connectors/api/wire.ts";
import { printable } from "../../transforms/text/printable.ts";
import { foldWord } from "./names.ts";

/** The owner of a log, as the log says. All is undefined where private information was not granted. */
export interface LogOwner {
  readonly screenName?: string;
  readonly email?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly gender?: string;
  /** `1984-03-09` */
  readonly birthDate?: string;
}

/** Who the owner of the log must be. What is given must agree; at least one must be there to compare. */
export interface Expected {
  readonly screenName?: string;
  readonly email?: string;
}

/** The user of a log, of which only what tells people apart is kept. */
export function ownerOf({ screenName, person = {} }: UserRead): LogOwner {
  const { email, givenName, familyName, gender, birthDate } = person;
  const said = { screenName, email, givenName, familyName, gender, birthDate };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined && value !== ""));
}

/** What a person typed as whose log it must be: an e-mail address where it has an `@`, else a screen name. */
export function expectedOwner(text: string): Expected {
  const word = text.trim();
  return word.includes("@") ? { email: word } : { screenName: word };
}

/** What the comparison of an owner with the expectation gives. */
export type OwnerVerdict =
  | { readonly is: "expected" }
  /** Somebody else's log: nothing may go there. */
  | { readonly is: "other"; readonly says: string }
  /** The log says too little of its owner. */
  | { readonly is: "unknown"; readonly says: string };

/** Compares by the letters alone: case and blanks are typed as people like. */
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

/** The owner as the log calls them: screen name and address. */
export function calledIn({ screenName, email, givenName, familyName }: LogOwner): string {
  const name = screenName ?? [givenName, familyName].filter((part) => part !== undefined).join(" ");
  const words = [name === "" ? undefined : quoted(name), email === undefined ? undefined : `<${printable(email, 80)}>`];
  return words.filter((word) => word !== undefined).join(" ") || "somebody without a name";
}

/** Text of strangers, safe to show. */
export function quoted(text: string): string {
  return `"${printable(text, 80)}"`;
}
