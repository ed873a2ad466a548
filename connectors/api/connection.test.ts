import { inspect } from "node:util";
import { expect, test } from "vitest";
import { calm, errorOf, fakeClock, TOKEN, withServer } from "../../test/support/api.ts";
import { inTurn, startServer } from "../../test/support/http-server.ts";
import { FatalError, ItemError, RetryableError, UnknownOutcomeError } from "../errors.ts";
import { getUser, getWorkout, listEquipment, saveExistingWorkout, saveNewWorkout } from "./client.ts";
import { openConnection } from "./connection.ts";
import { openPacing } from "./pacing.ts";

const WORKOUT = { activityID: 10, date: "2024-03-01" };
const SAVED = { json: { code: 0, data: { id: "new1" } } };
const USER = { json: { code: 0, data: { screenName: "runner" } } };
const PAGE = { body: "<html>Sign in to the network</html>", headers: { "content-type": "text/html" } };

// Checks whether any part of the token can be seen in an error, at any depth.
function expectNoToken(error: unknown): void {
  const seen = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true });
  for (const spelling of [TOKEN, encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString("base64"), "c4nary"]) {
    expect(seen).not.toContain(spelling);
  }
}

test.each([
  ["500", { status: 500 }],
  ["503", { status: 503 }],
  ["408", { status: 408 }],
  ["409", { status: 409 }],
  ["a page with status 200", PAGE],
  ["a body cut in half", { ...SAVED, fault: "cut" }],
  ["a reset before any answer", { fault: "reset" }],
  ["no id", { json: { code: 0 } }],
  ["a number as id", { json: { code: 0, data: { id: 7 } } }],
  ["an empty id", { json: { code: 0, data: { id: "" } } }],
  ["an id of 65 characters", { json: { code: 0, data: { id: "x".repeat(65) } } }],
  ["an answer of 2 MiB", { body: `{"code":0,"data":{"id":"a"},"x":"${"x".repeat(2 << 20)}"}` }],
] as const)("an unanswered write is never sent twice: %s", async (_what, reply) => {
  await withServer(inTurn(reply, SAVED), async ({ server, connection }) => {
    const error = await errorOf(saveNewWorkout(connection, WORKOUT, calm()));
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(server.requests).toHaveLength(1);
    expectNoToken(error);
  });
});

test.each([
  ["500", { status: 500 }],
  ["a page with status 200", PAGE],
  ["a reset", { fault: "reset" }],
  ["a cut body", { ...SAVED, fault: "cut" }],
] as const)("a read and a write over a record are sent again after %s", async (_what, reply) => {
  await withServer(inTurn(reply, reply, USER), async ({ server, connection, clock }) => {
    expect(await getUser(connection, calm())).toEqual({ screenName: "runner" });
    expect(server.requests).toHaveLength(3);
    // The random share is fixed at 1, so the wait is the whole ceiling.
    expect(clock.slept).toEqual([500, 1000]);
  });
  await withServer(inTurn(reply, SAVED), async ({ server, connection }) => {
    expect(await saveExistingWorkout(connection, "new1", WORKOUT, calm())).toBe("new1");
    expect(server.requests.map(({ method }) => method)).toEqual(["PUT", "PUT"]);
  });
});

test("a service that stays unwell is asked five times, further and further apart, then the caller is told", async () => {
  await withServer(inTurn({ status: 502 }), async ({ server, connection, clock }) => {
    expect(await errorOf(getUser(connection, calm()))).toBeInstanceOf(RetryableError);
    expect(server.requests).toHaveLength(5);
    expect(clock.slept).toEqual([500, 1000, 2000, 4000]);
    const error = await errorOf(saveExistingWorkout(connection, "a", WORKOUT, calm()));
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ code: "api/http-502" });
  });
});

test("an answer that always breaks off is told in words alone", async () => {
  await withServer(inTurn({ ...SAVED, fault: "cut" }), async ({ connection }) => {
    expect((await errorOf(getUser(connection, calm()))).message).toBe(
      "Cannot read the user: the service answered, but the connection ended in the middle of its answer",
    );
  });
});

