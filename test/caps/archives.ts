/** The limits of zips, folders and gzip files. */
import { truncateSync, writeFileSync } from "node:fs";
import { deflateRawSync, gzipSync } from "node:zlib";
import { expect } from "vitest";
import type { Archive } from "../../connectors/containers/archive.ts";
import { readUnpacked, streamUnpacked } from "../../connectors/containers/gzip.ts";
import { openArchive } from "../../connectors/containers/open.ts";
import type { Limits } from "../../connectors/containers/options.ts";
import { openZipBytes } from "../../connectors/containers/zip.ts";
import { ungzip } from "../../connectors/formats/gzip.ts";
import { zipBytes } from "../support/zip-bytes.ts";
import { firstError, GIB, inFolder, MIB, many, type Trial, thrown } from "./trial.ts";

const noise = (size: number) =>
  Buffer.from(Array.from({ length: size }, (_, index) => (index * 7919 + (index >> 3)) % 251));
export const opened = (bytes: Uint8Array, limits: Partial<Limits>) => openZipBytes(bytes, "x.zip", { limits });

/** Reads every entry, whole and in chunks. @returns the message of the first entry that can't be read */
async function readAll(archive: Archive, how: "read" | "stream" = "read"): Promise<string | undefined> {
  for (const entry of archive.entries()) {
    const said = await thrown(async () => {
      if (how === "read") await archive.read(entry);
      else for await (const _ of archive.stream(entry));
    });
    if (said !== undefined) return said;
  }
  return undefined;
}

/** By the row of docs/limits.md. */
export const ARCHIVES: Readonly<Record<string, Trial>> = {
  archive: {
    most: 64 * GIB,
    // A hole of 64 GiB takes no room on the disk.
    said(size) {
      const zip = zipBytes([{ name: "a.fit", content: "x" }]);
      const path = inFolder("hole.zip", "PK\u0007\u0008");
      truncateSync(path, size - zip.length);
      writeFileSync(path, zip, { flag: "a" });
      return thrown(async () => (await openArchive(path)).close());
    },
    rule: /^archive\/too-large: .*64 GiB; raise --max-archive/,
  },
  entries: {
    most: 100_000,
    at: 10,
    said: (size, entries) => thrown(() => opened(zipBytes(many(size, (n) => ({ name: `${n}` }))), { entries })),
    rule: /^archive\/too-many-entries: .*more than 10 files; raise --max-entries/,
  },
  directory: {
    most: 64 * MIB,
    at: 100,
    // 46 bytes of record and a name.
    said: (size, centralDirectoryBytes) =>
      thrown(() => opened(zipBytes([{ name: "n".repeat(size - 46) }]), { centralDirectoryBytes })),
    rule: /^archive\/directory-too-large/,
  },
  name: {
    most: 1024,
    said: async (size) =>
      firstError(
        (
          await opened(
            zipBytes([{ name: `${"d/".repeat(300)}${"f".repeat(size - 600 - 200)}/${"f".repeat(199)}` }]),
            {},
          )
        ).issues,
      ),
    rule: /^archive\/name-too-long: .*at most 1024 bytes/,
  },
  segment: {
    most: 255,
    said: async (size) => firstError((await opened(zipBytes([{ name: `d/${"f".repeat(size)}` }]), {})).issues),
    rule: /^archive\/name-too-long: .*at most 255 bytes in each part/,
  },
  entry: {
    most: 64 * MIB,
    at: 50,
    said: async (size, entryBytes) =>
      readAll(await opened(zipBytes([{ name: "a", content: noise(size) }]), { entryBytes })),
    rule: /^archive\/too-large: .*50 bytes; raise --max-entry/,
  },
  streamed: {
    most: 8 * GIB,
    at: 50,
    said: async (size, streamedBytes) =>
      readAll(await opened(zipBytes([{ name: "a", content: noise(size) }]), { streamedBytes }), "stream"),
    rule: /^archive\/too-large: .*50 bytes; raise --max-entry/,
  },
  unpacked: {
    most: 20 * GIB,
    at: 300,
    // Two files, and the second is packed by gzip as well. The content of both packings counts.
    async said(size, unpackedBytes) {
      const inner = gzipSync(Buffer.alloc(100));
      const first = noise(size - 100 - inner.length);
      const archive = await opened(
        zipBytes([
          { name: "a", content: first },
          { name: "b.gz", content: inner },
          { name: "c", content: noise(900), stored: true },
        ]),
        { unpackedBytes },
      );
      const said: (string | undefined)[] = [];
      for (const entry of archive.entries()) said.push(await thrown(() => readUnpacked(archive, entry)));
      const chunks = await opened(
        zipBytes([
          { name: "a", content: noise(size - 100) },
          { name: "b.gz", content: gzipSync(Buffer.alloc(100)), stored: true },
        ]),
        { unpackedBytes },
      );
      for (const entry of chunks.entries())
        said.push(
          await thrown(async () => {
            for await (const _ of streamUnpacked(chunks, entry, () => {}));
          }),
        );
      const refusals = said.filter((one) => one !== undefined);
      // An unpacked entry costs nothing: c is read in any case.
      expect(refusals).toHaveLength(size > unpackedBytes ? 2 : 0);
      return refusals[0];
    },
    rule: /^archive\/unpacked: Cannot read b\.gz: with it, more than 300 bytes of this archive were unpacked; raise --max-unpacked/,
  },
  ratio: {
    most: 200,
    // The given ratio of the packed size, and not a byte less: the cap is set around what the content packs to.
    async said(size, ratio) {
      const content = Buffer.concat([noise(MIB), Buffer.alloc(MIB)]);
      const exact = content.length / deflateRawSync(content).length;
      return readAll(await opened(zipBytes([{ name: "a", content }]), { ratio: exact - (size - ratio) * 1e-6 }));
    },
    rule: /^archive\/ratio: .*raise --max-ratio/,
  },
  nesting: {
    most: 2,
    said: async (size) =>
      firstError(
        (
          await opened(
            many(size, (n) => `${n}.zip`).reduce(
              (inner, name) => zipBytes([{ name, content: inner, stored: true }]),
              zipBytes([{ name: "a.fit" }]),
            ),
            {},
          )
        ).issues,
      ),
    rule: /^archive\/nested: .*at most 2 deep\. Unpack it and name what it holds, or raise --nested/,
  },
  spooled: {
    most: 20 * GIB,
    at: 2 * MIB,
    async said(size, spooledBytes) {
      const zip = zipBytes([{ name: "a.fit", content: noise(2000), stored: true }], {
        before: Buffer.alloc(size - 2000 - 30 - 5 - 46 - 5 - 22),
      });
      expect(zip).toHaveLength(size);
      const archive = await opened(zipBytes([{ name: "in.zip", content: zip }]), { spooledBytes, ratio: 100_000 });
      await archive.close();
      return firstError(archive.issues);
    },
    rule: /^archive\/too-large/,
  },
  gzip: {
    most: 64 * MIB,
    at: 50,
    said: (size, maxBytes) => thrown(() => ungzip(gzipSync(noise(size)), "a.gz", { maxBytes })),
    rule: /^archive\/too-large: .*more than 50 bytes/,
  },
};
