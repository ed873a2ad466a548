/**
 * Paths to values in rows of JSON or XML, used as names of columns: `tags/com.nike.name` or
 * `summaries[metric=distance][summary=total]/value`.
 */
import type { UnsupportedValue } from "../../../../transforms/model/workout.ts";
import { addedValue, type NewColumn, NewColumns } from "../cells/new-columns.ts";
import { firstName, isSecond } from "../columns/second-columns.ts";

/** One step of a path: a member (`.` is the row itself) and, if it is a list, the element with these members. */
interface Step {
  readonly member: string;
  readonly having: readonly (readonly [member: string, value: string])[];
}

/** Splits a path into steps. */
function stepsOf(path: string): readonly Step[] {
  return path.split("/").map((step) => {
    const [member = "", ...conditions] = step.split("[");
    const having = conditions.map((each) => {
      const [name = "", value = ""] = each.replace("]", "").split("=");
      return [name, value] as const;
    });
    return { member, having };
  });
}

/**
 * Makes a function that reads the values at these paths as text. At the paths of `asJson` it gives a list or an object as JSON. A missing value
 * becomes "". A list becomes its texts with commas between. At the paths of `counted`, a list of objects becomes their number. In a list without
 * conditions, the path continues in the first element that has the next member.
 */
export function cellReader(
  paths: readonly string[],
  { asJson, counted }: { readonly asJson?: ReadonlySet<string>; readonly counted?: ReadonlySet<string> } = {},
): (row: unknown) => readonly string[] {
  const writerOf = (path: string) => (asJson?.has(path) ? jsonOf : counted?.has(path) ? countOf : textOf);
  const ways = paths.map((path) => ({ steps: stepsOf(path), write: writerOf(path) }));
  return (row) => ways.map(({ steps, write }) => write(steps.reduce(follow, row)));
}

function follow(value: unknown, { member, having }: Step): unknown {
  const [one] = Array.isArray(value) ? value.filter((each) => isObject(each) && member in each) : [value];
  const inner = member === "." ? one : isObject(one) ? one[member] : undefined;
  if (having.length === 0) return inner;
  // XML doesn't show whether a single element is a list.
  return [inner]
    .flat()
    .find((each) => isObject(each) && having.every(([name, wanted]) => textOf(each[name]) === wanted));
}

function jsonOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}

/** Writes a value as text, and objects as their number. XML doesn't show whether a single element is a list. */
function countOf(value: unknown): string {
  const text = textOf(value);
  const objects = [value].flat().filter((each) => isObject(each) && Object.keys(each).length > 0);
  return text !== "" || objects.length === 0 ? text : String(objects.length);
}

/** Writes numbers in the form of tables, without an exponent. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return /e/.test(String(value)) ? value.toFixed(6) : String(value);
  return Array.isArray(value)
    ? value
        .map(textOf)
        .filter((text) => text !== "")
        .join(", ")
    : "";
}

/** Most characters of a list or of an object. A longer one is given by its number of values. */
const LONGEST_TEXT = 200;

/** Writes the value of a member that nobody here knows. Empty ones become "". */
function unknownText(value: unknown): string {
  if (typeof value !== "object" || value === null) return textOf(value).trim();
  const count = Object.keys(value).length;
  if (count === 0) return "";
  const text = count > LONGEST_TEXT ? undefined : JSON.stringify(value);
  return text !== undefined && text.length <= LONGEST_TEXT ? text : `${count} values`;
}

/** Collects the members without a column: the names of the first hundred, and of each row the values. */
export class Strangers {
  readonly #paths: readonly string[];
  readonly #opened: ReadonlySet<string>;
  readonly #selected: ReadonlyMap<string, readonly string[]>;
  readonly #columns = new NewColumns();

  /** @param opened columns with members that are checked like those of the row, if one of them has a column too */
  constructor(columns: readonly string[], opened: ReadonlySet<string> = new Set()) {
    const paths = columns.map((path) => path.replace(/^\.\[[^/]*\//, ""));
    this.#paths = paths;
    this.#opened = new Set([...opened].filter((path) => paths.some((each) => each.startsWith(`${path}/`))));
    this.#selected = new Map(
      paths.flatMap((path) => {
        const steps = stepsOf(path);
        return steps
          .map(({ having }, at) => [wayTo(steps, at), having.map(([name]) => name)] as const)
          .filter(([, having]) => having.length > 0);
      }),
    );
  }

  /** The members, each with the first file that has it. */
  all(): readonly NewColumn[] {
    return this.#columns.all();
  }

  /** Checks a row of a file. @returns the values of its members without a column */
  add(row: unknown, file: string): readonly UnsupportedValue[] {
    const found = new Map<string, string[]>();
    for (const [name, value] of this.#in(row, "")) {
      const text = this.#columns.add(name, file) ? unknownText(value) : "";
      // A second column with the value of the first one loses nothing.
      const first = isSecond(name) && isObject(row) ? unknownText(row[firstName(name)]) : undefined;
      if (text !== "" && text !== first) found.set(name, [...(found.get(name) ?? []), text]);
    }
    return [...found].map(([name, texts]) =>
      addedValue(name, texts.length === 1 ? (texts[0] ?? "") : `${texts.length} values`),
    );
  }

  *#in(row: unknown, above: string): Generator<readonly [name: string, value: unknown]> {
    if (!isObject(row)) return;
    for (const [member, value] of Object.entries(row)) {
      const path = above + member;
      if (this.#paths.includes(path) && !this.#opened.has(path)) continue;
      const by = this.#selected.get(path);
      if (by !== undefined && typeof value === "object") {
        for (const each of [value].flat()) {
          const name = `${path}${by.map((own) => `[${own}=${selector(each, own)}]`).join("")}`;
          if (!this.#paths.some((known) => known === name || known.startsWith(`${name}/`))) yield [name, each];
        }
      } else if (this.#paths.some((each) => each.startsWith(`${path}/`)))
        for (const each of [value].flat()) yield* this.#in(each, `${path}/`);
      else yield [path, value];
    }
  }
}

/** The members on the path to a step, without conditions. */
function wayTo(steps: readonly Step[], at: number): string {
  return steps
    .slice(0, at + 1)
    .map(({ member }) => member)
    .join("/");
}

function selector(value: unknown, name: string): string {
  return isObject(value) ? textOf(value[name]) : "";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
