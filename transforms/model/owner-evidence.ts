/**
 * What the files of an archive say of the person they are of. It goes into no log: it is compared with whose log it is, so that nobody's
 * runs end up in somebody else's.
 */
import type { Measure } from "../units.ts";

/** The sexes that device files and profiles know; others are not compared. */
export type Sex = "female" | "male";

/** A person, as one file tells of them. */
export interface PersonEvidence {
  /** The platform's own number or name for them. */
  readonly id?: string;
  readonly email?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly sex?: Sex;
  /** The year alone. */
  readonly born?: number;
  readonly weight?: Measure<"weight">;
  /** Beats a minute. */
  readonly maxHR?: number;
}

/** The device behind a recording. Its serial is the maker's, as text. */
export interface DeviceEvidence {
  readonly maker?: string;
  readonly product?: string;
  readonly serial: string;
}

/** What one file says of whose it is. */
export interface FileEvidence {
  /** The file's place in the archive, for a person to look it up. */
  readonly entry: string;
  /** When it was recorded, milliseconds since 1970 UTC, where it says so. */
  readonly instant?: number;
  readonly device?: DeviceEvidence;
  readonly person?: PersonEvidence;
}
