/**
 * Decodes the names of zip entries, and decides which ones we accept. We never use a name as a path, so no name can do harm here. But a
 * name that is harmful elsewhere shows that somebody made the archive to deceive. And people and scripts read the names in reports.
 */
import { crc32 } from "node:zlib";
import { hasUnprintable } from "../../../transforms/text/printable.ts";
import type { Limits } from "../options.ts";
import { extraField } from "./central.ts";

/** Flag bit 11: name and comment are UTF-8 (APPNOTE 4.4.4). */
const UTF8_FLAG = 0x800;

/** Info-ZIP's field with the name in UTF-8. It accompanies a name in the code page of the machine (APPNOTE 4.6.9). */
const UNICODE_PATH_EXTRA = 0x7075;

/** The upper half of IBM code page 437. By the standard, a name without the UTF-8 flag uses this code page (APPNOTE D.1). */
const CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes the name of an entry. A name flagged as UTF-8 must be UTF-8. Without the flag, these are tried in order: Info-ZIP's field if it
 * belongs to this name, UTF-8 (macOS writes it without the flag), code page 437.
 *
 * @param name as the directory has it
 * @param extra the extra fields of the same record
 * @returns undefined for a name that is flagged as UTF-8 and is not
 */
export function decodeName(name: Buffer, flags: number, extra: Buffer): string | undefined {
  if ((flags & UTF8_FLAG) !== 0) return asUtf8(name);
  return unicodePath(name, extra) ?? asUtf8(name) ?? asCp437(name);
}

function asUtf8(name: Uint8Array): string | undefined {
  try {
    return utf8.decode(name);
  } catch {
    return undefined;
  }
}

function unicodePath(name: Buffer, extra: Buffer): string | undefined {
  const field = extraField(extra, UNICODE_PATH_EXTRA);
  // The field holds version 1, then the CRC of the name that it translates. A program that renames without knowing the field leaves an
  // outdated one.
  if (field === undefined || field.length < 5 || field[0] !== 1 || field.readUInt32LE(1) !== crc32(name))
    return undefined;
  return asUtf8(field.subarray(5));
}

function asCp437(name: Uint8Array): string {
  return Array.from(name, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437[byte - 0x80])).join("");
}

/** Why a name is refused. */
export interface NameRefusal {
  readonly rule: "archive/unsafe-name" | "archive/bad-name" | "archive/name-too-long";
  readonly expected: string;
}

/** Device names on Windows, with any extension: `CON`, `nul.fit`. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/** Reasons why a path is unsafe to unpack on some system. The test uses the path with slashes instead of backslashes. */
const UNSAFE: readonly (readonly [test: (path: string, segments: readonly string[]) => boolean, expected: string])[] = [
  [(path) => path.startsWith("/"), "a path inside the archive"],
  [(path) => /^[a-z]:/i.test(path), "a path without a drive"],
  [(_, segments) => segments.includes("..") || segments.includes("."), "a path without . and .. in it"],
  [(_, segments) => segments.includes(""), "a path without empty parts"],
  [(_, segments) => /^~[\w-]*$/.test(segments[0] ?? ""), "a path that no shell takes for a home folder"],
  [(path) => /\.(?:zip|ftb)!\//i.test(path), "no name that stands for a file in an inner zip"],
  [(_, segments) => segments.some((segment) => DEVICE.test(segment)), "no name of a Windows device"],
  [(_, segments) => segments.some((segment) => /[. ]$/.test(segment)), "no name that ends in a space or a dot"],
];

/**
 * Checks whether we accept this name of a file.
 *
 * @param path decoded, with forward slashes
 * @returns the refusal; undefined when we accept the name
 */
export function refusedName(path: string, limits: Limits): NameRefusal | undefined {
  if (hasUnprintable(path)) return { rule: "archive/bad-name", expected: "a name without control characters" };
  const segments = path.split("/");
  const unsafe = UNSAFE.find(([test]) => test(path, segments));
  if (unsafe !== undefined) return { rule: "archive/unsafe-name", expected: unsafe[1] };
  const { nameBytes, segmentBytes } = limits;
  if (Buffer.byteLength(path) > nameBytes)
    return { rule: "archive/name-too-long", expected: `at most ${nameBytes} bytes` };
  if (segments.some((segment) => Buffer.byteLength(segment) > segmentBytes))
    return { rule: "archive/name-too-long", expected: `at most ${segmentBytes} bytes in each part` };
  return undefined;
}

/** Gives every entry a name of its own. */
export class DistinctNames {
  readonly #taken = new Set<string>();
  /** The next number to try for a repeated name. Without it, a thousand equal names would cost a million lookups. */
  readonly #next = new Map<string, number>();

  /** Returns `path` if it is free, otherwise the first free one of `a (2).fit`, `a (3).fit` ... From then on that name is taken. */
  take(path: string): string {
    const free = this.#taken.has(path) ? this.#numbered(path) : path;
    this.#taken.add(free);
    return free;
  }

  #numbered(path: string): string {
    const [, stem = path, extension = ""] = /^(.*?[^/])((?:\.[^./]+)?(?:\.gz)?)$/is.exec(path) ?? [];
    for (let number = this.#next.get(path) ?? 2; ; number++) {
      const free = `${stem} (${number})${extension}`;
      if (this.#taken.has(free)) continue;
      this.#next.set(path, number + 1);
      return free;
    }
  }
}
