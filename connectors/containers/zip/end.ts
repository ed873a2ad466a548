/**
 * Reads the end of a zip: the record with the place of its directory. A zip is read from its end, so several faults show here. The download
 * was cut short, the zip has several parts, or two programs would read it differently.
 *
 * Source: PKWARE APPNOTE 6.3.10, sections 4.3.14 (zip64 end), 4.3.15 (its locator) and 4.3.16 (end).
 */

import { ArchiveError } from "../archive-error.ts";
import type { Bytes } from "../bytes.ts";
import { looksLikeWebPage, WEB_PAGE, WEB_PAGE_BYTES } from "../web-page.ts";
import { HEADER_SIGNATURE, LOCAL_SIGNATURE } from "./signatures.ts";

/** 0x06054b50, in the order of the bytes. */
const END_SIGNATURE = "PK\x05\x06";
const END_BYTES = 22;
const LOCATOR_SIGNATURE = 0x07064b50;
const LOCATOR_BYTES = 20;
const END64_SIGNATURE = 0x06064b50;
const END64_BYTES = 56;
const LONGEST_COMMENT = 0xffff;

/** Most places that look like an end and are tried. A comment can be full of them. A real zip has one, or one more in its comment. */
const MOST_CANDIDATES = 64;

/** The place of a zip's directory. Offsets in bytes from the start of the file. */
export interface DirectoryPlace {
  readonly offset: number;
  readonly sizeBytes: number;
  /** Number of entries as written. Some programs write it modulo 65,536. */
  readonly count: number;
  /** Bytes before the zip's own first byte (a self-extracting program). Add it to every offset. */
  readonly shift: number;
  /** Bytes after the zip's own last byte. */
  readonly trailingBytes: number;
}

/**
 * Finds the directory of a zip.
 *
 * @throws ArchiveError `archive/truncated` (no end record), `archive/web-page` (a page under the name of a zip), `archive/ambiguous` (two end records that both fit, or a zip64 record that
 *   disagrees), `archive/multi-disk`, `archive/directory-damaged`
 */
export async function locateDirectory(zip: Bytes): Promise<DirectoryPlace> {
  const tailBytes = Math.min(zip.sizeBytes, LONGEST_COMMENT + END_BYTES + LOCATOR_BYTES);
  const tail = await zip.read(zip.sizeBytes - tailBytes, tailBytes);
  const tailStart = zip.sizeBytes - tailBytes;
  const toTheEnd: DirectoryPlace[] = [];
  const withJunk: DirectoryPlace[] = [];
  let reason: ArchiveError | undefined;
  let tried = 0;
  for (let at = lastEnd(tail, tail.length); at >= 0 && tried < MOST_CANDIDATES; at = lastEnd(tail, at)) {
    if (at + END_BYTES > tail.length) continue;
    const trailingBytes = tail.length - at - END_BYTES - tail.readUInt16LE(at + 20);
    if (trailingBytes < 0) continue;
    tried += 1;
    try {
      const place = await placeOf(zip, tail, at, tailStart, trailingBytes);
      (trailingBytes === 0 ? toTheEnd : withJunk).push(place);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      // The problem of the last end record is the one to report.
      if (reason === undefined || trailingBytes === 0) reason = error;
    }
  }
  // A comment holds a second complete end record. So two programs would unpack two different archives.
  if (toTheEnd.length > 1) throw bad("archive/ambiguous", "it has two ends, and each names another directory");
  const place = toTheEnd[0] ?? withJunk[0];
  if (place !== undefined) return place;
  if (reason !== undefined) throw reason;
  if (looksLikeWebPage(await zip.read(0, Math.min(WEB_PAGE_BYTES, zip.sizeBytes))))
    throw bad("archive/web-page", WEB_PAGE);
  throw bad("archive/truncated", "the end is missing, so it was probably cut short; download or copy it again");
}

/** Position of the last end signature that starts before `limit`; -1 when there is none. */
function lastEnd(tail: Buffer, limit: number): number {
  return limit === 0 ? -1 : tail.lastIndexOf(END_SIGNATURE, limit - 1, "latin1");
}

