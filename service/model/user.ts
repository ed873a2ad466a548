/** The owner of a log and a training plan: what the interface only reads, so operators write it. */
import type { Preference } from "./preference.ts";

/** Private information of a user. `birthDate` is `YYYY-MM-DD`. */
export interface Person {
  readonly birthDate?: string;
  readonly email?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly gender?: string;
}

/** The profile, without the preference, which has a life of its own. */
export interface Profile {
  readonly screenName: string;
  readonly person?: Person;
}

/** The User of the document, as "Get user" returns it. */
export interface User extends Profile {
  readonly preference: Preference;
}

/** The TrainingPlan of the document. A plan is commercial, private or neither. */
export interface TrainingPlan {
  readonly id: string;
  readonly name: string;
  readonly beginDate?: string;
  readonly endDate?: string;
  readonly numWeeks?: number;
  readonly attributes?: { readonly commercial?: boolean; readonly private?: boolean };
}
