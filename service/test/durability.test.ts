/** What is acknowledged is there after the process was killed, and the file is only ever opened by what understands it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startService } from "../server.ts";
import { openSqlite } from "../store/sqlite.ts";
import { person, send } from "./client.ts";

let folder: string;
let database: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "log-"));
  database = join(folder, "log.db");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const WORKOUTS = "/rest/logs/me/workouts";

interface Child {
  readonly process: ChildProcess;
  readonly url: string;
  readonly token: string;
}

async function startChild(token?: string): Promise<Child> {
  const script = fileURLToPath(new URL("child.ts", import.meta.url));
  const args = [script, database, ...(token === undefined ? [] : [token])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  return { process: child, ...JSON.parse(String(line)) };
}

async function kill({ process: child }: Child): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

describe("kill -9", () => {
  test("every save that was acknowledged is there afterwards, once, as it was sent", async () => {
    const first = await startChild();
    const acknowledged = new Map<string, string>();
    let lost = 0;
    const saveAll = async (worker: number) => {
      for (let made = 0; made < 100; made++) {
        const notes = `${worker} ${made}`;
        const sending = {
          query: { access_token: first.token },
          body: { activityID: 10, date: "2024-01-01", notes },
        };
        const answer = await send(first.url, "POST", WORKOUTS, sending).catch(() => undefined);
        if (answer === undefined) return void lost++;
        acknowledged.set(answer.json.data.id, notes);
        if (acknowledged.size === 200) await kill(first);
      }
    };
    await Promise.all([0, 1, 2, 3].map(saveAll));
    expect(acknowledged.size).toBeGreaterThanOrEqual(200);
    expect(lost).toBeGreaterThan(0);

    const second = await startChild(first.token);
    try {
      const query = { access_token: first.token };
      for (const [id, notes] of acknowledged) {
        const got = await send(second.url, "GET", `${WORKOUTS}/${id}`, { query });
        expect(got.json.data.workout.notes).toBe(notes);
      }
      const { numEntries } = (await send(second.url, "GET", WORKOUTS, { query })).json.data;
      expect(numEntries).toBeGreaterThanOrEqual(acknowledged.size);
      expect(numEntries).toBeLessThanOrEqual(acknowledged.size + lost);
    } finally {
      await kill(second);
    }
  });
});

describe("the file", () => {
  test("what was saved is there after a close and a start", async () => {
    const first = await startService({ database });
    const ann = await person(first);
    const id = await ann.save(WORKOUTS, { activityID: 10, date: "2024-01-01" });
    await first.close();
    await first.close();
    const second = await startService({ database });
    const got = await send(second.url, "GET", `${WORKOUTS}/${id}`, { query: { access_token: ann.token } });
    expect(got.status).toBe(200);
    await second.close();
  });

  test("is readable by its owner alone, and a folder is made for it", async () => {
    const path = join(folder, "new", "log.db");
    await (await openSqlite(path)).close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "new"))).mode & 0o777).toBe(0o700);
  });

  test("holds no token in clear, nor does its write-ahead log", async () => {
    const service = await startService({ database });
    const { token } = await person(service);
    for (const name of await readdir(folder)) {
      expect([name, (await readFile(join(folder, name))).includes(token)]).toEqual([name, false]);
    }
    await service.close();
  });

  test("of a newer logferry is refused and left as it is", async () => {
    await (await openSqlite(database)).close();
    const file = new DatabaseSync(database);
    file.exec("PRAGMA user_version = 999");
    file.close();
    await expect(openSqlite(database)).rejects.toThrow("was made by a newer logferry");
  });

  test("of another program is refused and left as it is", async () => {
    const file = new DatabaseSync(database);
    file.exec("CREATE TABLE theirs (a TEXT)");
    file.close();
    await expect(openSqlite(database)).rejects.toThrow("not a training log of logferry");
    await writeFile(database, "no database at all, and long enough to be looked at as one".repeat(20));
    await expect(openSqlite(database)).rejects.toThrow();
  });

  test("a close lets the request that is in finish, and what it saved is there", async () => {
    let closed: Promise<void> | undefined;
    const log = {
      write(line: string) {
        if (line.includes('"method":"POST"')) closed = service.close();
      },
    };
    const service = await startService({ database, log });
    const { token, send: ask } = await person(service);
    const answer = await ask("POST", WORKOUTS, { body: { activityID: 10, date: "2024-01-01" } });
    expect(answer.status).toBe(200);
    await closed;
    const again = await startService({ database });
    const got = await send(again.url, "GET", `${WORKOUTS}/${answer.json.data.id}`, { query: { access_token: token } });
    expect(got.status).toBe(200);
    await again.close();
  });

  test("a port that is taken is an error, and the database is closed again", async () => {
    const first = await startService({ database });
    const port = Number(new URL(first.url).port);
    await expect(startService({ database, port })).rejects.toThrow("EADDRINUSE");
    await first.close();
  });
});
