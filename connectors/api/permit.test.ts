import { expect, test } from "vitest";
import { calm, errorOf, TOKEN } from "../../test/support/api.ts";
import { startServer } from "../../test/support/http-server.ts";
import { FatalError, RetryableError } from "../errors.ts";
import { saveNewWorkout } from "./client.ts";
import { openConnection } from "./connection.ts";
import { poolFetcher, TIMEOUTS } from "./exchange.ts";
import { type Permit, permitted } from "./permit.ts";

const WORKOUT = { activityID: 10, date: "2024-03-01" };
const SAVED = { json: { code: 0, data: { id: "new1" } } };

/** Saves a workout over a real socket with a permit. @returns what came of it, and how many requests the server got */
async function saveWith(permit: Permit, signal = calm()) {
  const server = await startServer(() => SAVED);
  const fetcher = permitted(poolFetcher(server.url, 1, TIMEOUTS), permit);
  const connection = openConnection({ baseUrl: server.url, token: TOKEN, rate: undefined, fetcher });
  const saved = saveNewWorkout(connection, WORKOUT, signal);
  try {
    const result = await saved.catch((error: unknown) => error);
    return { result, requests: server.requests.length };
  } finally {
    await connection.close();
    await server.close();
  }
}

test("a request leaves once, when it may", async () => {
  const asked: string[] = [];
  const permit = { check: async () => void asked.push("check"), isConfirmed: true };
  expect(await saveWith(permit)).toEqual({ result: "new1", requests: 1 });
  expect(asked).toEqual(["check"]);
});

test("without a permit nothing leaves, and the reason is thrown through", async () => {
  const lost = new FatalError("journal/claim-lost", "journal", "another worker has it");
  const permit = {
    check: async () => {
      throw lost;
    },
    isConfirmed: false,
  };
  expect(await saveWith(permit)).toEqual({ result: lost, requests: 0 });
});

test("a permit that is over when the connection is made holds the request back, until it is confirmed again", async () => {
  let checks = 0;
  // As if the process had been stopped while the connection was made, twice.
  const permit = {
    check: async () => void checks++,
    get isConfirmed() {
      return checks > 2;
    },
  };
  expect(await saveWith(permit)).toEqual({ result: "new1", requests: 1 });
  expect(checks).toBe(3);
});

test("a stop ends the wait for a permit, and says that nothing was sent", async () => {
  const stop = new AbortController();
  const permit: Permit = {
    check: (signal) => {
      stop.abort(new Error("stop"));
      return Promise.reject(signal.reason);
    },
    isConfirmed: false,
  };
  const { result, requests } = await saveWith(permit, stop.signal);
  expect(await errorOf(Promise.reject(result))).toMatchObject({ code: "api/stopped" });
  expect(result).toBeInstanceOf(RetryableError);
  expect(requests).toBe(0);
});
