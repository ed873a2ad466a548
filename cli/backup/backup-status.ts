/** The ages of the last good and the last proven backup, in words, for `status`. */
import { type AgedBackup, type BackupStatus, isTooOld } from "../../pipelines/backup/backup-status.ts";
import { type Output, span } from "../terminal/output.ts";
import { durationMs } from "../wording/durations.ts";

/**
 * Prints the ages of the backups.
 *
 * @param maxAge the highest good age, as the option gives it; undefined for any age
 * @returns whether the last good backup is too old, and a sentence
 */
export function tellBackupStatus(
  output: Output,
  status: BackupStatus,
  maxAge: string | undefined,
): { readonly isTooOld: boolean; readonly sentence: string } {
  const { lastGood, lastProven, lastDrill, missing, toCome } = status;
  const isOld = maxAge !== undefined && isTooOld(status, durationMs(maxAge) ?? 0);
  output.emit("backup-status", {
    lastGood,
    lastProven,
    lastDrill,
    ...(missing > 0 && { missing }),
    toCome,
    ...(maxAge !== undefined && { isTooOld: isOld }),
  });
  const good = lastGood === undefined ? "There is no good backup" : `Last good backup: ${aged(lastGood)}`;
  const limit = isOld ? ` (TOO OLD: it may be ${maxAge})` : "";
  const failed =
    lastDrill === undefined || lastDrill.differences === 0
      ? ""
      : `. THE LAST DRILL, of ${lastDrill.snapshot.slice(0, 8)}, FOUND ${lastDrill.differences} DIFFERENCES`;
  const clock = toCome === undefined ? "" : `. THE CLOCK IS OR WAS WRONG: a snapshot is of ${toCome}, in the future`;
  const lost =
    missing === 0
      ? ""
      : `. ${missing === 1 ? "1 SNAPSHOT IS" : `${missing} SNAPSHOTS ARE`} MISSING: logferry check names ${missing === 1 ? "it" : "them"}`;
  return {
    isTooOld: isOld,
    sentence: `${good}${limit}. Last one proven to restore: ${proven(lastProven)}${failed}${lost}${clock}.`,
  };
}

function proven(last: AgedBackup | undefined): string {
  return last === undefined ? "none yet (logferry backup --drill)" : aged(last);
}

/** `6 h 12 min ago (1a2b3c4d)` */
function aged({ snapshot, ageMs }: AgedBackup): string {
  return `${ageInWords(ageMs)} ago (${snapshot.slice(0, 8)})`;
}

const DAY_MS = 86_400_000;

/** `45 s`, `6 h 12 min`, and `3 d` from three days on. */
function ageInWords(ms: number): string {
  return ms >= 3 * DAY_MS ? `${Math.floor(ms / DAY_MS)} d` : span(Math.max(0, ms) / 1000);
}
