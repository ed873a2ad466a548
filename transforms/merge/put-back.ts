/**
 * Puts a record back as it was. It compares three versions field by field: the record when that was decided (base), the record now
 * (theirs), and the record to return to (ours).
 */
import { at, type Body, withAt } from "./at-path.ts";
import { sameValue, type ThreeWay } from "./three-way.ts";

/**
 * The whole record to send: theirs, with the fields of ours put back. A field of theirs that ours doesn't have is removed. If the owner
 * edited a field after the decision, the edit stays.
 *
 * @param fields paths of the only fields to put back (`notes`, `details.distance`); undefined for the whole record
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

/** Whether a path equals one of these paths, contains one, or lies in one: `details` contains `details.distance`. */
export function hasPartIn(path: string, paths: readonly string[]): boolean {
  return paths.some((one) => one === path || path.startsWith(`${one}.`) || one.startsWith(`${path}.`));
}
