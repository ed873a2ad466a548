import type { Issue } from "../../../transforms/model/issue.ts";

/** How much of a bad value is worth showing. */
const SHOWN = 60;

/** Remarks of one decoder about one file: the same problem in ten thousand points is one issue that counts. */
export class Remarks {
  private readonly byKey = new Map<string, { issue: Issue; count: number }>();

  /** Counts an issue. Of those with the same rule and field the first is shown. */
  add(issue: Issue): void {
    const key = `${issue.rule} ${issue.field ?? ""}`;
    const known = this.byKey.get(key);
    if (known === undefined) this.byKey.set(key, { issue: shortened(issue), count: 1 });
    else known.count++;
  }

  /** How often a rule was met, whatever the field. */
  count(rule: string): number {
    let sum = 0;
    for (const { issue, count } of this.byKey.values()) if (issue.rule === rule) sum += count;
    return sum;
  }

  /** What there is to say, in the order it was first met. */
  list(): Issue[] {
    return [...this.byKey.values()].map(({ issue, count }) => (count === 1 ? issue : { ...issue, count }));
  }
}

/** The issues of a file nothing could be used of: where none of them is an error, the warnings are. */
export function costly(issues: readonly Issue[]): Issue[] {
  if (issues.some((issue) => issue.severity === "error")) return [...issues];
  return issues.map((issue) => (issue.severity === "warning" ? { ...issue, severity: "error" } : issue));
}

function shortened(issue: Issue): Issue {
  if (issue.found === undefined || issue.found.length <= SHOWN) return issue;
  return { ...issue, found: `${issue.found.slice(0, SHOWN)}…` };
}
