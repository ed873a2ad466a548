/**
 * How the bytes of a FIT file are divided: one file, or several set one behind another (a chain), each a header,
 * messages and a checksum. Says what is whole and what is not; looks at no message's meaning.
 */
import type { Issue } from "../../../transforms/model/issue.ts";
import { crc16 } from "./crc.ts";
import type { Source } from "./values.ts";
import { hasSignature, type Visitor, type WalkEnd, walk } from "./walk.ts";

/** The caps of one FIT file; each is settable, and each has a test at cap - 1, cap and cap + 1. */
export interface FitCaps {
  readonly bytes: number;
  /** Messages and definitions of the whole chain. A 240 h recording at one record a second has 864,000. */
  readonly messages: number;
  /** Sessions of the whole chain. */
  readonly sessions: number;
  /** Files of a chain. */
  readonly files: number;
}

/** The caps that hold when nobody says otherwise. */
export const FIT_CAPS: FitCaps = { bytes: 64 * 2 ** 20, messages: 1_000_000, sessions: 255, files: 255 };

/** One file of a chain. */
export interface Part {
  /** The messages that are whole: `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** Whether messages are missing at its end. */
  readonly cut: boolean;
  /** Where a file stops that says it is longer: at which byte. Absent where it is whole, or was never finished by its device. */
  readonly stopsAt?: number;
  /** Whether times are packed into message headers. */
  readonly compressed: boolean;
  /** Whether its checksum vouches for every byte of it. */
  readonly verified: boolean;
}

/** A whole FIT file. */
export interface Structure {
  /** Empty when the file can't be used; an issue of severity `error` then says why. */
  readonly parts: readonly Part[];
  readonly issues: readonly Issue[];
}

/** Asked for the visitor of each part in turn, the first part first. */
export type PartVisitor = () => Visitor;

/** Smallest header: size, protocol, profile (2), data size (4), ".FIT". One of 14 bytes has its own CRC behind that. */
const SHORT_HEADER = 12;
const LONG_HEADER = 14;
const CRC_BYTES = 2;

/**
 * Divides a FIT file into its parts, checks their checksums and shows every whole message to `visit`.
 *
 * Issues: `fit/empty`, `fit/not-fit`, `fit/bad-header`, `fit/too-large`, `fit/too-many-messages`,
 * `fit/too-many-files` (errors, no parts); `fit/truncated`, `fit/unfinished`, `fit/undefined-message`,
 * `fit/bad-definition`, `fit/crc-mismatch`, `fit/crc-missing`, `fit/header-crc` (warnings);
 * `fit/trailing-bytes` (info, or a warning where the bytes may be lost messages).
 *
 * @param visit makes the visitor of a part; asked once for each, in file order
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
      // In data of unknown length the checksum at its end looks like such a message: nothing is amiss then.
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
  /** As declared: 0 and 0xFFFFFFFF stand for a recording that was never finished. */
  readonly dataSize: number;
}

function headerAt({ bytes, view }: Source, at: number): Header | undefined {
  const size = bytes[at];
  if (!(size === SHORT_HEADER || size === LONG_HEADER)) return undefined;
  if (!hasSignature(bytes, at) || at + size > bytes.length) return undefined;
  return { at, size, dataAt: at + size, dataSize: view.getUint32(at + 4, true) };
}

/** Why a file can't be read at all. */
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

/** What a person would call bytes that are not FIT. */
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
  // 0 means that the writer left the header's checksum out, which the protocol allows.
  if (stored === 0) return;
  const computed = crc16(bytes, header.at, header.at + SHORT_HEADER);
  if (stored === computed) return;
  report("warning", "fit/header-crc", { field: "header CRC", found: hex(stored), expected: hex(computed) });
}

/** Checks the checksum behind data of known length; `next` is where the next file would begin. */
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

/** What each way to end costs, in words. `end` and `next-file` cost nothing. */
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
 * Where a next file begins behind messages that ended at `at`: there, or behind a checksum; else the end of the bytes.
 */
function nextFile(bytes: Uint8Array, at: number): number {
  if (startsFile(bytes, at)) return at;
  if (startsFile(bytes, at + CRC_BYTES)) return at + CRC_BYTES;
  return bytes.length;
}

function startsFile(bytes: Uint8Array, at: number): boolean {
  return (bytes[at] === SHORT_HEADER || bytes[at] === LONG_HEADER) && hasSignature(bytes, at);
}

/** Bytes behind the last file that are not another: padding, or messages that a damaged header hides. */
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
