/**
 * Lists one zip and the zips in it, and decides which entries are refused and why. A refused entry becomes an issue, and the others are
 * kept. Only a zip that can't be listed at all is an error.
 */
import { crc32 } from "node:zlib";
import { printable } from "../../../transforms/text/printable.ts";
import { ArchiveError } from "../archive-error.ts";
import type { Bytes } from "../bytes.ts";
import { isJunkFile } from "../junk-files.ts";
import { type CentralRecord, centralRecords } from "./central.ts";
import { type DirectoryPlace, locateDirectory } from "./end.ts";
import { DEFLATED, STORED, ZipEntry } from "./entry.ts";
import { DistinctNames, decodeName, refusedName } from "./names.ts";
import type { Opening } from "./opening.ts";

/** True for the name of a zip. Such entries are opened inside an archive. FitoTrack calls the zip of its backup `.ftb`. */
export function isZipName(path: string): boolean {
  return /\.(?:zip|ftb)$/i.test(path);
}

/**
 * Lists a zip found inside an archive. A zip that can't be listed becomes an issue.
 *
 * @param path of the zip, in the archive; its entries are called `path!/name`
 * @param depth 1 for a zip directly in the archive
 * @throws FatalError when a cap on the whole archive is exceeded, or there is no room to unpack
 */
export async function listInnerZip(zip: Bytes, path: string, depth: number, opening: Opening): Promise<void> {
  try {
    await listZip(zip, path, depth, opening);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    opening.refuse(error.rule, path, { found: error.message, expected: "a zip" });
  }
}

/**
 * Lists a zip into `opening`.
 *
 * @param path of the zip, in the archive; undefined for the archive itself
 * @param depth 0 for the archive itself
 * @throws ArchiveError when it can't be listed at all
 * @throws FatalError as `listInnerZip`
 */
export async function listZip(zip: Bytes, path: string | undefined, depth: number, opening: Opening): Promise<void> {
  const place = await locateDirectory(zip);
  const { limits } = opening;
  if (place.sizeBytes > limits.centralDirectoryBytes) {
    const state = `its list of files takes more than ${limits.centralDirectoryBytes} bytes`;
    throw new ArchiveError("archive/directory-too-large", state);
  }
  const prefix = path === undefined ? "" : `${path}!/`;
  const directory = await zip.read(place.offset, place.sizeBytes);
  const room = roomOf(spansOf(directory, place, path, opening), place.offset);
  const inner: ZipEntry[] = [];
  const around = { zip, place, prefix, names: new DistinctNames(), opening };
  let index = 0;
  // The records are read twice and not kept. For 20,000 entries they take ten times the memory of the kept data.
  for (const record of centralRecords(directory)) {
    const entry = entryOf(record, room[index++], around);
    if (entry === undefined) continue;
    if (!isZipName(entry.path)) opening.entries.push(entry);
    else if (depth < limits.nesting) inner.push(entry);
    else
      opening.refuse("archive/nested", entry.path, {
        found: `a zip ${depth + 1} deep in others`,
        expected: `at most ${limits.nesting} deep. Unpack it and name what it holds, or raise --nested if you trust it`,
      });
  }
  for (const entry of inner) await openInner(entry, depth + 1, opening);
}

/** The place of each entry, as its record says. This also counts the entries, and remarks on problems of the directory as a whole. */
function spansOf(directory: Buffer, place: DirectoryPlace, path: string | undefined, opening: Opening): Span[] {
  const spans: Span[] = [];
  const records = centralRecords(directory);
  let step = records.next();
  for (; !step.done; step = records.next()) {
    opening.count();
    const { offset, name, packedBytes } = step.value;
    const start = offset + place.shift;
    spans.push({ start, end: start + 30 + name.length + packedBytes });
  }
  // Programs without zip64 write the count modulo 65,536 (macOS does).
  const details = { found: `${spans.length} entries`, expected: `${place.count} entries` };
  if (!step.value || spans.length < place.count)
    opening.refuse("archive/directory-damaged", path ?? opening.name, {
      ...details,
      expected: `${details.expected}; those after the damage can't be found: copy or download the archive again`,
    });
  else if ((spans.length & 0xffff) !== (place.count & 0xffff))
    opening.remark("warning", "archive/directory-damaged", path, details);
  if (place.trailingBytes > 0)
    opening.remark("info", "archive/trailing-bytes", path, { found: `${place.trailingBytes} bytes after the end` });
  if (place.shift > 0)
    opening.remark("info", "archive/leading-bytes", path, { found: `${place.shift} bytes before the start` });
  return spans;
}

interface Surroundings {
  readonly zip: Bytes;
  readonly place: DirectoryPlace;
  readonly prefix: string;
  readonly names: DistinctNames;
  readonly opening: Opening;
}

