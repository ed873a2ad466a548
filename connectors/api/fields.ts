/**
 * Reads the members of a JSON object one by one and remembers which: members nobody asked for, and members of the wrong type,
 * ends in `extra`, the latter with an issue. Nothing is thrown for what a service answers.
 */
import { LONGEST_ID } from "../../transforms/assumptions.ts";
import { isLocalDate, isLocalTime, type LocalDate, type LocalTime } from "../../transforms/calendar.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import { type Dimension, unitSpelt } from "../../transforms/units.ts";
import { isRecord } from "./json.ts";
import type { Extra, IdAndName, WireMeasure } from "./wire.ts";

/** Receives remarks; whoever knows the operation adds the place. */
export type Remark = (issue: Issue) => void;

/**
 * Reads an object.
 *
 * @param value anything; a value that is no object has no members, and an issue says so
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

/** The members of one object. Every reader gives undefined for a member that is missing, null, or isn't what it should be. */
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

  /** Text. A number is one too: a serial of digits comes without quotes. */
  text(name: string): string | undefined {
    return this.#read(name, "a text", (value) => {
      if (typeof value === "string") return value;
      return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;
    });
  }

  /** An id: a text of 1 to 64 characters. */
  id(name: string): string | undefined {
    return this.#read(name, `an id of 1 to ${LONGEST_ID} characters`, readId);
  }

  /** A finite number, or a text that is one: `"3277"`. */
  number(name: string): number | undefined {
    return this.#read(name, "a number", readNumber);
  }

  date(name: string): LocalDate | undefined {
    return this.#read(name, "a date, YYYY-MM-DD", (value) =>
      typeof value === "string" && isLocalDate(value) ? value : undefined,
    );
  }

  /** A time of day. `7:05` and `07:05` are met too ("Time may be empty, `hh:mm a` or `H:MM`"); what names am or pm is kept as it is. */
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

  /** A measure in the table's spelling of its unit; an unknown unit stays as it is written, with an issue. */
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

  /** A unit of the preference, spelt as the table does; one nobody has met stays as it is, with an issue. */
  unit(name: string, dimension: Dimension): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const unit = unitSpelt(dimension, text);
    if (unit === undefined) this.#complain(`.${this.#path}${name}`, show(text), `a unit of ${dimension}`);
    return unit ?? text;
  }

  /** Flags that are set: of an object of booleans, or of a list of names. */
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
   * Flags that are false and say so: of an object of booleans; or of a list of names in a member of its own, as our snapshots and exports
   * have them beside the list of those that are set.
   */
  falseFlags(name: string, ownName: string): readonly string[] | undefined {
    const own = this.#value(ownName) === undefined ? undefined : this.flags(ownName);
    const value = this.#value(name);
    const told = isRecord(value) ? Object.keys(value).filter((flag) => isFalse(value[flag])) : [];
    const all = [...new Set([...told, ...(own ?? [])])];
    return all.length === 0 ? undefined : all;
  }

  /** An object inside this one; undefined when nothing of it is left. */
  object<T extends object>(name: string, read: (fields: Fields) => T): T | undefined {
    const value = this.#read(name, "an object", (member) => (isRecord(member) ? member : undefined));
    return value === undefined ? undefined : some(this.#within(value, `${name}.`, read));
  }

  /** A list of objects; a single object is a list of one, a missing list is undefined, an empty one is too. */
  objects<T extends object>(name: string, read: (fields: Fields) => T): readonly T[] | undefined {
    const list = this.#read(name, "a list of objects", (value) => {
      const members: readonly unknown[] = Array.isArray(value) ? value : [value];
      return members.every(isRecord) ? members : undefined;
    });
    if (list === undefined || list.length === 0) return undefined;
    return list.map((member, i) => this.#within(member, `${name}.${i}.`, read));
  }

  /** References to other records: an object or a list of them, each with an id. One without is left in `extra`. */
  references(name: string): readonly IdAndName[] | undefined {
    const list = this.objects(name, (fields) => {
      const [id, label] = [fields.id("id"), fields.text("name")];
      if (id === undefined && label !== undefined) fields.keep("name", label);
      return { ...(id !== undefined && { id }), ...(label !== undefined && { name: label }) };
    });
    const found = list?.filter((reference): reference is IdAndName => "id" in reference);
    return found === undefined || found.length === 0 ? undefined : found;
  }

  /** Puts a member into `extra` after all. */
  keep(name: string, value: unknown): void {
    // As a computed member, "__proto__" would be the object's prototype for whoever copies it.
    if (name !== "__proto__") this.#extra[`${this.#path}${name}`] = value;
  }

  /** Moves what nobody asked for into `extra`. */
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

/** A flag as a server may write it. */
const FLAGS = new Map<unknown, boolean>([
  [true, true],
  ["true", true],
  [1, true],
  [false, false],
  ["false", false],
  [0, false],
  [null, false],
]);

/** Whether a flag says that it is false; null says nothing. */
function isFalse(flag: unknown): boolean {
  return flag !== null && FLAGS.get(flag) === false;
}

/** A finite number, or a text that is one. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || !/^[+-]?\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,3})?$/i.test(value.trim()))
    return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** An id of the log: a text of 1 to 64 characters; a whole number is one too, in a record that is read. */
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

/** A value as JSON, for people. JSON has no word for a number past 1.8e308, and would call it null. */
export function jsonText(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "number" && !Number.isFinite(member) ? "a number too large to hold" : member,
  );
}
