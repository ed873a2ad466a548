/** What a store takes and gives besides records: files, and slices of listings. */

/** A file as it came: which format, and its bytes packed with gzip. */
export interface PackedFile {
  readonly format: "fit" | "gpx" | "tcx";
  readonly packed: Uint8Array;
}

/** The file a workout was imported from, and which of its recordings the workout is (from 0). */
export interface Track extends PackedFile {
  readonly recording: number;
}

/** Which part of a listing: `limit` entries from the 0-based `offset` on. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** Entries of one slice, and how many there are in all. */
export interface Found<T> {
  readonly entries: readonly T[];
  readonly total: number;
}
