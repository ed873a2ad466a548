/**
 * The records of a chunk as text: one JSON object a line, each with its own checksum, packed with Zstandard.
 *
 * Zstandard takes a tenth less room than gzip. Its tool is in every Linux distribution.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { canonicalJson } from "../../transforms/text/canonical.ts";
import { sha256 } from "./layout.ts";

/** A record in a chunk. */
export interface StoredRecord {
  /** The first 8 digits of the SHA-256 of the value, as canonical JSON. */
  readonly sum: string;
  /**
   * The same checksum of the listing's entry at the time of reading, if the record has more fields than the entry. It shows whether the
   * record changed.
   */
  readonly listed?: string | undefined;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Most bytes that a chunk may unpack to. A repository may come from another person. */
export const LONGEST_CHUNK = 512 * 1024 * 1024;

/** The checksum of a value. Its first 32 bits are enough to notice damage, or a changed entry of a listing. */
export function sumOf(value: unknown): string {
  return sha256(canonicalJson(value)).slice(0, 8);
}

/** Adds the checksum to a record. */
export function storedRecord(value: Readonly<Record<string, unknown>>, listed?: string): StoredRecord {
  return { sum: sumOf(value), ...(listed !== undefined && { listed }), value };
}

/** Writes records as lines of text. `value` is canonical JSON, so the checksum can be computed from the line itself. */
export function toLines(records: readonly StoredRecord[]): string {
  return records
    .map(({ sum, listed, value }) => {
      const marks = JSON.stringify({ sum, listed }).slice(0, -1);
      return `${marks},"value":${canonicalJson(value)}}\n`;
    })
    .join("");
}

/** Packs lines. Of 22 levels it uses 19, because higher ones gain nothing for texts of this length. */
export function pack(lines: string): Buffer {
  return zstdCompressSync(lines, {
    params: { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_checksumFlag]: 1 },
  });
}

const LINE = z.strictObject({
  sum: z.string().regex(/^[0-9a-f]{8}$/),
  listed: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .optional(),
  value: z.record(z.string(), z.unknown()),
});

/**
 * Unpacks the lines of a chunk.
 *
 * @returns the records; or the fault, as text
 */
export function unpack(packed: Uint8Array): readonly StoredRecord[] | string {
  let text: string;
  try {
    text = zstdDecompressSync(packed, { maxOutputLength: LONGEST_CHUNK }).toString("utf8");
  } catch {
    return "can't be unpacked";
  }
  const lines = text.split("\n");
  if (lines.pop() !== "") return "its last line is cut";
  const records: StoredRecord[] = [];
  for (const [index, line] of lines.entries()) {
    const record = parsed(line);
    if (record === undefined) return `line ${index + 1} is no record`;
    if (sumOf(record.value) !== record.sum) return `the record in line ${index + 1} differs from its checksum`;
    records.push(record);
  }
  return records;
}

function parsed(line: string): StoredRecord | undefined {
  try {
    return LINE.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
