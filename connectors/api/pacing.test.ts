import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { longTest } from "../../test/support/tier-tests.ts";
import { firstOf } from "../../test/support/tiers.ts";
import { openPacing, type Pacing } from "./pacing.ts";

// The clock of the whole process is faked. It moves only when a test moves it.
beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") }));
afterEach(() => void vi.useRealTimers());

const signal = () => new AbortController().signal;

const clock = {
  now: () => Date.now(),
  date: () => Date.now(),
  sleep: (ms: number, stop: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        clearTimeout(timer);
        reject(stop.reason);
      };
      const timer = setTimeout(() => {
        stop.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      stop.addEventListener("abort", onAbort);
    }),
  random: () => 0.5,
};

test("at two a second, seven calls start half a second and a little apart, so that no second holds three", async () => {
  const pacing = openPacing({ rate: 2, inFlight: 4, clock });
  const starts: number[] = [];
  const from = Date.now();
  const all = Promise.all(
    Array.from({ length: 7 }, () => pacing.run(async () => void starts.push(Date.now() - from), signal())),
  );
  await vi.advanceTimersByTimeAsync(10_000);
  await all;
  for (const [i, start] of starts.entries()) {
    // The spacing is 1000 ms / 2 and 2.5 % more. It may differ by whole milliseconds, and by those of the library.
    expect(start).toBeGreaterThanOrEqual(512.5 * i);
    expect(start).toBeLessThan(512.5 * i + 20);
  }
  expect(starts).toHaveLength(7);
});

test("without a rate, as many run as may be in flight and no more", async () => {
  const pacing = openPacing({ rate: undefined, inFlight: 3, clock });
  let [running, most] = [0, 0];
  const task = async () => {
    most = Math.max(most, ++running);
    await clock.sleep(100, signal());
    running--;
  };
  const all = Promise.all(Array.from({ length: 9 }, () => pacing.run(task, signal())));
  await vi.advanceTimersByTimeAsync(5000);
  await all;
  expect(most).toBe(3);
  expect(pacing.counts).toEqual({ waiting: 0, running: 0, started: 9, pauses: 0 });
});

test("a pause holds back every call, says so, and the calls then start at their pace, not in a burst", async () => {
  const pacing = openPacing({ rate: 10, inFlight: 4, clock });
  const from = Date.now();
  const starts: number[] = [];
  const first = pacing.run(async () => pacing.pause(3000), signal());
  await vi.advanceTimersByTimeAsync(50);
  await first;
  expect(pacing.waiting()).toBe("the service, which asked for a pause (3 s left)");
  const all = Promise.all(
    Array.from({ length: 4 }, () => pacing.run(async () => void starts.push(Date.now() - from), signal())),
  );
  await vi.advanceTimersByTimeAsync(2900);
  expect(starts).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  await all;
  expect(pacing.waiting()).toBeUndefined();
  expect(starts[0]).toBeGreaterThanOrEqual(3000);
  // One pause doesn't change the pace, so the spacing is a tenth of a second and 2.5 %. A timer may be a millisecond early.
  for (let i = 1; i < starts.length; i++) expect((starts[i] ?? 0) - (starts[i - 1] ?? 0)).toBeGreaterThanOrEqual(101);
});

test("calls that were queued when the pause came wait for its end too", async () => {
  const pacing = openPacing({ rate: 10, inFlight: 1, clock });
  const from = Date.now();
  const starts: number[] = [];
  const all = Promise.all(
    Array.from({ length: 3 }, (_, i) =>
      pacing.run(async () => {
        starts.push(Date.now() - from);
        if (i === 0) pacing.pause(2000);
      }, signal()),
    ),
  );
  await vi.advanceTimersByTimeAsync(10_000);
  await all;
  expect(starts[0]).toBeLessThan(100);
  expect(starts[1]).toBeGreaterThanOrEqual(2000);
  expect(starts[2]).toBeGreaterThanOrEqual((starts[1] ?? 0) + 101);
});

