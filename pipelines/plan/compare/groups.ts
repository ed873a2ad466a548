import { areOfOneApp, type Recorded } from "../pairs/linked-workout.ts";

/** Lines of a plan that are one workout: each was merged into another one, and one stays. */
export class Groups {
  /** The key that a key was merged into. */
  readonly #into = new Map<string, string>();
  /** Where the lines of a group come from, by the key that stays. */
  readonly #from = new Map<string, readonly Recorded[]>();

  /** The members of groups of several, by the key that stays. */
  readonly #members = new Map<string, Set<string>>();
  /** The keys that stay of groups in which a line has a time of day. */
  readonly #timed = new Set<string>();

  /** Adds a line. @param into the key that it was merged into; undefined for a line that stays */
  add(key: string, { source, recorder }: Recorded, into: string | undefined, isTimed: boolean): void {
    if (into !== undefined) this.join(key, into);
    const root = this.rootOf(key);
    this.#from.set(root, [...(this.#from.get(root) ?? []), { source, recorder }]);
    if (isTimed) this.#timed.add(root);
  }

  /** Merges the group of a key into that of another one. */
  join(key: string, into: string): void {
    const [from, to] = [this.rootOf(key), this.rootOf(into)];
    if (from === to) return;
    const members = new Set([...this.membersOf(to), ...this.membersOf(from)]);
    this.#into.set(from, to);
    this.#from.set(to, [...(this.#from.get(to) ?? []), ...(this.#from.get(from) ?? [])]);
    this.#from.delete(from);
    if (this.#timed.delete(from)) this.#timed.add(to);
    this.#members.set(to, members);
    this.#members.delete(from);
  }

  /** The key that stays of a key's group. */
  rootOf(key: string): string {
    let root = key;
    for (let next = this.#into.get(root); next !== undefined; next = this.#into.get(root)) root = next;
    return root;
  }

  /** Whether a source has a line in the group of a key. */
  hasSource(key: string, source: number): boolean {
    return this.#fromOf(key).some((from) => from.source === source);
  }

  /** Whether all lines in the group of a key are of one source. */
  isOfOneSource(key: string): boolean {
    return new Set(this.#fromOf(key).map(({ source }) => source)).size === 1;
  }

  /** Whether a line in the group of a key is of the same source and app. */
  hasApp(key: string, app: Recorded): boolean {
    return this.#fromOf(key).some((from) => areOfOneApp(from, app));
  }

  /** Whether the groups of two keys both have a line of the same source and app. */
  shareApp(one: string, other: string): boolean {
    return this.#fromOf(one).some((from) => this.hasApp(other, from));
  }

  /** The lines of the group of a key. */
  membersOf(key: string): Set<string> {
    const root = this.rootOf(key);
    return this.#members.get(root) ?? new Set([root]);
  }

  /** The groups of several lines: the key that stays, with all keys. */
  several(): Iterable<readonly [root: string, members: ReadonlySet<string>]> {
    return [...this.#members].filter(([, members]) => members.size > 1);
  }

  /** Whether a line of a key's group has a time of day. */
  isTimed(key: string): boolean {
    return this.#timed.has(this.rootOf(key));
  }

  /** The groups as they are now. */
  copy(): Groups {
    const copy = new Groups();
    for (const [key, into] of this.#into) copy.#into.set(key, into);
    for (const root of this.#timed) copy.#timed.add(root);
    for (const [root, from] of this.#from) copy.#from.set(root, from);
    for (const [root, members] of this.#members) copy.#members.set(root, members);
    return copy;
  }

  #fromOf(key: string): readonly Recorded[] {
    return this.#from.get(this.rootOf(key)) ?? [];
  }
}
