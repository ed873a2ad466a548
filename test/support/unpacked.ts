/** The results of the two ways to take gzip off, side by side. */
import type { Entry } from "../../connectors/containers/archive.ts";
import { type GzipOptions, readUnpacked, streamUnpacked } from "../../connectors/containers/gzip.ts";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import type { Issue } from "../../transforms/model/issue.ts";

/** The result of one way: the content, and the rules of issues. An error gives only its rule. */
export interface Outcome {
  readonly content?: string;
  readonly rules: readonly string[];
}

/** The results of reading whole and reading in chunks. Both must agree on the content, or on the error. */
export async function unpacked(bytes: Uint8Array, options?: GzipOptions): Promise<{ whole: Outcome; chunks: Outcome }> {
  const archive = memoryArchive("x", { "a.gz": bytes });
  const entry = archive.entry("a.gz") as Entry;
  const issues: Issue[] = [];
  const whole = await readUnpacked(archive, entry, options).then(
    (read) => ({ content: Buffer.from(read.bytes).toString("latin1"), rules: read.issues.map(({ rule }) => rule) }),
    (error) => ({ rules: [error.rule ?? error] }),
  );
  const parts: Uint8Array[] = [];
  let chunks: Outcome;
  try {
    for await (const chunk of streamUnpacked(archive, entry, (issue) => issues.push(issue), options)) parts.push(chunk);
    chunks = { content: Buffer.concat(parts).toString("latin1"), rules: issues.map(({ rule }) => rule) };
  } catch (error) {
    chunks = { rules: [(error as { rule?: string }).rule ?? String(error)] };
  }
  return { whole, chunks };
}
