/**
 * Zips made byte by byte, honest ones and every kind of lie. Independent of the reader: it shares no code with `connectors/containers`.
 *
 * Source: PKWARE APPNOTE 6.3.10.
 */
import { crc32, deflateRawSync } from "node:zlib";

/** The fields of a header that a test may want to be wrong. */
export interface HeaderFields {
  readonly name: string | Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
  readonly extra: Uint8Array;
}

/** One entry. It is deflated unless `stored`. The name is flagged as UTF-8 when it is a string. */
export interface ZipSpec extends Partial<HeaderFields> {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  readonly stored?: boolean;
  /** The packed data, if it should differ from packed `content`. */
  readonly data?: Uint8Array;
  /** Values in the local header alone. */
  readonly local?: Partial<HeaderFields>;
  /** Values in the directory alone. */
  readonly central?: Partial<HeaderFields> & { readonly offset?: number };
  /** Unix mode with its type bits: 0o120777 is a link. Sets the host to Unix. */
  readonly mode?: number;
  readonly disk?: number;
  /** Sizes and offset in zip64 fields. */
  readonly zip64?: boolean;
  /** Writes no local header and no data, for entries that point at another's. */
  readonly directoryOnly?: boolean;
}

/** Values of the end record that a test may want to be wrong. */
export interface EndSpec {
  readonly comment?: Uint8Array | string;
  readonly count?: number;
  readonly directoryBytes?: number;
  readonly directoryOffset?: number;
  readonly disk?: number;
  /** Writes a zip64 end and its locator. The given values replace the true ones. */
  readonly zip64?:
    | true
    | { readonly count?: number; readonly directoryBytes?: number; readonly directoryOffset?: number };
  /** With `zip64`: the small end states the true values too, instead of leaving them to the zip64 end. */
  readonly smallEndSpeaks?: boolean;
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
  /** The true offsets include `before`, as in programs that know of it. */
  readonly offsetsCountBefore?: boolean;
}

/** The bytes of a zip. */
export function zipBytes(entries: readonly ZipSpec[], end: EndSpec = {}): Buffer {
  const before = Buffer.from(end.before ?? []);
  const base = end.offsetsCountBefore ? before.length : 0;
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = base;
  for (const entry of entries) {
    const { local, central, data } = headersOf(entry, entry.central?.offset ?? at);
    directory.push(central);
    if (entry.directoryOnly) continue;
    parts.push(local, data);
    at += local.length + data.length;
  }
  const directoryBytes = sum(directory);
  const tail = endOf({ count: entries.length, directoryBytes, directoryOffset: at }, end);
  return Buffer.concat([before, ...parts, ...directory, tail, Buffer.from(end.after ?? [])]);
}

/** One extra field. */
export function extraField(id: number, data: Uint8Array): Buffer {
  return Buffer.concat([u16(id), u16(data.length), data]);
}

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

export function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function headersOf(entry: ZipSpec, offset: number) {
  const content = Buffer.from(entry.content ?? "");
  const data = Buffer.from(entry.data ?? (entry.stored ? content : deflateRawSync(content)));
  const truth: HeaderFields = {
    flags: typeof entry.name === "string" ? 0x800 : 0,
    method: entry.stored ? 0 : 8,
    crc: crc32(content),
    packedBytes: data.length,
    sizeBytes: content.length,
    extra: Buffer.alloc(0),
    ...defined(entry),
    name: entry.name,
  };
  const said = { ...truth, ...entry.central };
  const wide = entry.zip64 ? 0xffffffff : undefined;
  const sizes = [u64(said.sizeBytes), u64(said.packedBytes)];
  const field = entry.zip64 ? extraField(1, Buffer.concat([...sizes, u64(offset)])) : Buffer.alloc(0);
  const extra = Buffer.concat([field, Buffer.from(said.extra)]);
  const name = Buffer.from(said.name as string);
  const central = Buffer.concat([
    u32(0x02014b50),
    Buffer.from([entry.zip64 ? 45 : 20, entry.mode === undefined ? 0 : 3]),
    common(said, wide),
    u16(name.length),
    u16(extra.length),
    u16(0),
    u16(entry.disk ?? 0),
    u16(0),
    u32((entry.mode ?? 0) * 0x10000),
    u32(wide ?? offset),
    name,
    extra,
  ]);
  return { central, data, local: localHeader({ ...truth, ...entry.local }) };
}

function localHeader(said: HeaderFields): Buffer {
  const name = Buffer.from(said.name as string);
  const extra = Buffer.from(said.extra);
  return Buffer.concat([u32(0x04034b50), common(said, undefined), u16(name.length), u16(extra.length), name, extra]);
}

/** The fields that both headers share, from the version needed to the sizes. */
function common(said: HeaderFields, wide: number | undefined): Buffer {
  return Buffer.concat([
    u16(20),
    u16(said.flags),
    u16(said.method),
    u32(0x5a21_0000),
    u32(said.crc),
    u32(wide ?? said.packedBytes),
    u32(wide ?? said.sizeBytes),
  ]);
}

function endOf(truth: { count: number; directoryBytes: number; directoryOffset: number }, end: EndSpec): Buffer {
  const said = { ...truth, ...defined(end) };
  const large = end.zip64 === undefined ? undefined : { ...truth, ...(end.zip64 === true ? {} : end.zip64) };
  const comment = Buffer.from((end.comment as string) ?? "");
  const silent = large !== undefined && !end.smallEndSpeaks;
  const small = Buffer.concat([
    u32(0x06054b50),
    u16(end.disk ?? 0),
    u16(end.disk ?? 0),
    u16(silent ? 0xffff : said.count & 0xffff),
    u16(silent ? 0xffff : said.count & 0xffff),
    u32(silent ? 0xffffffff : said.directoryBytes),
    u32(silent ? 0xffffffff : said.directoryOffset),
    u16(comment.length),
    comment,
  ]);
  if (large === undefined) return small;
  const record = Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(45),
    u16(45),
    u32(0),
    u32(0),
    u64(large.count),
    u64(large.count),
    u64(large.directoryBytes),
    u64(large.directoryOffset),
  ]);
  const locator = Buffer.concat([u32(0x07064b50), u32(0), u64(truth.directoryOffset + truth.directoryBytes), u32(1)]);
  return Buffer.concat([record, locator, small]);
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function sum(parts: readonly Buffer[]): number {
  return parts.reduce((total, part) => total + part.length, 0);
}