/** The directory that the end record at `at` of the tail names, if a directory is at that place. */
async function placeOf(zip: Bytes, tail: Buffer, at: number, tailStart: number, trailingBytes: number) {
  const end = readEnd(tail, at);
  let directoryEnd = tailStart + at;
  const locator = at - LOCATOR_BYTES;
  let values = end;
  if (locator >= 0 && tail.readUInt32LE(locator) === LOCATOR_SIGNATURE) {
    const end64 = await findEnd64(zip, tail, locator, tailStart + locator);
    directoryEnd = end64.at;
    values = agreed(end, end64);
  }
  if (values.disk !== 0 && values.disk !== 0xffff)
    throw bad("archive/multi-disk", "it is one part of several; join them first");
  const start = directoryEnd - values.sizeBytes;
  const place =
    (await startsDirectory(zip, values.offset, values)) && values.offset <= start
      ? { offset: values.offset, shift: 0 }
      : (await startsDirectory(zip, start, values)) && !(await startsZip(zip))
        ? // If the directory stands before its stated place, the file lost bytes in front of it. No bytes were added there.
          { offset: start, shift: Math.max(0, start - values.offset) }
        : undefined;
  if (place === undefined) throw bad("archive/directory-damaged", "its directory is not where its end says");
  return { ...place, sizeBytes: values.sizeBytes, count: values.count, trailingBytes };
}

interface End {
  readonly disk: number;
  readonly count: number;
  readonly sizeBytes: number;
  readonly offset: number;
}

function readEnd(tail: Buffer, at: number): End {
  return {
    disk: tail.readUInt16LE(at + 4),
    count: tail.readUInt16LE(at + 10),
    sizeBytes: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
}

/** Finds the zip64 end: at the place in the locator, or directly before the locator if other bytes precede the zip. */
async function findEnd64(zip: Bytes, tail: Buffer, locator: number, locatorAt: number): Promise<End & { at: number }> {
  const said = safeNumber(tail.readBigUInt64LE(locator + 8));
  for (const at of [said, locatorAt - END64_BYTES]) {
    if (at < 0 || at + END64_BYTES > locatorAt) continue;
    const record = await zip.read(at, END64_BYTES);
    if (record.readUInt32LE(0) !== END64_SIGNATURE) continue;
    return {
      at,
      disk: record.readUInt32LE(16),
      count: safeNumber(record.readBigUInt64LE(32)),
      sizeBytes: safeNumber(record.readBigUInt64LE(40)),
      offset: safeNumber(record.readBigUInt64LE(48)),
    };
  }
  throw bad("archive/directory-damaged", "its zip64 end is missing");
}

/** Takes the zip64 values for the fields that the small record leaves open. If both records have a value, the two must agree. */
function agreed(end: End, end64: End): End {
  const one = (small: number, large: number, unset: number) => {
    if (small !== unset && small !== large) throw bad("archive/ambiguous", "its two ends name different directories");
    return large;
  };
  return {
    disk: one(end.disk, end64.disk, 0xffff),
    count: one(end.count, end64.count, 0xffff),
    sizeBytes: one(end.sizeBytes, end64.sizeBytes, 0xffffffff),
    offset: one(end.offset, end64.offset, 0xffffffff),
  };
}

/**
 * True when an entry stands at the very start. Then no other bytes precede the zip. A directory that fits only with bytes in front belongs
 * to a zip stored inside this one. It is the last remainder of a download that was cut short.
 */
async function startsZip(zip: Bytes): Promise<boolean> {
  return (await zip.read(0, 4)).readUInt32LE(0) === LOCAL_SIGNATURE;
}

async function startsDirectory(zip: Bytes, offset: number, end: End): Promise<boolean> {
  if (end.sizeBytes === 0) return end.count === 0 && offset <= zip.sizeBytes;
  if (end.sizeBytes < 46 || offset < 0 || offset + end.sizeBytes > zip.sizeBytes) return false;
  return (await zip.read(offset, 4)).readUInt32LE(0) === HEADER_SIGNATURE;
}

/** A size above 2^53 is a lie. The replacement is larger than any file, so nothing is ever read there. */
function safeNumber(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}

function bad(rule: string, state: string): ArchiveError {
  return new ArchiveError(rule, state);
}
