import type { Measure } from "../units.ts";
import type { LostFile } from "./lost-file.ts";
import type { UnsupportedValue } from "./workout.ts";

/** A line on the map in an entry of the archive; written out as GPX when it is loaded. */
export interface CourseMapRef {
  readonly entry: string;
  readonly format: "gpx" | "kml" | "kmz" | "fit" | "tcx";
  /** Which line of the file, from 0. */
  readonly line: number;
  /** SHA-256 of the decoded file, in hex. */
  readonly sha256: string;
}

/** A route somebody runs again. */
export interface Course {
  readonly name: string;
  readonly notes?: string;
  readonly distance?: Measure<"distance">;
  /** The log's surface flags that are set: asphalt, and any other the source has. */
  readonly surfaces?: readonly string[];
  /** Surface flags that are false and say so. */
  readonly falseSurfaces?: readonly string[];
  readonly map?: CourseMapRef;
  /** The file of its line, where it can't be used. */
  readonly lostFile?: LostFile;
  readonly unsupported?: readonly UnsupportedValue[];
}
