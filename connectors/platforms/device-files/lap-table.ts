/** The table of laps that COROS exports beside the FIT file of an activity. Where the recording of its name lies beside it, it adds nothing. */
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { decodeStream } from "../../formats/text.ts";

/** The first columns of such a table. */
const HEAD = /^[\s\ufeff]{0,9}"?Split"?,"?Time"?,"?Moving Time"?,"?Distance"?,"?Elevation Gain"?,/;

/** The recording with the name of a table, in the same folder: `20230101 Ride.fit` for `20230101 Ride.csv`. */
export function recordingBeside(archive: Archive, table: string): Entry | undefined {
  const stem = table.replace(/\.[^./]{1,8}$/, "");
  const endings = ["fit", "FIT", "tcx", "TCX", "gpx", "GPX"].flatMap((ending) => [ending, `${ending}.gz`]);
  return endings.map((ending) => archive.entry(`${stem}.${ending}`)).find((entry) => entry !== undefined);
}

/** Whether a file is such a table. */
export async function isLapTable(archive: Archive, entry: Entry): Promise<boolean> {
  if (!/\.csv$/i.test(entry.path)) return false;
  try {
    for await (const text of decodeStream(archive.stream(entry), () => {})) return HEAD.test(text);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
  }
  return false;
}
