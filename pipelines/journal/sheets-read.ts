/** Knows which sheets of a workbook a run with another mapping file read. Such a workbook needs a run for each of its mapping files. */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Unread } from "../../transforms/model/unread.ts";
import type { JournalReader } from "./journal.ts";
import type { Run, RunSource } from "./run.ts";

/** The place of a row: `Sheet "2014", row 12`. */
const ROW = /^Sheet (".*"), row \d+/;

/**
 * Takes away the sheets that other runs read from the same bytes. After an edit of the workbook, these may have new workouts.
 *
 * @param runs the run, and all that were begun
 * @param unread the files or sheets that the run could not read, by one of its remarks
 * @returns undefined if none is left
 */
export async function withoutSheetsRead(
  journal: JournalReader,
  [run, begun]: readonly [Run, readonly Run[]],
  { origin }: Issue,
  unread: Unread,
): Promise<Unread | undefined> {
  const entry = origin?.entry;
  if (entry === undefined) return unread;
  const nameOf = (sheet: string) => `${entry}: ${sheet}`;
  const wanted = new Set(unread.names.filter((name) => name.startsWith(nameOf(""))));
  const others = wanted.size === 0 ? [] : await readersOf(journal, [run, begun], entry);
  for (const { id, index } of others) {
    if (wanted.size === 0) break;
    for await (const { source, origin: place } of journal.lines(id, {})) {
      const [, sheet] = (source === index && place.entry === entry && ROW.exec(place.locator ?? "")) || [];
      if (sheet !== undefined) wanted.delete(nameOf(String(JSON.parse(sheet))));
    }
  }
  const names = unread.names.filter((name) => !name.startsWith(nameOf("")) || wanted.has(name));
  const count = unread.count - (unread.names.length - names.length);
  return count > 0 ? { ...unread, count, names } : undefined;
}

/** The other runs that read the same workbook with another mapping file, with the index of the source in each. */
async function readersOf(journal: JournalReader, [run, begun]: readonly [Run, readonly Run[]], entry: string) {
  const found: { readonly id: number; readonly index: number }[] = [];
  for (const other of begun) {
    const { retryOf, restores } = other.options;
    if (other.id === run.id || retryOf !== undefined || restores !== undefined) continue;
    const index = other.sources.findIndex(({ path, mapping }) =>
      run.sources.some((own) => own.path === path && own.mapping !== mapping),
    );
    const own = run.sources.findIndex(({ path }) => path === other.sources[index]?.path);
    if (index === -1 || (await journal.undone(other.id)) > 0) continue;
    if (await hasSameBytes(journal, entry, [run, own], [other, index])) found.push({ id: other.id, index });
  }
  return found;
}

/** Whether two runs read the same version of a workbook. Before the inventory of a run is taken, the size and the time of the last change say it. */
async function hasSameBytes(
  journal: JournalReader,
  entry: string,
  ...[first, second]: readonly [readonly [Run, number], readonly [Run, number]]
): Promise<boolean> {
  const hashOf = async ([{ id }, index]: typeof first) =>
    (await journal.inventory(id, index, undefined)).find(({ path }) => path === entry)?.sha256;
  const [ours, theirs] = [await hashOf(first), await hashOf(second)];
  if (ours !== undefined && theirs !== undefined) return ours === theirs;
  const versionOf = ([{ sources }, index]: typeof first): Partial<RunSource> => sources[index] ?? {};
  const [own, other] = [versionOf(first), versionOf(second)];
  return own.changedAt !== undefined && own.changedAt === other.changedAt && own.sizeBytes === other.sizeBytes;
}
