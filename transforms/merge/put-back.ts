/**
 * Putting a record back as it was: what stood there when that was decided (base), what stands there now (theirs), and what it was
 * (ours), field by field.
 */
import { sameValue, type ThreeWay } from "./three-way.ts";

type Body = Readonly<Record<string, unknown>>;

/**
 * The whole record to send: theirs with ours put back, a field of theirs taken away where ours has none. A field that was edited since it
 * was decided stays as its owner left it.
 *
 * @param fields paths of the only fields to put back (`notes`, `details.distance`); undefined for all of the record
 */
export function putBack(base: Body, theirs: Body, ours: Body, fields?: readonly string[]): ThreeWay<Body> {
  const all = fields ?? [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  const kept: string[] = [];
  let body = theirs;
  for (const path of all) {
    const now = at(theirs, path);
    const was = at(ours, path);
    if (sameValue(now, was)) continue;
    if (sameValue(at(base, path), now)) body = withAt(body, path, was);
    else kept.push(path);
  }
  return { body, kept };
}

/** Whether a path is one of these, or leads into or out of one of them: `details` has part in `details.distance`. */
export function hasPartIn(path: string, paths: readonly string[]): boolean {
  return paths.some((one) => one === path || path.startsWith(`${one}.`) || one.startsWith(`${path}.`));
}

function at(body: Body, path: string): unknown {
  const [name = "", ...rest] = path.split(".");
  const value = body[name];
  if (rest.length === 0) return value;
  return typeof value === "object" && value !== null ? at(value as Body, rest.join(".")) : undefined;
}

function withAt(body: Body, path: string, value: unknown): Body {
  const [name = "", ...rest] = path.split(".");
  const { [name]: old, ...others } = body;
  const inner = rest.length === 0 ? value : withAt((old ?? {}) as Body, rest.join("."), value);
  const isEmpty = inner === undefined || (rest.length > 0 && Object.keys(inner as object).length === 0);
  return isEmpty ? others : { ...others, [name]: inner };
}
