/**
 * The owner of a log and what goes with the account: read and exported, and the units everything is written in.
 */
import type { LocalDate } from "../calendar.ts";
import type { UnitOf } from "../units.ts";

/** The units and the offset a log owner chose. `utcOffset` is in hours, fixed, without daylight saving. */
export interface Preference {
  readonly utcOffset?: number;
  readonly distanceUnit: UnitOf<"distance">;
  readonly weightUnit: UnitOf<"weight">;
  readonly temperatureUnit: UnitOf<"temperature">;
}

export interface Person {
  readonly birthDate?: LocalDate;
  readonly email?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly gender?: string;
}

export interface User {
  readonly screenName?: string;
  readonly person?: Person;
  readonly preference?: Preference;
}

/** A commercial plan can never be made public; a private one can. `attributes` are the log's flags that are set. */
export interface TrainingPlan {
  readonly id: string;
  readonly name?: string;
  readonly beginDate?: LocalDate;
  readonly endDate?: LocalDate;
  readonly numWeeks?: number;
  readonly attributes?: readonly string[];
  /** Flags that are false and say so. */
  readonly falseAttributes?: readonly string[];
}
