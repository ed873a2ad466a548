/** The owner of a log and the account. logferry reads and exports it, and it names the units that logferry writes in. */
import type { LocalDate } from "../calendar.ts";
import type { UnitOf } from "../units.ts";

/** The units and the offset that the log's owner chose. `utcOffset` is in hours, fixed, without daylight saving. */
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

/** A training plan. A commercial plan can never become public, and a private plan can. `attributes` are the log's flags that are set. */
export interface TrainingPlan {
  readonly id: string;
  readonly name?: string;
  readonly beginDate?: LocalDate;
  readonly endDate?: LocalDate;
  readonly numWeeks?: number;
  readonly attributes?: readonly string[];
  /** Flags that the log explicitly sets to false. */
  readonly falseAttributes?: readonly string[];
}
