/** Rows 11 to 18 and 26: faults between two machines. */

import { writeFileSync } from "node:fs";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { openConnection } from "../../connectors/api/connection.ts";
import { poolFetcher } from "../../connectors/api/exchange.ts";
import { createSink } from "../../connectors/api/sink.ts";
import { RetryableError, UnknownOutcomeError } from "../../connectors/errors.ts";
import { selfSigned } from "../support/certificate.ts";
import { startDeafServer } from "../support/deaf-server.ts";
import { type Fate, startProxy } from "../support/fault-proxy.ts";
import type { Row } from "./row.ts";
import {
  errorsOf,
  expectDone,
  expectEachOnce,
  heldBy,
  openWorld,
  played,
  SAVES,
  savesOf,
  type World,
} from "./world.ts";

const ONE_AT_A_TIME = ["--concurrency", "1"];

/** The fate of one request of a save on its way. The others pass. */
async function onTheWay(
  fate: Fate,
  check: (world: World, requests: number) => void | Promise<void>,
  flags: readonly string[] = ONE_AT_A_TIME,
): Promise<void> {
  await using world = await openWorld();
  let requests = 0;
  await using proxy = await startProxy(world.service.url, (method, path) =>
    method === "POST" && path.endsWith("/workouts") && ++requests === 3 ? fate : "pass",
  );
  expectDone(await world.carry({ flags, env: { LOGFERRY_URL: proxy.url } }));
  await expectEachOnce(world);
  await check(world, requests);
}

/** A missing service is reported once, and leaves nothing in doubt. */
async function expectUnreachable(world: World, url: string, found: RegExp): Promise<void> {
  const ran = await world.import({ env: { LOGFERRY_URL: url } });
  expect(ran.code, ran.err).toBe(6);
  const errors = errorsOf(ran);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(found);
  expect(await heldBy(world)).toEqual([]);
}

