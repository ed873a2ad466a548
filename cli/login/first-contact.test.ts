import { type AddressInfo, createServer, type Server } from "node:net";
import { expect, test } from "vitest";
import type { Fetcher, Outcome } from "../../connectors/api/exchange.ts";
import type { WireRequest } from "../../connectors/api/request.ts";
import { FatalError } from "../../connectors/errors.ts";
import { emptyHome, runCli } from "../../test/support/cli.ts";
import { givingUpSoon } from "./connect.ts";

const REQUEST = {} as WireRequest;
const REFUSED: Outcome = { kind: "never-sent", code: "ECONNREFUSED", found: "nobody listens", isTrust: false };
const LOST: Outcome = { kind: "lost", code: "ECONNRESET", found: "the connection was reset" };
const ANSWER = { kind: "answer", status: 503 } as Outcome;

/** A fetcher that gives these outcomes in turn, and a clock that moves by hand. */
function contact(outcomes: readonly Outcome[]) {
  const clock = { time: 0 };
  const deadline = new AbortController();
  let turn = 0;
  const inner: Fetcher = {
    exchange: async (_request, signal) =>
      signal.aborted ? { kind: "stopped", isSent: true } : (outcomes[Math.min(turn++, outcomes.length - 1)] as Outcome),
    close: async () => undefined,
  };
  const fetcher = givingUpSoon(inner, "log.example", { now: () => clock.time, after: () => deadline.signal });
  return { clock, deadline, ask: (signal = new AbortController().signal) => fetcher.exchange(REQUEST, signal) };
}

test.each([REFUSED, LOST])(
  "before any answer, a service is tried again for two seconds and then given up: %j",
  async (outcome) => {
    const { clock, ask } = contact([outcome]);
    expect(await ask()).toBe(outcome);
    clock.time = 1999;
    expect(await ask()).toBe(outcome);
    clock.time = 2000;
    const error = await ask().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FatalError);
    expect(error).toMatchObject({ code: "api/unreachable", reason: "service" });
    expect((error as Error).message).toMatch(
      /^Cannot reach the log at log\.example: .+ Is the address right, and the service up\?$/,
    );
  },
);

test("tries that come quicker than two seconds end with the same words", async () => {
  const { ask } = contact([REFUSED]);
  for (let tries = 1; tries < 5; tries++) expect(await ask()).toBe(REFUSED);
  await expect(ask()).rejects.toThrow("Cannot reach the log at log.example: nobody listens. Is the address right");
});

test("once there was an answer of any kind, nothing is given up here", async () => {
  const { clock, deadline, ask } = contact([REFUSED, ANSWER, LOST, REFUSED]);
  expect(await ask()).toBe(REFUSED);
  expect(await ask()).toBe(ANSWER);
  clock.time = 3_600_000;
  deadline.abort();
  expect(await ask()).toBe(LOST);
  expect(await ask()).toBe(REFUSED);
});

test("a service that takes the request and doesn't answer is given up", async () => {
  const { deadline, ask } = contact([ANSWER]);
  deadline.abort();
  await expect(ask()).rejects.toThrow("Cannot reach the log at log.example: no answer came within 15 s.");
});

test("Ctrl-C during the first request is a stop, not a service that can't be reached", async () => {
  const { ask } = contact([ANSWER]);
  expect(await ask(AbortSignal.abort())).toEqual({ kind: "stopped", isSent: true });
});

async function closedPort(): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("where nothing listens, every command that needs the log ends without waiting for it, in one line, with exit code 6", async () => {
  using home = emptyHome();
  const url = `http://127.0.0.1:${await closedPort()}`;
  const ran = await Promise.all(
    [["whoami"], ["verify", "--json"]].map((words) =>
      runCli(home.path, [...words, "--url", url, "--journal", `${home.path}/${words[0]}.db`], {
        env: { LOGFERRY_TOKEN: "notLookedAt" },
      }),
    ),
  );
  const message = `Cannot reach the log at ${url}: nobody listens at the address of the service. Is the address right, and the service up?`;
  expect(ran[0]).toMatchObject({ code: 6, out: "", err: `${message}\n` });
  expect(ran[1]).toMatchObject({ code: 6, out: `${JSON.stringify({ type: "error", message })}\n`, err: "" });
});
