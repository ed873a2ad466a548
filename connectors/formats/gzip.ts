/**
 * Unpacks gzip files. The first bytes show that a file is gzip. The name doesn't count, and the name inside is never looked at. Several
 * members are one content, as in gzip itself. Bytes after the last member are reported. If a file is cut, the readable part is given.
 *
 * Source: RFC 1952 (the format), RFC 1951 (what is packed in it).
 */
import { constants, crc32, inflateRawSync, type ZlibOptions } from "node:zlib";
import type { Issue } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";

// Source: https://nodejs.org/api/zlib.html#class-options, `info`, which the types don't know.
declare module "node:zlib" {
  function inflateRawSync(
    data: Uint8Array,
    options: ZlibOptions & { readonly info: true },
  ): { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
}

/** The default limits of an unpacked content. */
export const GZIP_CAPS = { contentBytes: 64 * 2 ** 20, ratio: 200 } as const;

/** A packed file without usable content. `rule` names the reason, as in an Issue. */
export class GzipError extends Error {
  readonly rule: string;

  constructor(rule: string, message: string) {
    super(message);
    this.name = "GzipError";
    this.rule = rule;
  }
}

/** Content without its packing. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  /** `gzip/cut-short` (warning), `gzip/trailing-bytes` (info), `gzip/twice` (info). */
  readonly issues: readonly Issue[];
}

/** The limits of an unpacked content. */
export interface GzipOptions {
  /** Most bytes of content. `GZIP_CAPS.contentBytes` by default. */
  readonly maxBytes?: number;
  /** Most bytes of content for each packed byte, past the first MiB. `GZIP_CAPS.ratio` by default. */
  readonly ratio?: number;
}

/** The ratio counts from this size of the content on. */
export const RATIO_FLOOR_BYTES = 2 ** 20;
const FIXED_HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
const FLAGS = { headerCrc: 2, extra: 4, name: 8, comment: 16 };

/** A program packs some files, and the platform that exports them packs them again. More layers are not usual. */
const MOST_LAYERS = 2;

/** Most members of one content. Block-wise gzip makes members of 64 KiB. A million empty members would only cost time. */
const MOST_MEMBERS = 10_000;

/** True for bytes that start like gzip with the one method there is. */
export function startsLikeGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/**
 * Takes the gzip packing off, if there is one.
 *
 * @param path for messages
 * @throws GzipError `archive/too-large`, `archive/ratio`, `archive/crc`, `gzip/damaged` (nothing usable in it)
 */
export function ungzip(packed: Uint8Array, path: string, options: GzipOptions = {}): Unpacked {
  const issues: Issue[] = [];
  let bytes = packed;
  for (let layer = 1; startsLikeGzip(bytes); layer++) {
    if (layer > MOST_LAYERS) throw error("gzip/damaged", path, `it is packed more than ${MOST_LAYERS} times over`);
    if (layer === 2) issues.push({ severity: "info", rule: "gzip/twice", found: "packed twice over" });
    bytes = unpackLayer(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      packed.length,
      path,
      options,
      issues,
    );
  }
  return { bytes, issues };
}

function unpackLayer(
  packed: Buffer,
  outermostBytes: number,
  path: string,
  { maxBytes = GZIP_CAPS.contentBytes, ratio = GZIP_CAPS.ratio }: GzipOptions,
  issues: Issue[],
): Buffer {
  const byRatio = Math.max(RATIO_FLOOR_BYTES, ratio * outermostBytes);
  const members: Buffer[] = [];
  let given = 0;
  let at = 0;
  while (startsLikeGzip(packed.subarray(at))) {
    if (members.length === MOST_MEMBERS) throw error("gzip/damaged", path, `it has more than ${MOST_MEMBERS} members`);
    const room = Math.min(maxBytes, byRatio) - given;
    const member = unpackMember(packed, at, room);
    if (member === undefined) {
      // A header that is cut holds no content. After a whole member it counts as trailing bytes.
      if (at === 0) throw error("gzip/damaged", path, "its packed data ends too early");
      break;
    }
    if (member.state === "too-large")
      throw byRatio < maxBytes
        ? error(
            "archive/ratio",
            path,
            `it unpacks to more than ${ratio} times its size; raise --max-ratio if you trust it`,
          )
        : error("archive/too-large", path, `it holds more than ${maxBytes} bytes; raise --max-entry if you trust it`);
    if (member.state === "damaged") throw error("gzip/damaged", path, "its packed data is damaged");
    if (member.state === "wrong-crc") throw error("archive/crc", path, "its content does not match its checksum");
    members.push(member.content);
    given += member.content.length;
    at = member.end;
    if (member.state === "cut") {
      issues.push({ severity: "warning", rule: "gzip/cut-short", expected: "a packed file with its end" });
      break;
    }
  }
  if (at < packed.length)
    issues.push({ severity: "info", rule: "gzip/trailing-bytes", found: `${packed.length - at} bytes after the end` });
  return members.length === 1 ? (members[0] as Buffer) : Buffer.concat(members);
}

interface Member {
  readonly state: "whole" | "cut" | "damaged" | "wrong-crc" | "too-large";
  readonly content: Buffer;
  /** The first byte after it. */
  readonly end: number;
}

const NOTHING = Buffer.alloc(0);

/** Unpacks one member; undefined if its header is cut. */
function unpackMember(packed: Buffer, at: number, room: number): Member | undefined {
  const start = headerEnd(packed, at);
  if (start === undefined) return undefined;
  const data = packed.subarray(start);
  const whole = inflated(data, room, constants.Z_FINISH);
  if (typeof whole !== "string") {
    const trailer = start + whole.packedBytes;
    const end = trailer + TRAILER_BYTES;
    if (end > packed.length) return { state: "cut", content: whole.content, end: packed.length };
    const isWhole = packed.readUInt32LE(trailer) === crc32(whole.content);
    return { state: isWhole ? "whole" : "wrong-crc", content: whole.content, end };
  }
  if (whole !== "cut") return { state: whole, content: NOTHING, end: packed.length };
  const part = inflated(data, room, constants.Z_SYNC_FLUSH);
  if (typeof part === "string") return { state: part, content: NOTHING, end: packed.length };
  return { state: "cut", content: part.content, end: packed.length };
}

/** The start of a member's packed data; undefined if its header is cut. */
function headerEnd(packed: Buffer, at: number): number | undefined {
  const flags = packed[at + 3] ?? 0;
  let end: number | undefined = at + FIXED_HEADER_BYTES;
  if ((flags & FLAGS.extra) !== 0) end = end + 2 <= packed.length ? end + 2 + packed.readUInt16LE(end) : undefined;
  for (const flag of [FLAGS.name, FLAGS.comment]) {
    if ((flags & flag) === 0 || end === undefined) continue;
    const zero = packed.indexOf(0, end);
    end = zero === -1 ? undefined : zero + 1;
  }
  if (end !== undefined && (flags & FLAGS.headerCrc) !== 0) end += 2;
  return end === undefined || end > packed.length ? undefined : end;
}

function inflated(data: Buffer, room: number, finishFlush: number) {
  try {
    const options = { maxOutputLength: Math.max(1, room), finishFlush, info: true } as const;
    const result = inflateRawSync(data, options);
    if (result.buffer.length > room) return "too-large";
    return { content: result.buffer, packedBytes: result.engine.bytesWritten };
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    return code === "ERR_BUFFER_TOO_LARGE" ? "too-large" : code === "Z_BUF_ERROR" ? "cut" : "damaged";
  }
}

function error(rule: string, path: string, state: string): GzipError {
  return new GzipError(rule, `Cannot read ${printable(path)}: ${state}`);
}
