/** Any folder, zip or single file of recordings from watches and phones. README.md says what is read and what is left. */
import type { Reading } from "../../../transforms/model/item.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive.ts";
import { startsLikeGzip, streamUnpacked } from "../../containers/gzip.ts";
import type { Connector, Evidence, ReadContext } from "../../contract.ts";
import { sniff } from "../../formats/sniff.ts";
import { type Session, sessionOf } from "../session.ts";
import { promiseOf } from "./map.ts";
import { type KnownFiles, readingsOf } from "./readings.ts";

const NAME = "device-files";

/** Files with endings that say nothing are opened when an archive is looked at; no more of them than this. */
const MOST_OPENED_TO_IDENTIFY = 5;

export const deviceFiles: Connector = {
  name: NAME,
  title: "FIT, GPX and TCX files",
  howToGet: "Copy the files from the watch or from the folder its software keeps them in; a zip of them is as good.",
  recordings: true,

  async identify(archive: Archive): Promise<Evidence | undefined> {
    let count = 0;
    let opened = 0;
    for (const entry of archive.entries()) {
      const promise = promiseOf(entry.path);
      if (promise === "device file") count++;
      else if (promise === "anything" && count === 0 && opened++ < MOST_OPENED_TO_IDENTIFY)
        count += (await isDeviceFile(archive, entry)) ? 1 : 0;
    }
    if (count === 0) return undefined;
    return { saw: `${count} ${count === 1 ? "file" : "files"} of FIT, GPX, TCX or KML`, strength: "general" };
  },

  async *read(archive: Archive, context: ReadContext): AsyncGenerator<Reading> {
    const session = sessionOf(NAME, archive, context);
    const known: KnownFiles = new Map();
    let others = 0;
    for (const entry of archive.entries()) {
      if (context.signal.aborted) return;
      if (context.wants?.(session.origin(entry.path)) === false) continue;
      const promise = promiseOf(entry.path);
      const isOther = promise === "something else" || (promise === "anything" && !(await isDeviceFile(archive, entry)));
      if (isOther) others++;
      else yield* unlessAborted(readingsOf(session, entry, NAME, known), session);
    }
    if (others > 0) {
      session.report(
        { severity: "info", rule: "device-files/other-files", found: "files that aren't from a device", count: others },
        session.origin(),
      );
    }
  },
};

async function* unlessAborted(readings: AsyncIterable<Reading>, { context }: Session): AsyncGenerator<Reading> {
  for await (const reading of readings) {
    if (context.signal.aborted) return;
    yield reading;
  }
}

/** Whether the first bytes are of a format that holds recordings. An entry that can't be read is none. */
async function isDeviceFile(archive: Archive, entry: Entry): Promise<boolean> {
  try {
    for await (const piece of streamUnpacked(archive, entry, () => {})) {
      if (startsLikeGzip(piece)) return true;
      const format = sniff(piece);
      return format !== undefined && format !== "zip";
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
  }
  return false;
}
