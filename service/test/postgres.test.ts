/** The failures of a remote database. The service refuses it in a clear sentence, or survives the failure, and never names a password. */
import { existsSync } from "node:fs";
import { inspect } from "node:util";
import pg from "pg";
import { afterEach, describe, expect } from "vitest";
import { longTest, test } from "../../test/support/tier-tests.ts";
import { OutcomeUnknown, StoreUnavailable } from "../http/unavailable.ts";
import { type Service, startService } from "../server.ts";
import type { Database } from "../store/database.ts";
import { LogStore } from "../store/log-store.ts";
import { nameOfDatabase, openDatabase } from "../store/open.ts";
import { kept, sql } from "../store/sql.ts";
import type { WorkoutFilter } from "../store/store.ts";
import { person, send } from "./client.ts";
import { type Wire, wireTo } from "./cut-off.ts";
import { STORES } from "./stores.ts";
import { poolTransactions } from "./transaction-pooler.ts";
import { Visitor } from "./visitor.ts";
import { startWantingPassword } from "./wants-password.ts";

const newDatabase = STORES.PostgreSQL;
const WORKOUTS = "/rest/logs/me/workouts";
const RUN = { activityID: 10, date: "2024-01-01" };
const ADD_USER = "INSERT INTO users (id, profile, preference) VALUES (?, '', '')";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function opened(address: string): Promise<Database> {
  const database = await openDatabase(address);
  closing.push(() => database.close());
  return database;
}

async function wired(address: string): Promise<Wire> {
  const wire = await wireTo(address);
  closing.push(wire.close);
  return wire;
}

/** Runs statements as an operator of the database would. */
async function operate(address: string, ...statements: string[]): Promise<pg.QueryResult | undefined> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  let result: pg.QueryResult | undefined;
  for (const statement of statements) result = await client.query(statement);
  await client.end();
  return result;
}

async function errorOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error("nothing was thrown"),
    (error: Error) => error,
  );
}

describe("the address", () => {
  test("without a password that the server wants is refused at once, and says where to put it", async () => {
    const server = await startWantingPassword();
    closing.push(server.close);
    const { message } = await errorOf(openDatabase(server.address));
    expect(message).toContain("it wants a password, and there is none. Put it into the address");
    await expect.poll(server.open).toBe(0);
  });

  test("is shown without user, password and options", () => {
    for (const [address, name] of [
      ["postgres://ann:s3cret@db.example:6543/log?application_name=me", "postgres://db.example:6543/log"],
      ["postgresql://ann:s%40cret%2F@db.example/log", "postgres://db.example:5432/log"],
      ["POSTGRES://db.example/log?password=s3cret@x&user=ann", "postgres://db.example:5432/log"],
      ["/var/lib/logferry/log.db", "/var/lib/logferry/log.db"],
      [":memory:", ":memory:"],
    ] as const) {
      expect(nameOfDatabase(address)).toBe(name);
    }
  });

  test.each([
    "postgres://ann:s3/cret@db.example/log",
    "postgres://ann:7/s3cret@db.example/log",
    "postgres://ann:s3cret@:x/",
  ])("that can't be read is refused without being repeated: %s", async (address) => {
    for (const error of [
      await errorOf(openDatabase(address)),
      await errorOf((async () => nameOfDatabase(address))()),
    ]) {
      expect(error.message).toMatch(/^Cannot read the address of the database: it must be postgres:/);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/s3|cret|ann:/);
    }
  });

  test.each([
    ['"postgres://ann:s3cret@db.example:5432/log"', "a quote or a blank"],
    ["'postgres://ann:s3cret@db.example/log'", "a quote or a blank"],
    [" postgres://ann:s3cret@db.example/log", "a quote or a blank"],
    ["postgres://ann:s3cret@db.example/log\n", "a quote or a blank"],
    ["postgres//ann:s3cret@db.example/log", "like that of a server"],
    ["postgres:/ann:s3cret@db.example/log", "like that of a server"],
    ["//ann:s3cret@db.example/log", "like that of a server"],
    ["://ann:s3cret@db.example/log", "like that of a server"],
    ["ann:s3cret@db.example/log", "like that of a server"],
    ["ann:s3/cret@db.example/log", "like that of a server"],
    ["host=db.example dbname=log user=ann password=s3cret", "like that of a server"],
    ["/run/db password = s3cret", "like that of a server"],
    ["sqlite:postgres://ann:s3cret@db.example/log", "like that of a server"],
    ["postgres://ann:p@s3cret/w#rd@db.example/log", "has a #"],
    ["postgres://ann:p@s3cret/cret@db.example/log", "has a second @"],
    ["postgres://ann:5432/s3?cret@db.example/log", "has a ? without KEY=VALUE"],
    ["postgres://ann:s3%zz@db.example/log", "has a % without two digits"],
    ["postgres://s3cret/log", "has no user"],
  ])("with a mistake is refused without being repeated, and no file is made of it: %s", async (address, said) => {
    for (const error of [
      await errorOf(openDatabase(address)),
      await errorOf((async () => nameOfDatabase(address))()),
    ]) {
      expect(error.message).toMatch(/^Cannot (?:open|read the address of) the database: /);
      expect(error.message).toContain(said);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/s3|cret|ann:|db\.example/);
    }
    expect(existsSync(address.split("/")[0] || address)).toBe(false);
  });

  test("of a file may hold an @ where nobody can mistake it, and an odd name behind sqlite:", () => {
    for (const [address, name] of [
      ["/home/ann@example.org/log.db", "/home/ann@example.org/log.db"],
      ["./postgres@home.db", "./postgres@home.db"],
      ["C:\\Users\\ann@example.org\\log.db", "C:\\Users\\ann@example.org\\log.db"],
      ["sqlite:ann@home.db", "ann@home.db"],
      ["sqlite:postgres.db", "postgres.db"],
      ["logs/log of ann.db", "logs/log of ann.db"],
    ] as const) {
      expect(nameOfDatabase(address)).toBe(name);
    }
  });

  test.each(["mysql://ann:s3cret@db.example/log", "http://ann:s3cret@x", "sqlite:///log.db"])(
    "of another kind of database is refused, and no file is made of it: %s",
    async (address) => {
      const error = await errorOf(openDatabase(address));
      expect(error.message).toMatch(/must be the path of a file or begin with postgres:\/\/$/);
      expect(inspect(error)).not.toContain("s3cret");
    },
  );

  test("a password that is wrong, a database that isn't there, nobody who listens: refused by name, without the password", async () => {
    const address = await newDatabase();
    const { password } = new URL(address);
    const wire = await wired(address);
    wire.cut();
    for (const [tried, reason] of [
      [address.replace(password, "s3cret"), "password authentication failed"],
      [`${address}_none`, 'database "log_\\d+_none" does not exist'],
      ["postgres://ann:s3cret@127.0.0.1:1/log", "ECONNREFUSED"],
      ["postgres://ann:s3cret@localhost:1/log", "ECONNREFUSED"],
      [wire.address, "Connection terminated|ECONNRESET"],
    ] as const) {
      const error = await errorOf(openDatabase(tried));
      expect(error.message).toMatch(new RegExp(`^Cannot open postgres://[a-z0-9.]+:\\d+/\\w+: .*(?:${reason})`));
      const all = inspect(error, { depth: 9, showHidden: true });
      for (const secret of ["s3cret", password]) expect(all).not.toContain(secret);
    }
  });
});

