/**
 * Reads the elements at one place of a large XML file, one at a time. Each becomes a record: its attributes and the elements in it, by
 * their local names. The reader holds one element at a time.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import { textReader } from "../text.ts";
import { type PlainForm, plainWriter } from "./plain.ts";
import { declaredEncoding, type XmlAttributes, type XmlReader, xmlReader } from "./reader.ts";
import { doctypeSkipper } from "./skip-doctype.ts";

/**
 * An element: its attributes and the elements in it. An element without either is its text. Several elements of one name are a list. If an
 * element has attributes, or elements before its text, the text is called `text()`.
 */
export interface XmlRecord {
  readonly [name: string]: XmlValue;
}

/** The content of an element: its text, its parts, or several elements of one name. */
export type XmlValue = string | XmlRecord | readonly XmlValue[];

/** The elements that are wanted, and their parts that are wanted. */
export interface XmlPlace {
  /** Names from the root inward: `["HealthData", "Workout"]`. `*` is any name. */
  readonly path: readonly string[];
  /** Of the elements at the place, those that are wanted, by their attributes. The others cost no memory. It may be asked twice about one. */
  readonly where?: (attributes: XmlAttributes) => boolean;
  /** Elements in them, at any depth, that are replaced by "left out": tracks. */
  readonly skips?: readonly string[];
  /**
   * The form of elements directly in the root that are mostly not wanted. They are told from their text, which takes a tenth of the time. `where` then
   * gets only the attributes that decide.
   */
  readonly mostly?: PlainForm;
  /** Elements in them, by name. Their own elements are summed up one after another, and the sum takes their place. */
  readonly sums?: Readonly<Record<string, () => XmlSum>>;
}

/** Sums up the elements of one element. It keeps none of them, so that a track needs no memory. */
export interface XmlSum {
  /** Gets each element, whole. */
  add(name: string, value: XmlValue): void;
  /** Gives the members that take the place of the elements. It is called after the last element. */
  result(): XmlRecord;
}

/** UTF-16 units of the names and values of one element, at the most. */
export const LONGEST_ELEMENT = 4 * 2 ** 20;

/** A file that can't be read to its end. The elements before the problem were given. */
export class XmlError extends Error {
  readonly issue: Issue;

  constructor(issue: Issue) {
    super(`${issue.rule}: ${issue.found}`);
    this.name = "XmlError";
    this.issue = issue;
  }
}

/** An element at the place. One that is too long or damaged has no record. */
export interface XmlElement {
  readonly record: XmlRecord | undefined;
  /** The damage in it. Parts of two elements may stand in it as one. */
  readonly issue?: Issue;
  /** Its name, and that of the element around it. They matter where the place has a `*`. */
  readonly name: string;
  readonly parent: string | undefined;
}

/**
 * Gives the elements at a place. A document type in front is skipped and has no effect.
 *
 * @param report gets the oddities that cost no element
 * @throws XmlError `xml/truncated`, `xml/not-well-formed`, and those of the caps. `xml/nul-block` at the end if there is damage outside of the elements. Errors of the stream are thrown through
 */
export async function* xmlEach(
  chunks: AsyncIterable<Uint8Array>,
  place: XmlPlace,
  report: (issue: Issue) => void,
): AsyncGenerator<XmlElement> {
  const builder = new Builder(place);
  const reader = xmlReader(builder);
  const write = writerOf(reader, place);
  const skipper = doctypeSkipper();
  let head: Uint8Array = new Uint8Array(0);
  const text = textReader(() => declaredEncoding(head));
  for await (const chunk of chunks) {
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
    const goesOn = write(skipper.write(text.write(chunk)));
    yield* builder.take();
    if (!goesOn) break;
  }
  write(skipper.write(text.end()) + skipper.end());
  yield* builder.take();
  const { end, issues } = reader.end();
  for (const issue of [...text.issues, ...issues]) {
    if (end !== "complete" && issue === issues.at(-1)) throw new XmlError({ ...issue, severity: "error" });
    report(issue);
  }
  if (builder.damage !== undefined) throw new XmlError(builder.damage);
}

/** Writes text to the reader. Elements at a place of two names can be left out: these stand directly in the root element. */
function writerOf(reader: XmlReader, { path, where, mostly }: XmlPlace): (text: string) => boolean {
  if (mostly === undefined || path.length !== 2) return (text) => reader.write(text);
  const isNamed = path[1] === mostly.name || path[1] === "*";
  return plainWriter(reader, mostly, (attributes) => !isNamed || (where !== undefined && !where(attributes)));
}

