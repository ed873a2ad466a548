/** Problems of archives themselves, in the form of all problems with data. */
import type { Issue, Severity } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";

/** An issue of an archive itself. Its place is one of the entries, or the archive if no entry caused it. */
export function archiveIssue(
  severity: Severity,
  rule: string,
  archive: string,
  entry: string | undefined,
  details: Pick<Issue, "found" | "expected" | "count" | "names"> = {},
): Issue {
  const name = printable(archive);
  return {
    severity,
    rule,
    origin: { connector: "archive", archive: name, entry: entry === undefined ? name : printable(entry, 1024) },
    ...details,
  };
}
