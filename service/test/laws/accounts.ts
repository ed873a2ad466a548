/** The promises of `AccountStore`, tested with each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AccountStore } from "../../store/account-store.ts";
import type { CodeRecord } from "../../store/accounts.ts";
import type { Database } from "../../store/database.ts";
import { LogStore } from "../../store/log-store.ts";
import { openDatabase } from "../../store/open.ts";
import type { NewDatabase } from "../stores.ts";

const ODD = "NUL \0, half a pair \ud800, ' OR 1=1 --, 🏃";

export function accountLaws(newDatabase: NewDatabase): void {
  let database: Database;
  let accounts: AccountStore;
  let store: LogStore;
  /** New in every test. */
  let ann: string;
  let app: string;
  let made = 0;

  beforeAll(async () => {
    database = await openDatabase(await newDatabase());
    accounts = new AccountStore(database);
    store = new LogStore(database);
  });
  beforeEach(async () => {
    ann = await store.addUser({ screenName: "ann" }, {});
    app = await register();
  });
  afterAll(() => database.close());

  const register = async (name = "An application") => {
    const id = `app ${1000 + ++made}`;
    const redirectURIs = ["https://a.example/back"];
    await accounts.addApplication({ id, name, secretHash: "s", redirectURIs, isSuspended: false });
    return id;
  };
  const codeFor = async (more: Partial<CodeRecord> = {}): Promise<CodeRecord> => {
    const code = {
      hash: `code ${++made}`,
      applicationId: app,
      userId: ann,
      redirectURI: "https://a.example/back?x=1",
      readsProfile: true,
      challenge: undefined,
      expiresAt: 1_800_000_000_000,
      ...more,
    };
    await accounts.addCode(code);
    return code;
  };
  /** Brings the code with the application that it was given to. */
  const take = ({ hash, applicationId }: CodeRecord) => accounts.takeCode(hash, applicationId);
  const tokenFor = (code: CodeRecord) => ({
    hash: `token ${++made}`,
    userId: code.userId,
    application: code.applicationId,
    readsProfile: code.readsProfile,
  });
  /** A token that was given in the ordinary way. */
  const granted = async (more: Partial<CodeRecord> = {}, at = 1) => {
    const code = await codeFor(more);
    const token = tokenFor(code);
    await take(code);
    expect(await accounts.addTokenForCode(token, code.hash, at)).toBe(true);
    return { code, token };
  };

  test("everybody is listed in the order they were made, with the login of those who can sign in", async () => {
    const before = (await accounts.users()).length;
    const zoe = await store.addUser({ screenName: `zoe ${ODD}` }, {});
    const ben = await store.addUser({ screenName: "ben" }, {});
    const login = `ben${++made}`;
    await accounts.addAccount({ userId: ben, login, passwordHash: "h" });
    expect((await accounts.users()).slice(before)).toEqual([
      { userId: zoe, screenName: `zoe ${ODD}`, login: undefined },
      { userId: ben, screenName: "ben", login },
    ]);
  });

  describe("accounts", () => {
    test("an account is found by its login, exactly, and by its user", async () => {
      const login = `Ann ${++made} ${ODD}`;
      const account = { userId: ann, login, passwordHash: "$argon2id$..." };
      expect(await accounts.addAccount(account)).toBe(true);
      expect(await accounts.account(login)).toEqual(account);
      expect(await accounts.accountOf(ann)).toEqual(account);
      for (const other of [login.toLowerCase(), `${login} `, "", "%", "\0"]) {
        expect(await accounts.account(other)).toBeUndefined();
      }
      expect(await accounts.accountOf("nobody")).toBeUndefined();
    });

    test("a login is somebody's once, however many ask for it side by side", async () => {
      const login = `login ${++made}`;
      const users = await Promise.all(Array.from({ length: 10 }, () => store.addUser({ screenName: "" }, {})));
      const added = await Promise.all(
        users.map((userId) => accounts.addAccount({ userId, login, passwordHash: userId })),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
      expect((await accounts.account(login))?.userId).toBe(users[added.indexOf(true)]);
    });

    test("a password is replaced, that of nobody else", async () => {
      const bob = await store.addUser({ screenName: "bob" }, {});
      await accounts.addAccount({ userId: ann, login: ann, passwordHash: "hers" });
      await accounts.addAccount({ userId: bob, login: bob, passwordHash: "his" });
      await accounts.replacePassword(ann, "new");
      expect((await accounts.account(ann))?.passwordHash).toBe("new");
      expect((await accounts.account(bob))?.passwordHash).toBe("his");
    });
  });

  describe("applications", () => {
    test("an application comes back as it was registered", async () => {
      const application = {
        id: `${ODD} ${++made}`,
        name: ODD,
        secretHash: "s",
        redirectURIs: ["urn:ietf:wg:oauth:2.0:oob", "http://localhost", `https://a.example/${ODD}`],
        isSuspended: true,
      };
      await accounts.addApplication(application);
      expect(await accounts.application(application.id)).toEqual(application);
      expect(await accounts.application("nobody")).toBeUndefined();
    });

    test("a suspended application loses its codes and tokens, and keeps its registration; others keep theirs", async () => {
      const other = await register();
      const [code, unused, theirs] = [await codeFor(), await codeFor(), await codeFor({ applicationId: other })];
      for (const { hash, applicationId } of [code, theirs]) {
        await accounts.takeCode(hash, applicationId);
        const token = { hash: `token of ${hash}`, userId: ann, application: applicationId, readsProfile: false };
        expect(await accounts.addTokenForCode(token, hash, 1)).toBe(true);
      }
      expect(await accounts.suspendApplication(app, true)).toBe(true);
      expect((await accounts.application(app))?.isSuspended).toBe(true);
      expect((await accounts.application(other))?.isSuspended).toBe(false);
      expect((await accounts.grants(ann)).map(({ applicationId }) => applicationId)).toEqual([other]);
      expect((await take(unused))?.state).toBe("used");
      expect(await accounts.suspendApplication(app, false)).toBe(true);
      expect((await accounts.application(app))?.isSuspended).toBe(false);
      expect(await accounts.suspendApplication("nobody", true)).toBe(false);
    });

    test("are listed by name, and by key where names are equal", async () => {
      const ids = [await register("b"), await register("Z"), await register("a"), await register("b")];
      const listed = (await accounts.applications()).filter(({ id }) => ids.includes(id));
      expect(listed.map(({ id }) => ids.indexOf(id))).toEqual([2, 0, 3, 1]);
    });
  });

  describe("codes", () => {
    test("a code is fresh once, with all that was kept of it, and used from then on", async () => {
      const code = await codeFor({ challenge: "challenge", readsProfile: false, redirectURI: ODD });
      expect(await take(code)).toEqual({ state: "fresh", code });
      expect(await take(code)).toEqual({ state: "used", code });
      expect(await take(code)).toEqual({ state: "used", code });
      const plain = await codeFor();
      expect(await take(plain)).toEqual({ state: "fresh", code: plain });
      expect(await accounts.takeCode("never given", app)).toBeUndefined();
    });

    test("of 100 that come with a code side by side one finds it fresh", async () => {
      for (let round = 0; round < 5; round++) {
        const { hash } = await codeFor();
        const taken = await Promise.all(Array.from({ length: 100 }, () => accounts.takeCode(hash, app)));
        expect(taken.filter((found) => found?.state === "fresh")).toHaveLength(1);
        expect(taken.filter((found) => found?.state === "used")).toHaveLength(99);
      }
    });

    test("a token given for a code works until somebody comes with the code again", async () => {
      const { code, token } = await granted();
      const other = await granted();
      expect(await store.token(token.hash)).toEqual(token);
      await take(code);
      expect(await store.token(token.hash)).toBeUndefined();
      expect(await store.token(other.token.hash)).toEqual(other.token);
    });

    test("a used code in another application's hands is unknown: it revokes nothing, and a token on its way is kept", async () => {
      const other = await register();
      const { code, token } = await granted();
      expect(await accounts.takeCode(code.hash, other)).toBeUndefined();
      expect(await store.token(token.hash)).toEqual(token);
      const next = await codeFor();
      await take(next);
      expect(await accounts.takeCode(next.hash, other)).toBeUndefined();
      expect(await accounts.addTokenForCode(tokenFor(next), next.hash, 1)).toBe(true);
      await accounts.removeExpired(code.expiresAt);
      expect(await accounts.takeCode(code.hash, other)).toBeUndefined();
      expect(await store.token(token.hash)).toEqual(token);
    });

    test("a fresh code in another application's hands was stolen: it is used up for both", async () => {
      const other = await register();
      const code = await codeFor();
      expect(await accounts.takeCode(code.hash, other)).toEqual({ state: "fresh", code });
      expect(await accounts.takeCode(code.hash, other)).toBeUndefined();
      expect(await take(code)).toEqual({ state: "used", code });
    });

    test("a token that is added after the second use, or before the first, is not kept", async () => {
      const code = await codeFor();
      const token = tokenFor(code);
      expect(await accounts.addTokenForCode(token, code.hash, 1)).toBe(false);
      await take(code);
      await take(code);
      expect(await accounts.addTokenForCode(token, code.hash, 1)).toBe(false);
      expect(await accounts.addTokenForCode(token, "never given", 1)).toBe(false);
      expect(await store.token(token.hash)).toBeUndefined();
    });

    test("a token that is being added while the code comes again is gone afterwards", async () => {
      for (let round = 0; round < 30; round++) {
        const code = await codeFor();
        const token = tokenFor(code);
        await take(code);
        const steps = [() => accounts.addTokenForCode(token, code.hash, 1), () => take(code), () => take(code)];
        if (round % 2 === 1) steps.reverse();
        await Promise.all(steps.map((step) => step()));
        expect(await store.token(token.hash)).toBeUndefined();
      }
    });

    test("a code that is over and removed still revokes what was given for it when it comes again", async () => {
      const { code, token } = await granted({ expiresAt: 1000 });
      await accounts.removeExpired(1000);
      expect(await store.token(token.hash)).toEqual(token);
      expect(await take(code)).toBeUndefined();
      expect(await store.token(token.hash)).toBeUndefined();
    });
  });

  describe("grants", () => {
    test("are by name, one an application, as far as any token reaches, since the newest", async () => {
      const zoo = await register("Zoo");
      const bob = await store.addUser({ screenName: "bob" }, {});
      await granted({ readsProfile: false }, 1_700_000_000_001);
      await granted({ readsProfile: true }, 1_700_000_000_003);
      await granted({ readsProfile: false }, 1_700_000_000_002);
      await granted({ applicationId: zoo, readsProfile: false }, 5);
      await granted({ userId: bob });
      await store.addToken({ hash: `own ${made}`, userId: ann, application: "", readsProfile: true });
      await store.addToken({ hash: `key ${made}`, userId: ann, application: "Key", readsProfile: false });
      expect(await accounts.grants(ann)).toEqual([
        { applicationId: app, name: "An application", readsProfile: true, grantedAt: 1_700_000_000_003 },
        { applicationId: "Key", name: "Key", readsProfile: false, grantedAt: 0 },
        { applicationId: zoo, name: "Zoo", readsProfile: false, grantedAt: 5 },
      ]);
      expect(await accounts.grants("nobody")).toEqual([]);
    });

    test("revoking ends every token of the application for this user, and nothing else", async () => {
      const zoo = await register();
      const bob = await store.addUser({ screenName: "bob" }, {});
      const gone = [await granted(), await granted()];
      const kept = [await granted({ applicationId: zoo }), await granted({ userId: bob })];
      expect(await accounts.revoke(ann, app)).toBe(2);
      expect(await accounts.revoke(ann, app)).toBe(0);
      for (const { token } of gone) expect(await store.token(token.hash)).toBeUndefined();
      for (const { token } of kept) expect(await store.token(token.hash)).toEqual(token);
      expect((await accounts.grants(ann)).map(({ applicationId }) => applicationId)).toEqual([zoo]);
    });

    test("revoking ends codes too: neither a new one nor one that is being exchanged becomes a token", async () => {
      const waiting = await codeFor();
      const taken = await codeFor();
      await take(taken);
      await accounts.revoke(ann, app);
      expect((await take(waiting))?.state).toBe("used");
      expect(await accounts.addTokenForCode(tokenFor(taken), taken.hash, 1)).toBe(false);
      for (let round = 0; round < 20; round++) {
        const code = await codeFor();
        const token = tokenFor(code);
        await take(code);
        await Promise.all([accounts.addTokenForCode(token, code.hash, 1), accounts.revoke(ann, app)]);
        expect(await store.token(token.hash)).toBeUndefined();
      }
    });
  });

  describe("sessions", () => {
    const session = async (userId: string, expiresAt = 2000) => {
      const record = { hash: `session ${++made}`, userId, expiresAt };
      await accounts.addSession(record);
      return record;
    };

    test("a session is there until it is removed", async () => {
      const [one, other] = [await session(ann), await session(ann)];
      expect(await accounts.session(one.hash)).toEqual(one);
      await accounts.removeSession(one.hash);
      await accounts.removeSession("never given");
      expect(await accounts.session(one.hash)).toBeUndefined();
      expect(await accounts.session(other.hash)).toEqual(other);
    });

    test("a user's other sessions can be ended", async () => {
      const bob = await store.addUser({ screenName: "bob" }, {});
      const [here, there, his] = [await session(ann), await session(ann), await session(bob)];
      await accounts.removeOtherSessions(ann, here.hash);
      expect(await accounts.session(here.hash)).toEqual(here);
      expect(await accounts.session(there.hash)).toBeUndefined();
      expect(await accounts.session(his.hash)).toEqual(his);
    });

    test("what is over is removed, sessions and codes, and nothing a moment early", async () => {
      const [over, last] = [await session(ann, 999), await session(ann, 1000)];
      const [oldCode, newCode] = [await codeFor({ expiresAt: 999 }), await codeFor({ expiresAt: 1000 })];
      await accounts.removeExpired(999);
      expect(await accounts.session(over.hash)).toBeUndefined();
      expect(await accounts.session(last.hash)).toEqual(last);
      expect(await take(oldCode)).toBeUndefined();
      expect(await take(newCode)).toEqual({ state: "fresh", code: newCode });
    });
  });
}
