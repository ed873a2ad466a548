/**
 * What the interface can't do and a log still needs done: making users, granting tokens, adding activities and training
 * plans, retiring equipment. For tests, the demo and the command that serves; no route reaches it.
 */
import { hashOf, newToken, TOKEN_LENGTH } from "./ids.ts";
import type { Preference } from "./model/preference.ts";
import { checkPreference } from "./model/preference.ts";
import type { Person } from "./model/user.ts";
import type { PageStores } from "./pages/routes.ts";
import { hashOfPassword, loginOf, MAX_LOGIN_LENGTH, troubleWith } from "./sign-in/passwords.ts";
import type { NewTrainingPlan } from "./store/store.ts";

/** A user to be. */
export interface NewUser {
  readonly screenName: string;
  readonly person?: Person;
  /** Default: none set. */
  readonly preference?: Preference;
}

/** How a token is granted. */
export interface Grant {
  /** The token itself; default a new random one. At most 32 characters. */
  readonly token?: string;
  /** The application's key, which decides whose commercial plans it sees; default none. */
  readonly application?: string;
  /** Whether it reaches private information, the user's profile; default true. */
  readonly readsProfile?: boolean;
}

/** Somebody has this login already. */
export class LoginTaken extends RangeError {
  override readonly name = "LoginTaken";
}

/** The operator of the stores. */
export interface Operator {
  /** @returns the user's id. @throws Refusal for a preference that couldn't be saved */
  addUser(user: NewUser): Promise<string>;
  /**
   * Lets a user sign in on the pages, with a login (letter case doesn't count) and a password of at least 10 characters.
   *
   * @throws LoginTaken, or RangeError for a login or password that can't be one
   */
  addAccount(userId: string, login: string, password: string): Promise<void>;
  /** @returns the token, in clear for this once. @throws RangeError for one of more than 32 characters, or none */
  addToken(userId: string, grant?: Grant): Promise<string>;
  /** Adds an activity of the user's own; `types[0]` gets `workoutID` 1. @returns its activityID */
  addActivity(userId: string, name: string, types?: readonly string[]): Promise<number>;
  /** @returns the plan's id */
  addTrainingPlan(userId: string, plan: NewTrainingPlan): Promise<string>;
  /** Takes a piece out of the everyday listing. @throws RangeError when the user has no such piece */
  retireEquipment(userId: string, equipmentId: string): Promise<void>;
}

/** The operator of the stores. */
export function operatorOf({ store, accounts }: PageStores): Operator {
  return {
    async addUser({ screenName, person, preference = {} }) {
      const refusal = checkPreference(preference);
      if (refusal !== undefined) throw refusal;
      return store.addUser({ screenName, ...(person !== undefined && { person }) }, preference);
    },
    async addAccount(userId, text, password) {
      const login = loginOf(text);
      if (login === "" || login.length > MAX_LOGIN_LENGTH) {
        throw new RangeError(`Cannot add an account: a login has 1 to ${MAX_LOGIN_LENGTH} characters`);
      }
      const trouble = troubleWith(password);
      if (trouble !== undefined) throw new RangeError(`Cannot add an account: ${trouble}`);
      if (await accounts.addAccount({ userId, login, passwordHash: await hashOfPassword(password) })) return;
      throw new LoginTaken(`Cannot add an account: somebody has the login ${login} already`);
    },
    async addToken(userId, { token = newToken(), application = "", readsProfile = true } = {}) {
      if (token.length === 0 || token.length > TOKEN_LENGTH) {
        throw new RangeError(
          `Cannot add a token: it must have 1 to ${TOKEN_LENGTH} characters, this has ${token.length}`,
        );
      }
      await store.addToken({ hash: hashOf(token), userId, application, readsProfile });
      return token;
    },
    addActivity: (userId, name, types = []) => store.addActivity(userId, name, types),
    addTrainingPlan: (userId, plan) => store.addTrainingPlan(userId, plan),
    async retireEquipment(userId, equipmentId) {
      if (await store.retireEquipment(userId, equipmentId)) return;
      throw new RangeError(`Cannot retire equipment ${equipmentId}: this user has no such piece`);
    },
  };
}