test("a write that was turned away with 429 is sent again, after the time the service named and not before", async () => {
  await withServer(
    inTurn({ status: 429, headers: { "retry-after": "3" } }, SAVED),
    async ({ server, connection, clock }) => {
      expect(await saveNewWorkout(connection, WORKOUT, calm())).toBe("new1");
      expect(server.requests).toHaveLength(2);
      expect(clock.slept).toEqual([3000]);
    },
  );
});

test("429 without a time is waited out for longer and longer, up to a minute, and given up at the twelfth", async () => {
  await withServer(inTurn({ status: 429 }), async ({ server, connection, clock }) => {
    expect(await errorOf(saveNewWorkout(connection, WORKOUT, calm()))).toBeInstanceOf(RetryableError);
    expect(server.requests).toHaveLength(12);
    expect(clock.slept).toEqual([500, 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000, 60000]);
  });
});

test("a service that answered before and keeps failing is left alone for longer and longer, asked once each time, then given up", async () => {
  await withServer(
    (_request, index) => (index === 0 ? USER : { status: 502 }),
    async ({ server, connection, clock }) => {
      await getUser(connection, calm());
      const error = await errorOf(getUser(connection, calm()));
      expect(error).toBeInstanceOf(RetryableError);
      expect(error).toMatchObject({ code: "api/service-failing" });
      // The connection waits four backoffs, then 30 s, 60 s, 120 s and 240 s. The next wait of 300 s ends with the ten minutes.
      expect(clock.slept).toEqual([500, 1000, 2000, 4000, 30_000, 60_000, 120_000, 240_000, 142_500]);
      expect(error.message).toBe(
        "Cannot read the user: the service failed 10 times in a row within 600 s, the last time because the service answered 502",
      );
      expect(server.requests).toHaveLength(1 + 5 + 5);
      expect(connection.isHeldBack).toBe(false);
      await errorOf(saveNewWorkout(connection, WORKOUT, calm()));
      expect(server.requests).toHaveLength(11);
    },
  );
});

test.each([
  ["nobody is to wait, it is given up at the fifth failure", { patienceMs: 0, slept: [], asked: 6 }],
  ["a person waits 20 s, it is asked once more when they are over", { patienceMs: 20_000, slept: [12_500], asked: 7 }],
])("of a service that keeps failing: where %s", async (_, { patienceMs, slept, asked }) => {
  const script = (_request: unknown, index: number) => (index === 0 ? USER : { status: 502 });
  await withServer(
    script,
    async ({ server, connection, clock }) => {
      await getUser(connection, calm());
      expect(await errorOf(getUser(connection, calm()))).toMatchObject({ code: "api/service-failing" });
      expect(clock.slept).toEqual([500, 1000, 2000, 4000, ...slept]);
      expect(server.requests).toHaveLength(asked);
    },
    { patienceMs },
  );
});

test("five lost writes in a row hold the next one back for half a minute; then it goes on", async () => {
  await withServer(
    (_request, index) => (index >= 1 && index <= 5 ? { fault: "reset" } : SAVED),
    async ({ server, connection, clock }) => {
      await saveNewWorkout(connection, WORKOUT, calm());
      for (let i = 0; i < 5; i++) {
        expect(connection.waiting()).toBeUndefined();
        expect(await errorOf(saveNewWorkout(connection, WORKOUT, calm()))).toBeInstanceOf(UnknownOutcomeError);
      }
      expect(connection.waiting()).toBe("the service, which failed 5 times in a row (tried again in 30 s)");
      expect(connection.isHeldBack).toBe(true);
      expect(await saveNewWorkout(connection, WORKOUT, calm())).toBe("new1");
      expect(clock.slept).toEqual([30_000]);
      expect(server.requests).toHaveLength(7);
      expect(connection.waiting()).toBeUndefined();
    },
  );
});

