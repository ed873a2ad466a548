/** Lines of a plan that are one workout: each was merged into another one, and one stays. */
export class Groups {
  /** The key that a key was merged into. */
  readonly #into = new Map<string, string>();
  /** The sources of a group, by the key that stays. */
  readonly #sources = new Map<string, Set<number>>();

  /** The members of groups of several, by the key that stays. */
  readonly #members = new Map<string, Set<string>>();
  /** The keys that stay of groups in which a line has a time of day. */
  readonly #timed = new Set<string>();

  /** Adds a line. @param into the key that it was merged into; undefined for a line that stays */
  add(key: string, source: number, into: string | undefined, isTimed: boolean): void {
    if (into !== undefined) this.join(key, into);
    this.#of(this.rootOf(key)).add(source);
    if (isTimed) this.#timed.add(this.rootOf(key));
  }

  /** Merges the group of a key into that of another one. */
  join(key: string, into: string): void {
    const [from, to] = [this.rootOf(key), this.rootOf(into)];
    if (from === to) return;
    const members = new Set([...this.membersOf(to), ...this.membersOf(from)]);
    this.#into.set(from, to);
    for (const source of this.#sources.get(from) ?? []) this.#of(to).add(source);
    this.#sources.delete(from);
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

  /** The sources that have a line in the group of a key. */
  sourcesOf(key: string): ReadonlySet<number> {
    return this.#sources.get(this.rootOf(key)) ?? new Set();
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
    for (const [root, sources] of this.#sources) copy.#sources.set(root, new Set(sources));
    return copy;
  }

  #of(root: string): Set<number> {
    const known = this.#sources.get(root);
    if (known !== undefined) return known;
    const made = new Set<number>();
    this.#sources.set(root, made);
    return made;
  }
}
