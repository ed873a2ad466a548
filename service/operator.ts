/**
 * The tasks of a log that the interface can't do: making users, granting tokens, adding activities and training plans, retiring
 * equipment. It is for tests, the demo and the command that serves. No route reaches it.
 */
import { hashOf, newToken, TOKEN_LENGTH } from "./http/ids.ts";
import { quoted } from "./http/refusals.ts";
import type { Preference } from "./model/preference.ts";
import { checkPreference } from "./model/preference.ts";
import type { Person } from "./model/user.ts";
import { problemWithRedirectURI } from "./oauth/redirect-uris.ts";
import type { PageStores } from "./pages/routes.ts";
import { hashOfPassword, loginOf, MAX_LOGIN_LENGTH, problemWith } from "./sign-in/passwords.ts";
import type { NewTrainingPlan } from "./store/store.ts";

/** A new user. */
export interface NewUser {
  readonly screenName: string;
  readonly person?: Person;
  /** Default: none set. */
  readonly preference?: Preference;
}

/** A new application. */
export interface NewApplication {
  /** The name that users see on the consent page. */
  readonly name: string;
  /** `https://...` addresses, `http://localhost` for that with any port, or `urn:ietf:wg:oauth:2.0:oob`. */
  readonly redirectURIs: readonly string[];
  /** The client key; default a new random one. */
  readonly id?: string;
}

/** The credentials of a registered application. The secret is in clear text only here. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The allowed form of an application's key: it is written in addresses and on command lines. */
const CLIENT_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Options of a new token. */
export interface Grant {
  /** The token itself; default a new random one. At most 32 characters. */
  readonly token?: string;
  /** The application's key, which decides whose commercial plans it sees; default none. */
  readonly application?: string;
  /** Whether the token can read private information, the user's profile; default true. */
  readonly readsProfile?: boolean;
}

/** Another user has this login already. */
export class LoginTaken extends RangeError {
  override readonly name = "LoginTaken";
}

function loginTaken(login: string): LoginTaken {
  return new LoginTaken(`Cannot add an account: somebody has the login ${login} already`);
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
  /**
   * Makes a user who can sign in. It checks the login and the password before it makes the user.
   * @throws as `addUser` and `addAccount`
   */
  addUserWithAccount(user: NewUser, login: string, password: string): Promise<{ readonly userId: string }>;
  /** Gives a user a new password, and signs every browser out. @throws RangeError for one that can't be a password */
  replacePassword(userId: string, password: string): Promise<void>;
  /**
   * Registers an application. "Registration process: not shown", so the operator does it.
   *
   * @throws RangeError for a name, key or address that can't be registered, or a key that is taken
   */
  addApplication(application: NewApplication): Promise<ClientCredentials>;
  /** Revokes the user's grants to an application. @returns how many tokens there were */
  revoke(userId: string, application: string): Promise<number>;
  /** Stops an application and revokes all grants to it. @throws RangeError when there is none */
  suspendApplication(id: string): Promise<void>;
  /** Lets a stopped application ask again. @throws RangeError when there is none */
  resumeApplication(id: string): Promise<void>;
  /** @returns the token, in clear text only here. @throws RangeError for one of more than 32 characters, or none */
  addToken(userId: string, grant?: Grant): Promise<string>;
  /** Adds one of the user's own activities. `types[0]` gets `workoutID` 1. @returns its activityID */
  addActivity(userId: string, name: string, types?: readonly string[]): Promise<number>;
  /** @returns the plan's id */
  addTrainingPlan(userId: string, plan: NewTrainingPlan): Promise<string>;
  /** Removes a piece from the everyday listing. @throws RangeError when the user has no such piece */
  retireEquipment(userId: string, equipmentId: string): Promise<void>;
}

/** The operator of the stores. */
export function operatorOf({ store, accounts }: PageStores): Operator {
  async function problemWithApplication(
    id: string,
    name: string,
    uris: readonly string[],
  ): Promise<string | undefined> {
    if (!CLIENT_ID.test(id)) return "a client key has 1 to 64 letters, digits, dots, - or _";
    if (name.trim() === "") return "it has no name";
    if (uris.length === 0) return "it has no address to send users back to";
    const problems = uris.map((uri) => [uri, problemWithRedirectURI(uri)] as const);
    const [uri, problem] = problems.find(([, problem]) => problem !== undefined) ?? [];
    if (uri !== undefined) return `the address ${quoted(uri)} ${problem}`;
    return (await accounts.application(id)) === undefined ? undefined : `somebody has the client key ${id} already`;
  }
  /** Looks up the login before hashing the password, which is slow on purpose. The store decides in the end. */
  async function freeLogin(text: string, password: string): Promise<string> {
    const login = loginOf(text);
    if (login === "" || login.length > MAX_LOGIN_LENGTH) {
      throw new RangeError(`Cannot add an account: a login has 1 to ${MAX_LOGIN_LENGTH} characters`);
    }
    const problem = problemWith(password);
    if (problem !== undefined) throw new RangeError(`Cannot add an account: ${problem}`);
    if ((await accounts.account(login)) !== undefined) throw loginTaken(login);
    return login;
  }
  async function setSuspended(id: string, isSuspended: boolean): Promise<void> {
    if (await accounts.suspendApplication(id, isSuspended)) return;
    throw new RangeError(`Cannot ${isSuspended ? "suspend" : "resume"} the application: there is no ${quoted(id)}`);
  }
  return {
    async addUser({ screenName, person, preference = {} }) {
      const refusal = checkPreference(preference);
      if (refusal !== undefined) throw refusal;
      return store.addUser({ screenName, ...(person !== undefined && { person }) }, preference);
    },
    async addAccount(userId, text, password) {
      const login = await freeLogin(text, password);
      if (await accounts.addAccount({ userId, login, passwordHash: await hashOfPassword(password) })) return;
      throw loginTaken(login);
    },
    async addUserWithAccount(user, text, password) {
      await freeLogin(text, password);
      const userId = await this.addUser(user);
      await this.addAccount(userId, text, password);
      return { userId };
    },
    async replacePassword(userId, password) {
      const problem = problemWith(password);
      if (problem !== undefined) throw new RangeError(`Cannot replace the password: ${problem}`);
      await accounts.replacePassword(userId, await hashOfPassword(password));
      await accounts.removeOtherSessions(userId, "");
    },
    async addApplication({ name, redirectURIs, id = newToken() }) {
      const problem = await problemWithApplication(id, name, redirectURIs);
      if (problem !== undefined) throw new RangeError(`Cannot register the application: ${problem}`);
      const clientSecret = newToken();
      await accounts.addApplication({ id, name, redirectURIs, secretHash: hashOf(clientSecret), isSuspended: false });
      return { clientId: id, clientSecret };
    },
    revoke: (userId, application) => accounts.revoke(userId, application),
    suspendApplication: (id) => setSuspended(id, true),
    resumeApplication: (id) => setSuspended(id, false),
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
