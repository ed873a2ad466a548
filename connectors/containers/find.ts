/** Finding a file by name in an archive that somebody may have unpacked and packed again. */
import type { Archive, Entry } from "./archive.ts";
import { lowestArchive } from "./overlay.ts";

const wrappers = new WeakMap<Archive, string>();

/**
 * The folder everything lies in, with its slash: `export_1/`, or `export.zip!/` when one zip was put into another. Empty when
 * there is none. Entries laid over the archive don't count. The deepest such folder is given.
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
  // The list is sorted: what its first and its last path begin with, all of them begin with.
  const wrapper = first === undefined ? "" : sharedFolder(first, last);
  wrappers.set(lowest, wrapper);
  return wrapper;
}

/**
 * The entry called `name`: at the root, else in the folder (or the folder in a folder) that everything lies in, else spelt with
 * other capitals or other accents (composed or apart) at one of these places, if only one entry is.
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

/** `a/b/` as the places to look at: ``, `a/`, `a/b/`. */
function folders(wrapper: string): string[] {
  const places = [""];
  for (let slash = wrapper.indexOf("/"); slash !== -1; slash = wrapper.indexOf("/", slash + 1))
    places.push(wrapper.slice(0, slash + 1));
  return places;
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
