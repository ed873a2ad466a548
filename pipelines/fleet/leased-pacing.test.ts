import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openPacing } from "../../connectors/api/pacing.ts";
import { randomFrom } from "../../fixtures/make/random.ts";
import { firstOf } from "../../test/support/tiers.ts";
import { LeasedPacing } from "./leased-pacing.ts";
import type { PaceTable } from "./paces.ts";
import { lease, newPace, type PaceState, turnedAway } from "./shared-pace.ts";

// The clock of the whole process is faked. It moves only when a test moves it.
beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") }));
afterEach(() => void vi.useRealTimers());

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const clock = { now: () => Date.now(), date: () => Date.now(), sleep, random: () => 0.5 };

/** Milliseconds to the database and back, and of an answer of the service. */
const [ROUND_TRIP, ANSWER] = [2, 60];

/** The row of a host, with the time that a round trip takes. */
function table(start: number): PaceTable {
  let state: PaceState = newPace(start, Date.now());
  return {
    async lease(asking) {
      await sleep(ROUND_TRIP / 2);
      const [after, got] = lease(state, Date.now(), asking);
      const now = Date.now();
      state = after;
      await sleep(ROUND_TRIP / 2);
      return { ...got, now };
    },
    async turnedAway(refusal) {
      await sleep(ROUND_TRIP / 2);
      state = turnedAway(state, Date.now(), refusal);
      return { notBefore: state.notBefore };
    },
  };
}

/** A service that takes so many requests in any second, and asks all others to pause for a second. @param wayMs how long each is on its way */
function service(limit: number, wayMs = () => 0) {
  const taken: number[] = [];
  const refused: number[] = [];
  return {
    taken,
    refused,
    limit,
    async ask(): Promise<boolean> {
      const way = wayMs();
      if (way > 0) await sleep(way);
      const now = Date.now();
      const isFull = taken.filter((at) => now - at < 1_000).length >= this.limit;
      (isFull ? refused : taken).push(now);
      await sleep(ANSWER);
      return !isFull;
    },
  };
}

/** Athletes who ask a service as fast as the pace lets them. Stops when the signal is aborted. @returns how many requests each had done */
function athletes(
  host: LeasedPacing,
  asked: ReturnType<typeof service>,
  number: number,
  stop: AbortSignal,
  pauseMs = 1_000,
): number[] {
  const done = Array.from({ length: number }, () => 0);
  for (const athlete of done.keys()) {
    const own = openPacing({ rate: 1_000, inFlight: 8, host, clock });
    const loop = async () => {
      while (!stop.aborted) {
        await own.run(async () => {
          const startedAt = Date.now();
          if (await asked.ask()) {
            own.accepted(startedAt);
            done[athlete] = (done[athlete] ?? 0) + 1;
          } else own.pause(pauseMs, startedAt);
        }, stop);
      }
    };
    for (let each = 0; each < 4; each++) loop().catch(() => undefined);
  }
  return done;
}

