/** Made-up zips, opened from memory, and the helpers of their tests. */
import { expect } from "vitest";
import type { Archive, Entry } from "../../connectors/containers/archive.ts";
import { ArchiveError } from "../../connectors/containers/archive-error.ts";
import type { Limits } from "../../connectors/containers/options.ts";
import { openZipBytes } from "../../connectors/containers/zip.ts";
import { FatalError } from "../../connectors/errors.ts";

export const MIB = 2 ** 20;

export const opened = (bytes: Uint8Array, limits?: Partial<Limits>) =>
  openZipBytes(bytes, "x.zip", limits === undefined ? {} : { limits });
export const paths = (archive: Archive) => Array.from(archive.entries(), (entry) => entry.path);
export const rules = (archive: Archive) => archive.issues.map((issue) => issue.rule);
export const only = (archive: Archive, path = "a.fit") => archive.entry(path) as Entry;

export async function text(archive: Archive, path: string): Promise<string> {
  return Buffer.from(await archive.read(only(archive, path))).toString();
}

export async function streamed(archive: Archive, path: string, maxBytes?: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive.stream(only(archive, path), maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The rule of the ArchiveError that reading gives. */
export async function failure(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof ArchiveError)) throw error ?? new Error("it was read");
  return error.rule;
}

/** The code of the FatalError that opening gives. */
export async function refusal(bytes: Uint8Array, limits?: Partial<Limits>): Promise<string> {
  const error = await opened(bytes, limits).then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof FatalError) || error.reason !== "source") throw error ?? new Error("it was opened");
  expect(error.message).toMatch(/^Cannot open x\.zip: /);
  return error.code;
}

/** Text that deflates to about a third, and differs everywhere. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = 0x30 + (state >>> 28);
  }
  return bytes;
}
