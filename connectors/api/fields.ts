/**
 * Reads the members of a JSON object one by one, and remembers which ones. Unread members and members of the wrong type go into `extra`,
 * the latter with an issue. No answer of a service makes it throw.
 */
import { LONGEST_ID } from "../../transforms/assumptions.ts";
import { isLocalDate, isLocalTime, type LocalDate, type LocalTime } from "../../transforms/calendar.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import { type Dimension, unitSpelt } from "../../transforms/units.ts";
import { isRecord } from "./json.ts";
import type { Extra, IdAndName, WireMeasure } from "./wire.ts";

/** Receives remarks. The caller that knows the operation adds the place. */
export type Remark = (issue: Issue) => void;

/**
 * Reads an object.
 *
 * @param value any value; one that is not an object gives no members, and an issue
 * @param name of the resource, for the issue: `workout`
 * @param read picks the members
 */
export function readObject<T extends object>(
  value: unknown,
  name: string,
  remark: Remark,
  read: (fields: Fields) => T,
): T & { extra?: Extra } {
  const extra: Record<string, unknown> = {};
  const fields = new Fields(value, "", extra, (field, found, expected) =>
    remark({ severity: "warning", rule: "api/unexpected-value", field: `${name}${field}`, found, expected }),
  );
  const result = read(fields);
  fields.keepTheRest();
  return Object.keys(extra).length === 0 ? result : { ...result, extra };
}

type Complain = (field: string, found: string, expected: string) => void;

/** The members of one object. Every reader returns undefined for a member that is missing, null or of the wrong type. */
export class Fields {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #extra: Record<string, unknown>;
  readonly #complain: Complain;
  readonly #asked = new Set<string>();

  constructor(value: unknown, path: string, extra: Record<string, unknown>, complain: Complain) {
    this.#members = isRecord(value) ? value : {};
    this.#path = path;
    this.#extra = extra;
    this.#complain = complain;
    if (value !== undefined && !isRecord(value)) complain(path === "" ? "" : `.${path}`, show(value), "an object");
  }