export const CONNECTION: readonly Row[] = [
  {
    number: 11,
    fault: "nobody listens",
    injected: "a proxy that goes down before a run, and in the middle of one",
    expected:
      "what never left is not in doubt; one message; exit 6 before anything was sent, 75 in the middle; it goes on when somebody listens again",
    firstTierHas:
      "cli/login/first-contact.test.ts: where nothing listens; connectors/api/connection.test.ts: known not to have left",
    async run() {
      await using world = await openWorld();
      let saves = 0;
      let goDown: () => void = () => undefined;
      await using proxy = await startProxy(world.service.url, (method, path) => {
        // The answer to the third is lost on purpose. The next request finds no service.
        if (method === "POST" && path.endsWith("/workouts") && ++saves === 3) goDown();
        return "pass";
      });
      const env = { LOGFERRY_URL: proxy.url };
      expect((await world.import({ env, command: "plan" })).code).toBe(0);
      await proxy.down();
      const before = await world.import({ env, command: "apply" });
      expect(before.code).toBe(6);
      expect(errorsOf(before)).toHaveLength(1);
      expect(savesOf(world)).toBe(0);
      await proxy.up();
      goDown = () => void proxy.down();
      const during = await world.import({ env, command: "apply", flags: ONE_AT_A_TIME });
      expect(during.code, during.err).toBe(75);
      expect(errorsOf(during)).toHaveLength(1);
      await proxy.up();
      expectDone([await world.import({ env, command: "apply" })]);
      await expectEachOnce(world);
    },
  },
  {
    number: 12,
    fault: "the name of the host can't be resolved",
    injected: "a name under .invalid",
    expected: "one message that says so, exit 6",
    async run() {
      await using world = await openWorld();
      await expectUnreachable(world, "https://log.invalid", /log\.invalid.*can't be resolved/);
    },
  },
  {
    number: 13,
    fault: "no connection can be made in time",
    injected: "a listener whose queue is full, so that the system drops what knocks",
    expected: "nothing left, so nothing is in doubt",
    scale: "a create is tried with a fifth of a second for the connection",
    firstTierHas: "connectors/api/connection.test.ts: where nobody listens, a write is known not to have left",
    async run() {
      await using world = await openWorld();
      await using deaf = await startDeafServer();
      await expectUnreachable(world, deaf.url, /no (connection could be made in time|answer came within)/);
      const timeouts = { connectMs: 200, headersMs: 5_000, bodyMs: 5_000, answerMs: 5_000 };
      const fetcher = poolFetcher(deaf.url, 1, timeouts);
      const clock = { now: Date.now, date: Date.now, sleep: async () => undefined, random: () => 0 };
      const connection = openConnection({ baseUrl: deaf.url, token: "t", rate: undefined, fetcher, clock });
      const create = createSink(connection).create("workout", { activityID: 10 }, new AbortController().signal);
      await expect(create).rejects.toThrow(RetryableError);
      await connection.close();
    },
  },
  {
    number: 14,
    fault: "the certificate has expired, is another host's, or is signed by nobody",
    injected: "a TLS server of the test's own",
    expected: "no request leaves, the message names the cause",
    firstTierHas: "test/hostile/network.test.ts: a certificate that nobody signed is refused",
    async run() {
      await using world = await openWorld();
      const day = 86_400_000;
      const cases = [
        { made: selfSigned({ host: "127.0.0.1", to: Date.now() - day / 2 }), isKnown: true, found: /CERT_HAS_EXPIRED/ },
        { made: selfSigned({ host: "log.example" }), isKnown: true, found: /ERR_TLS_CERT_ALTNAME_INVALID/ },
        { made: selfSigned({ host: "127.0.0.1" }), isKnown: false, found: /DEPTH_ZERO_SELF_SIGNED_CERT/ },
      ];
      for (const { made, isKnown, found } of cases) {
        let requests = 0;
        const server = createSecureServer(made, (_request, response) => {
          requests++;
          response.end();
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const known = join(world.folder, "known.pem");
        writeFileSync(known, made.cert);
        const env = { LOGFERRY_URL: url, ...(isKnown && { NODE_EXTRA_CA_CERTS: known }) };
        const ran = await world.import({ env });
        server.close();
        expect(ran.code, ran.err).toBe(2);
        expect(errorsOf(ran)).toHaveLength(1);
        expect(errorsOf(ran)[0]).toMatch(found);
        expect(requests).toBe(0);
      }
      // The control: the same server with the right certificate. logferry talks to it.
      const right = selfSigned({ host: "127.0.0.1" });
      let requests = 0;
      const server = createSecureServer(right, (_request, response) => {
        requests++;
        response.writeHead(404).end();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const known = join(world.folder, "known.pem");
      writeFileSync(known, right.cert);
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await world.import({ env: { LOGFERRY_URL: url, NODE_EXTRA_CA_CERTS: known } });
      server.close();
      expect(requests).toBeGreaterThan(0);
    },
  },
  {
    number: 15,
    fault: "the connection is reset before the service read the request",
    injected: "`reset-before-commit`; a proxy that resets it before the first byte is passed on",
    expected: "looked up, not there, and sent again",
    async run() {
      await Promise.all([
        played([`reset-before-commit:${SAVES}:nth=3`], {}, (world) =>
          expect(savesOf(world)).toBe(world.runs.length + 1),
        ),
        onTheWay("reset", (world, requests) => {
          expect(requests).toBe(world.runs.length + 1);
          expect(savesOf(world)).toBe(world.runs.length);
        }),
      ]);
    },
  },
  {
    number: 16,
    fault: "the connection is reset after the service did it",
    injected: "`reset-after-commit`; a proxy that resets it in place of the answer",
    expected: "found in the log, and not sent again",
    async run() {
      await Promise.all([
        played([`reset-after-commit:${SAVES}:nth=3`], {}, (world) => expect(savesOf(world)).toBe(world.runs.length)),
        onTheWay("reset-answer", (world) => expect(savesOf(world)).toBe(world.runs.length)),
      ]);
    },
  },
  {
    number: 17,
    fault: "a kept connection is closed as it is used again",
    injected: "`close-idle` after every answer",
    expected: "no client of ours sends a create a second time by itself",
    async run() {
      await played(["close-idle:ms=0"], {}, async (world) => {
        // Requests on the idle connection that was closed never came in. Every request that came in was done.
        expect(savesOf(world)).toBe(world.runs.length);
      });
    },
  },
  {
    number: 18,
    fault: "the answer is cut off",
    injected: "`cut-body`",
    expected: "found in the log, and not sent again",
    async run() {
      await played([`cut-body:${SAVES}:nth=3`], {}, (world) => expect(savesOf(world)).toBe(world.runs.length));
    },
  },
  {
    number: 26,
    fault: "the answer drips, a byte at a time",
    injected: "a proxy that sends twenty bytes a second",
    expected: "given up, looked up and found",
    firstTierHas: "test/dripping-answers.test.ts: given up after twice --timeout, and looked up",
    scale: "a second for the whole answer, in the place of two minutes",
    async run() {
      await using world = await openWorld();
      await using proxy = await startProxy(world.service.url, (method) => (method === "POST" ? "drip" : "pass"));
      const timeouts = { connectMs: 5_000, headersMs: 5_000, bodyMs: 5_000, answerMs: 1_000 };
      // The head of the answer drips too. The client waits for the whole head.
      const fetcher = poolFetcher(proxy.url, 1, { ...timeouts, headersMs: 60_000 });
      const connection = openConnection({ baseUrl: proxy.url, token: world.token, rate: undefined, fetcher });
      const body = { activityID: 10, date: "2020-01-01", time: "06:00:00" };
      const create = createSink(connection).create("workout", body, new AbortController().signal);
      await expect(create).rejects.toThrow(UnknownOutcomeError);
      await connection.close();
      expect(await heldBy(world)).toHaveLength(1);
    },
  },
];