/** The entry of a record; undefined for a folder, a junk file or a refused entry. */
function entryOf(record: CentralRecord, end: number | undefined, around: Surroundings): ZipEntry | undefined {
  const { opening, prefix, names, zip, place } = around;
  const decoded = decodeName(record.name, record.flags, record.extra);
  if (decoded === undefined) {
    opening.refuse("archive/bad-name", prefix + record.name.toString("latin1"), { expected: "a name in UTF-8" });
    return undefined;
  }
  // Some programs for Windows write backslashes. As slashes, they make `..\x` recognisable.
  const path = decoded.replaceAll("\\", "/");
  if (path.endsWith("/") && record.sizeBytes === 0) return undefined;
  if (isJunkFile(path)) return undefined;
  const refusal = refusedName(path, opening.limits);
  if (refusal !== undefined) {
    opening.refuse(refusal.rule, prefix + decoded, { found: printable(decoded), expected: refusal.expected });
    return undefined;
  }
  const refused = REFUSALS.find(({ when }) => when(record, end));
  if (refused !== undefined || end === undefined) {
    const { rule, expected, found } = refused ?? OVERLAP;
    const what = found?.(record);
    opening.refuse(rule, prefix + path, what === undefined ? { expected } : { found: what, expected });
    return undefined;
  }
  const own = names.take(path);
  if (own !== path)
    opening.remark("warning", "archive/duplicate-name", prefix + path, {
      found: "the name a second time",
      expected: `a name of its own; it is read as ${printable(own)}`,
    });
  return new ZipEntry(
    {
      path: prefix + own,
      sizeBytes: record.sizeBytes,
      packedBytes: record.packedBytes,
      offset: record.offset + place.shift,
      end,
      method: record.method as typeof STORED | typeof DEFLATED,
      dosTime: record.dosTime,
      crc: record.crc,
      nameBytes: record.name.length,
      nameCrc: crc32(record.name),
    },
    zip,
    opening.allowance,
  );
}

interface Refusal {
  readonly rule: string;
  readonly when: (record: CentralRecord, end: number | undefined) => boolean;
  readonly found?: (record: CentralRecord) => string;
  readonly expected: string;
}

/** Names of packing methods, for people (APPNOTE 4.4.5). Windows uses 9 for files above 2 GB. */
const METHODS: Readonly<Record<number, string>> = {
  1: "shrunk",
  6: "imploded",
  9: "deflate64",
  12: "bzip2",
  14: "LZMA",
  93: "Zstandard",
  95: "xz",
  98: "PPMd",
  99: "AES encryption",
};

const OVERLAP: Refusal = {
  rule: "archive/overlap",
  when: (_, end) => end === undefined,
  expected: "bytes that belong to no other entry; if you trust the archive, unpack it and name the folder",
};

/** Reasons to refuse an entry, besides its name. They stand in the order in which a person should hear them. */
const REFUSALS: readonly Refusal[] = [
  {
    rule: "archive/encrypted",
    // Bit 0: encrypted; 6: strongly; 13: the directory's own values are masked (APPNOTE 4.4.4).
    when: ({ flags, method }) => (flags & 0x2041) !== 0 || method === 99,
    expected: "an archive without a password; unpack it and name the folder",
  },
  {
    rule: "archive/link",
    when: (record) => fileType(record) !== undefined,
    found: (record) => fileType(record) as string,
    expected: "a plain file",
  },
  {
    rule: "archive/method",
    when: ({ method }) => method !== STORED && method !== DEFLATED,
    found: ({ method }) => `packed by method ${method}${METHODS[method] === undefined ? "" : ` (${METHODS[method]})`}`,
    expected: "stored or deflated; unpack the archive and name the folder",
  },
  {
    rule: "archive/multi-disk",
    when: ({ disk }) => disk !== 0 && disk !== 0xffff,
    expected: "an archive in one part",
  },
  {
    rule: "archive/size",
    when: ({ whole }) => !whole,
    found: () => "no zip64 sizes where the entry refers to them",
    expected: "a size",
  },
  OVERLAP,
];

/** File types that Unix writes into the attributes (`st_mode`), in words. */
const FILE_TYPES: Readonly<Record<number, string>> = {
  4096: "a pipe",
  8192: "a device",
  16384: "a folder with content",
  24576: "a device",
  40960: "a link",
  49152: "a socket",
};

/** The type of an entry that is not a plain file; undefined for a plain file. Only Unix and macOS write the type. */
function fileType(record: CentralRecord): string | undefined {
  if (record.name.at(-1) === 0x2f) return FILE_TYPES[0x4000];
  return record.host === 3 || record.host === 19 ? FILE_TYPES[(record.attributes >>> 16) & 0xf000] : undefined;
}

/** Opens a zip that is an entry: in its place if it is only stored, otherwise after unpacking. */
async function openInner(entry: ZipEntry, depth: number, opening: Opening): Promise<void> {
  try {
    const bytes = (await entry.inPlace()) ?? (await opening.spool.keep(entry));
    await listInnerZip(bytes, entry.path, depth, opening);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    opening.refuse(error.rule, entry.path, { found: error.message, expected: "a zip that can be unpacked" });
  }
}

// Finds entries that share bytes. No honest program writes such entries. With them, 40 KB can unpack to gigabytes although each single
// entry looks normal (D. Fifield, "A better zip bomb", 2019).

/** The place of an entry: from its local header to the end of its packed data, in bytes of the file. */
interface Span {
  readonly start: number;
  /** The least possible end, because the length of the local extra field is unknown before the local header is read. */
  readonly end: number;
}

/**
 * Finds the end of each span's own bytes: the start of the next span, or of the directory. Results are in the order of the spans. A span
 * that shares bytes with another, or reaches into the directory, gets undefined.
 *
 * @param spans in any order
 * @param directory where the directory of the zip starts
 */
function roomOf(spans: readonly Span[], directory: number): (number | undefined)[] {
  const order = spans.map((_, index) => index).sort((a, b) => (spans[a] as Span).start - (spans[b] as Span).start);
  const room = new Array<number | undefined>(spans.length).fill(directory);
  let furthest: number | undefined;
  let previous: number | undefined;
  for (const index of order) {
    const span = spans[index] as Span;
    const reach = furthest === undefined ? undefined : (spans[furthest] as Span);
    if (span.end > directory) room[index] = undefined;
    if (reach !== undefined && span.start < reach.end) {
      room[index] = undefined;
      room[furthest as number] = undefined;
    }
    if (previous !== undefined && room[previous] !== undefined) room[previous] = span.start;
    if (reach === undefined || span.end > reach.end) furthest = index;
    previous = index;
  }
  return room;
}
