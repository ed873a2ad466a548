/**
 * A snapshot: what a log consisted of at one time, as a JSON file that names its chunks.
 */
import { z } from "zod";
import type { LogRecord } from "../api/source.ts";
import { CHUNK_FILE, ENCRYPTED_CHUNK, KINDS } from "./layout.ts";

const KIND = z.enum(KINDS as [LogRecord["kind"], ...LogRecord["kind"][]]);
const TIME = z.iso.datetime();

const CHUNK = z.strictObject({
  kind: KIND,
  /** What the chunk holds of its kind: a year of workouts (`2024`), or everything (`all`); `-2` and so on where that is much. */
  part: z.string(),
  /** The file; of an encrypted repository, what its name begins with. */
  file: z.string().refine((file) => CHUNK_FILE.test(file) || ENCRYPTED_CHUNK.test(file)),
  records: z.int().min(1),
  /** Length of the file. */
  bytes: z.int().min(1),
});

const SNAPSHOT = z.strictObject({
  format: z.literal("logferry-snapshot"),
  version: z.literal(1),
  time: TIME,
  /** The day at the machine that made it: what "daily" means when old snapshots are forgotten. */
  day: z.iso.date(),
  logferry: z.string(),
  log: z.strictObject({ host: z.string(), userHash: z.string(), name: z.string() }),
  /** Whether every record was read in full, or only what the listings show as new or changed. */
  pass: z.enum(["full", "changes"]),
  /** When the last full pass was made, this one or one before. */
  fullAt: TIME,
  /** Listed, and could not be read: an older copy is in the chunks where `kept` says so. */
  unread: z.array(z.strictObject({ kind: KIND, id: z.string(), kept: z.boolean() })).readonly(),
  /** The chunks, under the name that the files of all versions have. */
  pieces: z.array(CHUNK).readonly(),
});

/** A chunk of a snapshot: a file of records of one kind. */
export type Chunk = Readonly<z.infer<typeof CHUNK>>;

/** What a snapshot's file holds. */
export type SnapshotBody = Readonly<z.infer<typeof SNAPSHOT>>;

/** A snapshot that was read. */
export interface Snapshot extends SnapshotBody {
  /** SHA-256 of its file. */
  readonly id: string;
  /** Below the repository. */
  readonly file: string;
}

/** As its file has it: a line a chunk, so that a person, and `diff`, can read it. */
export function snapshotText(body: SnapshotBody): string {
  const { pieces, ...rest } = body;
  const head = JSON.stringify(rest, undefined, 1).replace(/\n\}$/, ",");
  return `${head}\n "pieces": [${pieces.map((chunk) => `\n  ${JSON.stringify(chunk)}`).join(",")}\n ]\n}\n`;
}

/** @returns undefined for what is no snapshot of this version */
export function snapshotOf(text: string): SnapshotBody | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { success, data } = SNAPSHOT.safeParse(value);
  return success ? data : undefined;
}

/** Records of a kind. */
export function recordsOf(snapshot: Pick<SnapshotBody, "pieces">, kind: LogRecord["kind"]): number {
  return snapshot.pieces.reduce((sum, chunk) => sum + (chunk.kind === kind ? chunk.records : 0), 0);
}
