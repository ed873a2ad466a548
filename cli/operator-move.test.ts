import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { addDemoUser } from "../service/demo.ts";
import { connectAsOperator } from "../service/operator-connection.ts";
import { startService } from "../service/server.ts";
import { codeOf, exchange, WEB } from "../service/test/authorization.ts";
import { send } from "../service/test/client.ts";
import { FILE_ID, fitFile, session } from "../service/test/fit.ts";
import { STORES } from "../service/test/stores.ts";
import { Visitor } from "../service/test/visitor.ts";
import { emptyHome, jsonLines, runCli } from "../test/support/cli.ts";
import { move } from "./actions/operator-move.ts";
import { UsageError } from "./errors/exit-codes.ts";

// `logferry operator move`: from one database to another.

const GPX = `<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1.001" lon="2"/></trkseg></trk></gpx>`;
const PASSWORD = "a password nobody guesses";

describe("move", () => {
  const odd = "NUL \0, half a pair \ud800, ' OR 1=1 --, 🏃";

  /** A log with something in every table, more workouts than are carried at once, and files. @returns a token of it */
  async function fill(database: string): Promise<string> {
    const service = await startService({ database });
    const { operator, url } = service;
    const { userId, token } = await addDemoUser(service, { password: PASSWORD, activities: ["climb"] });
    const application = await operator.addApplication({ name: "Routes", redirectURIs: [WEB] });
    await operator.addToken(userId, { application: application.clientId });
    await operator.addTrainingPlan(userId, { name: odd });
    const visitor = new Visitor(url);
    await visitor.signIn("demo", "a wrong password");
    await visitor.signIn("demo", PASSWORD);
    await exchange(url, application, { code: await codeOf({ application, visitor, userId, login: "demo" }) });
    const query = { access_token: token };
    const save = (path: string, body: object | Uint8Array) =>
      send(url, "POST", `/rest/logs/me/${path}`, { query, body });
    await save("equipment", { activityID: 10, modelName: odd });
    const course = (await save("courses", { name: "River", distance: { unit: "km", value: 4.1299999 } })).json.data.id;
    await send(url, "POST", `/rest/logs/me/courses/${course}/gpx`, { query, body: Buffer.from(GPX) });
    for (let number = 0; number < 101; number++)
      await save("workouts", { activityID: 10, date: "2024-02-29", notes: `${number} ${odd}` });
    const file = fitFile([FILE_ID, session("2024-03-01T08:00:00Z", 1, 1800, 5000)]);
    expect((await save("workouts/fit", file)).status).toBe(200);
    await service.close();
    return token;
  }

  const contents = (path: string) => {
    const file = new DatabaseSync(path, { readOnly: true });
    const names = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    const tables = names.map(
      ({ name }) => [name, file.prepare(`SELECT * FROM ${name} ORDER BY 1, 2, 3`).all()] as const,
    );
    file.close();
    return tables;
  };

  async function exported(database: string, token: string, out: string): Promise<string> {
    const service = await startService({ database });
    const env = { LOGFERRY_URL: service.url, LOGFERRY_TOKEN: token, LOGFERRY_RATE: "0" };
    using home = emptyHome();
    expect(await runCli(home.path, ["export", "--out", out, "--format", "ndjson"], { env })).toMatchObject({ code: 0 });
    expect((await new Visitor(service.url).signIn("demo", PASSWORD)).status).toBe(303);
    await service.close();
    // The first line holds the time of the export.
    return readFileSync(join(out, "log.ndjson"), "utf8").replace(/^.*\n/, "");
  }

  test("from a file to PostgreSQL and back: every table arrives whole, passwords and tokens work, and the export is the same", async () => {
    using home = emptyHome();
    const [old, back] = [join(home.path, "old.db"), join(home.path, "back.db")];
    const token = await fill(old);
    const before = contents(old);
    expect(before.filter(([, rows]) => rows.length === 0).map(([name]) => name)).toEqual([]);
    const postgres = await STORES.PostgreSQL();
    const moved = async (words: readonly string[], env: Record<string, string>) => {
      const ran = await runCli(home.path, ["operator", "move", "--json", ...words], { env });
      expect(ran).toMatchObject({ code: 0, err: "" });
      expect(ran.out).not.toContain(new URL(postgres).password);
      return jsonLines(ran.out).filter(({ type }) => type === "moved");
    };
    const there = await moved(["--from", `sqlite:${old}`], { LOGFERRY_TO: postgres });
    expect(there.map(({ table, rows }) => [table, rows]).toSorted()).toEqual(
      before.map(([name, rows]) => [name, rows.length]),
    );
    expect(await moved(["--to", back], { LOGFERRY_FROM: postgres })).toEqual(there);
    expect(contents(back)).toEqual(before);
    expect(await exported(postgres, token, join(home.path, "of-postgres"))).toBe(
      await exported(back, token, join(home.path, "of-back")),
    );
  });

  test("into a database that holds anything is refused, and so is a copy that comes out different: nothing is kept", async () => {
    using home = emptyHome();
    const [from, full, changing] = ["from.db", "full.db", "changing.db"].map((name) => join(home.path, name)) as [
      string,
      string,
      string,
    ];
    for (const [path, screenName] of [
      [from, "ann"],
      [full, "ben"],
      [changing, undefined],
    ] as const) {
      const { operator, close } = await connectAsOperator(path, true);
      if (screenName !== undefined) await operator.addUser({ screenName });
      await close();
    }
    const before = contents(full);
    const move = (to: string) => runCli(home.path, ["operator", "move", "--from", from, "--to", to]);
    expect(await move(full)).toMatchObject({
      code: 2,
      out: "",
      err: "Cannot move: the new database must be empty, and its table users is not\n",
    });
    expect(contents(full)).toEqual(before);
    const file = new DatabaseSync(changing);
    file.exec("CREATE TRIGGER bad AFTER INSERT ON users BEGIN UPDATE users SET profile = '{}'; END");
    file.close();
    expect((await move(changing)).err).toContain(
      "Nothing was moved: of 1 rows of users the new database has 1, or has",
    );
    expect(contents(changing).flatMap(([, rows]) => rows)).toEqual([]);
  });

  test("from nowhere, onto itself, or with a password on the command line is refused in one line", async () => {
    using home = emptyHome();
    const path = join(home.path, "log.db");
    for (const [from, to, said] of [
      [path, join(home.path, "new.db"), `There is no database ${path}. Name another with --from\n`],
      [path, `sqlite:${path}`, "Cannot move: --from and --to name the same database\n"],
      [
        path,
        "mysql://db/log",
        "--to: Cannot open a database at mysql://: it must be the path of a file or begin with postgres://\n",
      ],
    ] as const) {
      const ran = await runCli(home.path, ["operator", "move", "--from", from, "--to", to]);
      expect(ran).toMatchObject({ code: 2, out: "", err: said });
    }
    const ran = await runCli(home.path, ["operator", "move", "--from", path, "--to", "postgres://log:hunter2@db/log"]);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(/^Cannot use --to: it holds a password, .* Set LOGFERRY_TO/);
    expect(ran.err).not.toContain("hunter2");
    expect(readdirSync(home.path).filter((name) => name.endsWith(".db"))).toEqual([]);
  });
});