test("while a request that was turned away without a time waits, it is said when it is asked again", async () => {
  const said: (string | undefined)[] = [];
  const clock = fakeClock();
  const telling = {
    ...clock,
    sleep: async (ms: number, signal: AbortSignal) => {
      said.push(connection?.waiting());
      await clock.sleep(ms, signal);
    },
  };
  let connection: { waiting(): string | undefined } | undefined;
  await withServer(
    (_request, index) => (index < 5 ? { status: 429 } : SAVED),
    async (rig) => {
      connection = rig.connection;
      expect(await saveNewWorkout(rig.connection, WORKOUT, calm())).toBe("new1");
      expect(said.slice(-2)).toEqual([
        "the service, which turned a request away (asked again in 4 s)",
        "the service, which turned a request away (asked again in 8 s)",
      ]);
      expect(rig.connection.waiting()).toBeUndefined();
    },
    { clock: telling, pacing: openPacing({ rate: undefined, inFlight: 4, clock }) },
  );
});

test("refusals are answers: however many come in a row, nothing is held back", async () => {
  for (const status of [400, 404, 409, 413]) {
    await withServer(
      (_request, index) => (index === 0 ? USER : { status }),
      async ({ server, connection, clock }) => {
        await getUser(connection, calm());
        for (let i = 0; i < 12; i++) await errorOf(saveNewWorkout(connection, WORKOUT, calm()));
        expect(server.requests).toHaveLength(13);
        expect(clock.slept).toEqual([]);
      },
    );
  }
});

test("a service where every second request fails is not asked again for ever: ten times, and once for ten that went well", async () => {
  await withServer(
    (_request, index) => (index % 2 === 0 ? { status: 500 } : USER),
    async ({ server, connection }) => {
      let well = 0;
      for (let i = 0; i < 60; i++) {
        const ok = await getUser(connection, calm()).then(
          () => true,
          () => false,
        );
        if (ok) well++;
      }
      const again = server.requests.length - 60;
      expect(again).toBeGreaterThan(0);
      expect(again).toBeLessThanOrEqual(10 + 0.1 * well);
    },
  );
});

test("a service that answers nothing but 503 is asked half as often; one 503 among others and the rest of the 5xx slow nothing", async () => {
  for (const [status, often, slower] of [
    [503, 1, true],
    [503, 10, false],
    [502, 1, false],
  ] as const) {
    await withServer(
      (_request, index) => (index % often === often - 1 ? { status } : SAVED),
      async ({ connection }) => {
        const before = connection.pacing.perSecond ?? 0;
        for (let times = 0; times < 10; times++)
          await saveNewWorkout(connection, WORKOUT, calm()).catch((error: unknown) =>
            expect(error).toBeInstanceOf(UnknownOutcomeError),
          );
        expect((connection.pacing.perSecond ?? 0) <= before / 2).toBe(slower);
      },
      { pacing: openPacing({ rate: 900, inFlight: 4, clock: fakeClock() }), patienceMs: 0 },
    );
  }
});

test("a wait of more than an hour is not waited out: the error says how long and until when", async () => {
  await withServer(
    inTurn({ status: 429, headers: { "retry-after": "999999" } }),
    async ({ server, connection, clock }) => {
      const error = await errorOf(saveNewWorkout(connection, WORKOUT, calm()));
      expect(error).toBeInstanceOf(RetryableError);
      expect(error).toMatchObject({ waitMs: 999_999_000 });
      // 2026-01-01T00:00:00Z and 999,999 s.
      expect(error.message).toBe(
        "Cannot save the workout: the service wants to be left alone for 278 hours, until 2026-01-12 13:46 UTC",
      );
      expect(server.requests).toHaveLength(1);
      expect(clock.slept).toEqual([]);
    },
  );
});

