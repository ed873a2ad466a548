/** A made-up user to try things with. */
import type { Preference } from "./model/preference.ts";
import type { Service } from "./server.ts";

/** What the demo user's log is like. */
export interface DemoOptions {
  /** Default miles, pounds and Fahrenheit; `kilometres` is kilometres, kilograms and Celsius. */
  readonly units?: "miles" | "kilometres";
  /** Hours from UTC, fixed; default 0. */
  readonly utcOffset?: number;
  /** Names of activities of the user's own. */
  readonly activities?: readonly string[];
  /** Default `demo`. */
  readonly screenName?: string;
}

/** The demo user, ready to be logged in as. */
export interface DemoUser {
  readonly userId: string;
  /** The access token, in clear. */
  readonly token: string;
  /** `activityID` by name of the activities asked for. */
  readonly activityIDs: Readonly<Record<string, number>>;
}

const UNITS: Record<NonNullable<DemoOptions["units"]>, Preference> = {
  miles: { distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
  kilometres: { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" },
};

/** Makes a user with a token. Each call makes another. */
export async function addDemoUser(service: Pick<Service, "operator">, options: DemoOptions = {}): Promise<DemoUser> {
  const { units = "miles", utcOffset = 0, activities = [], screenName = "demo" } = options;
  const { operator } = service;
  const userId = await operator.addUser({
    screenName,
    person: { givenName: "Demo", familyName: "Runner", email: "demo@example.com" },
    preference: { utcOffset, ...UNITS[units] },
  });
  const activityIDs: Record<string, number> = {};
  for (const name of activities) activityIDs[name] = await operator.addActivity(userId, name);
  return { userId, token: await operator.addToken(userId), activityIDs };
}
