import { expect } from "vitest";
import type { Clock } from "../../connectors/api/clock.ts";
import { type Connection, type ConnectionOptions, openConnection } from "../../connectors/api/connection.ts";
import { openPacing } from "../../connectors/api/pacing.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { type ScriptedServer, startServer } from "./http-server.ts";

/** Looks like a token, and can be searched for: no other text contains it. */
export const TOKEN = "c4naryT0ken/+=c4naryT0ken";

/** A clock that moves only when somebody sleeps on it. It remembers how long they slept. */
export interface FakeClock extends Clock {
  readonly slept: readonly number[];
}

/** @param random what `random` gives */
export function fakeClock(random = 1): FakeClock {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    date: () => now,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
    random: () => random,
  };
}

/** A connection to a scripted server, with its reports. */
export interface Rig {
  readonly server: ScriptedServer;
  readonly connection: Connection;
  readonly clock: FakeClock;
  readonly issues: readonly Issue[];
}

/** Runs a test with a server that follows a script and a connection to it. Closes both. */
export async function withServer(
  script: Parameters<typeof startServer>[0],
  test: (rig: Rig) => Promise<void>,
  options: Partial<ConnectionOptions> = {},
): Promise<void> {
  const server = await startServer(script);
  const clock = fakeClock();
  const issues: Issue[] = [];
  const connection = openConnection({
    baseUrl: server.url,
    token: TOKEN,
    clock,
    pacing: openPacing({ rate: undefined, inFlight: 4, clock }),
    report: (issue) => issues.push(issue),
    ...options,
  });
  try {
    await test({ server, connection, clock, issues });
  } finally {
    await connection.close();
    await server.close();
  }
}

/** The error a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<Error & { code: string; reason?: string }> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("value" in outcome) expect.unreachable(`it gave ${JSON.stringify(outcome.value)}`);
  expect(outcome.error).toBeInstanceOf(Error);
  return (outcome as { error: Error & { code: string } }).error;
}

/** A signal that is never aborted. */
export function calm(): AbortSignal {
  return new AbortController().signal;
}