/** The first bytes of a document, where it names its encoding. */
const HEAD_BYTES = 256;

/** The value that replaces skipped elements. */
const LEFT_OUT = "left out";

type Members = Record<string, XmlValue | XmlValue[]>;

/** Puts the wanted elements together. */
class Builder {
  readonly #path: readonly string[];
  readonly #skips: ReadonlySet<string>;
  #ready: XmlElement[] = [];
  /** The wanted element and those open in it, outermost first. */
  readonly #open: Members[] = [];
  readonly #sums: NonNullable<XmlPlace["sums"]>;
  readonly #where: NonNullable<XmlPlace["where"]>;
  /** The element that is being summed up, by its place among the open ones. */
  #summed: { readonly sum: XmlSum; readonly at: number; readonly length: number } | undefined;
  /** Open elements inside a skipped one, itself included. */
  #skipped = 0;
  #length = 0;
  /** The damage of the element that is open, or whose tag is. */
  #issue: Issue | undefined;
  /** The first damage outside of the wanted elements. It may have taken some with it. */
  damage: Issue | undefined;

  constructor({ path, skips = [], sums = {}, where = () => true }: XmlPlace) {
    this.#path = path;
    this.#skips = new Set(skips);
    this.#sums = sums;
    this.#where = where;
  }

  damaged(issue: Issue, isInTag: boolean): void {
    if (this.#open.length > 0 || isInTag) this.#issue ??= issue;
    else this.damage ??= issue;
  }

  open(name: string, attributes: XmlAttributes, path: readonly string[]): boolean {
    if (this.#skipped > 0) this.#skipped++;
    else if (this.#open.length > 0 && this.#skips.has(name)) {
      this.#skipped = 1;
      const above = this.#open.at(-1);
      if (above !== undefined && !(name in above)) above[name] = LEFT_OUT;
    } else if (this.#open.length > 0 || (this.#isWanted(name, path) && this.#where(attributes))) {
      const members: Members = Object.create(null);
      for (const [key, value] of Object.entries(attributes)) this.#put(members, localName(key), value);
      this.#open.push(members);
      const sum = Object.hasOwn(this.#sums, name) ? this.#sums[name]?.() : undefined;
      if (sum !== undefined) this.#summed ??= { sum, at: this.#open.length, length: this.#length };
    } else if (this.#issue !== undefined) this.#endDamaged();
    return true;
  }

  close(name: string, text: string, path: readonly string[]): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const members = this.#open.pop();
    if (members === undefined) {
      if (this.#issue !== undefined) this.#endDamaged();
      return;
    }
    const summed = this.#summed;
    if (summed?.at === this.#open.length + 1) {
      Object.assign(members, summed.sum.result());
      this.#summed = undefined;
    }
    const isLeaf = Object.keys(members).length === 0;
    if (!isLeaf && text !== "") this.#put(members, "text()", text);
    if (summed?.at === this.#open.length) {
      // An element that is too long makes the whole one too long.
      if (this.#length <= LONGEST_ELEMENT) this.#length = summed.length;
      summed.sum.add(name, isLeaf ? text : (members as XmlRecord));
      return;
    }
    const above = this.#open.at(-1);
    if (above !== undefined) {
      this.#put(above, name, isLeaf ? text : (members as XmlRecord));
      return;
    }
    if (path.length !== this.#path.length - 1) return;
    const issue = this.#issue;
    const record = this.#length > LONGEST_ELEMENT || issue !== undefined ? undefined : (members as XmlRecord);
    this.#ready.push({ record, name, parent: path.at(-1), ...(issue !== undefined && { issue }) });
    this.#issue = undefined;
    this.#length = 0;
  }

  /** Gives the elements that are complete, once. */
  take(): readonly XmlElement[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** The damaged tag is of no wanted element. */
  #endDamaged(): void {
    this.damage ??= this.#issue;
    this.#issue = undefined;
  }

  #isWanted(name: string, path: readonly string[]): boolean {
    if (path.length !== this.#path.length - 1) return false;
    return this.#path.every((wanted, at) => wanted === "*" || wanted === (path[at] ?? name));
  }

  #put(members: Members, name: string, value: XmlValue): void {
    this.#length += name.length + (typeof value === "string" ? value.length : 0);
    if (this.#length > LONGEST_ELEMENT) return;
    const before = members[name];
    if (before === undefined) members[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else members[name] = [before as XmlValue, value];
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
