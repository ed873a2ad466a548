/**
 * Turns bytes into text. The bytes count first, and the encoding that the file declares counts second: most files that
 * declare an encoding are UTF-8 anyway. Works on chunks, and gives the same text for any cut into chunks.
 */
import { isAscii, isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import type { Issue } from "../../transforms/model/issue.ts";
import type { LegacyEncoding } from "./legacy-encoding.ts";
import { type FoundEncoding, LegacyText } from "./legacy-text.ts";

/** The encoding of the bytes. A label of `declared` appears in lower case. */
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | LegacyEncoding | (string & {});

/** Decodes a text chunk by chunk. */
export interface TextReader {
  /** The text of the next chunk. It may lag behind by a character that is not complete yet, or by the bytes that tell the encoding. */
  write(bytes: Uint8Array): string;
  /** The rest of the text. Call it after the last chunk, and write nothing after that. */
  end(): string;
  /** The encoding of the bytes. It can still change from `utf-8` while chunks come. */
  readonly encoding: TextEncoding;
  /** `text/not-utf-8`, `text/unsure-encoding`, `text/cut-character`. Complete after `end`. */
  readonly issues: readonly Issue[];
  /** Other encodings that fit the bytes as well. Complete after `end`. */
  readonly others: readonly LegacyEncoding[];
}

/** A whole text. */
export interface Text {
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly issues: readonly Issue[];
  /** Other encodings that fit the bytes as well. */
  readonly others: readonly LegacyEncoding[];
}

/** The encoding of single bytes that are damaged among UTF-8. It covers the characters of Latin-1. */
const FALLBACK = "windows-1252";

/**
 * Decodes a whole text. Never throws.
 *
 * - A byte order mark decides, and is left out of the text. UTF-16 without a mark shows in its NULs, because the first two
 *   characters of any file we read are ASCII.
 * - Other bytes are read as UTF-8 up to the first byte that is no UTF-8. If all characters before it are ASCII, the file is
 *   read in its declared encoding (`declared`), else in the one that its bytes show (`legacyEncodingsOf`). If there was a UTF-8 character before it, the file
 *   stays UTF-8, and only the bad bytes are read as Windows-1252. So one damaged name doesn't spoil the others.
 *
 * @param declared an encoding label from inside the file, such as `encoding="..."` of XML. Used only if the bytes aren't UTF-8
 * @returns the text, and the issue `text/not-utf-8` (info when the declared encoding was used, else a warning), or `text/unsure-encoding` if several encodings fit
 */
export function decodeText(bytes: Uint8Array, declared?: string): Text {
  const reader = textReader(() => declared);
  const text = reader.write(bytes) + reader.end();
  return { text, encoding: reader.encoding, issues: reader.issues, others: reader.others };
}

/** The chunks of a stream as text. `report` gets the issues at the end. */
export async function* decodeStream(
  chunks: AsyncIterable<Uint8Array>,
  report: (issue: Issue) => void,
): AsyncGenerator<string> {
  const reader = textReader();
  for await (const chunk of chunks) yield reader.write(chunk);
  yield reader.end();
  for (const issue of reader.issues) report(issue);
}

/**
 * Makes a reader for one text.
 *
 * @param declared called at most once, and only if the bytes aren't UTF-8. See `decodeText`
 */
export function textReader(declared: () => string | undefined = () => undefined): TextReader {
  const [issues, others]: [Issue[], LegacyEncoding[]] = [[], []];
  let encoding: TextEncoding = "utf-8";
  let begun = false;
  let sawMultiByte = false;
  let [strayBytes, firstStray] = [0, 0];
  /** Bytes that wait for the next chunk: the first three bytes, or a UTF-8 character cut in two. */
  let waiting: Uint8Array = new Uint8Array(0);
  /** The last byte that was read, as long as all of them were ASCII. */
  let before: number | undefined;
  /** The decoder of another encoding. Undefined while the text may be UTF-8. */
  let other: Pick<TextDecoder, "decode"> | undefined;

  function begin(bytes: Uint8Array): Uint8Array {
    begun = true;
    const utf16 = utf16Of(bytes);
    if (utf16 !== undefined) {
      encoding = utf16;
      other = new TextDecoder(utf16);
      return bytes;
    }
    return startsWith(bytes, 0xef, 0xbb, 0xbf) ? bytes.subarray(3) : bytes;
  }

  function decodeUtf8(bytes: Uint8Array, last: boolean): string {
    if (isAscii(bytes)) {
      before = bytes.at(-1) ?? before;
      return asString(bytes);
    }
    const end = last ? bytes.length : completeUntil(bytes);
    waiting = bytes.slice(end);
    const complete = bytes.subarray(0, end);
    if (isUtf8(complete)) {
      sawMultiByte ||= !isAscii(complete);
      return asString(complete);
    }
    return decodeDamaged(complete, last);
  }

  /** Decodes in one pass, and makes one string at the end, because every second byte of a file may be damaged. */
  function decodeDamaged(bytes: Uint8Array, last: boolean): string {
    // A character of Windows-1252 takes at most three bytes of UTF-8.
    const mended = Buffer.allocUnsafe(3 * bytes.length);
    let end = 0;
    for (let at = 0; at < bytes.length; ) {
      const length = characterLength(bytes, at);
      if (length > 0) {
        sawMultiByte ||= length > 1;
        for (const next = at + length; at < next; at++) mended[end++] = bytes[at] as number;
        continue;
      }
      const stray = bytes[at] as number;
      if (strayBytes === 0) firstStray = stray;
      strayBytes++;
      if (!sawMultiByte) {
        before = end > 0 ? mended[end - 1] : before;
        const rest = Buffer.concat([bytes.subarray(at), waiting]);
        waiting = new Uint8Array(0);
        other = becomeOther();
        return asString(mended.subarray(0, end)) + other.decode(rest, { stream: !last });
      }
      for (const byte of WINDOWS_1252[stray] as Uint8Array) mended[end++] = byte;
      at++;
    }
    return asString(mended.subarray(0, end));
  }

  function becomeOther(): LegacyText {
    return new LegacyText(declared(), before, (found) => {
      encoding = found.encoding;
      others.push(...found.others);
      issues.push(notUtf8(found, firstStray));
    });
  }

  return {
    issues,
    others,
    get encoding() {
      return encoding;
    },
    write(chunk) {
      let bytes = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      waiting = new Uint8Array(0);
      if (!begun) {
        if (bytes.length < 4) {
          waiting = bytes.slice();
          return "";
        }
        bytes = begin(bytes);
      }
      return other === undefined ? decodeUtf8(bytes, false) : other.decode(bytes, { stream: true });
    },
    end() {
      let bytes = waiting;
      if (!begun) bytes = begin(bytes);
      waiting = new Uint8Array(0);
      const text = other === undefined ? decodeUtf8(bytes, true) : other.decode(bytes);
      if (encoding.startsWith("utf-16") && text.endsWith("\ufffd")) {
        issues.push({ severity: "warning", rule: "text/cut-character", expected: "two bytes a character" });
      }
      if (encoding === "utf-8" && strayBytes > 0) {
        issues.push({
          severity: "warning",
          rule: "text/not-utf-8",
          found: `byte 0x${firstStray.toString(16)}, read as ${FALLBACK}`,
          expected: "UTF-8",
          count: strayBytes,
        });
      }
      return text;
    },
  };
}

/** The UTF-8 bytes for each byte of Windows-1252. */
const WINDOWS_1252: readonly Uint8Array[] = Array.from({ length: 256 }, (_, byte) =>
  new TextEncoder().encode(new TextDecoder(FALLBACK).decode(Uint8Array.of(byte))),
);

function notUtf8({ encoding, isDeclared, others }: FoundEncoding, stray: number): Issue {
  if (others.length > 0) {
    const found = `bytes that ${[encoding, ...others].join(" and ")} both fit, read as ${encoding}`;
    const expected = "UTF-8. If the words are wrong, save the file as UTF-8, or name its encoding in a mapping file";
    return { severity: "warning", rule: "text/unsure-encoding", found, expected };
  }
  const found = `byte 0x${stray.toString(16)}, read as ${encoding}`;
  return { severity: isDeclared ? "info" : "warning", rule: "text/not-utf-8", found, expected: "UTF-8" };
}

function asString(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (startsWith(bytes, 0xff, 0xfe)) return "utf-16le";
  if (startsWith(bytes, 0xfe, 0xff)) return "utf-16be";
  const [a, b, c, d] = bytes;
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return "utf-16le";
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return "utf-16be";
  return undefined;
}

function startsWith(bytes: Uint8Array, ...head: readonly number[]): boolean {
  return head.every((byte, index) => bytes[index] === byte);
}

/** The end of the whole characters in a chunk. A character that is cut at the end waits for the next chunk. */
function completeUntil(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return bytes.length - back + lengthSaid(byte) > bytes.length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function lengthSaid(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
}

/** Bytes of the UTF-8 character at an index, or 0 if there is none. Ranges: RFC 3629, section 4. */
function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  // The second byte shows overlong forms, half surrogates and numbers above the range of Unicode.
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  const length = lengthSaid(lead);
  for (let more = at + 2; more < at + length; more++) if (((bytes[more] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