describe("a move that can't be done", () => {
  interface Told {
    readonly lines: readonly string[];
    readonly remarks: readonly string[];
  }

  /** Moves in this process. @returns what it printed, or the lines of its refusal */
  async function moving(from: string, to: string): Promise<Told> {
    const lines: string[] = [];
    const remarks: string[] = [];
    const print = (...more: readonly string[]) => void lines.push(...more);
    const output = { emit() {}, say: print, conclude: print, remark: (line: string) => void remarks.push(line) };
    try {
      await move({ options: { from, to }, output });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      lines.push(error.message, ...error.more);
    }
    return { lines, remarks };
  }

  const operate = async (address: string, statement: string): Promise<readonly unknown[]> => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    const { rows } = await client.query(statement);
    await client.end();
    return rows;
  };

  async function logOfAnn(database: string): Promise<void> {
    const { operator, close } = await connectAsOperator(database, true);
    await operator.addUser({ screenName: "ann" });
    await close();
  }

  /** Overwrites the page with the table of users. */
  function damage(path: string): void {
    const file = new DatabaseSync(path);
    const { rootpage } = file.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'users'").get() as {
      rootpage: number;
    };
    file.close();
    writeFileSync(path, readFileSync(path).fill(0xff, (rootpage - 1) * 4096, rootpage * 4096));
  }

  const nameOf = (address: string) => {
    const { host, pathname } = new URL(address);
    return `postgres://${host}${pathname}`;
  };

  test("from a database that is no training log: it is named, and nothing is written into it", async () => {
    using home = emptyHome();
    const [empty, text, to] = ["empty.db", "text.db", "to.db"].map((name) => join(home.path, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(empty, "");
    writeFileSync(text, "no database".repeat(1000));
    const postgres = await STORES.PostgreSQL();
    for (const [from, said] of [
      [empty, `Cannot open ${empty}: there is no training log in it`],
      [text, `Cannot move: ${text} is no database that can be used. Name another with --from`],
      [postgres, `Cannot open ${nameOf(postgres)}: there is no training log in it`],
    ] as const) {
      expect(await moving(from, to)).toEqual({ lines: [said], remarks: [] });
    }
    expect(readFileSync(empty)).toHaveLength(0);
    expect(await operate(postgres, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual(
      [],
    );
    expect(readdirSync(home.path).filter((name) => name.startsWith("to.db"))).toEqual([]);
    await expect(connectAsOperator(empty, false)).rejects.toThrow("there is no training log in it");
    expect(readFileSync(empty)).toHaveLength(0);
  });

  test("from a log of nobody: it is refused, and no new file is left", async () => {
    using home = emptyHome();
    const from = join(home.path, "from.db");
    await (await connectAsOperator(from, true)).close();
    const { lines } = await moving(from, join(home.path, "to.db"));
    expect(lines[0]).toBe("Cannot move: the old database is empty. Is it the right one?");
    expect(readdirSync(home.path).filter((name) => name.startsWith("to.db"))).toEqual([]);
  });

  test("a database that fails on the way is named with its option, and a new file is removed again", async () => {
    using home = emptyHome();
    const [from, torn, to] = ["from.db", "torn.db", "to.db"].map((name) => join(home.path, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [from, torn]) await logOfAnn(path);
    damage(torn);
    expect((await moving(torn, to)).lines).toEqual([
      `Cannot move: ${torn} is no database that can be used. Name another with --from`,
      `Nothing was moved, and ${to} was removed again.`,
    ]);
    expect(readdirSync(home.path).filter((name) => name.startsWith("to.db"))).toEqual([]);

    const full = await STORES.PostgreSQL();
    await (await connectAsOperator(full, true)).close();
    await operate(
      full,
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'no space left'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION full_disk()`,
    );
    expect((await moving(from, full)).lines).toEqual([
      `Cannot use the database ${nameOf(full)} (--to): no space left`,
      "Nothing was moved.",
    ]);
    expect((await moving(from, "ann:hunter2@db/log")).lines.join()).toMatch(
      /^Cannot open the database \(--to\): its address looks like that of a server/,
    );
  });

  test("others who are connected to an old PostgreSQL are told of, and the move is done", async () => {
    using home = emptyHome();
    const from = await STORES.PostgreSQL();
    await logOfAnn(from);
    const others = [1, 2].map(() => new pg.Client({ connectionString: from }));
    for (const other of others) await other.connect();
    const { lines, remarks } = await moving(from, join(home.path, "to.db"));
    for (const other of others) await other.end();
    expect(remarks).toEqual([
      "2 other connections are open to the old database: what a service saves from now on stays there.",
    ]);
    expect(lines.at(-1)).toMatch(/^1 rows are in /);
  });
});
