/** Decides which row gets a device file that several rows name. A recording belongs to only one workout. */
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import type { Start } from "../../../transforms/model/workout.ts";
import type { Entry } from "../../containers/archive.ts";
import { atInstant } from "../at-instant.ts";
import { scanFile } from "../scan-file.ts";
import type { ReadSession } from "../session.ts";

/** A row whose file an earlier row has. The same workout once more is left out. Another one at the same time waits: nobody knows whose the file is. */
export function rejectedFor(
  { place }: { readonly place: string },
  isSame: boolean,
  key: string,
  origin: Origin,
  shares: Pick<Issue, "field" | "found"> & { readonly rule: string },
): Parameters<ReadSession["reject"]> {
  const expected = isSame
    ? `each workout once: ${place} has this file and the same values`
    : `a file of its own: ${place} has this one, with another sport, distance or duration`;
  return isSame
    ? ["skipped", key, origin, { severity: "info", ...shares, expected }]
    : ["quarantined", key, origin, { severity: "error", ...shares, expected }];
}

/** Seconds between pressing the button and the first point. */
const SECONDS_APART = 10;

/**
 * Whether a file is the recording of another row: it began neither at the row's instant, nor a multiple of 15 minutes from the row's local
 * time. A damaged file has no known owner, so each of its rows reports the damage: undefined.
 */
export async function isOfAnother({ archive }: ReadSession, entry: Entry, start: Start): Promise<boolean | undefined> {
  const scanned = await scanFile(archive, entry);
  if ("rule" in scanned) return undefined;
  const { recordings, issues } = scanned.file;
  const instant = recordings[0]?.start;
  if (instant === undefined)
    return recordings.length > 0 || issues.every(({ severity }) => severity !== "error") ? true : undefined;
  if (start.date === undefined) return Math.abs((start.instant ?? 0) - instant) > SECONDS_APART * 1000;
  return atInstant(start, instant, SECONDS_APART / 60) === start;
}
