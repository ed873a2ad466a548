import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Admission, openHealth, type ServiceHealth } from "./health.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") }));
afterEach(() => void vi.useRealTimers());

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
  random: () => 1,
};

const calm = () => new AbortController().signal;

/** A service that was well once and then failed five times in a row. */
async function failing(patienceMs?: number): Promise<ServiceHealth> {
  const health = openHealth({ clock, patienceMs });
  (await health.admit("ask", calm())).answered(true);
  for (let i = 0; i < 5; i++) (await health.admit("ask", calm())).failed("the connection was reset");
  return health;
}

/** Asks for `length` admissions. It keeps the admitted and the refused callers, in order. */
function queue(health: ServiceHealth, length: number): { admitted: Admission[]; refused: unknown[] } {
  const state = { admitted: [] as Admission[], refused: [] as unknown[] };
  for (let i = 0; i < length; i++) {
    health.admit("ask", calm()).then(
      (admission) => state.admitted.push(admission),
      (error: unknown) => state.refused.push(error),
    );
  }
  return state;
}

test("of twenty that wait one is let through after 30 s, one more after another 60 s, and all when that one is answered", async () => {
  const health = await failing();
  const { admitted } = queue(health, 20);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(admitted).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(admitted).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(admitted).toHaveLength(1);
  expect(health.waiting()).toBe("the service, which failed 5 times in a row (being tried again)");
  admitted[0]?.failed("no answer came in time");
  expect(health.waiting()).toBe("the service, which failed 6 times in a row (tried again in 60 s)");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(admitted).toHaveLength(2);
  admitted[1]?.answered(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(admitted).toHaveLength(20);
  expect(health.waiting()).toBeUndefined();
});

test("one that is let through and stopped before it left makes way for the next", async () => {
  const health = await failing();
  const { admitted } = queue(health, 2);
  await vi.advanceTimersByTimeAsync(30_000);
  admitted[0]?.dropped();
  await vi.advanceTimersByTimeAsync(0);
  expect(admitted).toHaveLength(2);
});

test("failures of requests that left before are not counted as new tries", async () => {
  const health = openHealth({ clock });
  (await health.admit("ask", calm())).answered(true);
  const under = await Promise.all(Array.from({ length: 9 }, () => health.admit("ask", calm())));
  for (const admission of under) admission.failed("the connection was reset");
  expect(health.waiting()).toBe("the service, which failed 9 times in a row (tried again in 30 s)");
});

test("a success in between begins the count anew", async () => {
  const health = openHealth({ clock });
  for (let i = 0; i < 8; i++) {
    const admission = await health.admit("ask", calm());
    if (i % 5 === 0) admission.answered(true);
    else admission.failed("the connection was reset");
  }
  expect(health.isOpen).toBe(false);
});

test("after ten minutes all that wait are told what was met", async () => {
  const health = await failing();
  const { admitted, refused } = queue(health, 6);
  for (let tries = 0; tries < 4; tries++) {
    await vi.advanceTimersByTimeAsync(240_000);
    admitted.at(-1)?.failed("no answer came in time");
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(admitted.length + refused.length).toBe(6);
  expect(refused.length).toBeGreaterThanOrEqual(2);
  expect(String(refused[0])).toMatch(
    /^RetryableError: Cannot ask: the service failed \d times in a row within \d+ s, the last time because no answer came in time$/,
  );
});

test("a service that never answered well is not waited for: it may be another one", async () => {
  const health = openHealth({ clock });
  for (let i = 0; i < 30; i++) (await health.admit("ask", calm())).failed("nobody listens");
  expect(health.isOpen).toBe(false);
});

test("who waits can be stopped", async () => {
  const health = await failing();
  const stop = new AbortController();
  const waiting = expect(health.admit("ask", stop.signal)).rejects.toThrow("enough");
  stop.abort(new Error("enough"));
  await waiting;
});
