/** A made-up user for trying things out. */
import type { Preference } from "./model/preference.ts";
import { LoginTaken, type Operator } from "./operator.ts";
import type { Service } from "./server.ts";

/** Options of the demo user's log. */
export interface DemoOptions {
  /** Default miles, pounds and Fahrenheit. `kilometres` means kilometres, kilograms and Celsius. */
  readonly units?: "miles" | "kilometres";
  /** Hours from UTC, fixed; default 0. */
  readonly utcOffset?: number;
  /** Names of the user's own activities. */
  readonly activities?: readonly string[];
  /** Default `demo`. */
  readonly screenName?: string;
  /** Lets the user sign in on the pages, with this password; default the user can't sign in. */
  readonly password?: string;
}

/** The demo user, ready to use. */
export interface DemoUser {
  readonly userId: string;
  /** The access token, in clear text. */
  readonly token: string;
  /** The login: the screen name, followed by a number when another user has that name; undefined without a password. */
  readonly login: string | undefined;
  /** `activityID` of each activity in the options, by name. */
  readonly activityIDs: Readonly<Record<string, number>>;
}

const UNITS: Record<NonNullable<DemoOptions["units"]>, Preference> = {
  miles: { distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
  kilometres: { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" },
};

/** Makes a user with a token. Each call makes another. */
export async function addDemoUser(service: Pick<Service, "operator">, options: DemoOptions = {}): Promise<DemoUser> {
  const { units = "miles", utcOffset = 0, activities = [], screenName = "demo", password } = options;
  const { operator } = service;
  const userId = await operator.addUser({
    screenName,
    person: { givenName: "Demo", familyName: "Runner", email: "demo@example.com" },
    preference: { utcOffset, ...UNITS[units] },
  });
  const added: [string, number][] = [];
  for (const name of activities) added.push([name, await operator.addActivity(userId, name)]);
  const login = password === undefined ? undefined : await addAccount(operator, userId, screenName, password);
  return { userId, token: await operator.addToken(userId), login, activityIDs: Object.fromEntries(added) };
}

async function addAccount(operator: Operator, userId: string, screenName: string, password: string): Promise<string> {
  for (let number = 1; ; number++) {
    const login = number === 1 ? screenName : `${screenName}${number}`;
    try {
      await operator.addAccount(userId, login, password);
      return login;
    } catch (error) {
      if (!(error instanceof LoginTaken)) throw error;
    }
  }
}
