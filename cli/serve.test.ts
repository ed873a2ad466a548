import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect } from "vitest";
import { FAULT_KINDS } from "../service/faults/kinds.ts";
import { readFault } from "../service/faults/spec.ts";
import { startService } from "../service/server.ts";
import { balance } from "../service/test/balancer.ts";
import { STORES } from "../service/test/stores.ts";
import { emptyHome, jsonLines, runCli, type StartOptions, startCli } from "../test/support/cli.ts";
import { type Ran, ROOT } from "../test/support/rehearsal.ts";
import { longDescribe, longTest, rowTest, test } from "../test/support/tier-tests.ts";
import { firstOf } from "../test/support/tiers.ts";

// `logferry serve` as whoever hosts a log runs it: a process that is spoken to over HTTP and ended by a signal.

interface Serving {
  readonly url: string;
  /** JSON lines printed until it listened and had made its demo user. */
  readonly lines: readonly Record<string, unknown>[];
  readonly token: string;
  /** Asks for a path with the demo user's token. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ran>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Ran>;
}

/** Starts `logferry serve --json --demo-user` on a free port. */
async function serving(home: string, words: readonly string[] = [], options: StartOptions = {}): Promise<Serving> {
  const { child, ended } = startCli(home, ["serve", "--port", "0", "--json", "--demo-user", ...words], options);
  let text = "";
  for (;;) {
    const chunk = await Promise.race([once(child.stdout as NodeJS.ReadableStream, "data"), ended]);
    if (!Array.isArray(chunk)) throw new Error(`serve ended with ${chunk.code}: ${chunk.out}${chunk.err}`);
    text += chunk[0];
    if (/"type":"demo-user".*\n$/.test(text)) break;
  }
  const lines = jsonLines(text);
  const { url } = lines[0] as { url: string };
  const { token } = lines.at(-1) as { token: string };
  return {
    url,
    lines,
    token,
    ask: (path, init) => fetch(`${url}${path}?access_token=${token}`, init),
    kill: (signal) => void child.kill(signal),
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
    ended,
  };
}

const WORKOUTS = "/rest/logs/me/workouts";
const SAVE = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ activityID: 10, date: "2024-05-05" }),
};

describe("stopping", () => {
  rowTest.each(firstOf(1, ["SIGTERM", "SIGINT"] as const))(
    "at %s the request that is in gets its answer, and is in the database",
    async (signal) => {
      using home = emptyHome();
      const database = ["--database", join(home.path, "log.db")];
      const slow = await serving(home.path, [...database, "--fault", `latency:POST ${WORKOUTS}:ms=400`]);
      const save = slow.ask(WORKOUTS, SAVE);
      for (let hits = 0; hits === 0; ) {
        const health = (await (await fetch(`${slow.url}/health`)).json()) as {
          misbehavesOnPurpose: { hits: number }[];
        };
        hits = health.misbehavesOnPurpose[0]?.hits ?? 0;
      }
      slow.kill(signal);
      expect((await save).status).toBe(200);
      const ended = await slow.ended;
      expect(ended).toMatchObject({ code: 0, err: "" });
      expect(jsonLines(ended.out).at(-1)).toEqual({ type: "fault", fault: `latency:POST ${WORKOUTS}:ms=400`, hits: 1 });

      const again = await serving(home.path, database);
      const stored = new DatabaseSync(join(home.path, "log.db"), { readOnly: true });
      expect(stored.prepare("SELECT date FROM workouts").all()).toEqual([{ date: "2024-05-05" }]);
      stored.close();
      expect(await again.stop()).toMatchObject({ code: 0, err: "" });
    },
  );
});

