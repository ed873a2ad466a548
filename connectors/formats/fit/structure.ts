/**
 * Divides the bytes of a FIT file into its parts. There is one file, or several one after another (a chain). Each is a
 * header, messages and a checksum. The reader finds whole and damaged parts. It doesn't look at the meaning of messages.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import { crc16 } from "./crc.ts";
import type { Source } from "./values.ts";
import { hasSignature, type Visitor, type WalkEnd, walk } from "./walk.ts";

/** The caps of one FIT file. Each can be set, and each has a test at cap - 1, cap and cap + 1. */
export interface FitCaps {
  readonly bytes: number;
  /** Messages and definitions of the whole chain. A 240 h recording at one record a second has 864,000. */
  readonly messages: number;
  /** Sessions of the whole chain. */
  readonly sessions: number;
  /** Files of a chain. */
  readonly files: number;
}

/** The default caps. */
export const FIT_CAPS: FitCaps = { bytes: 64 * 2 ** 20, messages: 1_000_000, sessions: 255, files: 255 };

/** One file of a chain. */
export interface Part {
  /** The place of the whole messages: `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** Whether messages are missing at its end. */
  readonly cut: boolean;
  /** The byte where a file stops that should be longer. Absent if the file is whole, or if its device never finished it. */
  readonly stopsAt?: number;
  /** Whether times are packed into message headers. */
  readonly compressed: boolean;
  /** Whether its checksum vouches for all its bytes. */
  readonly verified: boolean;
}

/** A whole FIT file. */
export interface Structure {
  /** Empty if the file can't be used. An issue of severity `error` then gives the reason. */
  readonly parts: readonly Part[];
  readonly issues: readonly Issue[];
}

/** Gives the visitor of each part in turn, the first part first. */
export type PartVisitor = () => Visitor;

/** Smallest header: size, protocol, profile (2), data size (4), ".FIT". A header of 14 bytes has its own CRC after that. */
const SHORT_HEADER = 12;
const LONG_HEADER = 14;
const CRC_BYTES = 2;

/**
 * Divides a FIT file into its parts, checks their checksums and shows every whole message to `visit`.
 *
 * Issues:
 * - errors, no parts: `fit/empty`, `fit/not-fit`, `fit/bad-header`, `fit/too-large`, `fit/too-many-messages`,
 *   `fit/too-many-files`
 * - warnings: `fit/truncated`, `fit/unfinished`, `fit/undefined-message`, `fit/bad-definition`, `fit/crc-mismatch`,
 *   `fit/crc-missing`, `fit/header-crc`
 * - info, or a warning if the bytes may be lost messages: `fit/trailing-bytes`
 *
 * @param visit makes the visitor of a part. It is called once for each part, in file order
 */
export function readStructure(source: Source, caps: FitCaps, visit: PartVisitor): Structure {
  const { bytes } = source;
  const refusal = refusalOf(bytes, caps);
  if (refusal !== undefined) return { parts: [], issues: [refusal] };

  const issues: Issue[] = [];
  const parts: Part[] = [];
  let messagesLeft = caps.messages;
  let at = 0;
  while (at < bytes.length) {
    const header = headerAt(source, at);
    if (header === undefined) {
      issues.push(trailing(bytes, at, issues));
      break;
    }
    if (parts.length === caps.files) {
      return refused("fit/too-many-files", `more than ${caps.files} files in one`, `at most ${caps.files}`);
    }
    const report = (severity: Issue["severity"], rule: string, details: Partial<Issue>) => {
      const { found } = details;
      const chained = parts.length === 0 || found === undefined;
      issues.push({ severity, rule, ...details, ...(chained ? {} : { found: `${found} (file ${parts.length + 1})` }) });
    };
    checkHeader(bytes, header, report);

    const known = header.dataSize !== 0 && header.dataSize !== 0xffffffff;
    const declaredEnd = header.dataAt + header.dataSize;
    const whole = known && declaredEnd <= bytes.length;
    const walked = walk(source, header.dataAt, whole ? declaredEnd : bytes.length, visit(), {
      maxMessages: messagesLeft,
      untilNextFile: !whole,
    });
    if (walked.end === "too-many-messages") {
      return refused("fit/too-many-messages", `more than ${caps.messages} messages`, `at most ${caps.messages}`);
    }
    messagesLeft -= walked.messages;
    if (!known) reportUnfinished(header, walked.at, report);
    else if (!whole) reportShort(header, bytes.length, report);
    if (whole || walked.end === "undefined-message" || walked.end === "bad-definition") {
      // In data of unknown length the checksum at its end looks like such a message. That is no problem.
      if (known || bytes.length - walked.at > CRC_BYTES) reportBroken(walked.end, walked.at, report);
    }
    const checked = whole ? checkSum(bytes, at, declaredEnd, report) : undefined;
    const end = checked?.next ?? nextFile(bytes, walked.at);
    const isCut = !whole || walked.end !== "end";
    parts.push({
      from: header.dataAt,
      to: walked.at,
      cut: isCut,
      ...(isCut && known && { stopsAt: walked.at }),
      compressed: walked.compressed,
      verified: checked?.matches === true,
    });
    at = end;
  }
  return { parts, issues };
}

type Report = (severity: Issue["severity"], rule: string, details: Partial<Issue>) => void;

interface Header {
  readonly at: number;
  readonly size: number;
  readonly dataAt: number;
  /** The declared size. 0 and 0xFFFFFFFF stand for a recording that was never finished. */
  readonly dataSize: number;
}