  /** Reads a text. A number counts too, because a serial number of digits comes without quotes. */
  text(name: string): string | undefined {
    return this.#read(name, "a text", (value) => {
      if (typeof value === "string") return value;
      return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;
    });
  }

  /** Reads an id: a text of 1 to 64 characters. */
  id(name: string): string | undefined {
    return this.#read(name, `an id of 1 to ${LONGEST_ID} characters`, readId);
  }

  /** Reads a finite number, or a text that is one: `"3277"`. */
  number(name: string): number | undefined {
    return this.#read(name, "a number", readNumber);
  }

  date(name: string): LocalDate | undefined {
    return this.#read(name, "a date, YYYY-MM-DD", (value) =>
      typeof value === "string" && isLocalDate(value) ? value : undefined,
    );
  }

  /**
   * Reads a time of day. `7:05` and `07:05` occur too ("Time may be empty, `hh:mm a` or `H:MM`"). A text with am or pm goes into `extra`.
   */
  time(name: string): LocalTime | undefined {
    if (this.#value(name) === "") {
      this.#asked.add(name);
      return undefined;
    }
    return this.#read(name, "a time of day, HH:MM:SS", (value) => {
      if (typeof value !== "string") return undefined;
      const [, hours, rest] = /^(\d{1,2})(:\d{2}(?::\d{2})?)$/.exec(value.trim()) ?? [];
      if (hours === undefined || rest === undefined) return undefined;
      const full = `${hours.padStart(2, "0")}${rest.length === 3 ? `${rest}:00` : rest}`;
      return isLocalTime(full) ? full : undefined;
    });
  }

  /** Reads a measure, with its unit as the table spells it. An unknown unit stays as written, with an issue. */
  measure(name: string, dimension: Dimension): WireMeasure | undefined {
    const measure = this.#read(name, "{unit, value}", (value) => {
      if (!isRecord(value)) return undefined;
      const number = readNumber(value.value);
      if (number === undefined || typeof value.unit !== "string") return undefined;
      return { unit: value.unit, value: number };
    });
    if (measure === undefined) return undefined;
    const unit = unitSpelt(dimension, measure.unit);
    if (unit !== undefined) return { unit, value: measure.value };
    this.#complain(`.${this.#path}${name}.unit`, show(measure.unit), `a unit of ${dimension}`);
    return measure;
  }

  /** Reads a unit of the preference, as the table spells it. An unknown unit stays as written, with an issue. */
  unit(name: string, dimension: Dimension): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const unit = unitSpelt(dimension, text);
    if (unit === undefined) this.#complain(`.${this.#path}${name}`, show(text), `a unit of ${dimension}`);
    return unit ?? text;
  }

  /** Reads the flags that are set, from an object of booleans or from a list of names. */
  flags(name: string): readonly string[] | undefined {
    const flags = this.#read(name, "flags", (value) => {
      if (Array.isArray(value))
        return value.every((flag) => typeof flag === "string") ? (value as string[]) : undefined;
      if (!isRecord(value)) return undefined;
      const entries = Object.entries(value);
      if (!entries.every(([, flag]) => FLAGS.has(flag))) return undefined;
      return entries.filter(([, flag]) => FLAGS.get(flag)).map(([flag]) => flag);
    });
    return flags === undefined || flags.length === 0 ? undefined : flags;
  }

  /**
   * Reads the flags that are explicitly false: from an object of booleans, or from a list of names in a separate member. Our snapshots and
   * exports have such a list beside the list of set flags.
   */
  falseFlags(name: string, ownName: string): readonly string[] | undefined {
    const own = this.#value(ownName) === undefined ? undefined : this.flags(ownName);
    const value = this.#value(name);
    const told = isRecord(value) ? Object.keys(value).filter((flag) => isFalse(value[flag])) : [];
    const all = [...new Set([...told, ...(own ?? [])])];
    return all.length === 0 ? undefined : all;
  }

  /** Reads an object inside this one; undefined when no readable member is left. */
  object<T extends object>(name: string, read: (fields: Fields) => T): T | undefined {
    const value = this.#read(name, "an object", (member) => (isRecord(member) ? member : undefined));
    return value === undefined ? undefined : some(this.#within(value, `${name}.`, read));
  }

  /** Reads a list of objects. A single object counts as a list of one. A missing or empty list gives undefined. */
  objects<T extends object>(name: string, read: (fields: Fields) => T): readonly T[] | undefined {
    const list = this.#read(name, "a list of objects", (value) => {
      const members: readonly unknown[] = Array.isArray(value) ? value : [value];
      return members.every(isRecord) ? members : undefined;
    });
    if (list === undefined || list.length === 0) return undefined;
    return list.map((member, i) => this.#within(member, `${name}.${i}.`, read));
  }

  /** Reads references to other records: an object or a list of objects, each with an id. An object without an id stays in `extra`. */
  references(name: string): readonly IdAndName[] | undefined {
    const list = this.objects(name, (fields) => {
      const [id, label] = [fields.id("id"), fields.text("name")];
      if (id === undefined && label !== undefined) fields.keep("name", label);
      return { ...(id !== undefined && { id }), ...(label !== undefined && { name: label }) };
    });
    const found = list?.filter((reference): reference is IdAndName => "id" in reference);
    return found === undefined || found.length === 0 ? undefined : found;
  }

  /** Puts a member into `extra`, even if it was read. */
  keep(name: string, value: unknown): void {
    // As a computed member, "__proto__" would become the prototype of the object in any copy.
    if (name !== "__proto__") this.#extra[`${this.#path}${name}`] = value;
  }

  /** Moves the unread members into `extra`. */
  keepTheRest(): void {
    for (const [name, value] of Object.entries(this.#members)) {
      if (!this.#asked.has(name) && value !== null) this.keep(name, value);
    }
  }

  #within<T>(value: unknown, step: string, read: (fields: Fields) => T): T {
    const inner = new Fields(value, `${this.#path}${step}`, this.#extra, this.#complain);
    const result = read(inner);
    inner.keepTheRest();
    return result;
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? (this.#members[name] ?? undefined) : undefined;
  }

  #read<T>(name: string, expected: string, take: (value: unknown) => T | undefined): T | undefined {
    const value = this.#value(name);
    this.#asked.add(name);
    if (value === undefined) return undefined;
    const taken = take(value);
    if (taken === undefined) {
      this.#complain(`.${this.#path}${name}`, show(value), expected);
      this.keep(name, value);
    }
    return taken;
  }
}

/** The spellings of a flag that servers may use. */
const FLAGS = new Map<unknown, boolean>([
  [true, true],
  ["true", true],
  [1, true],
  [false, false],
  ["false", false],
  [0, false],
  [null, false],
]);

/** Whether a flag is explicitly false. null is not. */
function isFalse(flag: unknown): boolean {
  return flag !== null && FLAGS.get(flag) === false;
}

/** Reads a finite number, or a text that is one. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || !/^[+-]?\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,3})?$/i.test(value.trim()))
    return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Reads an id of the log: a text of 1 to 64 characters. In a record that is read, a whole number counts too. */
export function readId(value: unknown): string | undefined {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && text.length >= 1 && text.length <= LONGEST_ID ? text : undefined;
}

function show(value: unknown): string {
  return printable(typeof value === "string" ? value : (jsonText(value) ?? String(value)), 60);
}

function some<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

/** Writes a value as JSON, for people. JSON can't express a number past 1.8e308 and would write null. */
export function jsonText(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "number" && !Number.isFinite(member) ? "a number too large to hold" : member,
  );
}