test("whoever waits for a turn doesn't wait out such a wait either, and nothing more is sent", async () => {
  const answered = Promise.withResolvers<void>();
  await withServer(
    async () => {
      await answered.promise;
      return { status: 429, headers: { "retry-after": "7200" } };
    },
    async ({ server, connection }) => {
      const saves = Array.from({ length: 3 }, () => errorOf(saveNewWorkout(connection, WORKOUT, calm())));
      answered.resolve();
      for (const error of [...(await Promise.all(saves)), await errorOf(getUser(connection, calm()))])
        expect(error).toMatchObject({ code: "api/wait-too-long", waitMs: 7_200_000 });
      expect(server.requests).toHaveLength(1);
    },
    { pacing: openPacing({ rate: 1000, inFlight: 1 }) },
  );
});

test("N2 a redirect is never followed: the token stays here", async () => {
  const target = await startServer(inTurn(USER));
  try {
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `${target.url}/rest/users/me?access_token=${encodeURIComponent(TOKEN)}`;
      await withServer(inTurn({ status, headers: { location } }), async ({ server, connection }) => {
        const error = await errorOf(getUser(connection, calm()));
        expect(error).toBeInstanceOf(FatalError);
        expect(error).toMatchObject({ code: "api/redirect", reason: "service" });
        expect(server.requests).toHaveLength(1);
        expectNoToken(error);
      });
    }
    expect(target.requests).toEqual([]);
  } finally {
    await target.close();
  }
});

test("a revoked token stops everything: no further request carries it", async () => {
  await withServer(inTurn(USER, { status: 401, json: { code: 3, message: `bad token ${TOKEN}` } }), async (rig) => {
    await getUser(rig.connection, calm());
    const error = await errorOf(saveNewWorkout(rig.connection, WORKOUT, calm()));
    expect(error).toMatchObject({ code: "api/http-401", reason: "login" });
    expect(error.message).toContain("bad token [redacted]");
    expectNoToken(error);
    expect(await errorOf(getUser(rig.connection, calm()))).toMatchObject({ code: "api/http-401", reason: "login" });
    expect(rig.server.requests).toHaveLength(2);
  });
});

test("403 to one record stops the caller, and leaves the token in use", async () => {
  await withServer(inTurn({ status: 403 }, USER), async ({ connection }) => {
    expect(await errorOf(getUser(connection, calm()))).toMatchObject({ code: "api/http-403", reason: "login" });
    expect(await getUser(connection, calm())).toEqual({ screenName: "runner" });
  });
});

test("whatever the service quotes, no error holds the token", async () => {
  const spellings = [TOKEN, encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString("base64")];
  const text = `Cannot GET /rest/users/me?access_token=${spellings[1]} (${spellings.join(" ")})`;
  for (const reply of [
    { status: 400, json: { message: text } },
    { json: { code: 9, error: text } },
    { status: 404, json: { error_description: text } },
    { status: 500, body: text },
  ]) {
    await withServer(inTurn(reply), async ({ connection }) => {
      expectNoToken(await errorOf(getWorkout(connection, "a", calm())));
    });
  }
});

test("the connection itself shows no token when it is printed", () => {
  const connection = openConnection({ baseUrl: "https://log.example", token: TOKEN });
  expectNoToken(connection);
  return connection.close();
});

test("where nobody listens, a write is tried again and is known not to have left", async () => {
  const server = await startServer(inTurn(SAVED));
  const { url } = server;
  await server.close();
  const clock = fakeClock();
  const connection = openConnection({
    baseUrl: url,
    token: TOKEN,
    clock,
    pacing: openPacing({ rate: undefined, clock }),
  });
  const error = await errorOf(saveNewWorkout(connection, WORKOUT, calm()));
  expect(error).toBeInstanceOf(RetryableError);
  expect(error).toMatchObject({ code: "api/not-sent" });
  expect(error.message).toBe("Cannot save the workout: nobody listens at the address of the service");
  expect(clock.slept).toHaveLength(4);
  expectNoToken(error);
  await connection.close();
});

