import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { randomOf } from "../../test/support/random.ts";
import { longTest } from "../../test/support/tier-tests.ts";
import { firstOf } from "../../test/support/tiers.ts";
import { getPreference } from "./client.ts";
import type { Clock } from "./clock.ts";
import { openConnection } from "./connection.ts";
import type { Answer, Fetcher } from "./exchange.ts";
import { openPacing } from "./pacing.ts";

// These tests run a whole connection, with its retries and its pace, against a simulated service. The service takes a limited number of requests in
// any second, and turns away the others. The clock of the process is faked, so that a simulated minute takes no longer than its requests. Each test
// checks how much of the allowed rate was used, by the service's count.

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") }));
afterEach(() => void vi.useRealTimers());

function sleep(ms: number, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(stop?.reason);
    };
    const timer = setTimeout(() => {
      stop?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    stop?.addEventListener("abort", onAbort);
  });
}

/** The behaviour of a simulated service. */
interface Rules {
  /** Requests it takes in any second. */
  readonly limit: number;
  /** Turns away this share of the requests too, at any pace. */
  readonly share?: number;
  /** Turns away these requests too, counted from 1. */
  readonly ordinals?: readonly number[];
  readonly status?: 429 | 503;
  readonly retryAfter?: string;
}

const WELL = Buffer.from(JSON.stringify({ code: 0, data: { preference: { distanceUnit: "km" } } }));

/** Counts requests as they arrive, and answers 30 ms later. */
class Service implements Fetcher {
  readonly came: number[] = [];
  readonly taken: number[] = [];
  rules: Rules;
  readonly #random = randomOf(7);

  constructor(rules: Rules) {
    this.rules = rules;
  }

  async exchange(): Promise<Answer> {
    const { limit, share = 0, ordinals = [], status = 429, retryAfter } = this.rules;
    const now = Date.now();
    this.came.push(now);
    const isFull = (this.taken.at(-limit) ?? Number.NEGATIVE_INFINITY) > now - 1000;
    const isTaken = limit > 0 && !isFull && !ordinals.includes(this.came.length) && this.#random() >= share;
    if (isTaken) this.taken.push(now);
    await sleep(30);
    const nothing = { date: undefined, location: undefined, cut: undefined };
    return isTaken
      ? { kind: "answer", status: 200, retryAfter: undefined, body: WELL, ...nothing }
      : { kind: "answer", status, retryAfter, body: Buffer.from(""), ...nothing };
  }

  async close(): Promise<void> {}
}

interface Asking {
  readonly service: Service;
  /** Lets time pass. @returns the requests a second that came meanwhile, and those that were taken */
  pass(seconds: number): Promise<{ readonly came: number; readonly taken: number }>;
}

/** Asks a service without end, at a rate, with this number of workers. */
async function asking(
  rules: Rules,
  rate: number | undefined,
  then: (asking: Asking) => Promise<void>,
  workerCount = 6,
): Promise<void> {
  const random = randomOf(11);
  // A monotonic clock never gives one time twice. Requests without a limit start in the same millisecond.
  let calls = 0;
  const now = () => Date.now() + (calls++ % 1000) / 1000;
  const clock: Clock = { now, date: Date.now, sleep, random };
  const service = new Service(rules);
  const pacing = openPacing({ rate, inFlight: 6, clock });
  const connection = openConnection({ baseUrl: "https://log.example", token: "t", pacing, fetcher: service, clock });
  const stop = new AbortController();
  const worker = async () => {
    while (!stop.signal.aborted) await getPreference(connection, stop.signal).catch(() => undefined);
  };
  const workers = Array.from({ length: workerCount }, worker);
  const pass: Asking["pass"] = async (seconds) => {
    const [came, taken] = [service.came.length, service.taken.length];
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    return { came: (service.came.length - came) / seconds, taken: (service.taken.length - taken) / seconds };
  };
  await then({ service, pass });
  stop.abort();
  await vi.advanceTimersByTimeAsync(1000);
  await Promise.all(workers);
}

test.each(firstOf(1, [10, 1, 5, 40]))(
  "at --rate %d, a service that allows just that is used to 97 %, and turns nothing away",
  async (rate) => {
    await asking({ limit: rate }, rate, async ({ service, pass }) => {
      await pass(5);
      const { taken } = await pass(100);
      expect(taken).toBeGreaterThanOrEqual(0.97 * rate);
      expect(service.came).toHaveLength(service.taken.length);
    });
  },
);

