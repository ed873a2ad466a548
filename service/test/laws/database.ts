/** The promises of `Database`, tested with each database. */
import { inspect } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreUnavailable } from "../../http/unavailable.ts";
import type { Database, Queries } from "../../store/database.ts";
import { LogStore } from "../../store/log-store.ts";
import { openDatabase } from "../../store/open.ts";
import { STEPS } from "../../store/schema.ts";
import { kept, sql } from "../../store/sql.ts";
import type { NewDatabase } from "../stores.ts";

const ADD_USER = "INSERT INTO users (id, profile, preference) VALUES (?, ?, ?)";
const COUNT_USERS = "SELECT COUNT(*) AS total FROM users WHERE preference = ?";

export function databaseLaws(newDatabase: NewDatabase): void {
  let database: Database;
  let used = 0;
  /** A text no other test has used, as a key. */
  const fresh = () => `k${++used}`;

  beforeAll(async () => {
    database = await openDatabase(await newDatabase());
  });
  afterAll(() => database.close());

  describe("values", () => {
    const keep = async (text: string) => {
      const id = fresh();
      await database.run(ADD_USER, id, text, "");
      return (await database.get("SELECT profile FROM users WHERE id = ?", id))?.profile;
    };

    test.each([
      "",
      "\0",
      "a\0b\0",
      "\u0001",
      "\u00010",
      "\u0001d800",
      "\ud800",
      "\udfff\ud800",
      "a\udc00b",
      "🏃\ud83c",
      "' OR 1=1 --",
      "%_\\",
      "?$1",
      "é, é, \u202e, \uffff",
    ])("the text %j comes back as it was", async (text) => {
      expect(await keep(text)).toBe(text);
    });

    test("any text comes back as it was, and is found by itself alone", async () => {
      const unit = fc.oneof(
        fc.integer({ min: 0, max: 0xffff }),
        fc.constantFrom(0, 1, 0x30, 0x64, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000),
      );
      const text = fc.array(unit).map((units) => String.fromCharCode(...units));
      await fc.assert(
        fc.asyncProperty(text, text, async (one, other) => {
          const group = fresh();
          for (const value of new Set([one, other])) await database.run(ADD_USER, fresh(), value, group);
          const sql = "SELECT profile FROM users WHERE preference = ? AND profile = ?";
          expect(await database.all(sql, group, one)).toEqual([{ profile: one }]);
        }),
        { numRuns: 100 },
      );
    });

    test("any finite number comes back as it was", async () => {
      const userId = fresh();
      await database.run(ADD_USER, userId, "", "");
      const insert =
        "INSERT INTO workouts (id, user_id, activity_id, date, time, duration, body) VALUES (?, ?, 10, '', '', ?, '')";
      const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
      const numbers = [0, 4.1299999, 2112.99, 2 ** 53 - 1, -1, 5e-324, 1.7976931348623157e308, 0.1 + 0.2];
      const check = async (value: number) => {
        const id = fresh();
        await database.run(insert, id, userId, value);
        expect(await database.get("SELECT duration FROM workouts WHERE id = ?", id)).toEqual({ duration: value });
      };
      for (const value of numbers) await check(value);
      await fc.assert(fc.asyncProperty(number, check), { numRuns: 100 });
    });

    test("a whole number can be compared with any other number", async () => {
      const sql = "SELECT COUNT(*) AS total FROM tokens WHERE granted_at < ?";
      for (const value of [10.5, -1, 1e300, 2 ** 63]) expect(await database.get(sql, value)).toEqual({ total: 0 });
    });

    test("bytes come back as they were, as plain Uint8Arrays", async () => {
      const userId = fresh();
      await database.run(ADD_USER, userId, "", "");
      const all = Uint8Array.from({ length: 256 }, (_, index) => index);
      for (const bytes of [
        new Uint8Array(),
        all,
        all.subarray(100, 200),
        Buffer.from("a Buffer"),
        new Uint8Array(1e6),
      ]) {
        const id = fresh();
        await database.run(
          "INSERT INTO uploads (id, user_id, format, packed) VALUES (?, ?, 'gpx', ?)",
          id,
          userId,
          bytes,
        );
        const { packed } = (await database.get("SELECT packed FROM uploads WHERE id = ?", id)) as {
          packed: Uint8Array;
        };
        expect(Object.getPrototypeOf(packed)).toBe(Uint8Array.prototype);
        expect(Buffer.compare(packed, bytes)).toBe(0);
      }
    });

    test("counts, sums and truth are numbers, and nothing is null", async () => {
      const group = fresh();
      await database.run(ADD_USER, fresh(), "a", group);
      await database.run(ADD_USER, fresh(), "b", group);
      const sql =
        "SELECT COUNT(*) AS n, SUM(LENGTH(profile)) AS s, 1 = 1 AS yes, NULL AS none FROM users WHERE preference = ?";
      expect(await database.get(sql, group)).toEqual({ n: 2, s: 2, yes: 1, none: null });
    });

    test("text is in the order of its code points, not of a language", async () => {
      const group = fresh();
      const ordered = ["", " ", "-", "Z", "_", "a", "a b", "ab", "ä", "Ā", "\ufb01", "🏃"];
      for (const text of ordered.toReversed()) await database.run(ADD_USER, fresh(), text, group);
      const rows = await database.all("SELECT profile FROM users WHERE preference = ? ORDER BY profile", group);
      expect(rows.map(({ profile }) => profile)).toEqual(ordered);
      const late = await database.all("SELECT profile FROM users WHERE preference = ? AND profile > 'Z'", group);
      expect(late).toHaveLength(8);
    });

    test("a question mark in a string, a name or a comment stands for nothing", async () => {
      const sql = `SELECT '?''?' AS text, ? AS value, '' AS "a?" -- ? and ?
        /* ? */ FROM users LIMIT 1`;
      await database.run(ADD_USER, fresh(), "", "");
      expect(await database.get(sql, "v")).toEqual({ text: "?'?", value: "v", "a?": "" });
    });
  });

  describe("queries", () => {
    test("`get` gives the first row or undefined, `all` every row, `run` how many rows changed", async () => {
      const group = fresh();
      for (const profile of ["b", "a", "c"]) expect(await database.run(ADD_USER, fresh(), profile, group)).toBe(1);
      const sql = "SELECT profile FROM users WHERE preference = ? ORDER BY profile";
      expect(await database.get(sql, group)).toEqual({ profile: "a" });
      expect(await database.all(sql, group)).toEqual([{ profile: "a" }, { profile: "b" }, { profile: "c" }]);
      expect(await database.get(sql, "nobody")).toBeUndefined();
      expect(await database.all(sql, "nobody")).toEqual([]);
      expect(await database.run("UPDATE users SET profile = 'd' WHERE preference = ? AND profile > 'a'", group)).toBe(
        2,
      );
      expect(await database.run("UPDATE users SET profile = 'd' WHERE preference = 'nobody'")).toBe(0);
    });

    test("more different statements than are kept ready work all the same", async () => {
      for (let number = 0; number < 250; number++) {
        expect(await database.get(`SELECT ${number} AS number, ? AS text`, "t")).toEqual({ number, text: "t" });
      }
    });

    test("a statement that can't be is a bug, names no value, and leaves the database as it was", async () => {
      const id = fresh();
      await database.run(ADD_USER, id, "canary one", "canary two");
      for (const [sql, ...values] of [
        [ADD_USER, id, "canary three", "canary four"],
        [
          "INSERT INTO tokens (hash, user_id, application, reads_profile) VALUES (?, ?, 'app', 1)",
          "canary five",
          "no user",
        ],
        ["INSERT INTO users (id, profile, preference) VALUES (?, ?, NULL)", fresh(), "canary six"],
        ["SELECT nonsense"],
      ] as const) {
        const error = await database.run(sql, ...values).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(error).toBeInstanceOf(Error);
        expect(error).not.toBeInstanceOf(StoreUnavailable);
        expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary");
      }
      expect(await database.get("SELECT profile FROM users WHERE id = ?", id)).toEqual({ profile: "canary one" });
    });
  });

  describe("a transaction", () => {
    test("gives what its body gives, and what it did is kept", async () => {
      const group = fresh();
      const given = await database.transaction(async (queries) => {
        await queries.run(ADD_USER, fresh(), "", group);
        await queries.run(ADD_USER, fresh(), "", group);
        return (await queries.get(COUNT_USERS, group))?.total;
      });
      expect(given).toBe(2);
      expect(await database.get(COUNT_USERS, group)).toEqual({ total: 2 });
    });

    test("is undone when its body throws, and the error comes through", async () => {
      const group = fresh();
      const body = database.transaction(async (queries) => {
        await queries.run(ADD_USER, fresh(), "", group);
        throw new RangeError("no");
      });
      await expect(body).rejects.toThrow(RangeError);
      expect(await database.get(COUNT_USERS, group)).toEqual({ total: 0 });
    });

    test("is undone when a query of it failed, also when the body caught that", async () => {
      const group = fresh();
      const id = fresh();
      const body = database.transaction(async (queries) => {
        await queries.run(ADD_USER, id, "", group);
        await queries.run(ADD_USER, id, "", group).catch(() => {});
        await queries.run(ADD_USER, fresh(), "", group).catch(() => {});
      });
      await expect(body).rejects.toThrow();
      expect(await database.get(COUNT_USERS, group)).toEqual({ total: 0 });
    });

    test("has no queries after its end", async () => {
      const group = fresh();
      const queries = await database.transaction(async (queries) => queries);
      await expect(queries.run(ADD_USER, fresh(), "", group)).rejects.toThrow("the transaction is over");
      expect(await database.get(COUNT_USERS, group)).toEqual({ total: 0 });
    });

    test("is seen by others whole or not at all", async () => {
      const group = fresh();
      const total = async () => (await database.get(COUNT_USERS, group))?.total;
      expect(await total()).toBe(0);
      // Nobody waits for these inside: a database with one connection answers them only after the transaction.
      const during: Promise<unknown>[] = [];
      await database.transaction(async (queries) => {
        await queries.run(ADD_USER, fresh(), "", group);
        during.push(total());
        await queries.run(ADD_USER, fresh(), "", group);
        during.push(total());
      });
      expect(await total()).toBe(2);
      for (const seen of await Promise.all(during)) expect([0, 2]).toContain(seen);
    });

    test("that changes a row waits for another that changes it, and goes on from there", async () => {
      const id = fresh();
      await database.run(ADD_USER, id, "0", "");
      const addOne = () =>
        database.transaction(async (queries) => {
          await queries.run("UPDATE users SET preference = 'busy' WHERE id = ?", id);
          const row = await queries.get("SELECT profile FROM users WHERE id = ?", id);
          await queries.run("UPDATE users SET profile = ? WHERE id = ?", String(Number(row?.profile) + 1), id);
        });
      await Promise.all(Array.from({ length: 40 }, addOne));
      expect(await database.get("SELECT profile FROM users WHERE id = ?", id)).toEqual({ profile: "40" });
    });

    test("many side by side, some of which fail, keep out of each other's way", async () => {
      const group = fresh();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, (_, index) =>
          database.transaction(async (queries) => {
            await queries.run(ADD_USER, fresh(), "", group);
            if (index % 3 === 0) throw new Error("no");
          }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(40);
      expect(await database.get(COUNT_USERS, group)).toEqual({ total: 40 });
    });
  });

  test("while one transaction has the database to itself, another's write waits for its end", async () => {
    const group = fresh();
    let write: Promise<number> | undefined;
    const seen = await database.exclusively(async (queries) => {
      write = database.run(ADD_USER, fresh(), "", group);
      await queries.run(ADD_USER, fresh(), "", group);
      return queries.get(COUNT_USERS, group);
    });
    expect(seen).toEqual({ total: 1 });
    expect(await write).toBe(1);
    expect(await database.get(COUNT_USERS, group)).toEqual({ total: 2 });
  });

  test("a close waits for the transaction that is open, and may come twice", async () => {
    const address = await newDatabase();
    const other = await openDatabase(address);
    const body = other.transaction(async (queries) => {
      await queries.run(ADD_USER, "a", "", "");
      return (await queries.get("SELECT COUNT(*) AS total FROM users"))?.total;
    });
    await other.close();
    await other.close();
    expect(await body).toBe(1);
  });
}

/** The promises of opening, for databases that outlive the process. */
export function openingLaws(newDatabase: NewDatabase): void {
  const first = STEPS.slice(0, 1);

  test("what was kept is there when it is opened again", async () => {
    const address = await newDatabase();
    const before = await openDatabase(address);
    await before.run(ADD_USER, "a", "kept", "");
    await before.close();
    const after = await openDatabase(address);
    expect(await after.all("SELECT profile FROM users")).toEqual([{ profile: "kept" }]);
    await after.close();
  });

  test("a snapshot shows one moment, whatever another process writes meanwhile", async () => {
    const address = await newDatabase();
    const [one, other] = [await openDatabase(address), await openDatabase(address)];
    const seen = await one.snapshot(async (queries) => {
      const before = await queries.get(COUNT_USERS, "");
      await other.run(ADD_USER, "a", "", "");
      return [before, await queries.get(COUNT_USERS, "")];
    });
    expect(seen).toEqual([{ total: 0 }, { total: 0 }]);
    expect(await one.get(COUNT_USERS, "")).toEqual({ total: 1 });
    for (const each of [one, other]) await each.close();
  });

  test("a page further on counts the listing of its own moment, whatever another process saves between two questions", async () => {
    const address = await newDatabase();
    const [one, other] = [await openDatabase(address), await openDatabase(address)];
    const others = new LogStore(other);
    const ann = await others.addUser({ screenName: "ann" }, {});
    let saved = 0;
    const save = () => others.addWorkout(ann, { activityID: 10, date: `${2023 - saved++}-01-01` });
    /** The same queries. After each question, the other process saves a workout of an earlier year. */
    const disturbed = ({ run, get, all }: Queries): Queries => ({
      run,
      get: async (...asked) => get(...asked).finally(save),
      all: async (...asked) => all(...asked).finally(save),
    });
    const never = () => Promise.reject(new Error("not to be asked"));
    const store = new LogStore({
      ...disturbed({ run: never, get: (...asked) => one.get(...asked), all: (...asked) => one.all(...asked) }),
      ...{ transaction: never, exclusively: never, close: never },
      snapshot: (body) => one.snapshot((queries) => body(disturbed(queries))),
    });
    for (let each = 0; each < 3; each++) await save();
    for (const filters of [[], [{ field: "date", operator: "le", value: "2023-12-31" }]] as const)
      for (const offset of [0, 1, 2, 50]) {
        const before = saved;
        const { entries, total } = await store.workouts(ann, { limit: 100, offset }, filters);
        expect([total, entries.length]).toEqual([before, Math.max(0, before - offset)]);
      }
    for (const each of [one, other]) await each.close();
  });

  test("a statement that is ready shows a column that another process adds", async () => {
    const address = await newDatabase();
    const [one, other] = [await openDatabase(address), await openDatabase(address)];
    await one.run(ADD_USER, "a", "kept", "");
    const user = { id: "a", profile: "kept", preference: "" };
    const asked = kept(sql`SELECT * FROM users WHERE id = ${"a"}`);
    for (let each = 0; each < 3; each++) expect(await one.get(asked)).toEqual(user);
    await other.run("ALTER TABLE users ADD COLUMN motto TEXT");
    for (let each = 0; each < 3; each++) expect(await one.get(asked)).toEqual({ ...user, motto: null });
    await one.close();
    await other.close();
  });

  test("a database of the first version is brought up to date, with what it holds", async () => {
    const address = await newDatabase();
    const old = await openDatabase(address, { steps: first });
    await old.run(ADD_USER, "a", "kept", "");
    await old.run("INSERT INTO tokens (hash, user_id, application, reads_profile) VALUES ('h', 'a', '', 1)");
    const workout =
      "INSERT INTO workouts (id, user_id, activity_id, date, time, body) VALUES (?, 'a', 10, ?, '', '{}')";
    for (const [id, date] of Object.entries({ x: "2024-01-31", y: "2024-01-01", z: "2023-12-31" })) {
      await old.run(workout, id, date);
    }
    await old.close();
    const now = await openDatabase(address);
    expect(await now.get("SELECT hash, granted_at, code_hash FROM tokens")).toEqual({
      hash: "h",
      granted_at: 0,
      code_hash: null,
    });
    expect(await now.all("SELECT * FROM sessions")).toEqual([]);
    const { total, entries } = await new LogStore(now).workouts("a", { limit: 2, offset: 1 }, []);
    expect([total, entries.map(({ id }) => id)]).toEqual([3, ["y", "z"]]);
    await now.close();
  });

  test("a database whose months are wrong by deletions of before is put right when it is opened", async () => {
    const address = await newDatabase();
    const old = await openDatabase(address, { steps: STEPS.slice(0, 5) });
    await old.run(ADD_USER, "a", "", "");
    const store = new LogStore(old);
    for (const date of ["2024-01-01", "2024-01-02", "2024-02-01"])
      await store.addWorkout("a", { activityID: 10, date });
    await old.run("DELETE FROM workouts WHERE date = '2024-01-02'");
    expect((await store.workouts("a", { limit: 9, offset: 0 }, [])).total).toBe(3);
    await old.close();
    const now = await openDatabase(address);
    expect((await new LogStore(now).workouts("a", { limit: 9, offset: 0 }, [])).total).toBe(2);
    await now.close();
  });

  test("one of a newer logferry is refused and left as it is", async () => {
    const address = await newDatabase();
    const steps = [...STEPS, "CREATE TABLE of_the_future (a TEXT)"];
    await (await openDatabase(address, { steps })).close();
    await expect(openDatabase(address)).rejects.toThrow("was made by a newer logferry");
    const newer = await openDatabase(address, { steps });
    expect(await newer.all("SELECT * FROM of_the_future")).toEqual([]);
    await newer.close();
  });

  test("a step that fails leaves the version before it, to be tried again", async () => {
    const address = await newDatabase();
    await (await openDatabase(address, { steps: first })).close();
    await expect(
      openDatabase(address, { steps: [...STEPS, "CREATE TABLE half (a TEXT); nonsense"] }),
    ).rejects.toThrow();
    const database = await openDatabase(address, { steps: first });
    await expect(database.all("SELECT * FROM half")).rejects.toThrow();
    await expect(database.all("SELECT * FROM sessions")).rejects.toThrow();
    await database.close();
    await (await openDatabase(address)).close();
  });

  test("several that open it at once all succeed", async () => {
    const address = await newDatabase();
    const databases = await Promise.all(Array.from({ length: 5 }, () => openDatabase(address)));
    await databases[0]?.run(ADD_USER, "a", "", "");
    for (const database of databases) {
      expect(await database.all("SELECT id FROM users")).toEqual([{ id: "a" }]);
      await database.close();
    }
  });
}
