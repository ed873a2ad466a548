/** Any folder, zip or single file of recordings from watches and phones. README.md lists the parts that are read or left out. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { startsLikeGzip, streamUnpacked } from "../../containers/gzip.ts";
import type { Connector, ReadContext, SourceMatch } from "../../contract.ts";
import { sniff } from "../../formats/sniff.ts";
import { OtherFiles } from "../other-files.ts";
import { ScanAhead } from "../scan-ahead.ts";
import { createReadSession, type ReadSession } from "../session.ts";
import { faultOfTable } from "./broken-table.ts";
import { isLapTable, recordingBeside } from "./lap-table.ts";
import { makerOf } from "./maker.ts";
import { promiseOf } from "./map.ts";
import { type KnownFiles, readDeviceFile } from "./readings.ts";

const NAME = "device-files";

/** Most files to open when logferry identifies an archive. These are files with endings that reveal no format. */
const MOST_OPENED_TO_IDENTIFY = 5;

/** A folder or a zip of device files. Each recording in them is a workout. */
export const deviceFiles: Connector = {
  name: NAME,
  title: "FIT, GPX and TCX files",
  howToGet: "Copy the files from the watch or from the folder its software keeps them in; a zip of them is as good.",
  recordings: true,

  async identify(archive: Archive): Promise<SourceMatch | undefined> {
    let count = 0;
    let opened = 0;
    let first: Entry | undefined;
    for (const entry of archive.entries()) {
      const promise = promiseOf(entry.path);
      if (promise === "device file") {
        count++;
        first ??= entry;
      } else if (promise === "anything" && count === 0 && opened++ < MOST_OPENED_TO_IDENTIFY)
        count += (await isDeviceFile(archive, entry)) ? 1 : 0;
    }
    if (count === 0) return undefined;
    const maker = first === undefined ? undefined : await makerOf(archive, first);
    const made = maker === undefined ? "" : `, ${count === 1 ? "" : "the first one "}by ${maker}`;
    return { saw: `${count} ${count === 1 ? "file" : "files"} of FIT, GPX, TCX or KML${made}`, strength: "general" };
  },

  async *read(archive: Archive, context: ReadContext): AsyncGenerator<Reading> {
    const session = createReadSession(NAME, archive, context);
    const known: KnownFiles = new Map();
    const others = new OtherFiles();
    const isWanted = ({ path }: Entry) => context.wants?.(session.origin(path)) !== false;
    await using ahead = new ScanAhead(archive, () =>
      inOrder(archive).filter((entry) => isDevice(entry) && isWanted(entry)),
    );
    for (const entry of inOrder(archive)) {
      if (context.signal.aborted) return;
      if (!isWanted(entry)) continue;
      const promise = promiseOf(entry.path);
      const isOther = promise === "something else" || (promise === "anything" && !(await isDeviceFile(archive, entry)));
      const recording = isOther ? recordingBeside(archive, entry.path) : undefined;
      if (recording !== undefined && (await isLapTable(archive, entry))) {
        const file = printable(recording.path.slice(recording.path.lastIndexOf("/") + 1), 60);
        context.leftFile?.(entry.path, `a table of laps, which ${file} has, too`);
        continue;
      }
      const fault = isOther ? await faultOfTable(archive, entry) : undefined;
      if (fault !== undefined) yield rejectedTable(session, entry, fault);
      else if (isOther) others.add(entry.path);
      else
        yield* unlessAborted(
          readDeviceFile(session, entry, NAME, known, (one) => ahead.scan(one)),
          session,
        );
    }
    for (const issue of others.issues(`${NAME}/other-files`, "FIT, GPX, TCX or KML"))
      session.report(issue, session.origin());
  },
};

/** Zwift's copy of a ride in progress. It is read last, because the ride's own file has more data. */
const IN_PROGRESS = /(^|\/)inProgressActivity\.fit$/i;

const isDevice = ({ path }: Entry) => promiseOf(path) === "device file";

function* inOrder(archive: Archive): Generator<Entry> {
  const last: Entry[] = [];
  for (const entry of archive.entries()) {
    if (IN_PROGRESS.test(entry.path)) last.push(entry);
    else yield entry;
  }
  yield* last;
}

function rejectedTable(session: ReadSession, { path }: Entry, fault: string): Reading {
  const name = printable(path.slice(path.lastIndexOf("/") + 1), 60);
  const issue: Issue = {
    severity: "error",
    rule: `${NAME}/broken-table`,
    found: `${name}: ${fault}`,
    expected: "a whole table: get the export once more, or say that it stays out, if it has no workouts",
  };
  return session.reject("quarantined", `${NAME}:table:${name}`, session.origin(path), issue);
}

async function* unlessAborted(readings: AsyncIterable<Reading>, { context }: ReadSession): AsyncGenerator<Reading> {
  for await (const reading of readings) {
    if (context.signal.aborted) return;
    yield reading;
  }
}

/** Whether the first bytes have a format that holds recordings. False for an unreadable entry. */
async function isDeviceFile(archive: Archive, entry: Entry): Promise<boolean> {
  try {
    for await (const chunk of streamUnpacked(archive, entry, () => {})) {
      if (startsLikeGzip(chunk)) return true;
      const format = sniff(chunk);
      return format !== undefined && format !== "zip";
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
  }
  return false;
}