describe("one pace for a host over all workers", () => {
  const cases = [8, 1, 2, 4].flatMap((workers) => [40, 10, 150].map((limit) => ({ workers, limit })));
  test.each(firstOf(1, cases))(
    "$workers workers take 95 % of the $limit requests a second that a service allows, and are turned away once",
    async ({ workers, limit }) => {
      const asked = service(limit);
      const host = table(1.5 * limit);
      const stop = new AbortController();
      for (let worker = 0; worker < workers; worker++) {
        const pacing = new LeasedPacing({ table: host, worker: `worker ${worker}`, ceiling: 1.5 * limit, clock });
        athletes(pacing, asked, 4, stop.signal);
      }
      await vi.advanceTimersByTimeAsync(5_000);
      const learnt = Date.now();
      await vi.advanceTimersByTimeAsync(30_000);
      const [first = 0] = asked.refused;
      const taken = asked.taken.filter((at) => at >= learnt).length;
      expect(taken / 30).toBeGreaterThanOrEqual(0.95 * limit);
      expect(asked.refused.filter((at) => at - first > 2_000)).toEqual([]);
      stop.abort();
      await vi.advanceTimersByTimeAsync(2_000);
    },
  );

  test("the pace falls to a sliding limit of 8 a second where 20 are asked, though the service took more before, and comes back", async () => {
    const random = randomFrom("sliding limit");
    // It takes all for ten seconds, so it has proved more than its later limit. Requests arrive up to 60 ms late.
    const asked = service(1_000, () => Math.floor(60 * random.next()));
    const host = table(20);
    const stop = new AbortController();
    const pacings = [0, 1].map((worker) => {
      const pacing = new LeasedPacing({ table: host, worker: `worker ${worker}`, ceiling: 20, clock });
      athletes(pacing, asked, 3, stop.signal, 3_000);
      return pacing;
    });
    await vi.advanceTimersByTimeAsync(10_000);
    asked.limit = 8;
    await vi.advanceTimersByTimeAsync(20_000);
    const learnt = Date.now();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.taken.filter((at) => at >= learnt).length / 60).toBeGreaterThanOrEqual(0.8 * 8);
    expect(asked.refused.filter((at) => at >= learnt).length).toBeLessThanOrEqual(6);
    const slow = pacings[0]?.perSecond ?? 0;
    asked.limit = 1_000;
    await vi.advanceTimersByTimeAsync(140_000);
    for (const pacing of pacings) expect(pacing.perSecond).toBeGreaterThan(1.05 * slow);
    stop.abort();
    await vi.advanceTimersByTimeAsync(4_000);
  });

  test("each athlete gets the same share, whichever worker has them", async () => {
    const asked = service(40);
    const host = table(40);
    const stop = new AbortController();
    const done = [1, 7].flatMap((number) => {
      const pacing = new LeasedPacing({ table: host, worker: `with ${number}`, ceiling: 40, clock });
      return [athletes(pacing, asked, number, stop.signal)];
    });
    await vi.advanceTimersByTimeAsync(30_000);
    const all = done.flat();
    const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
    for (const one of all) expect(Math.abs(one - mean)).toBeLessThan(0.15 * mean);
    stop.abort();
    await vi.advanceTimersByTimeAsync(2_000);
  });

  test("a worker that dies leaves its share to the others within a quarter second", async () => {
    const asked = service(1_000);
    const host = table(40);
    const [dying, living] = [new AbortController(), new AbortController()];
    const start = (name: string, stop: AbortController) =>
      athletes(new LeasedPacing({ table: host, worker: name, ceiling: 40, clock }), asked, 4, stop.signal);
    start("dying", dying);
    start("living", living);
    await vi.advanceTimersByTimeAsync(10_000);
    dying.abort();
    const died = Date.now();
    await vi.advanceTimersByTimeAsync(10_000);
    const after = asked.taken.filter((at) => at >= died).length;
    // 40 a second with the guard of 2.5 %, for all ten seconds but a quarter.
    expect(after).toBeGreaterThanOrEqual(Math.floor((9.75 * 40) / 1.025));
    living.abort();
    await vi.advanceTimersByTimeAsync(2_000);
  });

  test("a batch that allows more than those before begins at its own pace, unless the service turned requests away", () => {
    const ask = { worker: "one", slots: 1, waiting: 1 };
    const rateAfter = (state: PaceState, ceiling: number, start?: number) =>
      lease(state, 90_000, { ...ask, ceiling, ...(start !== undefined && { start }) })[0].rate;
    const [slow] = lease(newPace(1, 0), 0, { ...ask, ceiling: 1 });
    expect([rateAfter(slow, 1), rateAfter(slow, 50), rateAfter(slow, 50, 10)]).toEqual([1, 50, 10]);
    const turned: PaceState = { ...slow, rate: 0.7, lowered: { from: 1, noise: 0 } };
    expect(rateAfter(turned, 50)).toBe(0.7);
  });

  test("a long pause that one account alone met stops the others for ten seconds, and that of two stops all", () => {
    const now = 1_000_000;
    const hours = 7_200_000;
    const alone = turnedAway(newPace(20, 0), now, { startedAt: now - 50, pauseMs: hours, account: "ana" });
    expect(alone.notBefore).toBe(now + 10_000);
    const again = turnedAway(alone, now + 20_000, { startedAt: now + 19_000, pauseMs: hours, account: "ana" });
    expect(again.notBefore).toBe(now + 10_000);
    const both = turnedAway(alone, now + 5_000, { startedAt: now + 4_000, pauseMs: hours, account: "ben" });
    expect(both.notBefore).toBe(now + 5_000 + hours);
  });

  test.each([
    [2, 0],
    [10, 0],
    [10, 3_000],
  ])(
    "a service that turns %i % of the requests away at any pace, and asks for pauses of %i ms, is not asked ever more slowly",
    (share, pauseMs) => {
      const random = randomFrom(`refusals ${share}`);
      let state = newPace(40, 0);
      let now = 0;
      let slow = 0;
      for (let request = 1; request <= 20_000; request++) {
        const [after, { slots, askAt }] = lease(state, now, { worker: "one", slots: 1, waiting: 1, ceiling: 40 });
        state = after;
        if (state.rate <= 35) slow++;
        if (slots.length === 0) now = askAt;
        else if (random.chance(share / 100))
          state = turnedAway(state, now + 50, {
            startedAt: slots[0] ?? now,
            pauseMs,
            account: `athlete ${request % 7}`,
          });
      }
      expect(slow).toBeLessThan(2_000);
      expect(state.rate).toBeGreaterThan(35);
    },
  );
});
