import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPacing } from "./pacing.ts";

// The clock of the whole process is faked: it moves only when a test says so.
beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") }));
afterEach(() => void vi.useRealTimers());

const signal = () => new AbortController().signal;

const clock = {
  now: () => Date.now(),
  sleep: (ms: number, stop: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      stop.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(stop.reason);
      });
    }),
  random: () => 0.5,
};

test("at two a second, seven calls start 515 ms apart, so that no second holds three", async () => {
  const pacing = openPacing({ rate: 2, inFlight: 4, clock });
  const starts: number[] = [];
  const from = Date.now();
  const all = Promise.all(
    Array.from({ length: 7 }, () => pacing.run(async () => void starts.push(Date.now() - from), signal())),
  );
  await vi.advanceTimersByTimeAsync(10_000);
  await all;
  for (const [i, start] of starts.entries()) {
    // 1000 ms / 2 * 1.03, the library's own bookkeeping of a few milliseconds aside.
    expect(start).toBeGreaterThanOrEqual(515 * i);
    expect(start).toBeLessThan(515 * i + 20);
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

test("a pause holds back every call, says so, and the calls then start at a slower pace, not in a burst", async () => {
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
  await vi.advanceTimersByTimeAsync(5000);
  await all;
  expect(pacing.waiting()).toBeUndefined();
  expect(starts[0]).toBeGreaterThanOrEqual(3000);
  // 10 a second slowed to 7: 1000 / 7 * 1.03 = 147 ms.
  for (let i = 1; i < starts.length; i++) expect((starts[i] ?? 0) - (starts[i - 1] ?? 0)).toBeGreaterThanOrEqual(146);
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
  expect(starts[2]).toBeGreaterThanOrEqual(2140);
});

test("several answers that turn us away at once slow the pace once, and the longest pause wins", async () => {
  const pacing = openPacing({ rate: 10, clock });
  pacing.pause(1000);
  pacing.pause(4000);
  pacing.pause(2000);
  expect(pacing.counts.pauses).toBe(1);
  expect(pacing.waiting()).toBe("the service, which asked for a pause (4 s left)");
});

test("the pace recovers by a tenth a minute", async () => {
  const pacing = openPacing({ rate: 1, inFlight: 1, clock });
  pacing.pause(1);
  const gap = async () => {
    const starts: number[] = [];
    const all = Promise.all([1, 2].map(() => pacing.run(async () => void starts.push(Date.now()), signal())));
    await vi.advanceTimersByTimeAsync(5000);
    await all;
    return (starts[1] ?? 0) - (starts[0] ?? 0);
  };
  // 1030 ms / 0.7 = 1471.4 ms, in whole milliseconds of a timer.
  expect(await gap()).toBeGreaterThanOrEqual(1470);
  await vi.advanceTimersByTimeAsync(240_000);
  await gap();
  // 0.7 * 1.1^4 is above 1: the pace is the old one.
  const recovered = await gap();
  expect(recovered).toBeGreaterThanOrEqual(1029);
  expect(recovered).toBeLessThan(1060);
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