function headerAt({ bytes, view }: Source, at: number): Header | undefined {
  const size = bytes[at];
  if (!(size === SHORT_HEADER || size === LONG_HEADER)) return undefined;
  if (!hasSignature(bytes, at) || at + size > bytes.length) return undefined;
  return { at, size, dataAt: at + size, dataSize: view.getUint32(at + 4, true) };
}

/** The reason why a file can't be read at all. */
function refusalOf(bytes: Uint8Array, caps: FitCaps): Issue | undefined {
  if (bytes.length === 0) return error("fit/empty", "0 bytes", "a FIT file");
  if (bytes.length > caps.bytes) return error("fit/too-large", `${bytes.length} bytes`, `at most ${caps.bytes} bytes`);
  if (bytes.length < SHORT_HEADER) return error("fit/not-fit", `${bytes.length} bytes`, "a header of 12 or 14 bytes");
  if (!hasSignature(bytes, 0)) return error("fit/not-fit", guessedContent(bytes), 'the signature ".FIT" at byte 8');
  const size = bytes[0] as number;
  if (size !== SHORT_HEADER && size !== LONG_HEADER) {
    return { ...error("fit/bad-header", String(size), "12 or 14"), field: "header size" };
  }
  if (bytes.length < size) return error("fit/not-fit", `${bytes.length} bytes`, `a header of ${size} bytes`);
  return undefined;
}

/** A plain name for bytes that are not FIT. */
function guessedContent(bytes: Uint8Array): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip data";
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return "zip data";
  if (bytes[0] === 0x3c) return "text that begins with <";
  if (bytes.every((byte) => byte === 0)) return "nothing but zeros";
  return "other bytes";
}

function checkHeader(bytes: Uint8Array, header: Header, report: Report): void {
  if (header.size !== LONG_HEADER) return;
  const stored = crcAt(bytes, header.at + SHORT_HEADER);
  // 0 means that the writer left out the header's checksum. The protocol allows that.
  if (stored === 0) return;
  const computed = crc16(bytes, header.at, header.at + SHORT_HEADER);
  if (stored === computed) return;
  report("warning", "fit/header-crc", { field: "header CRC", found: hex(stored), expected: hex(computed) });
}

/** Checks the checksum after data of known length. `next` is the place where a next file would begin. */
function checkSum(
  bytes: Uint8Array,
  from: number,
  to: number,
  report: Report,
): { readonly next: number; readonly matches: boolean } {
  if (to + CRC_BYTES > bytes.length || startsFile(bytes, to)) {
    report("warning", "fit/crc-missing", { found: `the file ends at byte ${to}`, expected: "2 bytes of CRC there" });
    return { next: startsFile(bytes, to) ? to : bytes.length, matches: false };
  }
  const stored = crcAt(bytes, to);
  const computed = crc16(bytes, from, to);
  if (stored !== computed) {
    report("warning", "fit/crc-mismatch", { field: "CRC", found: hex(stored), expected: hex(computed) });
  }
  return { next: to + CRC_BYTES, matches: stored === computed };
}

function reportUnfinished(header: Header, at: number, report: Report): void {
  report("warning", "fit/unfinished", {
    field: "data size",
    found: header.dataSize === 0 ? "0" : hex(header.dataSize),
    expected: `a finished recording; the messages before byte ${at} are kept`,
  });
}

function reportShort(header: Header, end: number, report: Report): void {
  report("warning", "fit/truncated", {
    found: `${end - header.dataAt} bytes of data`,
    expected: `${header.dataSize}`,
  });
}

/** The rule and the words for each end that loses messages. `end` and `next-file` lose none. */
const BROKEN: Partial<Record<WalkEnd, { readonly rule: string; readonly found: string }>> = {
  cut: { rule: "fit/truncated", found: "the data ends inside a message that begins" },
  "undefined-message": { rule: "fit/undefined-message", found: "a message without a definition" },
  "bad-definition": { rule: "fit/bad-definition", found: "a definition of unknown byte order" },
};

function reportBroken(end: WalkEnd, at: number, report: Report): void {
  const broken = BROKEN[end];
  if (broken === undefined) return;
  report("warning", broken.rule, {
    found: `${broken.found} at byte ${at}`,
    expected: "whole messages; those before it are kept",
  });
}

/**
 * The start of a next file after messages that end at `at`: there, or after a checksum, else the end of the bytes.
 */
function nextFile(bytes: Uint8Array, at: number): number {
  if (startsFile(bytes, at)) return at;
  if (startsFile(bytes, at + CRC_BYTES)) return at + CRC_BYTES;
  return bytes.length;
}

function startsFile(bytes: Uint8Array, at: number): boolean {
  return (bytes[at] === SHORT_HEADER || bytes[at] === LONG_HEADER) && hasSignature(bytes, at);
}

/** The issue for bytes after the last file that are no file: padding, or messages that a damaged header hides. */
function trailing(bytes: Uint8Array, at: number, before: readonly Issue[]): Issue {
  const damaged = before.some(({ rule }) => rule === "fit/crc-mismatch");
  const cut = hasSignature(bytes, at);
  return {
    severity: damaged || cut ? "warning" : "info",
    rule: "fit/trailing-bytes",
    found: `${bytes.length - at} bytes from byte ${at}${cut ? ", a file with a damaged header" : ""}`,
    expected: "the end of the file; they are left out",
  };
}

function refused(rule: string, found: string, expected: string): Structure {
  return { parts: [], issues: [error(rule, found, expected)] };
}

function error(rule: string, found: string, expected: string): Issue {
  return { severity: "error", rule, found, expected };
}

function crcAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}

function hex(value: number): string {
  return `0x${value.toString(16).toUpperCase().padStart(4, "0")}`;
}
