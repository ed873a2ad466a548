/**
 * The records of a chunk as text: one JSON object a line, packed with Zstandard.
 *
 * Zstandard takes a tenth less room than gzip. Its tool is in every Linux distribution.
 *
 * Until version 3 of a repository, each line had the checksum of its record. A checksum can't be packed, so it took an eighth of the room.
 * It only finds a record that changed in memory, between its reading and its writing. So it is checked when the record is written.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { canonicalJson } from "../../transforms/text/canonical.ts";
import { FatalError } from "../errors.ts";
import { sha256 } from "./layout.ts";

/** A record in a chunk. */
export interface StoredRecord {
  /** The first 8 digits of the SHA-256 of the value, as canonical JSON. It was made when the record was read. */
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
  return sumOfText(canonicalJson(value));
}

function sumOfText(text: string): string {
  return sha256(text).slice(0, 8);
}

/** Adds the checksum to a record. */
export function storedRecord(value: Readonly<Record<string, unknown>>, listed?: string): StoredRecord {
  return { sum: sumOf(value), ...(listed !== undefined && { listed }), value };
}

/**
 * Writes records as lines of text. `value` is canonical JSON.
 *
 * @throws FatalError `repository/changed-in-memory` if a record differs from its checksum
 */
export function toLines(records: readonly StoredRecord[]): string {
  return records
    .map(({ sum, listed, value }) => {
      const text = canonicalJson(value);
      if (sumOfText(text) !== sum) throw changedInMemory(value.id);
      return listed === undefined ? `{"value":${text}}\n` : `{"listed":${JSON.stringify(listed)},"value":${text}}\n`;
    })
    .join("");
}

function changedInMemory(id: unknown): FatalError {
  return new FatalError(
    "repository/changed-in-memory",
    "source",
    `Cannot store the record ${JSON.stringify(id)}: it changed in this computer's memory after it was read. Run the command again. If it happens again, test the memory.`,
  );
}

/** Packs lines. Of 22 levels it uses 19, because higher ones gain nothing for texts of this length. */
export function pack(lines: string): Buffer {
  return zstdCompressSync(lines, {
    params: { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_checksumFlag]: 1 },
  });
}

const LINE = z.strictObject({
  sum: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .optional(),
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
    const found = parsed(line);
    if (found === undefined) return `line ${index + 1} is no record`;
    const record = storedRecord(found.value, found.listed);
    if (found.sum !== undefined && found.sum !== record.sum)
      return `the record in line ${index + 1} differs from its checksum`;
    records.push(record);
  }
  return records;
}

function parsed(line: string): z.infer<typeof LINE> | undefined {
  try {
    return LINE.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
