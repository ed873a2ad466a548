/** A snapshot: the contents of a log at one time, as a JSON file that names its chunks. */
import { z } from "zod";
import type { LogRecord } from "../api/source.ts";
import { CHUNK_FILE, ENCRYPTED_CHUNK, KINDS } from "./layout.ts";

const KIND = z.enum(KINDS as [LogRecord["kind"], ...LogRecord["kind"][]]);
const TIME = z.iso.datetime();

const CHUNK = z.strictObject({
  kind: KIND,
  /** The part of its kind in this chunk: a year of workouts (`2024`), or everything (`all`). Large parts are split: `-2` and so on. */
  part: z.string(),
  /** The file; in an encrypted repository, the beginning of its name. */
  file: z.string().refine((file) => CHUNK_FILE.test(file) || ENCRYPTED_CHUNK.test(file)),
  records: z.int().min(1),
  /** Length of the file. */
  bytes: z.int().min(1),
});

const SNAPSHOT = z.strictObject({
  format: z.literal("logferry-snapshot"),
  version: z.literal(1),
  time: TIME,
  /** The date on the machine that made it. It decides which snapshots are "daily" when old ones are forgotten. */
  day: z.iso.date(),
  logferry: z.string(),
  log: z.strictObject({ host: z.string(), userHash: z.string(), name: z.string() }),
  /** `full`: every record was read in full. `changes`: only the records that the listings show as new or changed. */
  pass: z.enum(["full", "changes"]),
  /** Time of the last full pass, this one or an earlier one. */
  fullAt: TIME,
  /** Records that were listed and could not be read. If `kept` is true, the chunks hold an older copy. */
  unread: z.array(z.strictObject({ kind: KIND, id: z.string(), kept: z.boolean() })).readonly(),
  /** The chunks. The name of this member is the same in all versions of the file. */
  pieces: z.array(CHUNK).readonly(),
});

/** A chunk of a snapshot: a file of records of one kind. */
export type Chunk = Readonly<z.infer<typeof CHUNK>>;

/** The content of a snapshot's file. */
export type SnapshotBody = Readonly<z.infer<typeof SNAPSHOT>>;

/** A snapshot that was read. */
export interface Snapshot extends SnapshotBody {
  /** SHA-256 of its file. */
  readonly id: string;
  /** Below the repository. */
  readonly file: string;
}

/** The text of a snapshot's file: one line for each chunk, so that people and `diff` can read it. */
export function snapshotText(body: SnapshotBody): string {
  const { pieces, ...rest } = body;
  const head = JSON.stringify(rest, undefined, 1).replace(/\n\}$/, ",");
  return `${head}\n "pieces": [${pieces.map((chunk) => `\n  ${JSON.stringify(chunk)}`).join(",")}\n ]\n}\n`;
}

/** @returns undefined if the text is not a snapshot of this version */
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

/** Number of records of a kind. */
export function recordsOf(snapshot: Pick<SnapshotBody, "pieces">, kind: LogRecord["kind"]): number {
  return snapshot.pieces.reduce((sum, chunk) => sum + (chunk.kind === kind ? chunk.records : 0), 0);
}
