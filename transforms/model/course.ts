import type { Measure } from "../units.ts";
import type { LostFile } from "./lost-file.ts";
import type { UnsupportedValue } from "./workout.ts";

/** A line on the map, in an entry of the archive. logferry writes it out as GPX when it loads the course. */
export interface CourseMapRef {
  readonly entry: string;
  readonly format: "gpx" | "kml" | "kmz" | "fit" | "tcx";
  /** The index of the line in the file, from 0. */
  readonly line: number;
  /** SHA-256 of the decoded file, in hex. */
  readonly sha256: string;
  /**
   * The connector that makes the line of its platform's own record. `line` is then the number of the record in the entry, and `format` and `sha256`
   * are those of the made file.
   */
  readonly made?: string;
}

/** A route that somebody uses again. */
export interface Course {
  readonly name: string;
  readonly notes?: string;
  readonly distance?: Measure<"distance">;
  /** The log's surface flags that are set: asphalt, and any others of the source. */
  readonly surfaces?: readonly string[];
  /** Surface flags that the log explicitly sets to false. */
  readonly falseSurfaces?: readonly string[];
  readonly map?: CourseMapRef;
  /** The file of the line, if it can't be used. */
  readonly lostFile?: LostFile;
  readonly unsupported?: readonly UnsupportedValue[];
}
