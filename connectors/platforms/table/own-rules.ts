/** Issues of the engine under the names that a platform had for them before it was a table: journals, and what people were told, know those. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { ReadSession } from "../session.ts";

/** What stands in the place of members of an issue, by the engine's rule. */
export type OwnRules = Readonly<Record<string, Pick<Issue, "rule"> & Pick<Partial<Issue>, "field" | "expected">>>;

/** An issue as the platform words it. */
export function inOwnWords(issue: Issue, rules: OwnRules): Issue {
  return { ...issue, ...rules[issue.rule] };
}

/** A session that reports and rejects in the platform's words. */
export function withOwnRules(session: ReadSession, rules: OwnRules): ReadSession {
  return {
    ...session,
    report: (issue, origin) => session.report(inOwnWords(issue, rules), origin),
    reject: (as, key, origin, issue) => session.reject(as, key, origin, inOwnWords(issue, rules)),
  };
}
