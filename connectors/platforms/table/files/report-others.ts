/** Reports the files of an export that gave no record: those that the platform is not known to export, and those without content. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { WITHOUT_CONTENT } from "../../../../transforms/model/unread.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { CountedFiles, mayHoldWorkouts, OtherFiles } from "../../other-files.ts";
import type { ReadSession } from "../../session.ts";
import type { Description, FoundRows } from "../description.ts";
import { isLeftWithWorkouts, isReadBeside, whyLeft, whyLeftByHead } from "./own-files.ts";

/**
 * Reports files that the platform is not known to export, and files of 0 bytes, in one remark each. A file that is left on purpose is no remark.
 *
 * @param read the tables that were read
 * @param named recordings that a row names
 */
export async function reportOthers(
  session: ReadSession,
  description: Description,
  read: readonly FoundRows[],
  named: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { name, title } = description;
  const [others, empty] = [new OtherFiles(), new CountedFiles()];
  for (const entry of session.archive.entries()) {
    const { path } = entry;
    const isRead = named.has(path) || read.some((rows) => rows.holds(path)) || isReadBeside(path, description);
    const why = isRead
      ? undefined
      : (whyLeft(path, description) ?? (await whyLeftByHead(session.archive, entry, description)));
    if (why !== undefined && (await holdsWorkouts(session.archive, entry, description))) others.add(path);
    else if (why !== undefined) session.context.leftFile?.(path, isEmpty(entry) ? "empty: 0 bytes" : why);
    else if (isRead && isEmpty(entry) && !session.isTold(path)) empty.add(path);
    else if (!isRead) others.add(path);
  }
  const remarks: readonly (Issue | undefined)[] = [
    ...others.issues(`${name}/other-files`, `files of ${article(title)}`),
    empty.issue("warning", `${name}/other-files`, WITHOUT_CONTENT),
  ];
  for (const issue of remarks) if (issue !== undefined) session.report(issue, session.origin());
}

/**
 * Whether a file that is left by its name or folder holds a list of the platform's workouts. A person may have renamed or moved a copy, and another
 * language of the platform may call it so.
 */
async function holdsWorkouts(archive: Archive, entry: Entry, description: Description): Promise<boolean> {
  if (isEmpty(entry) || !mayHoldWorkouts(entry.path) || isLeftWithWorkouts(entry.path, description)) return false;
  for (const { from } of description.workouts) if ((await from.claims?.(archive, entry)) === true) return true;
  return false;
}

/** An interrupted download or a full disk makes such a file. An archive that doesn't say a size is believed to have content. */
function isEmpty({ sizeBytes }: Entry): boolean {
  return sizeBytes === 0;
}

/** `an Apple Health export`, `a Garmin Connect export`. */
export function article(title: string): string {
  return `${/^[aeiou]/i.test(title) ? "an" : "a"} ${title}`;
}
