/**
 * What lies where in a snapshot repository, in plain formats. The page docs/backups.md and the README.txt inside every repository say
 * the same to a person.
 */
import { createHash } from "node:crypto";
import type { LogRecord } from "../api/source.ts";

/** Folder of each kind of record, below `data/`. */
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

export const DATA = "data";
export const SNAPSHOTS = "snapshots";
export const DRILLS = "drills";

/** `data/workouts/2024-02-<SHA-256 of the file>.ndjson.zst` */
export const PIECE_FILE =
  /^data\/(user|preference|equipment|courses|training-plans|workouts)\/([0-9a-z][0-9a-z-]{0,40})-([0-9a-f]{64})\.ndjson\.zst$/;

/** `snapshots/2026-11-21T213000.000Z-<SHA-256 of the file>.json` */
export const SNAPSHOT_FILE = /^snapshots\/(\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z)-([0-9a-f]{64})\.json$/;

/** `drills/2026-11-21T213000.000Z-<SHA-256 of the file>.json` */
export const DRILL_FILE = /^drills\/(\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z)-([0-9a-f]{64})\.json$/;

/** `2026-11-21T21:30:00.000Z` as file systems everywhere take it. */
export function timeInName(time: string): string {
  return new Date(time).toISOString().replaceAll(":", "");
}

/** SHA-256 in hex, as `sha256sum` prints it. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const MARK = `${JSON.stringify({ format: "logferry-repository", version: 1 })}\n`;

const README = `This folder holds backups of a training log, made by logferry. Everything in it is in plain formats; logferry is not needed to read it.

snapshots/  one JSON file a backup. Its "pieces" name the files that the log consisted of at that time, and how many records each holds.
data/       the records: workouts by month, the rest by kind. A file is text packed with Zstandard, one JSON object a line:
            "value" is the record in the names of the log's interface, "sum" the first 8 digits of the SHA-256 of "value" as it is written.

Every name ends in the SHA-256 of its file. On Linux or macOS:

  sha256sum data/*/*.zst snapshots/*.json     prints what the names must end in
  zstdcat data/workouts/2024-02-*.zst         the workouts of February 2024, of every snapshot that differs
  sha256sum -c SHA256SUMS                     checks this file and repository.json

A file that no snapshot names is left over, and of no use. Files in tmp/ were never finished.
`;

const FIXED = { "README.txt": README, "repository.json": MARK } as const;

const SUMS = Object.entries(FIXED)
  .map(([name, text]) => `${sha256(text)}  ${name}\n`)
  .join("");

/** The files that say what a repository is, with what they hold; the one that makes it a repository comes last. */
export const MARKING_FILES: readonly (readonly [name: string, text: string])[] = [
  ["README.txt", README],
  ["SHA256SUMS", SUMS],
  ["repository.json", MARK],
];

/** Names that may stand at the top of a repository, before it is one too: it may have been killed while it was made. */
export const TOP_NAMES: ReadonlySet<string> = new Set([
  ...MARKING_FILES.map(([name]) => name),
  DATA,
  SNAPSHOTS,
  DRILLS,
  "tmp",
  "repository.lock",
  "repository.lock-journal",
  "repository.holder",
]);
