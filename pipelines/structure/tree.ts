/**
 * The tree of keys of a JSON or XML file: which keys stand where, how often, and of which type their values are. Keys are words of a program
 * or data of a person (`"2019-05-05": 12`, `"Jane": {...}`). A key is shown when all its words are known, or when the objects of a
 * list have it again and again beside such keys; of any other its shape is shown.
 */
import { hasKnownWord, isKnownName, shapeOfName } from "../../transforms/text/shape.ts";
import { type ShapeCount, Tally } from "./tally.ts";

/** What a value is. */
export type ValueType = "object" | "list" | "text" | "number" | "true or false" | "null";

/** A place in the tree, without any value. */
export interface Branch {
  /** The key as it may be shown; `[]` for the items of a list. */
  readonly key: string;
  readonly types: Readonly<Partial<Record<ValueType, number>>>;
  readonly shapes: readonly ShapeCount[];
  readonly branches: readonly Branch[];
}

/** A place in the tree while a file is read. */
export interface Place {
  readonly types: Partial<Record<ValueType, number>>;
  tally: Tally | undefined;
  readonly named: Map<string, Place>;
  readonly shaped: Map<string, Place>;
  items: Place | undefined;
  /** How often it was met, and in how many different parents. */
  count: number;
  parents: number;
  lastParent: number;
}

/** What a tree may hold; what is past it is counted in the place above it. */
const MOST_PLACES = 4_000;
const MOST_NAMED = 200;
const MOST_SHAPED = 20;

/** Objects of one place before their keys count as those of a record. */
const RECORDS = 3;

/** What a key of a program looks like: no blank, and no three digits in a row. */
const LIKE_A_KEY = /^[@\p{L}_$][\p{L}\p{M}\p{Nd}_$.:-]{0,63}$/u;

/** A tree while it grows. One for all files of the same kind. */
export class StructureTree {
  readonly root: Place = place();
  /** Stands for all places past the cap; nothing grows below it. */
  readonly #lost: Place = place();
  readonly #repeatsAreNames: boolean;
  #places = 0;
  #parents = 0;

  /** @param repeatsAreNames in XML a name that is repeated is one of the format: it has no other way to write a list */
  constructor(repeatsAreNames: boolean) {
    this.#repeatsAreNames = repeatsAreNames;
  }

  /** Counts a value. @param text what its shape is taken of, where it has one */
  value(at: Place, type: ValueType, text?: string): void {
    at.types[type] = (at.types[type] ?? 0) + 1;
    if (text === undefined) return;
    at.tally ??= new Tally();
    at.tally.add(text);
  }

  /** A number for one object, by which its members know that they are in the same one. */
  parent(): number {
    return ++this.#parents;
  }

  /** The place of a key. */
  member(at: Place, key: string, parent: number): Place {
    if (at === this.#lost) return at;
    const isLikeKey = LIKE_A_KEY.test(key) && !/\d{3}/.test(key);
    const isNamed = isLikeKey && (at.named.has(key) || at.named.size < MOST_NAMED);
    const found = isNamed ? this.#of(at.named, key) : this.#of(at.shaped, shapeIn(at.shaped, key));
    found.count++;
    if (found.lastParent !== parent) found.parents++;
    found.lastParent = parent;
    return found;
  }

  /** The place of the items of a list. */
  items(at: Place): Place {
    if (at === this.#lost) return at;
    if (at.items === undefined && this.#isFull()) return this.#lost;
    at.items ??= place();
    return at.items;
  }

  /** The tree as it may be shown. @param isRootShown true where the first level of names says which format it is */
  branches(isRootShown: boolean): readonly Branch[] {
    return this.#shown(this.root, isRootShown);
  }

  #of(places: Map<string, Place>, key: string): Place {
    const known = places.get(key);
    if (known !== undefined) return known;
    if (this.#isFull()) return this.#lost;
    const made = place();
    places.set(key, made);
    return made;
  }

  #isFull(): boolean {
    return ++this.#places > MOST_PLACES;
  }

  #shown(at: Place, isSure: boolean): readonly Branch[] {
    const objects = at.types.object ?? 0;
    const isRecord = [...at.named.keys()].some(hasKnownWord);
    const shaped = new Map(at.shaped);
    const shown: Branch[] = [];
    for (const [key, child] of at.named) {
      const recurs = objects >= RECORDS && 2 * child.parents >= objects && isRecord;
      const repeats = this.#repeatsAreNames && child.count >= RECORDS;
      if (isSure || isKnownName(key) || recurs || repeats) shown.push(this.#branch(key, child));
      else mergeInto(shaped, shapeIn(shaped, key), child);
    }
    for (const [key, child] of shaped) shown.push(this.#branch(key, child));
    if (at.items !== undefined) shown.push(this.#branch("[]", at.items));
    return shown;
  }

  #branch(key: string, at: Place): Branch {
    return { key, types: at.types, shapes: at.tally?.counts() ?? [], branches: this.#shown(at, false) };
  }
}

function place(): Place {
  return {
    types: {},
    tally: undefined,
    named: new Map(),
    shaped: new Map(),
    items: undefined,
    count: 0,
    parents: 0,
    lastParent: 0,
  };
}

function shapeIn(shaped: ReadonlyMap<string, Place>, key: string): string {
  const shape = shapeOfName(key);
  return shaped.has(shape) || shaped.size < MOST_SHAPED ? shape : "…";
}

/** Adds what one place counted to another under the same shape. */
function mergeInto(places: Map<string, Place>, key: string, from: Place): void {
  const to = places.get(key);
  if (to === undefined) {
    places.set(key, from);
    return;
  }
  const merged = place();
  for (const each of [to, from]) addTo(merged, each);
  places.set(key, merged);
}

function addTo(to: Place, from: Place): void {
  for (const [type, count] of Object.entries(from.types) as [ValueType, number][])
    to.types[type] = (to.types[type] ?? 0) + count;
  if (from.tally !== undefined) {
    to.tally ??= new Tally();
    to.tally.merge(from.tally);
  }
  to.count += from.count;
  to.parents += from.parents;
  for (const [key, child] of from.named) addTo(ensured(to.named, key), child);
  for (const [key, child] of from.shaped) addTo(ensured(to.shaped, key), child);
  if (from.items === undefined) return;
  to.items ??= place();
  addTo(to.items, from.items);
}

function ensured(places: Map<string, Place>, key: string): Place {
  const known = places.get(key) ?? place();
  places.set(key, known);
  return known;
}
