/** Every acknowledged save is there after the process was killed, in every store. Also the mode and settings of an SQLite file. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inputs } from "../../test/support/tiers.ts";
import { StoreUnavailable } from "../http/unavailable.ts";
import { startService } from "../server.ts";
import { openSqlite } from "../store/sqlite.ts";
import { person, send } from "./client.ts";
import { LASTING_STORES, STORES } from "./stores.ts";

let folder: string;
let database: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "log-"));
  database = join(folder, "log.db");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const WORKOUTS = "/rest/logs/me/workouts";

/** So many saves are acknowledged when the service is killed. */
const SAVES = inputs({ first: 36, long: 450 });

interface Child {
  readonly process: ChildProcess;
  readonly url: string;
  readonly token: string;
}

async function startChild(database: string, token?: string): Promise<Child> {
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

describe.each(inputs({ first: 1, long: 2 }) === 1 ? LASTING_STORES.slice(0, 1) : LASTING_STORES)(
  "kill -9 of a service on %s",
  (store) => {
    test("during many saves loses no acknowledged one, and each is there once, as it was sent", async () => {
      const database = await STORES[store]();
      const first = await startChild(database);
      const acknowledged = new Map<string, string>();
      const unanswered: string[] = [];
      let sent = 0;
      const saveOn = async () => {
        // Until one is unanswered: with a number of saves, a fast service may have answered the last one before it is killed.
        while (unanswered.length === 0) {
          const notes = `save ${++sent}`;
          const body = { activityID: 10, date: "2024-01-01", notes };
          const answer = await send(first.url, "POST", WORKOUTS, { query: { access_token: first.token }, body }).catch(
            () => undefined,
          );
          if (answer === undefined) unanswered.push(notes);
          else acknowledged.set(answer.json.data.id, notes);
          // Nine more saves are on their way. Some of them are in the database and not yet answered.
          if (acknowledged.size === SAVES) first.process.kill("SIGKILL");
        }
      };
      const gone = once(first.process, "exit");
      await Promise.all(Array.from({ length: 10 }, saveOn));
      await gone;
      expect(acknowledged.size).toBeGreaterThanOrEqual(SAVES);

      const second = await startChild(database, first.token);
      try {
        const found = new Map<string, string>();
        for (let offset = 0; ; offset += 100) {
          const query = { access_token: first.token, limit: 100, offset };
          const { entries, numEntries } = (await send(second.url, "GET", WORKOUTS, { query })).json.data;
          for (const { id } of entries) {
            const got = await send(second.url, "GET", `${WORKOUTS}/${id}`, { query: { access_token: first.token } });
            found.set(id, got.json.data.workout.notes);
          }
          if (offset + 100 >= numEntries) break;
        }
        for (const [id, notes] of acknowledged) expect([id, found.get(id)]).toEqual([id, notes]);
        const others = [...found].filter(([id]) => !acknowledged.has(id)).map(([, notes]) => notes);
        expect(unanswered).toEqual(expect.arrayContaining(others));
        expect(new Set(others).size).toBe(others.length);
      } finally {
        await kill(second);
      }
    });
  },
);

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

  test("a copy by VACUUM INTO, taken while the service saves, is a whole log of its own", async () => {
    const service = await startService({ database });
    const { save, token } = await person(service);
    const first = await save(WORKOUTS, { activityID: 10, date: "2024-01-01" });
    const saving = Array.from({ length: 20 }, () => save(WORKOUTS, { activityID: 10, date: "2024-01-02" }));
    const copy = join(folder, "copy.db");
    const file = new DatabaseSync(database);
    file.exec(`VACUUM INTO '${copy}'`);
    file.close();
    await Promise.all(saving);
    await service.close();
    const restored = await startService({ database: copy });
    const { numEntries, entries } = (
      await send(restored.url, "GET", WORKOUTS, { query: { access_token: token, limit: 100 } })
    ).json.data;
    expect(entries.map(({ id }: { id: string }) => id)).toContain(first);
    expect(entries).toHaveLength(numEntries);
    await restored.close();
  });

  test("a disk that is full, and a file that another program holds, are problems for now, and nothing of the save is kept", async () => {
    const file = await openSqlite(database);
    const addUser = "INSERT INTO users (id, profile, preference) VALUES (?, ?, '')";
    const add = (id: string) =>
      file.transaction(async (queries) => {
        await queries.run(addUser, id, "");
        await queries.run(addUser, `${id} large`, "x".repeat(1_000_000));
      });
    const pages = (await file.get("PRAGMA page_count"))?.page_count;
    await file.get(`PRAGMA max_page_count = ${pages}`);
    await expect(add("a")).rejects.toThrow(StoreUnavailable);
    await file.get("PRAGMA max_page_count = 1000000");

    await file.get("PRAGMA busy_timeout = 0");
    const other = new DatabaseSync(database);
    other.exec("BEGIN IMMEDIATE");
    await expect(add("b")).rejects.toThrow(StoreUnavailable);
    await expect(file.run(addUser, "c", "")).rejects.toThrow(StoreUnavailable);
    other.exec("ROLLBACK");
    other.close();

    await add("d");
    expect(await file.all("SELECT id FROM users ORDER BY id")).toEqual([{ id: "d" }, { id: "d large" }]);
    await file.close();
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