test("an answer that doesn't come, or drips for ever, is given up in time", async () => {
  const timeouts = { connectMs: 1000, headersMs: 60, bodyMs: 1000, answerMs: 80 };
  for (const fault of ["silence", "drip"] as const) {
    await withServer(
      inTurn({ fault }),
      async ({ server, connection }) => {
        const error = await errorOf(saveNewWorkout(connection, WORKOUT, calm()));
        expect(error).toBeInstanceOf(UnknownOutcomeError);
        expect(server.requests).toHaveLength(1);
      },
      { timeouts },
    );
  }
});

test("stopped before it left, a write is known not to have happened; stopped under way, it is not known", async () => {
  const stop = new AbortController();
  const script = () => {
    stop.abort();
    return { fault: "silence" } as const;
  };
  await withServer(script, async ({ server, connection }) => {
    const underWay = await errorOf(saveNewWorkout(connection, WORKOUT, stop.signal));
    expect(underWay).toBeInstanceOf(UnknownOutcomeError);
    expect(underWay).toMatchObject({ code: "api/stopped" });
    const before = await errorOf(saveNewWorkout(connection, WORKOUT, stop.signal));
    expect(before).toBeInstanceOf(RetryableError);
    expect(before).toMatchObject({ code: "api/stopped" });
    expect(server.requests).toHaveLength(1);
  });
});

test("a kept connection that breaks under a write is no reason to send it again", async () => {
  await withServer(
    (_request, index) => (index % 2 === 0 ? SAVED : { fault: "reset" }),
    async ({ server, connection }) => {
      await saveNewWorkout(connection, WORKOUT, calm());
      expect(await errorOf(saveNewWorkout(connection, WORKOUT, calm()))).toBeInstanceOf(UnknownOutcomeError);
      expect(server.requests).toHaveLength(2);
    },
  );
});

test("a service that speaks no TLS gets nothing, and the run stops", async () => {
  await withServer(inTurn(USER), async ({ server, clock }) => {
    const baseUrl = server.url.replace("http:", "https:");
    const connection = openConnection({ baseUrl, token: TOKEN, clock, rate: undefined });
    const error = await errorOf(saveNewWorkout(connection, WORKOUT, calm()));
    expect(error).toBeInstanceOf(FatalError);
    expect(error).toMatchObject({ code: "api/tls", reason: "service" });
    expect(server.requests).toEqual([]);
    expectNoToken(error);
    await connection.close();
  });
});

test("a listing may be longer than a record: 2 MiB are read", async () => {
  const entries = [{ id: "e1", notes: "x".repeat(2 << 20) }];
  await withServer(inTurn({ json: { code: 0, data: { entries, numEntries: 1 } } }), async ({ connection }) => {
    const page = await listEquipment(connection, {}, calm());
    expect(page.entries[0]?.notes).toHaveLength(2 << 20);
  });
});

test("an error page with 404 where no record is named asks whether the address is right", async () => {
  await withServer(inTurn({ ...PAGE, status: 404 }), async ({ connection }) => {
    const error = await errorOf(getUser(connection, calm()));
    expect(error).toMatchObject({ reason: "service" });
    expect(error.message).toBe("Cannot read the user: the service answered 404. Is the address right?");
    expect(await errorOf(getWorkout(connection, "a", calm()))).toBeInstanceOf(ItemError);
  });
});

test("without a token nothing is sent", async () => {
  await withServer(
    inTurn(USER),
    async ({ server, connection }) => {
      expect(await errorOf(getUser(connection, calm()))).toMatchObject({ code: "api/no-token", reason: "login" });
      expect(server.requests).toEqual([]);
    },
    { token: undefined },
  );
});

test("two hundred writes at once leave four at a time, and each is sent once", async () => {
  let [underWay, most] = [0, 0];
  const four = Promise.withResolvers<void>();
  await withServer(
    async () => {
      most = Math.max(most, ++underWay);
      if (underWay === 4) four.resolve();
      await four.promise;
      underWay--;
      return SAVED;
    },
    async ({ server, connection }) => {
      await Promise.all(Array.from({ length: 200 }, () => saveNewWorkout(connection, WORKOUT, calm())));
      expect(server.requests).toHaveLength(200);
      expect(most).toBe(4);
    },
  );
});
