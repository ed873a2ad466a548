/**
 * The names of the files in a snapshot repository, all in plain formats. The page docs/backups.md and the README.txt in every repository
 * explain them to a person.
 */
import { createHash } from "node:crypto";
import type { LogRecord } from "../api/source.ts";

/**
 * The folder of each kind of record, below `data/`. An encrypted repository keeps all kinds in `CHUNKS_FOLDER`, so that folder names reveal
 * nothing.
 */
export const FOLDER_OF: Readonly<Record<LogRecord["kind"], string>> = {
  user: "user",
  preference: "preference",
  equipment: "equipment",
  course: "courses",
  "training-plan": "training-plans",
  workout: "workouts",
};

/** Kinds of records, in the order they are read and listed. */
export const KINDS = Object.keys(FOLDER_OF) as readonly LogRecord["kind"][];

/** The folder of the chunks: files of records. A chunk never changes, and several snapshots may name it. */
export const DATA = "data";

/** The folder of all chunks of an encrypted repository, below `data/`. */
export const CHUNKS_FOLDER = "pieces";

/** The folder of the snapshots: a file each, that names its chunks. */
export const SNAPSHOTS = "snapshots";

/** The folder of the drills: a file for each snapshot that was restored for practice, with the result. */
export const DRILLS = "drills";

/** The folder of a backup in progress. The next backup takes over what an interrupted one left in it. */
export const UNFINISHED = "unfinished";

/** `data/workouts/2024-<SHA-256 of the file>.ndjson.zst` */
export const CHUNK_FILE =
  /^data\/(user|preference|equipment|courses|training-plans|workouts)\/([0-9a-z][0-9a-z-]{0,40})-([0-9a-f]{64})\.ndjson\.zst$/;

/** The name that a snapshot uses for an encrypted chunk: `data/pieces/<keyed checksum>`. */
export const ENCRYPTED_CHUNK = /^data\/pieces\/[0-9a-f]{32}$/;

/** `data/pieces/<keyed checksum>-<SHA-256 of the file>.ndjson.zst.age` */
export const ENCRYPTED_CHUNK_FILE = /^(data\/pieces\/[0-9a-f]{32})-([0-9a-f]{64})\.ndjson\.zst\.age$/;

/** `snapshots/2026-11-21T213000.000Z-<SHA-256 of the file>.json`. If encrypted: `...Z-<keyed checksum>-<SHA-256 of the file>.json.age` */
export const SNAPSHOT_FILE =
  /^snapshots\/(\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z)-(?:[0-9a-f]{64}(?=\.json$)|[0-9a-f]{32}-[0-9a-f]{64}(?=\.json\.age$))\.json(?:\.age)?$/;

/** The checksum at the end of a file's name. */
export function checksumInName(file: string): string | undefined {
  return /-([0-9a-f]{64})\.(?:json|ndjson\.zst)(?:\.age)?$/.exec(file)?.[1];
}

/** The keyed checksum in the name of an encrypted chunk or snapshot file. */
export function keyedChecksumInName(file: string): string | undefined {
  return /[-/]([0-9a-f]{32})-[0-9a-f]{64}\.(?:json|ndjson\.zst)\.age$/.exec(file)?.[1];
}

/** `drills/2026-11-21T213000.000Z-<SHA-256 of the file>.json` */
export const DRILL_FILE = /^drills\/(\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z)-([0-9a-f]{64})\.json$/;

/** `2026-11-21T21:30:00.000Z` in a form that every file system accepts. */
export function timeInName(time: string): string {
  return new Date(time).toISOString().replaceAll(":", "");
}

/** SHA-256 in hex, as `sha256sum` prints it. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A damaged file in a repository. */
export interface Damage {
  /** Path below the repository. */
  readonly file: string;
  /** The end of a sentence: `differs from its checksum`. */
  readonly found: string;
}
