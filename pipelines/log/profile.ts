/** Compares whose export a source says it is with whose log it goes to, for somebody who imports their own. A batch has rules of its own. */
import type { Issue } from "../../transforms/model/issue.ts";
import type { FileEvidence, PersonEvidence } from "../../transforms/model/owner-evidence.ts";
import { printable } from "../../transforms/text/printable.ts";
import { foldName, foldWord, likenessOf } from "./names.ts";
import { calledIn, type LogOwner } from "./owner.ts";

/** The person of whom a source's profile speaks. A device's wearer has no name here: watches are lent. */
export interface Profile {
  /** The platform, and its number or name for the account: `zepp 1234567890`. */
  readonly id?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly email?: string;
}

/** The profile in what a file says of its owner; undefined if it names nobody. */
export function profileOf({ person }: FileEvidence): Profile | undefined {
  const { id, givenName, familyName, email }: PersonEvidence = person ?? {};
  if ((id ?? email ?? familyName) === undefined) return undefined;
  return {
    ...(id !== undefined && { id }),
    ...(givenName !== undefined && { givenName }),
    ...(familyName !== undefined && { familyName }),
    ...(email !== undefined && { email }),
  };
}

/** A profile in words: `Jo Runner <jo@example.com>`, or `user 1234567890 of zepp` if its account has neither a name nor an address. */
export function describeProfile({ id, givenName, familyName, email }: Profile): string {
  const name = [givenName, familyName].filter((part) => part !== undefined).join(" ");
  const words = [name === "" ? undefined : printable(name, 80), email && `<${printable(email, 80)}>`];
  if (name === "" && email === undefined) words.push(describeAccount({ id }));
  return words.filter((word) => word !== undefined).join(" ");
}

function describeAccount({ id }: { readonly id?: string | undefined }): string {
  const [platform, user] = accountOf(id);
  return `user ${printable(user, 80)} of ${platform}`;
}

/** The platform of an id, and the account there. */
function accountOf(id = ""): readonly [platform: string, user: string] {
  const gap = id.indexOf(" ");
  return [id.slice(0, gap), id.slice(gap + 1)];
}

/**
 * Whether two profiles are surely of two people: two accounts of one platform, or other addresses and names that are not alike. An address changes, and
 * an account keeps its id.
 */
export function areOtherPeople(a: Profile, b: Profile): boolean {
  if (a.email !== undefined && b.email !== undefined && foldWord(a.email) === foldWord(b.email)) return false;
  if (a.id !== undefined && b.id !== undefined && accountOf(a.id)[0] === accountOf(b.id)[0]) return a.id !== b.id;
  const called = [a.givenName, a.familyName].filter((part) => part !== undefined).join(" ");
  return foldName(called) !== "" && likenessOf(b, [called]) === "other";
}

/** A source, and whose it says it is. */
export interface NamedProfile {
  /** The name of the source. */
  readonly name: string;
  readonly profile: Profile;
}

/**
 * The people of whom sources surely are, if they are several: `ana.zip is of Ana Beispiel <ana@example.com>, ben.zip is of Ben Huber`. Each is named
 * once. Undefined if all sources may be of one person.
 */
export function describePeople(profiles: readonly NamedProfile[]): string | undefined {
  const people: NamedProfile[] = [];
  for (const one of profiles) if (people.every(({ profile }) => areOtherPeople(profile, one.profile))) people.push(one);
  if (people.length < 2) return undefined;
  // By name: sources are read in an order of their own.
  const inOrder = people.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const called = inOrder.map(({ profile }) => describeProfile(profile));
  const words = inOrder.map(({ name, profile }, at) => {
    const hasNamesake = called.some((other, place) => place !== at && other === called[at]);
    return `${printable(name, 80)} is of ${called[at]}${hasNamesake ? ` (${describeAccount(profile)})` : ""}`;
  });
  return words.join(", ");
}

/** The remark about exports of several people in one command. */
export function severalPeopleIssue(people: string): Issue {
  return {
    severity: "warning",
    rule: SEVERAL_PEOPLE,
    found: `exports of different people: ${people}`,
    expected: "one",
  };
}

/** The rule of that remark. A plan with it is not carried out. */
export const SEVERAL_PEOPLE = "plan/several-people";

/** The remark about an export of somebody else; undefined if it may be of the log's owner. */
export function otherPersonIssue(profile: Profile, owner: LogOwner): Issue | undefined {
  if (!areOtherPeople(owner, profile)) return undefined;
  return {
    severity: "warning",
    rule: "plan/other-person",
    found: `an export of ${describeProfile(profile)}`,
    expected: `one of ${calledIn(owner)}, whose log this is`,
  };
}
