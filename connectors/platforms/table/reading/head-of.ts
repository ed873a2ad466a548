/** Reads the beginning of a file, to recognise it and to find who made it. */
import type { Archive, Entry } from "../../../containers/archive.ts";
import { ArchiveError } from "../../../containers/archive-error.ts";
import { streamUnpacked } from "../../../containers/gzip.ts";
import { decodeStream } from "../../../formats/text.ts";

/** Characters at the beginning of a file that show its kind. */
const HEAD = 64 * 1024;

/** Begins each zip. */
const ZIP_MARK = "PK\u0003\u0004";

/** The beginning of a file as text. If the file can't be unpacked, the part before the fault. Of a zip, nothing: it may hold any text in its bytes. */
export async function headOf(archive: Archive, entry: Entry): Promise<string> {
  let head = "";
  try {
    for await (const text of decodeStream(
      streamUnpacked(archive, entry, () => {}),
      () => {},
    )) {
      head += text;
      if (head.startsWith(ZIP_MARK)) return "";
      if (head.length >= HEAD) break;
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
  }
  return head;
}
