/**
 * Paths to values in rows of JSON or XML, used as names of columns: `tags/com.nike.name` or
 * `summaries[metric=distance][summary=total]/value`.
 */

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
 * Makes a function that reads the values at these paths as text. A missing value becomes "", and a list becomes its texts with commas
 * between. In a list without conditions, the path goes on in the first element that has the next member.
 */
export function cellReader(paths: readonly string[]): (row: unknown) => readonly string[] {
  const ways = paths.map(stepsOf);
  return (row) => ways.map((steps) => textOf(steps.reduce(follow, row)));
}

function follow(value: unknown, { member, having }: Step): unknown {
  const [one] = Array.isArray(value) ? value.filter((each) => isObject(each) && member in each) : [value];
  const inner = member === "." ? one : isObject(one) ? one[member] : undefined;
  if (having.length === 0) return inner;
  // XML doesn't say of a single element whether it is a list.
  return [inner]
    .flat()
    .find((each) => isObject(each) && having.every(([name, wanted]) => textOf(each[name]) === wanted));
}

/** Writes numbers as tables do, without an exponent. */
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

/** Collects the names of members that no column leads to: the first hundred. */
export class Strangers {
  readonly #paths: readonly string[];
  readonly #selected: ReadonlyMap<string, readonly string[]>;
  readonly names = new Set<string>();

  constructor(columns: readonly string[]) {
    const paths = columns.map((path) => path.replace(/^\.\[[^/]*\//, ""));
    this.#paths = paths;
    this.#selected = new Map(
      paths.flatMap((path) =>
        stepsOf(path)
          .filter(({ having }) => having.length > 0)
          .map(({ member, having }) => [member, having.map(([name]) => name)] as const),
      ),
    );
  }

  /** Looks at a row. */
  add(row: unknown, above = ""): void {
    if (!isObject(row) || this.names.size >= 100) return;
    for (const [member, value] of Object.entries(row)) {
      const path = above + member;
      if (this.#paths.includes(path)) continue;
      const by = this.#selected.get(member);
      if (by !== undefined && typeof value === "object") {
        for (const each of [value].flat())
          this.#name(`${path}${by.map((name) => `[${name}=${selector(each, name)}]`).join("")}`);
      } else if (this.#paths.some((each) => each.startsWith(`${path}/`)))
        for (const each of [value].flat()) this.add(each, `${path}/`);
      else this.names.add(path);
    }
  }

  #name(path: string): void {
    if (!this.#paths.some((each) => each === path || each.startsWith(`${path}/`))) this.names.add(path);
  }
}

function selector(value: unknown, name: string): string {
  return isObject(value) ? textOf(value[name]) : "";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