test("several answers that turn us away at once are one pause, and the longest wins", async () => {
  const pacing = openPacing({ rate: 10, clock });
  pacing.pause(1000);
  pacing.pause(4000);
  pacing.pause(2000);
  expect(pacing.counts.pauses).toBe(1);
  expect(pacing.waiting()).toBe("the service, which asked for a pause (4 s left)");
});

test("a call that is stopped while it waits ends at once and never starts", async () => {
  const pacing = openPacing({ rate: 1, inFlight: 1, clock });
  const stop = new AbortController();
  let isStarted = false;
  const slow = pacing.run(() => clock.sleep(60_000, signal()), signal());
  const waiting = pacing.run(async () => {
    isStarted = true;
  }, stop.signal);
  const outcome = expect(waiting).rejects.toThrow("enough");
  await vi.advanceTimersByTimeAsync(10);
  stop.abort(new Error("enough"));
  await outcome;
  await vi.advanceTimersByTimeAsync(120_000);
  await slow;
  expect(isStarted).toBe(false);
  expect(pacing.counts).toMatchObject({ waiting: 0, running: 0, started: 1 });
});

test("a call that is stopped during a pause ends at once", async () => {
  const pacing = openPacing({ rate: 1, clock });
  pacing.pause(60_000);
  const stop = new AbortController();
  const outcome = expect(pacing.run(async () => 1, stop.signal)).rejects.toThrow("enough");
  stop.abort(new Error("enough"));
  await outcome;
});

test("more calls than may wait are refused, not kept", async () => {
  const pacing = openPacing({ rate: 1, inFlight: 1, queue: 2, clock });
  const kept = [1, 2].map((value) => pacing.run(async () => value, signal()));
  await expect(pacing.run(async () => 3, signal())).rejects.toThrow(RangeError);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await Promise.all(kept)).toEqual([1, 2]);
});