test.each(
  firstOf<[what: string, limit: number, rate: number | undefined]>(1, [
    ["--rate 20", 10, 20],
    ["--rate 22", 20, 22],
    ["no rate at all", 20, undefined],
    ["--rate 10", 5, 10],
    ["--rate 50", 20, 50],
    ["--rate 40", 35, 40],
  ]),
)(
  "with %s, at a service that allows %d a second and says 429 with no time, 97 % of that is used",
  async (_what, limit, rate) => {
    await asking({ limit }, rate, async ({ service, pass }) => {
      await pass(10);
      const { taken } = await pass(100);
      expect(taken).toBeGreaterThanOrEqual(0.97 * limit);
      expect(service.came.length - service.taken.length).toBeLessThan(0.03 * service.came.length);
    });
  },
);

test.each(
  firstOf<[limit: number, rate: number]>(1, [
    [5, 10],
    [20, 50],
  ]),
)("at a service that allows %d a second and says Retry-After, --rate %d uses 97 % of that", async (limit, rate) => {
  await asking({ limit, retryAfter: "1" }, rate, async ({ pass }) => {
    await pass(10);
    expect((await pass(100)).taken).toBeGreaterThanOrEqual(0.97 * limit);
  });
});

test.each(
  firstOf<[status: 429 | 503, percent: number, rate: number]>(1, [
    [429, 5, 10],
    [503, 10, 40],
    [503, 5, 40],
    [429, 5, 40],
    [429, 1, 40],
  ]),
)(
  "a %d now and then, %d of a hundred whatever the pace, slows nothing: --rate %d goes on at 97 % of it",
  async (status, percent, rate) => {
    await asking({ limit: rate, share: percent / 100, status }, rate, async ({ pass }) => {
      await pass(20);
      const { came, taken } = await pass(100);
      expect(came).toBeGreaterThanOrEqual(0.97 * rate);
      expect(taken).toBeGreaterThanOrEqual((0.97 - 1.3 * (percent / 100)) * rate);
    });
  },
);

test.each(
  firstOf<[rate: number | undefined, ordinals: readonly number[]]>(1, [
    [10, [2, 3, 5, 9]],
    [undefined, [2, 4, 6, 8, 10, 12]],
    [undefined, [2, 3, 5, 9]],
    [10, [1, 4, 8]],
  ]),
)(
  "what is turned away among the first requests, each with a Retry-After, is forgotten soon: rate %s, requests %j",
  async (rate, ordinals) => {
    const [oneWorker, perSecond] = [1, 10];
    await asking(
      { limit: 1000, ordinals, retryAfter: "1" },
      rate,
      async ({ pass }) => {
        await pass(60);
        expect((await pass(60)).taken).toBeGreaterThanOrEqual(0.97 * perSecond);
      },
      oneWorker,
    );
  },
);

test.each(firstOf(1, [[[2, 3, 6, 11]], [[2, 3, 6, 10]], [[1, 2, 5, 10]], [[3, 4, 8]]]))(
  "of eighty-four requests whose %j are turned away with Retry-After: 1, the last is answered within twenty seconds",
  async (ordinals) => {
    const oneWorker = 1;
    await asking(
      { limit: 1000, ordinals, retryAfter: "1" },
      undefined,
      async ({ service, pass }) => {
        await pass(20);
        expect(service.taken.length).toBeGreaterThanOrEqual(84);
      },
      oneWorker,
    );
  },
);

longTest("both at once, a limit and a 429 now and then, are told apart", async () => {
  await asking({ limit: 25, share: 0.05 }, 40, async ({ pass }) => {
    await pass(20);
    // The pace doesn't make up for the occasional refusals, because it would then be too fast.
    expect((await pass(100)).taken).toBeGreaterThanOrEqual(0.97 * 0.93 * 25);
  });
});

test.each(firstOf(0, [429, 503] as const))(
  "a service that answers everything with %d is asked once in two seconds or less, and is back at its rate soon after",
  async (status) => {
    await asking({ limit: 40 }, 40, async ({ service, pass }) => {
      await pass(20);
      service.rules = { limit: 0, status };
      await pass(20);
      expect((await pass(60)).came).toBeLessThanOrEqual(0.5);
      service.rules = { limit: 40 };
      // Each of the six workers waits until its pause ends. The longest pause is a minute.
      await pass(150);
      expect((await pass(30)).taken).toBeGreaterThanOrEqual(0.97 * 40);
    });
  },
);

longTest("a limit that falls is followed at once, and one that rises within minutes", async () => {
  await asking({ limit: 20 }, 20, async ({ service, pass }) => {
    await pass(30);
    service.rules = { limit: 8 };
    await pass(20);
    expect((await pass(60)).taken).toBeGreaterThanOrEqual(0.97 * 8);
    service.rules = { limit: 1000 };
    await pass(300);
    expect((await pass(30)).taken).toBeGreaterThanOrEqual(0.97 * 20);
  });
});
