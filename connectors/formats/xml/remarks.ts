import type { Issue } from "../../../transforms/model/issue.ts";

/** The most characters of a bad value that a remark shows. */
const SHOWN = 60;

/** Remarks of one decoder about one file. The same problem in ten thousand points is one issue with a count. */
export class Remarks {
  private readonly byKey = new Map<string, { issue: Issue; count: number }>();

  /** Counts an issue. The first issue with the same rule and field is shown. */
  add(issue: Issue): void {
    const key = `${issue.rule} ${issue.field ?? ""}`;
    const known = this.byKey.get(key);
    if (known === undefined) this.byKey.set(key, { issue: shortened(issue), count: 1 });
    else known.count++;
  }

  /** The count of a rule over all fields. */
  count(rule: string): number {
    let sum = 0;
    for (const { issue, count } of this.byKey.values()) if (issue.rule === rule) sum += count;
    return sum;
  }

  /** The issues, in the order of their first occurrence. */
  list(): Issue[] {
    return [...this.byKey.values()].map(({ issue, count }) => (count === 1 ? issue : { ...issue, count }));
  }
}

/** The issues of a file without any usable content. If none is an error, the warnings become errors. */
export function costly(issues: readonly Issue[]): Issue[] {
  if (issues.some((issue) => issue.severity === "error")) return [...issues];
  return issues.map((issue) => (issue.severity === "warning" ? { ...issue, severity: "error" } : issue));
}

function shortened(issue: Issue): Issue {
  if (issue.found === undefined || issue.found.length <= SHOWN) return issue;
  return { ...issue, found: `${issue.found.slice(0, SHOWN)}…` };
}