test("what a task throws is thrown through, and the next one goes on", async () => {
  const pacing = openPacing({ rate: undefined, clock });
  const failing = expect(pacing.run(() => Promise.reject(new TypeError("no")), signal())).rejects.toThrow(TypeError);
  await vi.advanceTimersByTimeAsync(100);
  await failing;
  const next = pacing.run(async () => "yes", signal());
  await vi.advanceTimersByTimeAsync(100);
  expect(await next).toBe("yes");
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("a rate of %d is refused", (rate) => {
  expect(() => openPacing({ rate })).toThrow(RangeError);
});

/** A service with a limit of requests in any `windowMs`, counted as they arrive. It was written only for this test. */
function enforcer(limit: number, { windowMs = 1000, latencyMs = 50, retryAfterMs = 1000 as number | undefined } = {}) {
  const state = { limit, isStormy: false };
  const came: number[] = [];
  const accepted: number[] = [];
  let refused = 0;
  return {
    state,
    came,
    accepted,
    get refused() {
      return refused;
    },
    async ask(): Promise<{ ok: boolean; waitMs?: number | undefined }> {
      const now = Date.now();
      came.push(now);
      // The service is full if the request that came `limit` requests ago is still within the window.
      const isFull = (accepted.at(-state.limit) ?? Number.NEGATIVE_INFINITY) > now - windowMs;
      const ok = !state.isStormy && !isFull;
      if (ok) accepted.push(now);
      else refused++;
      await clock.sleep(latencyMs, signal());
      return ok ? { ok } : { ok, waitMs: retryAfterMs };
    },
  };
}

type Enforcer = ReturnType<typeof enforcer>;

/** Asks without end, like the workers of a run. A refused request is sent again after the pause. */
function askWithoutEnd(pacing: Pacing, service: Pick<Enforcer, "ask">, workers: number, stop: AbortSignal): void {
  for (let worker = 0; worker < workers; worker++) {
    void (async () => {
      while (!stop.aborted) {
        let startedAt = 0;
        const { ok, waitMs = 500 } = await pacing.run(() => {
          startedAt = Date.now();
          return service.ask();
        }, stop);
        if (ok) pacing.accepted(startedAt);
        else pacing.pause(waitMs, startedAt);
      }
    })().catch(() => undefined);
  }
}

/** The largest number of these times within a window of this length, at any position. */
function mostWithin(times: readonly number[], windowMs: number): number {
  let [most, from] = [0, 0];
  for (const [index, time] of times.entries()) {
    while ((times[from] ?? 0) <= time - windowMs) from++;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

function within(times: readonly number[], from: number, to: number): number {
  const first = times.findIndex((time) => time >= from);
  const after = times.findIndex((time) => time >= to);
  return first === -1 ? 0 : (after === -1 ? times.length : after) - first;
}

test.each(firstOf(1, [10, 2, 1, 50, 200]))(
  "of an allowed rate of %d a second it uses 97 % and never exceeds it in any second or minute",
  async (rate) => {
    const service = enforcer(rate, { latencyMs: 15 });
    const pacing = openPacing({ rate, inFlight: 8, clock });
    const stop = new AbortController();
    const from = Date.now();
    askWithoutEnd(pacing, service, 8, stop.signal);
    await vi.advanceTimersByTimeAsync(65_000);
    stop.abort();
    expect(service.refused).toBe(0);
    // The first seconds don't count. The very first request comes at once, and would make a slow rate look better.
    expect(within(service.accepted, from + 4500, from + 64_500)).toBeGreaterThanOrEqual(Math.floor(0.97 * rate * 60));
    expect(mostWithin(service.came, 1000)).toBeLessThanOrEqual(rate);
    expect(mostWithin(service.came, 60_000)).toBeLessThanOrEqual(rate * 60);
  },
);

test("a clock that stood still for a while, as in a sleeping computer or a busy one, is followed by no burst", async () => {
  const service = enforcer(10);
  const pacing = openPacing({ rate: 10, inFlight: 8, clock });
  const stop = new AbortController();
  askWithoutEnd(pacing, service, 8, stop.signal);
  for (let i = 0; i < 20; i++) {
    await vi.advanceTimersByTimeAsync(1000);
    // Every timer that is due in these 700 ms fires late, together with the others.
    vi.setSystemTime(Date.now() + 700);
  }
  stop.abort();
  expect(service.refused).toBe(0);
  expect(mostWithin(service.came, 1000)).toBeLessThanOrEqual(10);
});

test.each(
  firstOf(1, [
    { asked: "50 a second", options: { rate: 50 }, limit: 20 },
    { asked: "20 a second", options: { rate: 20 }, limit: 3 },
    { asked: "nothing, which begins at 10 a second", options: { start: 10, rate: 20 }, limit: 4 },
    { asked: "nothing, which begins at 10 a second", options: { start: 10, rate: 20 }, limit: 16 },
  ]),
)(
  "asked for $asked, at a service that takes $limit: within a minute it is within 10 % of that, and stays",
  async ({ options, limit }) => {
    for (const retryAfterMs of [1000, undefined]) {
      const service = enforcer(limit, { retryAfterMs });
      const pacing = openPacing({ ...options, inFlight: 4, clock });
      const stop = new AbortController();
      const from = Date.now();
      askWithoutEnd(pacing, service, 4, stop.signal);
      // The pace rises to a limit above the first pace by a tenth a minute: 10 * 1.1^5 is above 16.
      const foundMs = limit > 10 && options.rate === 20 ? 360_000 : 60_000;
      await vi.advanceTimersByTimeAsync(foundMs + 180_000);
      stop.abort();
      for (let minute = 0; minute < 3; minute++) {
        const begin = from + foundMs + minute * 60_000;
        const used = within(service.accepted, begin, begin + 60_000) / 60;
        expect(used, `minute ${minute}, Retry-After ${retryAfterMs}`).toBeGreaterThanOrEqual(0.9 * limit);
        expect(used).toBeLessThanOrEqual(limit);
      }
    }
  },
);

longTest(
  "after a storm in which everything is turned away it is back within 10 % of the service's limit in three minutes",
  async () => {
    for (const retryAfterMs of firstOf(1, [2000, undefined])) {
      const service = enforcer(20, { retryAfterMs });
      const pacing = openPacing({ rate: 50, inFlight: 4, clock });
      const stop = new AbortController();
      askWithoutEnd(pacing, service, 4, stop.signal);
      await vi.advanceTimersByTimeAsync(90_000);
      const before = service.came.length;
      service.state.isStormy = true;
      await vi.advanceTimersByTimeAsync(60_000);
      service.state.isStormy = false;
      // The pacing waits as long as the service asks. Otherwise it asks twice a second. At most four requests come together.
      expect(service.came.length - before).toBeLessThanOrEqual(60);
      await vi.advanceTimersByTimeAsync(180_000);
      const from = Date.now();
      await vi.advanceTimersByTimeAsync(120_000);
      stop.abort();
      const used = within(service.accepted, from, from + 120_000) / 120;
      expect(used, `Retry-After ${retryAfterMs}`).toBeGreaterThanOrEqual(18);
      expect(used).toBeLessThanOrEqual(20);
    }
  },
);

longTest("a limit that is lifted is found out: the pace rises up to what was asked for", async () => {
  const service = enforcer(5);
  const pacing = openPacing({ rate: 30, inFlight: 4, clock });
  const stop = new AbortController();
  askWithoutEnd(pacing, service, 4, stop.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  service.state.limit = 1000;
  await vi.advanceTimersByTimeAsync(240_000);
  const from = Date.now();
  await vi.advanceTimersByTimeAsync(60_000);
  stop.abort();
  expect(within(service.accepted, from, from + 60_000)).toBeGreaterThanOrEqual(0.97 * 30 * 60);
});

test("a limit by the minute is kept to as well: what is sent between two pauses is what the service lets through", async () => {
  const service = enforcer(120, { windowMs: 60_000, retryAfterMs: 30_000 });
  const pacing = openPacing({ start: 10, rate: 20, inFlight: 4, clock });
  const stop = new AbortController();
  const from = Date.now();
  askWithoutEnd(pacing, service, 4, stop.signal);
  await vi.advanceTimersByTimeAsync(1_800_000);
  stop.abort();
  expect(within(service.accepted, from + 600_000, from + 1_800_000)).toBeGreaterThanOrEqual(0.8 * 120 * 20);
  expect(service.refused).toBeLessThan(0.03 * service.accepted.length);
});

longTest(
  "forty tokens of one host share its limit evenly, each within its own, and wait in no queue longer than their workers",
  async () => {
    const service = enforcer(40, { latencyMs: 20 });
    const host = openPacing({ rate: 40, inFlight: 16, clock });
    const stop = new AbortController();
    const tokens = Array.from({ length: 40 }, () => {
      const starts: number[] = [];
      const pacing = openPacing({ rate: 2, inFlight: 4, host, clock });
      const ask = () => {
        starts.push(Date.now());
        return service.ask();
      };
      askWithoutEnd(pacing, { ask }, 4, stop.signal);
      return { starts, pacing };
    });
    const from = Date.now();
    await vi.advanceTimersByTimeAsync(60_000);
    const shares = tokens.map(({ starts }) => within(starts, from, from + 60_000));
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeGreaterThanOrEqual(0.97 * 40 * 60);
    expect(service.refused).toBe(0);
    expect(mostWithin(service.came, 1000)).toBeLessThanOrEqual(40);
    for (const { starts, pacing } of tokens) {
      expect(mostWithin(starts, 1000)).toBeLessThanOrEqual(2);
      expect(pacing.counts.waiting).toBeLessThanOrEqual(4);
    }
    expect(host.counts.waiting).toBeLessThanOrEqual(160);
    stop.abort();
  },
);

test("one token that is turned away waits alone; two within a few seconds slow their host", async () => {
  const host = openPacing({ rate: 40, clock });
  const [one, other] = [openPacing({ rate: 10, host, clock }), openPacing({ rate: 10, host, clock })];
  one.pause(5000);
  one.pause(6000);
  expect(host.waiting()).toBeUndefined();
  expect(other.waiting()).toBeUndefined();
  other.pause(7000);
  expect(host.waiting()).toBe("the service, which asked for a pause (7 s left)");
  expect(openPacing({ host, clock }).waiting()).toBe("the service, which asked for a pause (7 s left)");
});
