/** Behaviour that matters to the host of a service: its health, and how it stops. */
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import { appOver } from "../app.ts";
import { StoreUnavailable } from "../http/unavailable.ts";
import { startService } from "../server.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { LogStore } from "../store/log-store.ts";
import { person, send } from "./client.ts";

const WORKOUTS = "/rest/logs/me/workouts";
const RUN = { activityID: 10, date: "2024-05-05" };

test("health is 200 and ok, without a token, and tells a proxy to keep nothing", async () => {
  const log = await startService({ database: ":memory:" });
  const answer = await send(log.url, "GET", "/health");
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({ status: "ok" });
  expect(answer.headers["cache-control"]).toMatch(/no-store/);
  await log.close();
});

test("health is 503 when the store can't be asked, and says nothing of why", async () => {
  const lines: string[] = [];
  const token = async () => {
    throw new StoreUnavailable("Cannot use the database: postgres://log:hunter2@db.internal/log is away");
  };
  const app = appOver(
    { store: { token } as unknown as LogStore, accounts: {} as AccountStore },
    { log: { write: (line) => void lines.push(line) } },
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const answer = await send(`http://127.0.0.1:${port}`, "GET", "/health");
  expect(answer.status).toBe(503);
  expect(answer.text).toBe('{"status":"unavailable"}');
  expect(lines.join("")).toContain("StoreUnavailable");
  await app.close();
});

test("health is 503 within five seconds when the store hangs", async () => {
  const token = () => new Promise<never>(() => {});
  const app = appOver({ store: { token } as unknown as LogStore, accounts: {} as AccountStore });
  await app.ready();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const answer = app.inject("/health");
    answer.catch(() => {});
    for (let passed = 0; passed < 50; passed++) {
      await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(100);
    }
    const { statusCode, body } = await answer;
    expect([statusCode, body]).toEqual([503, '{"status":"unavailable"}']);
  } finally {
    vi.useRealTimers();
    await app.close();
  }
});

/** A service whose saves wait for the test. */
async function slowService() {
  let arrived = () => {};
  let wake = () => {};
  const waiting = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const sleep = () => {
    arrived();
    return new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  const log = await startService({ database: ":memory:", faults: { armed: [`latency:POST ${WORKOUTS}`], sleep } });
  return { log, waiting, wake: () => wake() };
}

test("a close waits for the request that is in, whose sender gets its answer; nobody else is let in", async () => {
  const { log, waiting, wake } = await slowService();
  const ann = await person(log);
  const save = ann.send("POST", WORKOUTS, { body: RUN });
  await waiting;
  let isClosed = false;
  const closed = log.close().then(() => {
    isClosed = true;
  });
  await expect(ann.send("GET", WORKOUTS)).rejects.toThrow();
  expect(isClosed).toBe(false);
  wake();
  expect((await save).status).toBe(200);
  await closed;
});

test("a close ends when its time is over, though a request still is in", async () => {
  const { log, waiting } = await slowService();
  const ann = await person(log);
  const save = ann.send("POST", WORKOUTS, { body: RUN });
  const lost = expect(save).rejects.toThrow();
  await waiting;
  await log.close(0);
  await lost;
});