longDescribe("two services on one PostgreSQL, behind a balancer", () => {
  longTest(
    "start at once on an empty database, and are replaced one after the other without a lost request",
    async () => {
      using home = emptyHome();
      const database = await STORES.PostgreSQL();
      const start = () => serving(home.path, ["--drain", "1"], { env: { LOGFERRY_DATABASE: database } });
      const balancer = await balance();
      const [first, second] = await Promise.all([start(), start()]);
      for (const { url } of [first, second]) await balancer.add(url);
      const list = `${balancer.url}${WORKOUTS}?access_token=${first.token}`;
      const statuses: number[] = [];
      let isOver = false;
      const saving = Array.from({ length: 2 }, async () => {
        while (!isOver) statuses.push((await fetch(list, SAVE)).status);
      });
      await expectDrained(first);
      const third = await startService({ database });
      await balancer.add(third.url);
      await expectDrained(second);
      isOver = true;
      await Promise.all(saving);
      const { data } = (await (await fetch(list)).json()) as { data: { numEntries: number } };
      await balancer.close();
      await third.close();
      expect(statuses.length).toBeGreaterThan(10);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      expect(data.numEntries).toBe(statuses.length);
    },
  );

  /** Stops a service that requests are coming to. */
  async function expectDrained({ kill, url, ended }: Serving): Promise<void> {
    kill("SIGTERM");
    let health = "ok";
    while (health === "ok") health = ((await (await fetch(`${url}/health`)).json()) as { status: string }).status;
    expect(health).toBe("draining");
    expect(await ended).toMatchObject({ code: 0, err: "" });
  }
});

