/** Bad data is an Issue: it goes into the report, and the run continues. (A failed action is a TransferError, see connectors/errors.ts.) */

/**
 * The consequence of an issue.
 * - `info`: worth knowing, nothing is lost (trailing bytes ignored).
 * - `warning`: something was left out or repaired; the record still goes on (points without a position).
 * - `error`: the record can't be used and is rejected.
 */
export type Severity = "info" | "warning" | "error";

/** One remark about the data of a source. */
export interface Issue {
  readonly severity: Severity;
  /** Stable name, `part/what-is-wrong`: `gpx/point-without-time`. Scripts and tests match on it. */
  readonly rule: string;
  /** The place where a person can look. Decoders leave it out, and the caller that knows the entry adds it (`withOrigin`). */
  readonly origin?: Origin;
  /** The field or column with the problem, if there is one. */
  readonly field?: string;
  /** The value in the source, cut to a readable length. */
  readonly found?: string;
  /** The right value, or the next step for the person. */
  readonly expected?: string;
  /** The number of times. A decoder counts instead of repeating an issue. */
  readonly count?: number;
  /** For a remark about files: all their names, up to some thousands. `found` has the first ones. */
  readonly names?: readonly string[];
  /** For a remark with several findings: each of them in words. `found` has them all in one line. */
  readonly each?: readonly string[];
}

/** The same issue with its place filled in. An issue keeps a more precise place that it already has. */
export function withOrigin(issue: Issue, origin: Origin): Issue {
  return issue.origin === undefined ? { ...issue, origin } : issue;
}

/** One line for people: `export.zip activities.csv line 12: csv/bad-date (Date is "31 Feb", expected a date)`. */
export function describeIssue(issue: Issue): string {
  const place = issue.origin === undefined ? "" : `${describeOrigin(issue.origin)}: `;
  return `${place}${describeProblem(issue)}`;
}

/**
 * The same in several lines: a line for each finding, and last what to do, with the rule.
 *
 * @returns one line for an issue with a single finding
 */
export function describeInLines(issue: Issue): readonly string[] {
  const { each = [], found = "", rule } = issue;
  const [first = ""] = each;
  if (each.length < 2) return [withRuleLast(describeIssue(issue), rule)];
  const { found: _all, ...rest } = issue;
  const title = found.slice(0, Math.max(0, found.indexOf(first))).trim();
  const lines = [...each, withRuleLast(describeProblem(rest), rule)].map((line) => `  ${line}`);
  return title === "" ? [first, ...lines.slice(1)] : [title, ...lines];
}

/** What is wrong, without the place. */
type Problem = { readonly rule: string } & {
  readonly [Part in "field" | "found" | "expected" | "count"]?: Issue[Part] | undefined;
};

/** The same without the place, for a heading that already names the place. */
export function describeProblem(issue: Problem): string {
  const parts = [
    issue.field === undefined ? issue.found : `${issue.field} is ${stateOf(issue)}`,
    issue.expected === undefined ? undefined : `expected ${issue.expected}`,
    issue.count === undefined || issue.count === 1 ? undefined : `${issue.count} times`,
  ].filter((part) => part !== undefined);
  return `${issue.rule}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}

function stateOf({ rule, found }: Problem): string {
  if (found !== undefined) return JSON.stringify(found);
  if (rule.endsWith("/unmapped-column")) return "a column that the mapping file does not name";
  return rule.endsWith("/unknown-column") ? "new" : "missing";
}

/** `csv/bad-date (Date is missing)` under a heading that names the rule: `Date is missing`. A text without the rule stays as it is. */
export function withoutRule(text: string, rule: string): string {
  return text.startsWith(`${rule} (`) && text.endsWith(")") ? text.slice(rule.length + 2, -1) : text;
}

/** The problem first and the rule last: `log.csv line 3: Date is missing (csv/bad-date)`. */
export function withRuleLast(text: string, rule: string): string {
  const at = text.indexOf(`${rule} (`);
  return at === -1 ? text : `${text.slice(0, at)}${withoutRule(text.slice(at), rule)} (${rule})`;
}

/** `archive entry locator`, as a person would look it up. */
export function describeOrigin(origin: Origin): string {
  const entry = origin.entry === origin.archive ? origin.archive : `${origin.archive} ${origin.entry}`;
  return origin.locator === undefined ? entry : `${entry} ${origin.locator}`;
}

/** The place of a record in its source. A person can open it and look. */
export interface Origin {
  /** The connector's name. */
  readonly connector: string;
  /** The archive as the person named it: `export_123.zip`. Never part of a key. */
  readonly archive: string;
  /** The entry inside: `activities.csv`, `UploadedFiles.zip!/a.fit`. Equal to `archive` for a single file. */
  readonly entry: string;
  /** The place inside the entry: `line 212`, `recording 2`, `byte 1040`. */
  readonly locator?: string;
}
