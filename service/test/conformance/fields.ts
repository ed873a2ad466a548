/** Checks that the rules about fields share: a value goes in by a save and comes out by a get, and a value of another type is refused by name. */
import { expect } from "vitest";
import { ann } from "./harness.ts";

/** A kind of record: the address of its save, its name in a get, and the smallest body that can be saved. */
export interface Kind {
  readonly path: string;
  readonly name: string;
  readonly least: object;
}

/** A record as a get shows it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
type Shown = Readonly<Record<string, any>>;

/** Saves the smallest body with these members, and gives the record that a get shows. */
export async function savedAndShown({ path, name, least }: Kind, members: object): Promise<Shown> {
  const id = await ann.save(path, { ...least, ...members });
  const answer = await ann.send("GET", `${path}/${id}`);
  expect(answer.json).toEqual({ code: 0, data: { [name]: expect.objectContaining({ id }) } });
  return answer.json.data[name];
}

/** Checks that a member comes back exactly as it was saved. */
export async function comesBack(kind: Kind, members: object): Promise<void> {
  expect(await savedAndShown(kind, members)).toEqual(expect.objectContaining(members));
}

/** Checks that each value, at the member's place, is refused with an error that names it. */
export async function isRefused(kind: Kind, field: string, ...members: readonly object[]): Promise<void> {
  for (const wrong of members) {
    const answer = await ann.send("POST", kind.path, { body: { ...kind.least, ...wrong } });
    expect([wrong, answer.status, answer.json?.message?.split(": ")[0]]).toEqual([wrong, 400, field]);
  }
}

/** Checks that a save accepts any value for a member of this name, and that the value changes nothing. */
export async function isIgnored(kind: Kind, name: string): Promise<void> {
  const plain = await savedAndShown(kind, {});
  for (const value of ["another", 17, null, { id: 1 }, []]) {
    const { id: _id, ...shown } = await savedAndShown(kind, { [name]: value });
    const { id: _other, ...expected } = plain;
    expect(shown).toEqual(expected);
  }
}