describe("a database", () => {
  test("of another program is refused and left as it is", async () => {
    const address = await newDatabase();
    await operate(address, "CREATE TABLE theirs (a TEXT)");
    await expect(openDatabase(address)).rejects.toThrow("it is a database, but not a training log of logferry");
    const tables = await operate(address, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace");
    expect(tables?.rows).toEqual([{ relname: "theirs" }]);
  });

  longTest("may have other programs in other schemas of it", async () => {
    const address = await newDatabase();
    await operate(address, "CREATE SCHEMA other", "CREATE TABLE other.theirs (a TEXT)");
    expect(await (await opened(address)).all("SELECT * FROM users")).toEqual([]);
  });

  longTest("keeps a log in the schema that the address names, beside another program's tables", async () => {
    const address = await newDatabase();
    await operate(address, "CREATE TABLE theirs (a TEXT)", "CREATE SCHEMA training_log");
    const database = await opened(`${address}?options=-c%20search_path%3Dtraining_log`);
    await database.run(ADD_USER, "a");
    const found = await operate(address, "SELECT id FROM training_log.users");
    expect(found?.rows).toEqual([{ id: "a" }]);
  });

  longTest("in an encoding that can't hold every text is refused", async () => {
    const address = await newDatabase();
    const name = new URL(address).pathname.slice(1);
    await operate(
      address,
      `CREATE DATABASE ${name}_latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`,
    );
    await expect(openDatabase(`${address}_latin`)).rejects.toThrow("its encoding is LATIN1, and a log needs UTF8");
  });

  longTest("whose role may not make tables is refused, in PostgreSQL's words", async () => {
    const address = await newDatabase();
    const url = new URL(address);
    const role = url.pathname.slice(1);
    await operate(address, `CREATE ROLE ${role}_guest LOGIN PASSWORD 's3cret'`);
    url.username = `${role}_guest`;
    url.password = "s3cret";
    const error = await errorOf(openDatabase(url.href));
    expect(error.message).toContain("permission denied for schema public");
    expect(inspect(error)).not.toContain("s3cret");
  });

  longTest("that was told not to wait for its disk is told to wait", async () => {
    const address = await newDatabase();
    const name = new URL(address).pathname.slice(1);
    await operate(address, `ALTER DATABASE ${name} SET synchronous_commit = off`);
    const database = await opened(address);
    await database.run(
      "INSERT INTO users (id, profile, preference) VALUES ('a', current_setting('synchronous_commit'), '')",
    );
    expect(await database.get("SELECT profile FROM users")).toEqual({ profile: "on" });
  });
});

describe("problems while it runs", () => {
  test("what PostgreSQL refuses for now is not a bug", async () => {
    const database = await opened(await newDatabase());
    for (const code of [
      "08006", // a failed connection
      "25006", // only to be read just now
      "28000", // a role that may no longer come in
      "40001", // a conflict
      "40P01", // a deadlock
      "53100", // a full disk
      "53200", // no memory
      "53300", // too many connections
      "55P03", // a lock that isn't given in time
      "57014", // a statement that takes too long
      "57P01", // a shutdown
      "57P03", // a start that isn't over
      "58030", // an unreadable disk
    ]) {
      const raise = `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}', MESSAGE = 'told so'; END $$`;
      const inside = async () =>
        database.transaction(async (queries) => {
          await queries.run(ADD_USER, "a");
          await queries.run(raise);
        });
      for (const error of [await errorOf(database.run(raise)), await errorOf(inside())]) {
        expect([code, error.name, error.message]).toEqual([
          code,
          "StoreUnavailable",
          "Cannot use the database: told so",
        ]);
      }
    }
    expect(await database.all("SELECT * FROM users")).toEqual([]);
  });

  test("connections that the server ends are replaced", async () => {
    const address = await newDatabase();
    const database = await opened(address);
    await Promise.all(Array.from({ length: 5 }, (_, index) => database.run(ADD_USER, `${index}`)));
    await operate(
      address,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    // The first tries may fail or not. That depends on whether the ends of the connections have arrived by now. The test checks the error
    // of a failed try.
    for (let tries = 0; tries < 20; tries++) {
      const found = await database.all("SELECT id FROM users").catch((error: unknown) => error);
      if (Array.isArray(found)) return expect(found).toHaveLength(5);
      expect(found).toBeInstanceOf(StoreUnavailable);
    }
    expect.unreachable("no statement got through");
  });

  test("a transaction whose connection goes before the commit did not act, and the next one does", async () => {
    const wire = await wired(await newDatabase());
    const database = await opened(wire.address);
    const body = database.transaction(async (queries) => {
      await queries.run(ADD_USER, "a");
      wire.cut();
      await queries.run(ADD_USER, "b");
    });
    expect(await errorOf(body)).toBeInstanceOf(StoreUnavailable);
    expect(await errorOf(database.run(ADD_USER, "c"))).toBeInstanceOf(StoreUnavailable);
    wire.mend();
    await database.transaction((queries) => queries.run(ADD_USER, "d"));
    expect(await database.all("SELECT id FROM users")).toEqual([{ id: "d" }]);
  });

  test("a commit whose answer is lost may have acted, and is told apart", async () => {
    const wire = await wired(await newDatabase());
    const database = await opened(wire.address);
    const sprung = wire.cutAnswerTo("COMMIT");
    expect(await errorOf(database.transaction((queries) => queries.run(ADD_USER, "a")))).toBeInstanceOf(OutcomeUnknown);
    await sprung;
    expect(await database.all("SELECT id FROM users")).toEqual([{ id: "a" }]);
    const again = wire.cutAnswerTo("COMMIT");
    expect(await errorOf(database.run(ADD_USER, "b"))).toBeInstanceOf(OutcomeUnknown);
    await again;
    expect(await database.all("SELECT id FROM users ORDER BY id")).toEqual([{ id: "a" }, { id: "b" }]);
    const before = wire.cutAnswerTo("'d'");
    const write = database.run("INSERT INTO users (id, profile, preference) VALUES ('d', '', '')");
    expect(await errorOf(write)).toBeInstanceOf(StoreUnavailable);
    await before;
    expect(await database.all("SELECT id FROM users ORDER BY id")).toEqual([{ id: "a" }, { id: "b" }]);
    const reading = wire.cutAnswerTo("'c'");
    expect(await errorOf(database.all("SELECT 'c'"))).toBeInstanceOf(StoreUnavailable);
    await reading;
  });

  test("a service says 500 and why to a save whose confirmation was lost, 503 while the database is away, and goes on", async () => {
    const address = await newDatabase();
    const { password } = new URL(address);
    const wire = await wired(address);
    const lines: string[] = [];
    const service = await startService({ database: wire.address, log: { write: (line) => lines.push(line) } });
    closing.push(() => service.close());
    const { send, token } = await person(service);

    const cutOff = wire.cutAnswerTo("COMMIT");
    const lost = await send("POST", WORKOUTS, { body: RUN });
    await cutOff;
    expect([lost.status, lost.json]).toEqual([
      500,
      {
        code: 12,
        message: "The database was lost while it wrote: this may be saved or not, so look before you resend",
      },
    ]);
    expect((await send("GET", WORKOUTS)).json.data.numEntries).toBe(1);

    wire.cut();
    for (const answer of [await send("GET", WORKOUTS), await send("POST", WORKOUTS, { body: RUN })]) {
      expect([answer.status, answer.json]).toEqual([
        503,
        { code: 13, message: "The log can't be written or read just now" },
      ]);
    }
    wire.mend();
    expect((await send("POST", WORKOUTS, { body: RUN })).status).toBe(200);
    expect((await send("GET", WORKOUTS)).json.data.numEntries).toBe(2);

    expect(lines.join("")).toContain("Cannot reach the database");
    for (const secret of [password, token]) expect(lines.join("")).not.toContain(secret);
  });
});

describe("a read that is kept ready", () => {
  const read = kept(sql`SELECT id FROM users WHERE id = ${"a"}`);
  const KEPT = "SELECT statement FROM pg_prepared_statements";

  test("is kept ready on a connection straight to the server, and survives that somebody takes it off", async () => {
    const database = await opened(await newDatabase());
    await database.run(ADD_USER, "a");
    for (let each = 0; each < 2; each++) expect(await database.get(read)).toEqual({ id: "a" });
    expect(await database.all(KEPT)).toEqual([{ statement: "SELECT id FROM users WHERE id = $1" }]);
    await database.run("DEALLOCATE ALL");
    for (let each = 0; each < 2; each++) expect(await database.get(read)).toEqual({ id: "a" });
  });

  test("is a page of all workouts or of one activity's, and no page whose filters may have any combination", async () => {
    const database = await opened(await newDatabase());
    const store = new LogStore(database);
    await database.run(ADD_USER, "a");
    await store.addWorkout("a", RUN);
    const slice = { limit: 100, offset: 0 };
    const running = { field: "activityID", operator: "eq", value: 10 } as const;
    const keptAfter = async (...filters: WorkoutFilter[]) => {
      for (let each = 0; each < 9; each++) expect((await store.workouts("a", slice, filters)).total).toBe(1);
      return (await database.all(KEPT)).length;
    };
    expect(await keptAfter()).toBe(1);
    expect(await keptAfter(running)).toBe(2);
    expect(await keptAfter({ field: "date", operator: "ge", value: "2024-01-01" })).toBe(2);
    expect(await keptAfter(running, { field: "activityID", operator: "le", value: 10 })).toBe(2);
  });

  test("is never kept behind a pooler that gives every transaction another connection", async () => {
    const pooler = await poolTransactions(await newDatabase());
    closing.push(pooler.close);
    const database = await opened(pooler.address);
    await database.run(ADD_USER, "a");
    for (let each = 0; each < 9; each++) expect(await database.get(read)).toEqual({ id: "a" });
    expect(await pooler.leftovers()).toEqual([]);
  });
});

describe("behind a pooler that gives every transaction another connection", () => {
  longTest(
    "three services that start at once make one log, which each can write and read, and leave nothing on a connection",
    async () => {
      const pooler = await poolTransactions(await newDatabase());
      closing.push(pooler.close);
      const services = await Promise.all(Array.from({ length: 3 }, () => startService({ database: pooler.address })));
      closing.push(() => Promise.all(services.map((one) => one.close())));
      const [first, ...others] = services as [Service, ...Service[]];
      const { token } = await person(first, { screenName: "ann", password: "a password nobody guesses" });
      const query = { access_token: token };
      const saves = services.flatMap(({ url }) =>
        Array.from({ length: 12 }, () => send(url, "POST", WORKOUTS, { query, body: RUN })),
      );
      for (const answer of await Promise.all(saves)) expect(answer.status).toBe(200);
      const { url } = others[0] as Service;
      expect((await send(url, "GET", WORKOUTS, { query })).json.data.numEntries).toBe(36);
      expect((await new Visitor(url).signIn("ann", "a password nobody guesses")).status).toBe(303);
      expect(await pooler.leftovers()).toEqual([]);
    },
  );

  test("a transaction has its time limits, and the next one on the same connection has its own", async () => {
    const pooler = await poolTransactions(await newDatabase());
    closing.push(pooler.close);
    const database = await opened(pooler.address);
    const limits = "SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement";
    for (let each = 0; each < 5; each++)
      expect(await database.transaction((queries) => queries.get(limits))).toEqual({ lock: "5s", statement: "30s" });
    expect(await database.get(limits)).toEqual({ lock: "0", statement: "0" });
  });
});
