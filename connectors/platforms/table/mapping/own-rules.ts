/** Gives the engine's issues the names that a platform used before it became a table, because journals and people know those names. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { ReadSession } from "../../session.ts";

/** Replacements for members of an issue, by the engine's rule. */
export type OwnRules = Readonly<Record<string, Pick<Issue, "rule"> & Pick<Partial<Issue>, "field" | "expected">>>;

/** Rewords an issue as the platform does. */
export function inOwnWords(issue: Issue, rules: OwnRules): Issue {
  return { ...issue, ...rules[issue.rule] };
}

/** Makes a session that reports and rejects in the platform's words. */
export function withOwnRules(session: ReadSession, rules: OwnRules): ReadSession {
  return {
    ...session,
    report: (issue, origin) => session.report(inOwnWords(issue, rules), origin),
    reject: (as, key, origin, issue) => session.reject(as, key, origin, inOwnWords(issue, rules)),
  };
}
