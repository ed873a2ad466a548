/**
 * Writes a zip, entry by entry. Each entry is deflated into its own file beside the zip. So several entries can grow at once, and memory holds none
 * of them. Format: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16, without zip64.
 */
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Transform } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";
import { FatalError } from "../errors.ts";
import { type OutputFile, openFile } from "./output-file.ts";

/** An entry that is being written. */
export interface ZipPart extends OutputFile<string> {
  readonly name: string;
  /** The file with the packed entry, and the values for the zip's directory. They are known once the entry is closed. */
  readonly packed: { readonly path: string; crc: number; sizeBytes: number; packedBytes: number };
}

const MOST_BYTES = 2 ** 32 - 1;
/** 1 January 1980, the first day that a zip can name. The data package has the day of the export. */
const DOS_DATE = (1 << 5) | 1;
/** Bit 11: the name is UTF-8. */
const FLAGS = 0x0800;
const DEFLATED = 8;

/** Begins an entry. Its packed bytes go into `path` until the zip is put together. */
export function openPart(name: string, path: string): ZipPart {
  const packed = { path, crc: 0, sizeBytes: 0, packedBytes: 0 };
  const before = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      packed.crc = crc32(chunk, packed.crc);
      packed.sizeBytes += chunk.length;
      done(undefined, chunk);
    },
  });
  const after = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      packed.packedBytes += chunk.length;
      done(undefined, chunk);
    },
  });
  return { name, packed, ...openFile<string>(path, before, createDeflateRaw(), after) };
}

/**
 * Puts closed entries together, in order, and removes their files.
 *
 * @throws FatalError `export/too-large` beyond 4 GiB; the errors of the disk
 */
export async function writeZip(path: string, parts: readonly ZipPart[]): Promise<void> {
  const file = openFile<Uint8Array>(path);
  const directory: Buffer[] = [];
  let offset = 0;
  try {
    for (const { name, packed } of parts) {
      if (Math.max(packed.sizeBytes, offset + packed.packedBytes) > MOST_BYTES) throw tooLarge();
      const nameBytes = Buffer.from(name);
      const described = Buffer.alloc(26);
      described.writeUInt16LE(20, 0);
      described.writeUInt16LE(FLAGS, 2);
      described.writeUInt16LE(DEFLATED, 4);
      described.writeUInt16LE(DOS_DATE, 8);
      described.writeUInt32LE(packed.crc, 10);
      described.writeUInt32LE(packed.packedBytes, 14);
      described.writeUInt32LE(packed.sizeBytes, 18);
      described.writeUInt16LE(nameBytes.length, 22);
      const central = Buffer.alloc(14);
      central.writeUInt32LE(offset, 10);
      directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), described, central, nameBytes);
      await file.write(Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), described, nameBytes]));
      for await (const chunk of createReadStream(packed.path)) await file.write(chunk);
      offset += 30 + nameBytes.length + packed.packedBytes;
    }
    const central = Buffer.concat(directory);
    if (offset + central.length > MOST_BYTES) throw tooLarge();
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(parts.length, 8);
    end.writeUInt16LE(parts.length, 10);
    end.writeUInt32LE(central.length, 12);
    end.writeUInt32LE(offset, 16);
    await file.write(central);
    await file.write(end);
    await file.close();
  } catch (error) {
    await file.abandon();
    throw error;
  }
  for (const { packed } of parts) await rm(packed.path);
}

function tooLarge(): FatalError {
  return new FatalError(
    "export/too-large",
    "journal",
    "Cannot write log.xlsx: it would be larger than 4 GiB. CSV, NDJSON and Parquet have no such bound",
  );
}
