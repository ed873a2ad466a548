/** Types of a store besides records: files, and slices of listings. */

/** A file as it came: its format, and its bytes packed with gzip. */
export interface PackedFile {
  readonly format: "fit" | "gpx" | "tcx";
  readonly packed: Uint8Array;
}

/** The file a workout was imported from, and the number of the workout's recording in it (from 0). */
export interface Track extends PackedFile {
  readonly recording: number;
}

/** A part of a listing: `limit` entries from the 0-based `offset` on. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** Entries of one slice, and how many there are in all. */
export interface Found<T> {
  readonly entries: readonly T[];
  readonly total: number;
}
