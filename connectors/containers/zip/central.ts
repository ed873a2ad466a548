/**
 * Reads the directory of a zip, record by record.
 *
 * Source: PKWARE APPNOTE 6.3.10, sections 4.3.12 (record), 4.4.4 (flags), 4.5.3 (zip64 extra field).
 */
import { HEADER_SIGNATURE } from "./signatures.ts";

const HEADER_BYTES = 46;
const ZIP64_EXTRA = 0x0001;
const UNSET = 0xffffffff;

/** One record of the directory, as written. `name` and `extra` are views that live as long as the directory's bytes. */
export interface CentralRecord {
  /** Upper byte of "version made by": 3 is Unix, 19 macOS. */
  readonly host: number;
  readonly flags: number;
  readonly method: number;
  /** Time and date of the last change (APPNOTE 4.4.6). */
  readonly dosTime: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
  readonly disk: number;
  readonly attributes: number;
  readonly offset: number;
  readonly name: Buffer;
  readonly extra: Buffer;
  /** False when a size or the offset should be in a zip64 field, and the field is missing. */
  readonly whole: boolean;
}

/**
 * Gives the records of a directory in the order written.
 *
 * @returns (when done) true if the records fill the directory, false if it becomes unreadable before its end
 */
export function* centralRecords(directory: Buffer): Generator<CentralRecord, boolean> {
  let at = 0;
  while (at + HEADER_BYTES <= directory.length && directory.readUInt32LE(at) === HEADER_SIGNATURE) {
    const nameEnd = at + HEADER_BYTES + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const next = extraEnd + directory.readUInt16LE(at + 32);
    if (next > directory.length) return false;
    const name = directory.subarray(at + HEADER_BYTES, nameEnd);
    const extra = directory.subarray(nameEnd, extraEnd);
    yield recordOf(directory, at, name, extra);
    at = next;
  }
  // A digital signature may follow (APPNOTE 4.3.13). Anything else is damage.
  return at === directory.length || directory.length - at < 4 || directory.readUInt32LE(at) === 0x05054b50;
}

function recordOf(directory: Buffer, at: number, name: Buffer, extra: Buffer): CentralRecord {
  const sizeBytes = directory.readUInt32LE(at + 24);
  const packedBytes = directory.readUInt32LE(at + 20);
  const offset = directory.readUInt32LE(at + 42);
  const large = [sizeBytes, packedBytes, offset].some((value) => value === UNSET);
  const wide = large ? widened([sizeBytes, packedBytes, offset], extra) : undefined;
  return {
    host: directory[at + 5] as number,
    flags: directory.readUInt16LE(at + 8),
    method: directory.readUInt16LE(at + 10),
    dosTime: directory.readUInt32LE(at + 12),
    crc: directory.readUInt32LE(at + 16),
    packedBytes: wide?.[1] ?? packedBytes,
    sizeBytes: wide?.[0] ?? sizeBytes,
    disk: directory.readUInt16LE(at + 34),
    attributes: directory.readUInt32LE(at + 38),
    offset: wide?.[2] ?? offset,
    name,
    extra,
    whole: !large || wide !== undefined,
  };
}

/**
 * The last change of a file in milliseconds, as if its wall clock were UTC; undefined for a day that doesn't exist, and for the first day of the
 * format, which programs write when they know no time.
 *
 * Source: Microsoft, DosDateTimeToFileTime: the date is in the upper 16 bits, years count from 1980, seconds in steps of two.
 */
export function changedAt(dosTime: number): number | undefined {
  const [day, month, year] = [(dosTime >>> 16) & 31, (dosTime >>> 21) & 15, 1980 + (dosTime >>> 25)];
  if (day === 0 || month === 0 || month > 12 || (year === 1980 && month === 1 && day === 1)) return undefined;
  return Date.UTC(year, month - 1, day, (dosTime >>> 11) & 31, (dosTime >>> 5) & 63, (dosTime & 31) * 2);
}

/** Replaces the unset values, in order, with those of the zip64 field; undefined when the field has too few. */
function widened(values: readonly number[], extra: Buffer): number[] | undefined {
  const field = extraField(extra, ZIP64_EXTRA);
  if (field === undefined) return undefined;
  let at = 0;
  const wide: number[] = [];
  for (const value of values) {
    if (value !== UNSET) {
      wide.push(value);
      continue;
    }
    if (at + 8 > field.length) return undefined;
    const large = field.readBigUInt64LE(at);
    if (large > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
    wide.push(Number(large));
    at += 8;
  }
  return wide;
}

/** The data of the first extra field with this id. A field that exceeds the bytes ends the search. */
export function extraField(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (end > extra.length) return undefined;
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, end);
    at = end;
  }
  return undefined;
}