describe("the database", () => {
  longTest("of a newer logferry is refused in one line, and left as it is", async () => {
    using home = emptyHome();
    const path = join(home.path, "log.db");
    await (await serving(home.path, ["--database", path])).stop();
    const file = new DatabaseSync(path);
    file.exec("PRAGMA user_version = 999");
    file.close();
    const before = readFileSync(path);
    const ran = await runCli(home.path, ["serve", "--port", "0", "--database", path]);
    expect(ran).toMatchObject({ code: 2, out: "", err: `Cannot open ${path}: it was made by a newer logferry\n` });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("may be a PostgreSQL, named by the environment, whose password is shown nowhere", async () => {
    using home = emptyHome();
    const address = await STORES.PostgreSQL();
    const password = decodeURIComponent(new URL(address).password);
    expect(password).not.toBe("");
    const log = await serving(home.path, ["--log"], { env: { LOGFERRY_DATABASE: address } });
    expect((await log.ask(WORKOUTS, SAVE)).status).toBe(200);
    const ended = await log.stop();
    expect(ended.code).toBe(0);
    expect(ended.err).toContain('"level":30');
    expect(ended.out + ended.err).not.toContain(password);
    const { host, pathname } = new URL(address);
    expect(log.lines[0]).toMatchObject({ database: `postgres://${host}${pathname}`, isNew: false });
    const again = await serving(home.path, [], { env: { LOGFERRY_DATABASE: address } });
    expect(again.lines.at(-1)).toMatchObject({ login: "demo2" });
    await again.stop();
  });

  test("with a password is refused on a command line, which others can read; the password isn't repeated", async () => {
    using home = emptyHome();
    for (const address of [
      "postgres://log:hunter2@127.0.0.1/log",
      "postgresql:///log?host=127.0.0.1&password=hunter2",
    ]) {
      const ran = await runCli(home.path, ["serve", "--port", "0", "--database", address]);
      expect(ran).toMatchObject({ code: 2, out: "" });
      expect(ran.err).toMatch(/^Cannot use --database: it holds a password, .* Set LOGFERRY_DATABASE/);
      expect(ran.err).not.toContain("hunter2");
    }
  });

  test("that can't be reached, or is of another kind, is one line without its password", async () => {
    using home = emptyHome();
    for (const [address, said] of [
      ["postgres://log:hunter2@127.0.0.1:1/log", /^Cannot open postgres:\/\/127\.0\.0\.1:1\/log: [^\n]+\n$/],
      ["mysql://log:hunter2@127.0.0.1/log", /^Cannot open a database at mysql:\/\/: [^\n]+\n$/],
      ["postgres://log:hun/ter2@127.0.0.1/log", /^Cannot read the address of the database: [^\n]+\n$/],
      ["postgres://log:h@un/w#ter2@127.0.0.1/log", /^Cannot (?:read the address of|open) the database: [^\n]+\n$/],
      ["postgres://log:1?ter2@127.0.0.1/log", /^Cannot (?:read the address of|open) the database: [^\n]+\n$/],
      // A mistyped address is no new file with the password in its name.
      ['"postgres://log:hunter2@127.0.0.1/log"', /^Cannot (?:read the address of|open) the database: [^\n]+\n$/],
      [" postgres://log:hunter2@127.0.0.1/log", /^Cannot (?:read the address of|open) the database: [^\n]+\n$/],
      ["postgres//log:hunter2@127.0.0.1/log", /^Cannot (?:read the address of|open) the database: [^\n]+\n$/],
      ["log:hunter2@127.0.0.1/log", /^Cannot (?:read the address of|open) the database: [^\n]+\n$/],
      ["host=127.0.0.1 password=hunter2", /^Cannot (?:read the address of|open) the database: [^\n]+\n$/],
    ] as const) {
      const ran = await runCli(home.path, ["serve", "--port", "0"], { env: { LOGFERRY_DATABASE: address } });
      expect(ran).toMatchObject({ code: 2, out: "" });
      expect(ran.err).toMatch(said);
      expect(ran.err).not.toMatch(/hunter2|ter2/);
    }
  });
});

test("--trust-proxy takes addresses and ranges, and says so for anything else", async () => {
  using home = emptyHome();
  for (const value of ["balancer", "10.0.0.0/99", "10.0.0.1 10.0.0.2", "*", "true"]) {
    const ran = await runCli(home.path, ["serve", "--port", "0", "--trust-proxy", value]);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(/--trust-proxy.*expected IP addresses or ranges/);
  }
  const log = await serving(home.path, ["--trust-proxy", "10.0.0.1, 10.1.0.0/16,::1"]);
  expect((await log.stop()).code).toBe(0);
});

describe("faults", () => {
  test("are said when it starts, act, are counted in /health, and are summed up when it stops", async () => {
    using home = emptyHome();
    const faults = [`status-before-commit:POST ${WORKOUTS}:status=503,nth=2`, "reset-after-commit:nth=99"];
    const log = await serving(
      home.path,
      faults.flatMap((fault) => ["--fault", fault]),
    );
    expect(log.lines.slice(1, 3)).toEqual(faults.map((fault) => ({ type: "fault", fault, hits: 0 })));
    expect([(await log.ask(WORKOUTS, SAVE)).status, (await log.ask(WORKOUTS, SAVE)).status]).toEqual([200, 503]);
    expect(await (await fetch(`${log.url}/health`)).json()).toEqual({
      status: "ok",
      misbehavesOnPurpose: [
        { fault: faults[0], hits: 1 },
        { fault: faults[1], hits: 0 },
      ],
    });
    const { out } = await log.stop();
    expect(jsonLines(out).slice(-2)).toEqual([
      { type: "fault", fault: faults[0], hits: 1 },
      { type: "fault", fault: faults[1], hits: 0 },
    ]);
  });

  longTest("are said in capitals on standard error, even with --quiet", async () => {
    using home = emptyHome();
    const words = ["serve", "--port", "0", "--quiet", "--database", ":memory:", "--fault", "latency:rate=0.5"];
    const { child, ended } = startCli(home.path, [...words, "--fault-seed", "12"]);
    let said = "";
    for await (const chunk of child.stderr as NodeJS.ReadableStream) {
      said += chunk;
      if (said.includes("latency:rate=0.5\n")) break;
    }
    expect(said).toBe("THIS SERVICE MISBEHAVES ON PURPOSE. It is for rehearsals (seed 12):\n  latency:rate=0.5\n");
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });

  test("that can't be read are refused before anything is opened", async () => {
    using home = emptyHome();
    const ran = await runCli(home.path, ["serve", "--port", "0", "--fault", "latncy"]);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(/^Cannot arm the fault "latncy": there is no kind "latncy"; there are bad-id, /);
  });
});

describe("docs/faults.md", () => {
  const page = readFileSync(join(ROOT, "docs", "faults.md"), "utf8");
  const rehearsals = (page.split("## Rehearsals")[1] ?? "")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter(([, rows = ""]) => /^[\d, ]+$/.test(rows))
    .map(([, rows = "", , specs = ""]) => ({
      rows: rows.split(", ").map(Number),
      specs: [...specs.matchAll(/`([^`]+)`/g)].map(([, spec = ""]) => spec),
    }));

  test("arms every row of the fault matrix that a service's fault can set off", () => {
    const rows = rehearsals.flatMap((one) => one.rows);
    // Those of the matrix with "S" in the column "injected".
    const wanted = [
      [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38],
      [40, 41, 42, 43, 45, 47, 48, 49, 50],
    ].flat();
    expect(wanted.filter((row) => !rows.includes(row))).toEqual([]);
  });

  test("names specs that can be read, and uses every kind", () => {
    const kinds = rehearsals.flatMap(({ specs }) => specs.map((spec) => readFault(spec).kind.name));
    expect([...new Set(kinds)].toSorted()).toEqual(FAULT_KINDS.map(({ name }) => name));
  });
});
