/**
 * Evidence in an archive's files about the person who owns them. It never goes into a log. logferry compares it with the log's owner, so
 * that no workouts end up in somebody else's log.
 */
import type { Measure } from "../units.ts";

/** The sexes that device files and profiles record. logferry doesn't compare any others. */
export type Sex = "female" | "male";

/** A person, as one file describes them. */
export interface PersonEvidence {
  /** The platform's own number or name for the person. */
  readonly id?: string;
  readonly email?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly sex?: Sex;
  /** The year of birth. */
  readonly born?: number;
  readonly weight?: Measure<"weight">;
  /** Beats a minute. */
  readonly maxHR?: number;
}

/** The device that made a recording. The serial is the maker's, as text. */
export interface DeviceEvidence {
  readonly maker?: string;
  readonly product?: string;
  readonly serial: string;
}

/** The evidence of one file about its owner. */
export interface FileEvidence {
  /** The file's place in the archive, for a person to look it up. */
  readonly entry: string;
  /** The time of the recording, milliseconds since 1970 UTC, if the file gives it. */
  readonly instant?: number;
  readonly device?: DeviceEvidence;
  readonly person?: PersonEvidence;
}
