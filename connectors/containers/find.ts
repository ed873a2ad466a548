/** Finds a file by name in an archive, even if a person unpacked it and packed it again. */
import type { Archive, Entry } from "./archive.ts";
import { lowestArchive } from "./overlay.ts";

const wrappers = new WeakMap<Archive, string>();

/**
 * The folder that holds everything, with its slash: `export_1/`, or `export.zip!/` when one zip was put into another. If such folders are
 * nested, it is the deepest one. Empty if there is none. Entries laid over the archive don't count.
 */
export function wrapperOf(archive: Archive): string {
  const lowest = lowestArchive(archive);
  const known = wrappers.get(lowest);
  if (known !== undefined) return known;
  let first: string | undefined;
  let last = "";
  for (const { path } of lowest.entries()) {
    first ??= path;
    last = path;
  }
  // The list is sorted. So all paths share the beginning that the first and the last path share.
  const wrapper = first === undefined ? "" : sharedFolder(first, last);
  wrappers.set(lowest, wrapper);
  return wrapper;
}

/**
 * Finds the entry called `name`: at the root, or in the folder (or nested folder) that holds everything. If there is none, it looks at
 * these places for the name with other capitals or accents (composed or separate). It takes such an entry only if there is exactly one.
 *
 * @param name a path with forward slashes: `activities.csv`, `DI_CONNECT/DI-Connect-User/user_profile.json`
 */
export function findEntry(archive: Archive, name: string): Entry | undefined {
  const places = folders(wrapperOf(archive)).map((folder) => folder + name);
  for (const place of places) {
    const entry = archive.entry(place);
    if (entry !== undefined) return entry;
  }
  const wanted = new Set(places.map(folded));
  const alike: Entry[] = [];
  for (const entry of archive.entries()) if (wanted.has(folded(entry.path))) alike.push(entry);
  return alike.length === 1 ? alike[0] : undefined;
}

function sharedFolder(first: string, last: string): string {
  let same = 0;
  const most = Math.min(first.length, last.length);
  while (same < most && first[same] === last[same]) same++;
  return first.slice(0, first.lastIndexOf("/", same - 1) + 1);
}

/** The places to look at for `a/b/`: ``, `a/`, `a/b/`. */
function folders(wrapper: string): string[] {
  const places = [""];
  for (let slash = wrapper.indexOf("/"); slash !== -1; slash = wrapper.indexOf("/", slash + 1))
    places.push(wrapper.slice(0, slash + 1));
  return places;
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
